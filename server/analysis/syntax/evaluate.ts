// Reads an expression by its syntax: literals, lists, objects, and the kinds in `evaluate/`. Names stay references.
import type { ImportFact } from "../model/facts.ts";
import type { Choice, Expression, ListValue, Place, Property, Reference } from "../model/values.ts";
import { skipTrivia } from "../text/edit.ts";
import { mistakesIn } from "../text/parse.ts";
import type { Placing } from "../text/place.ts";
import { ts } from "../typescript.ts";
import { assignedExports } from "./commonjs.ts";
import { isUrl, partOfUrl } from "./constructed-url.ts";
import { evaluateStatics } from "./evaluate/declared-objects.ts";
import { evaluateCall, evaluateTagged } from "./evaluate/evaluate-call.ts";
import { evaluateNew } from "./evaluate/evaluate-new.ts";
import { evaluateRequired } from "./evaluate/evaluate-required.ts";
import { flattenPlus, templateParts } from "./evaluate/texts.ts";
import { isEachItem } from "./index-loop.ts";
import { partAt } from "./names/substitute-arguments.ts";
import { type Access, isAsync, nameNodeOf, pathOf, unwrap } from "./nodes.ts";
import { enumMember, toolkitPath } from "./toolkit-names.ts";

const { SyntaxKind } = ts;

export interface EvaluateContext {
  readonly file: string;
  readonly source: ts.SourceFile;
  readonly places: Placing;
  /** The imports of the SDK by local name. */
  readonly toolkitImports: ReadonlyMap<string, ImportFact>;
}

export function evaluate(node: ts.Expression, context: EvaluateContext): Expression {
  const place = context.places.of(node);
  if (depth > DEEPEST) return { kind: "unknown", place };
  depth++;
  try {
    return evaluateKind(node, place, context);
  } finally {
    depth--;
  }
}

export const evaluateAll = (nodes: readonly ts.Expression[], context: EvaluateContext): readonly Expression[] =>
  nodes.map((node) => evaluate(node, context));

/** Evaluates the arguments of a call. A spread is a list with unknown items. */
export const evaluateArguments = (args: readonly ts.Expression[], context: EvaluateContext): readonly Expression[] =>
  args.map((argument) =>
    ts.isSpreadElement(argument)
      ? spreadOf(evaluate(argument.expression, context), context.places.of(argument))
      : evaluate(argument, context),
  );

/** Returns a list with the items of another. */
export const spreadOf = (value: Expression, place: Place): ListValue => ({
  kind: "array",
  place,
  items: [],
  spreads: [{ before: 0, value }],
  open: true,
});

/**
 * The current nesting of evaluation. A deeper expression is not a configuration, and is unknown. Each part of an expression may be
 * evaluated by itself, so without a limit the work would grow with the square of the depth.
 */
let depth = 0;
const DEEPEST = 50;

/** `place` is that of the whole expression, including its parentheses. The method syntax allows an evaluator to take nodes of one kind. */
type Evaluator = { evaluate(node: ts.Expression, place: Place, context: EvaluateContext): Expression }["evaluate"];

