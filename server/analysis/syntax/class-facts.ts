// What the objects of a class are made of: methods, fields, and what the constructor and the methods do to the fields. Like functions, a
// class is read from the file's tree on demand.

import { getOrInsert } from "../../../base/get-or-insert.ts";
import type { ClassFacts } from "../model/function-facts.ts";
import type { Binding, Expression, Place, Property, Steps } from "../model/values.ts";
import { ts } from "../typescript.ts";
import { isStatic, memberValue } from "./evaluate/declared-objects.ts";
import { type EvaluateContext, evaluate, evaluateAll, propertyName } from "./evaluate.ts";
import { bindingsOf, contextAt, nodeAt } from "./function-facts.ts";
import { type Access, isAccess, isAssignment, isFunction, nameNodeOf, outermost, pathOf, unwrap } from "./nodes.ts";

const { SyntaxKind } = ts;

type Step = Steps["steps"][number];

/** Results by the class's place, as with functions. */
const factsByPlace = new WeakMap<Place, ClassFacts | undefined>();

/** Returns the facts of the class at the place in the file's current tree, or undefined if there is none that can be read. */
export function classFactsOf(place: Place, tree: ts.SourceFile): ClassFacts | undefined {
  return getOrInsert(factsByPlace, place, () => {
    const node = nodeAt(place, tree, (one) => (ts.isClassLike(one) ? one : undefined));
    return node && readClass(node, contextAt(place, tree));
  });
}

function readClass(node: ts.ClassLikeDeclaration, context: EvaluateContext): ClassFacts | undefined {
  const members = new Map<string, Expression>();
  const changes = new Map<string, Steps>();
  const setters = new Set<string>();
  const fields: Step[] = [];
  for (const member of node.members) {
    const name = member.name && propertyName(member.name);
    const isOther = ts.isConstructorDeclaration(member) || ts.isIndexSignatureDeclaration(member) || ts.isSemicolonClassElement(member);
    // A decorator, or a computed name, may replace any member.
    if (isDecorated(member) || (name === undefined && !isOther && !ts.isClassStaticBlockDeclaration(member))) return undefined;
    if (name === undefined || isStatic(member)) continue;
    if (ts.isSetAccessor(member)) setters.add(name);
    else if (ts.isPropertyDeclaration(member) || ts.isMethodDeclaration(member) || ts.isGetAccessor(member)) {
      const code = ts.isPropertyDeclaration(member) ? member.initializer && unwrap(member.initializer) : member;
      if (code !== undefined && isFunction(code) && code.body !== undefined) {
        members.set(name, memberValue(member, context));
        changes.set(name, readSteps(code, code.parameters, code.body, context));
      } else if (ts.isPropertyDeclaration(member) && member.initializer !== undefined)
        fields.push({ field: name, value: evaluate(member.initializer, context) });
    }
  }
  const created = node.members.find((member) => ts.isConstructorDeclaration(member) && member.body !== undefined) as
    | ts.ConstructorDeclaration
    | undefined;
  const baseArguments = created && passedToBase(created, context);
  if (isDecorated(node) || baseArguments === "unknown") return undefined;
  const own = created?.body && readSteps(created, created.parameters, created.body, context);
  const parameters = created?.parameters.flatMap(({ name, modifiers }): Step[] =>
    modifiers === undefined || !ts.isIdentifier(name) ? [] : [{ field: name.text, value: evaluate(name, context) }],
  );
  const steps = [...(parameters ?? []), ...fields, ...(own?.steps ?? [])];
  const base = node.heritageClauses?.find(({ token }) => token === SyntaxKind.ExtendsKeyword)?.types[0];
  return {
    base: base && evaluate(base.expression, context),
    members,
    setters,
    changes,
    construction: {
      place: own?.place ?? context.places.of(node),
      bindings: own?.bindings ?? [],
      steps,
      atReturn: steps.length,
    },
    baseArguments,
  };
}