const EVALUATORS: { readonly [Kind in ts.SyntaxKind]?: Evaluator } = {
  [SyntaxKind.ParenthesizedExpression]: evaluateInner,
  [SyntaxKind.AsExpression]: evaluateInner,
  [SyntaxKind.SatisfiesExpression]: evaluateInner,
  [SyntaxKind.NonNullExpression]: evaluateInner,
  [SyntaxKind.TypeAssertionExpression]: evaluateInner,
  [SyntaxKind.Identifier]: evaluateName,
  [SyntaxKind.ThisKeyword]: evaluateReceiver,
  [SyntaxKind.SuperKeyword]: evaluateReceiver,
  [SyntaxKind.PropertyAccessExpression]: evaluateAccess,
  [SyntaxKind.ElementAccessExpression]: evaluateAccess,
  [SyntaxKind.CallExpression]: evaluateCall,
  [SyntaxKind.NewExpression]: evaluateNew,
  [SyntaxKind.ObjectLiteralExpression]: evaluateObject,
  [SyntaxKind.ClassExpression]: (node: ts.ClassExpression, _, context) => evaluateStatics(node, context),
  [SyntaxKind.ArrayLiteralExpression]: evaluateArray,
  [SyntaxKind.StringLiteral]: evaluateText,
  [SyntaxKind.NoSubstitutionTemplateLiteral]: evaluateText,
  [SyntaxKind.TemplateExpression]: (node: ts.TemplateExpression, place, context) => ({
    kind: "template",
    place,
    parts: templateParts(node, context),
  }),
  [SyntaxKind.TaggedTemplateExpression]: evaluateTagged,
  [SyntaxKind.NumericLiteral]: (node: ts.NumericLiteral, place) => ({ kind: "number", place, value: Number(node.text) }),
  [SyntaxKind.TrueKeyword]: (_, place) => ({ kind: "boolean", place, value: true }),
  [SyntaxKind.FalseKeyword]: (_, place) => ({ kind: "boolean", place, value: false }),
  [SyntaxKind.NullKeyword]: (_, place) => ({ kind: "null", place }),
  [SyntaxKind.RegularExpressionLiteral]: (_, place) => ({ kind: "builtIn", place, of: "RegExp" }),
  [SyntaxKind.BigIntLiteral]: (_, place) => ({ kind: "builtIn", place, of: "BigInt" }),
  [SyntaxKind.FunctionExpression]: evaluateFunction,
  [SyntaxKind.ArrowFunction]: evaluateFunction,
  [SyntaxKind.BinaryExpression]: evaluateBinary,
  [SyntaxKind.PrefixUnaryExpression]: evaluateNegation,
  [SyntaxKind.ConditionalExpression]: ({ condition, whenTrue, whenFalse }: ts.ConditionalExpression, place, context) => ({
    kind: "choice",
    place,
    decidedBy: decisionOf(condition, context),
    options: [evaluate(whenTrue, context), evaluate(whenFalse, context)],
  }),
};

/** Evaluates a condition. */
export function decisionOf(condition: ts.Expression, context: EvaluateContext): Choice["decidedBy"] {
  const value = evaluate(condition, context);
  return value.kind === "unknown" ? "unknown" : value;
}

const evaluateKind: Evaluator = (node, place, context) => EVALUATORS[node.kind]?.(node, place, context) ?? { kind: "unknown", place };

function evaluateInner(
  { expression }: ts.ParenthesizedExpression | ts.AssertionExpression,
  place: Place,
  context: EvaluateContext,
): Expression {
  return evaluateKind(expression, place, context);
}

function evaluateName(node: ts.Identifier, place: Place, context: EvaluateContext): Expression {
  if (node.text === "undefined") return { kind: "undefined", place };
  return { kind: "reference", place, path: [node.text], nameSpan: context.places.of(node) };
}

/** Evaluates `this` or `super`, which a call of the function binds. */
function evaluateReceiver(node: ts.Expression, place: Place): Expression {
  return { kind: "reference", place, path: [node.kind === SyntaxKind.ThisKeyword ? "this" : "super"], nameSpan: place };
}

function evaluateText({ text, isUnterminated }: ts.StringLiteralLike, place: Place): Expression {
  return isUnterminated === true || SNIPPET_SLOT.test(text) ? { kind: "unknown", place } : { kind: "string", place, value: text };
}

/** Evaluates a function. Its place excludes a cast around it, since its facts are looked up by this place. */
function evaluateFunction(node: ts.ArrowFunction | ts.FunctionExpression, _: Place, context: EvaluateContext): Expression {
  return { kind: "function", place: context.places.of(node), async: isAsync(node) };
}

/** Matches `"${1:MyToken}"` in a snippet file, which is a slot for a value that is unknown yet. */
const SNIPPET_SLOT = /\$\{\d+[:|}]/;

function evaluateBinary(expression: ts.BinaryExpression, place: Place, context: EvaluateContext): Expression {
  switch (expression.operatorToken.kind) {
    case SyntaxKind.PlusToken:
      return { kind: "template", place, parts: flattenPlus(expression, context) };
    case SyntaxKind.AmpersandAmpersandToken:
      // In a spread, a falsy condition adds nothing.
      return {
        kind: "choice",
        place,
        decidedBy: decisionOf(expression.left, context),
        options: [evaluate(expression.right, context), { kind: "undefined", place }],
      };
    case SyntaxKind.BarBarToken:
    case SyntaxKind.QuestionQuestionToken: {
      const decidedBy = expression.operatorToken.kind === SyntaxKind.BarBarToken ? "||" : "??";
      return { kind: "choice", place, decidedBy, options: [evaluate(expression.left, context), evaluate(expression.right, context)] };
    }
    case SyntaxKind.EqualsToken: {
      const assigned = assignedExports(expression);
      return assigned === undefined ? { kind: "unknown", place } : evaluate(assigned.value, context);
    }
    case SyntaxKind.EqualsEqualsEqualsToken:
    case SyntaxKind.ExclamationEqualsEqualsToken: {
      const negated = expression.operatorToken.kind === SyntaxKind.ExclamationEqualsEqualsToken;
      return { kind: "comparison", place, left: evaluate(expression.left, context), right: evaluate(expression.right, context), negated };
    }
    case SyntaxKind.CommaToken: {
      const last = unwrap(expression);
      return last === expression ? { kind: "unknown", place } : evaluateKind(last, place, context);
    }
    default:
      return { kind: "unknown", place };
  }
}

function evaluateArray({ elements }: ts.ArrayLiteralExpression, place: Place, context: EvaluateContext): Expression {
  if (elements.length > MOST_MEMBERS) return { kind: "unknown", place };
  const items: Expression[] = [];
  const spreads: { before: number; value: Expression }[] = [];
  for (const element of elements)
    if (ts.isSpreadElement(element)) spreads.push({ before: items.length, value: evaluate(element.expression, context) });
    else items.push(evaluate(element, context));
  return { kind: "array", place, items, open: spreads.length > 0, spreads };
}

/** Evaluates `-1` and `!flag`. */
function evaluateNegation({ operator, operand }: ts.PrefixUnaryExpression, place: Place, context: EvaluateContext): Expression {
  if (operator === SyntaxKind.ExclamationToken) {
    const options = [false, true].map((value) => ({ kind: "boolean", place, value }) as const);
    return { kind: "choice", place, decidedBy: decisionOf(operand, context), options };
  }
  const number = ts.isNumericLiteral(operand) ? Number(operand.text) : undefined;
  if (number !== undefined && operator === SyntaxKind.MinusToken) return { kind: "number", place, value: -number };
  if (ts.isBigIntLiteral(operand) && operator === SyntaxKind.MinusToken) return { kind: "builtIn", place, of: "BigInt" };
  return { kind: "unknown", place };
}

function evaluateAccess(expression: Access, place: Place, context: EvaluateContext): Expression {
  const { places, source, toolkitImports } = context;
  const path = pathOf(expression);
  const last = nameNodeOf(expression);
  // For `["name"]`, the span excludes the quotes.
  const nameSpan = last && (ts.isStringLiteralLike(last) ? places.span(last.getStart(source) + 1, last.end - 1) : places.of(last));
  if (path === undefined || nameSpan === undefined) {
    const required = nameSpan && evaluateRequired(expression, place, nameSpan);
    return required ?? ofNew(expression, context) ?? lookUp(expression, place, context);
  }
  const reference: Reference = { kind: "reference", place, path, nameSpan };
  const imported = toolkitImports.get(path[0] ?? "");
  return imported === undefined ? reference : (enumMember(toolkitPath(path, imported), reference, source.text) ?? reference);
}