const isDecorated = (node: ts.Node): boolean => ts.canHaveDecorators(node) && ts.getDecorators(node) !== undefined;

/** Returns the arguments of `super(…)`; undefined if a constructor passes on its own, as one that is not written does. */
function passedToBase({ body, parameters }: ts.ConstructorDeclaration, context: EvaluateContext): ClassFacts["baseArguments"] | "unknown" {
  const calls = body?.statements.flatMap((one) => {
    const call = ts.isExpressionStatement(one) ? unwrap(one.expression) : undefined;
    return call && ts.isCallExpression(call) && call.expression.kind === SyntaxKind.SuperKeyword ? [call] : [];
  });
  const args = calls?.[0]?.arguments ?? [];
  if (!args.some(ts.isSpreadElement)) return evaluateAll(args, context);
  const [only, ...more] = parameters;
  const [passed, ...remaining] = args;
  const isAll = only?.dotDotDotToken !== undefined && passed && ts.isSpreadElement(passed) && more.length + remaining.length === 0;
  return isAll && passed.expression.getText() === only.name.getText() ? undefined : "unknown";
}

function readSteps(node: ts.Node, parameters: readonly ts.ParameterDeclaration[], body: ts.ConciseBody, context: EvaluateContext): Steps {
  const { places, source } = context;
  const steps: Step[] = [];
  let atReturn: number | undefined;
  let isCertain = true;
  for (const statement of ts.isBlock(body) ? body.statements : [body]) {
    const span = places.of(statement);
    const isReturn = ts.isReturnStatement(statement);
    if (isReturn) atReturn = steps.length;
    const writes = isCertain && ts.isExpressionStatement(statement) ? writesOf(unwrap(statement.expression), span, context) : undefined;
    steps.push(...(writes ?? possibleWrites(statement, span)));
    // What follows may not run.
    if (!isReturn && mayReturn(statement)) isCertain = false;
  }
  const bindings = parameters
    .filter(({ name }) => name.getText(source) !== "this")
    .flatMap((parameter, index): Binding[] => bindingsOf(parameter, index, context));
  return { place: places.of(node), bindings, steps, atReturn: atReturn ?? steps.length };
}

const mayReturn = (node: ts.Node): boolean =>
  ts.isReturnStatement(node) || (!ts.isFunctionLike(node) && ts.forEachChild(node, (child) => mayReturn(child) || undefined) === true);

/** Returns what code may write to `this`, or to an object in a field of it. */
function possibleWrites(node: ts.Node, span: Place): readonly Step[] {
  const value: Expression = { kind: "unknown", place: span };
  if (node.kind === SyntaxKind.SuperKeyword) return [{ value }];
  if (node.kind === SyntaxKind.ThisKeyword) {
    const path: ts.Node[] = [outermost(node)];
    for (let [last] = path; last && isAccess(last.parent) && last.parent.expression === last; [last] = path)
      path.unshift(outermost(last.parent));
    const [part = node] = path;
    const field = path.length < 2 ? undefined : nameNodeOf(path.at(-2) as ts.Expression)?.text;
    if (!isChangedOrPassed(part, field === undefined)) return [];
    // The steps of its own methods are read by themselves.
    const isOwnCall = path.length === 2 && ts.isCallExpression(part.parent) && part.parent.expression === part;
    return [field === undefined || isOwnCall ? { value, isOwnCall } : { field, value }];
  }
  const steps: Step[] = [];
  ts.forEachChild(node, (child) => void steps.push(...possibleWrites(child, span)));
  return steps;
}

/** Whether code assigns to the object, calls a method of it, passes it on or gives it a name of its own. */
function isChangedOrPassed({ parent }: ts.Node, isWhole: boolean): boolean {
  if (ts.isBinaryExpression(parent) && isAssignment(parent.operatorToken.kind)) return true;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent) || ts.isVariableDeclaration(parent) || ts.isDeleteExpression(parent))
    return true;
  const isCount =
    ts.isPostfixUnaryExpression(parent) || (ts.isPrefixUnaryExpression(parent) && parent.operator !== SyntaxKind.ExclamationToken);
  return isCount || ts.isArrayLiteralExpression(parent) || (isWhole && !ts.isReturnStatement(parent));
}