/** Evaluates a member of a new URL: `new URL(text).href`. */
function ofNew(expression: Access, context: EvaluateContext): Expression | undefined {
  if (!ts.isPropertyAccessExpression(expression) || !ts.isNewExpression(unwrap(expression.expression))) return undefined;
  const instance = evaluate(expression.expression, context);
  return isUrl(instance) ? partOfUrl(instance, expression.name.text) : undefined;
}

/** Returns the look-up of `HOSTS[ENV]`, `settings().url`, or of `LIST[i]` in a loop over the list. */
function lookUp(access: Access, place: Place, context: EvaluateContext): Expression {
  const name = nameNodeOf(access);
  const object = evaluate(access.expression, context);
  if (object.kind === "unknown") return { kind: "unknown", place };
  if (name !== undefined)
    return { kind: "lookUp", place, object, key: { kind: "string", place: context.places.of(name), value: name.text } };
  if (!ts.isElementAccessExpression(access)) return { kind: "unknown", place };
  if (object.kind === "reference" && isEachItem(access, context.source)) return { kind: "item", place, list: object };
  const { argumentExpression: key, expression } = access;
  const isBehind = ts.isBinaryExpression(key) && key.operatorToken.kind === SyntaxKind.MinusToken && ts.isNumericLiteral(key.right);
  if (!isBehind || key.left.getText(context.source) !== `${expression.getText(context.source)}.length`)
    return { kind: "lookUp", place, object, key: evaluate(key, context) };
  // `list[list.length - 1]` is `list.at(-1)`.
  const index = { kind: "number", place, value: -Number(key.right.getText(context.source)) } as const;
  return { kind: "call", place, callee: partAt(object, ["at"], place), arguments: [index] };
}

/** Maximum number of members of a handwritten object or list. A larger one is a table of data, and is not read. */
const MOST_MEMBERS = 1_000;

/** Evaluates an object. Its place is that of the braces, without parentheses or `as`, since edits are made inside it. */
function evaluateObject(expression: ts.ObjectLiteralExpression, _: Place, context: EvaluateContext): Expression {
  const { places, source } = context;
  const place = places.of(expression);
  const nodes = expression.properties;
  if (nodes.length > MOST_MEMBERS) return { kind: "unknown", place };
  const isBroken = mistakesIn(source).length > 0;
  const properties: Property[] = [];
  const spreads: { before: number; value: Expression }[] = [];
  for (const [index, node] of nodes.entries()) {
    const span = places.of(node);
    const name = node.name && propertyName(node.name);
    // The node may add members, but does not change the existing ones.
    if (isStatement(node) || (isBroken && isNoMember(node, source.text)))
      spreads.unshift({ before: 0, value: { kind: "unknown", place: span } });
    else if (isLeftOver(node, nodes[index - 1], source.text))
      spreads.push({ before: properties.length, value: { kind: "unknown", place: span } });
    else if (node.name !== undefined && name !== undefined && (name !== "__proto__" || !isPrototype(node)))
      properties.push({ name, nameSpan: places.of(node.name), span, value: propertyValue(node, span, context) });
    else spreads.push({ before: properties.length, value: spreadValue(node, span, context) });
  }
  const [first] = nodes;
  const last = nodes.at(-1);
  if (last !== undefined && isFollowedByColon(last, source.text))
    spreads.push({ before: properties.length, value: { kind: "unknown", place } });
  return {
    kind: "object",
    place,
    properties,
    spreads,
    open: spreads.length > 0,
    trailingComma: nodes.hasTrailingComma === true,
    ...(first && last && { members: places.span(first.getStart(source), last.end) }),
  };
}

/**
 * Whether the node is the rest of a member whose name the parser took as the value of the previous one. This happens while the previous
 * value is still being typed: `type: coda.` above `headerName: "X"`.
 */
const isLeftOver = (node: ts.ObjectLiteralElementLike, before: ts.ObjectLiteralElementLike | undefined, text: string): boolean =>
  before !== undefined &&
  (isFollowedByColon(before, text) || (ts.isShorthandPropertyAssignment(node) && !/[,\n]/.test(text.slice(before.end, node.end))));

/**
 * Whether the parser took something else for a member, because a brace, a colon or a name is missing. This can be code after the object, a
 * string without a name, or nothing at all.
 */
function isNoMember(node: ts.ObjectLiteralElementLike, text: string): boolean {
  const { name } = node;
  if (name === undefined || ts.isComputedPropertyName(name)) return false;
  if (name.end === name.getStart()) return true;
  const next = text.charAt(skipTrivia(text, name.end));
  if (ts.isPropertyAssignment(node)) return next !== ":";
  if (ts.isMethodDeclaration(node)) return node.body === undefined;
  return ts.isShorthandPropertyAssignment(node) && (!/^[,}=]?$/.test(next) || isReserved(node.name));
}

/** Statements that the parser takes for methods, because parentheses and braces follow the keyword. */
const STATEMENTS: ReadonlySet<string> = new Set(["for", "function", "if", "switch", "while"]);

const isStatement = (node: ts.ObjectLiteralElementLike): boolean =>
  ts.isMethodDeclaration(node) && ts.isIdentifier(node.name) && STATEMENTS.has(node.name.text);

function isReserved(name: ts.Identifier): boolean {
  const kind = ts.identifierToKeywordKind(name);
  return kind !== undefined && kind <= ts.SyntaxKind.LastReservedWord;
}

/** Whether the member's value is actually the name of the next member. */
export const isFollowedByColon = ({ end }: ts.ObjectLiteralElementLike, text: string): boolean => text[skipTrivia(text, end)] === ":";

/** Evaluates a member without a known name. A computed name may be any name, and a prototype has names of its own. */
const spreadValue = (node: ts.ObjectLiteralElementLike, span: Place, context: EvaluateContext): Expression =>
  ts.isSpreadAssignment(node) ? evaluate(node.expression, context) : computedProperty(node, span, context);

/** Evaluates `[KEY]: value`, whose name is known once KEY is resolved. */
function computedProperty(property: ts.ObjectLiteralElementLike, span: Place, context: EvaluateContext): Expression {
  const isComputed = ts.isPropertyAssignment(property) && ts.isComputedPropertyName(property.name);
  const key = isComputed ? evaluate(property.name.expression, context) : undefined;
  if (!isComputed || key === undefined || key.kind === "unknown") return { kind: "unknown", place: span };
  const nameSpan = context.places.of(property.name);
  return { kind: "property", place: span, key, property: { nameSpan, span, value: propertyValue(property, span, context) } };
}

/** Whether the member sets the prototype. `__proto__: base` is not a property, but the object inherits the properties of `base`. */
const isPrototype = (property: ts.ObjectLiteralElementLike): boolean =>
  ts.isPropertyAssignment(property) && !ts.isComputedPropertyName(property.name);

function propertyValue(property: ts.ObjectLiteralElementLike, place: Place, context: EvaluateContext): Expression {
  if (ts.isPropertyAssignment(property))
    return isFollowedByColon(property, context.source.text) ? { kind: "unknown", place } : evaluate(property.initializer, context);
  if (ts.isShorthandPropertyAssignment(property)) return evaluate(property.name, context);
  if (ts.isGetAccessor(property)) return getterValue(place);
  return ts.isMethodDeclaration(property) ? { kind: "function", place, async: isAsync(property) } : { kind: "unknown", place };
}

/** Returns the value of a getter: the result of calling the function at its place. */
export const getterValue = (place: Place): Expression => ({
  kind: "call",
  place,
  callee: { kind: "function", place, async: false },
  arguments: [],
});

export function propertyName(name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}