/** Returns the writes of an expression to fields of `this`, or undefined if their values are not known. */
function writesOf(node: ts.Expression, span: Place, context: EvaluateContext): readonly Step[] | undefined {
  if (ts.isBinaryExpression(node)) {
    const path = node.operatorToken.kind === SyntaxKind.EqualsToken ? pathIn(node.left) : undefined;
    return path && !mayWrite([node.right], span) ? [write(path, evaluate(node.right, context), span, context)] : undefined;
  }
  const callee = ts.isCallExpression(node) ? unwrap(node.expression) : undefined;
  if (!ts.isCallExpression(node) || callee === undefined || mayWrite(node.arguments.slice(1), span)) return undefined;
  // The arguments of the base class are read by themselves.
  if (callee.kind === SyntaxKind.SuperKeyword) return mayWrite(node.arguments, span) ? undefined : [];
  if (!isAccess(callee) || node.arguments.some(ts.isSpreadElement)) return undefined;
  const values = evaluateAll(node.arguments, context);
  const path = pathIn(callee.expression);
  if (nameNodeOf(callee)?.text === "push" && path !== undefined && path.length > 0) {
    const before = { before: 0, value: read(path, span) };
    return [write(path, { kind: "array", place: span, items: values, spreads: [before], open: true }, span, context)];
  }
  const [target] = node.arguments;
  const assigned = target && pathOf(callee)?.join(".") === "Object.assign" ? pathIn(target) : undefined;
  if (assigned?.length === 0) return values.slice(1).map((value) => ({ value }));
  return assigned && [write(assigned, withMore(assigned, span, values.slice(1)), span, context)];
}

const mayWrite = (nodes: readonly ts.Node[], span: Place): boolean => nodes.some((node) => possibleWrites(node, span).length > 0);

/** Returns the steps of an access that begins with `this`, or undefined for another. Only the last may be computed. */
function pathIn(node: ts.Expression): readonly Access[] | undefined {
  const path: Access[] = [];
  let part = unwrap(node);
  for (; isAccess(part); part = unwrap(part.expression)) path.push(part);
  const isRead = path.slice(1).every((access) => nameNodeOf(access) !== undefined);
  return part.kind === SyntaxKind.ThisKeyword && isRead ? path.reverse() : undefined;
}

const read = (path: readonly Access[], place: Place): Expression => ({
  kind: "reference",
  place,
  path: ["this", ...path.map((access) => nameNodeOf(access)?.text ?? "")],
  nameSpan: place,
});

function withMore(path: readonly Access[], place: Place, more: readonly Expression[], properties: readonly Property[] = []): Expression {
  const spreads = [read(path, place), ...more].map((value) => ({ before: 0, value }));
  return { kind: "object", place, properties, spreads, open: true, trailingComma: false };
}

/** Returns `this.a.b = value` as `this.a = { ...this.a, b: value }`. */
function write(path: readonly Access[], value: Expression, span: Place, context: EvaluateContext): Step {
  const last = path.at(-1);
  const name = last && nameNodeOf(last);
  if (last === undefined || (path.length === 1 && name === undefined)) return { value: { kind: "unknown", place: span } };
  if (path.length === 1) return { field: name?.text ?? "", value };
  const before = path.slice(0, -1);
  const property = { nameSpan: context.places.of(name ?? last), span, value };
  if (name !== undefined) return write(before, withMore(before, span, [], [{ name: name.text, ...property }]), span, context);
  const key = ts.isElementAccessExpression(last) ? evaluate(last.argumentExpression, context) : value;
  return write(before, withMore(before, span, [{ kind: "property", place: span, key, property }]), span, context);
}
