// An expression → a Value, syntactically: literals, lists and what has a room of its own beside this; names stay references.
import type { ImportFact } from "../model/facts.ts";
import type { Place, Property, Value } from "../model/values.ts";
import { skipTrivia } from "../text/edit.ts";
import { mistakesIn } from "../text/parse.ts";
import type { Placing } from "../text/place.ts";
import { ts } from "../typescript.ts";
import { assignedExports } from "./commonjs.ts";
import { evaluateCall } from "./evaluate/evaluate-call.ts";
import { evaluateNew, partOfNew } from "./evaluate/evaluate-new.ts";
import { evaluateRequired } from "./evaluate/evaluate-required.ts";
import { flattenPlus, templateParts } from "./evaluate/texts.ts";
import { isEachItem } from "./index-loop.ts";
import { isConstructedUrl, partOfUrl } from "./made-url.ts";
import { type Access, isAsync, nameNodeOf, pathOf, unwrap } from "./nodes.ts";
import { enumMember, toolkitPath } from "./toolkit-names.ts";

const { SyntaxKind } = ts;

export interface EvaluateContext {
  readonly file: string;
  readonly source: ts.SourceFile;
  readonly places: Placing;
  /** What is imported from the toolkit, by its local name. */
  readonly toolkitImports: ReadonlyMap<string, ImportFact>;
}

export function evaluate(node: ts.Expression, context: EvaluateContext): Value {
  const place = context.places.of(node);
  if (depth > DEEPEST) return { kind: "unknown", place };
  depth++;
  try {
    return evaluateKind(node, place, context);
  } finally {
    depth--;
  }
}

export const evaluateAll = (nodes: readonly ts.Expression[], context: EvaluateContext): readonly Value[] =>
  nodes.map((node) => evaluate(node, context));

/**
 * Of what is being evaluated; what is nested deeper is no configuration, and is not known. Each of an expression's parts may be asked for by
 * itself: without an end, that takes the square of the depth.
 */
let depth = 0;
const DEEPEST = 50;

/** `place`: of the whole expression, with the parentheses around it. As a method it takes nodes of one kind. */
type Evaluator = { evaluate(node: ts.Expression, place: Place, context: EvaluateContext): Value }["evaluate"];

const EVALUATORS: { readonly [Kind in ts.SyntaxKind]?: Evaluator } = {
  [SyntaxKind.ParenthesizedExpression]: evaluateInner,
  [SyntaxKind.AsExpression]: evaluateInner,
  [SyntaxKind.SatisfiesExpression]: evaluateInner,
  [SyntaxKind.NonNullExpression]: evaluateInner,
  [SyntaxKind.TypeAssertionExpression]: evaluateInner,
  [SyntaxKind.Identifier]: evaluateName,
  [SyntaxKind.PropertyAccessExpression]: evaluateAccess,
  [SyntaxKind.ElementAccessExpression]: evaluateAccess,
  [SyntaxKind.CallExpression]: evaluateCall,
  [SyntaxKind.NewExpression]: evaluateNew,
  [SyntaxKind.ObjectLiteralExpression]: evaluateObject,
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
  [SyntaxKind.RegularExpressionLiteral]: (_, place) => ({ kind: "unknown", place, builtIn: "RegExp" }),
  [SyntaxKind.BigIntLiteral]: (_, place) => ({ kind: "unknown", place, builtIn: "BigInt" }),
  [SyntaxKind.FunctionExpression]: evaluateFunction,
  [SyntaxKind.ArrowFunction]: evaluateFunction,
  [SyntaxKind.BinaryExpression]: evaluateBinary,
  [SyntaxKind.PrefixUnaryExpression]: evaluateNegation,
  [SyntaxKind.ConditionalExpression]: ({ condition, whenTrue, whenFalse }: ts.ConditionalExpression, place, context) => ({
    kind: "choice",
    place,
    options: [evaluate(whenTrue, context), evaluate(whenFalse, context)],
    ...(pathOf(condition) && { test: evaluate(condition, context) }),
  }),
};

const evaluateKind: Evaluator = (node, place, context) => EVALUATORS[node.kind]?.(node, place, context) ?? { kind: "unknown", place };

function evaluateInner({ expression }: ts.ParenthesizedExpression | ts.AssertionExpression, place: Place, context: EvaluateContext): Value {
  return evaluateKind(expression, place, context);
}

function evaluateName(node: ts.Identifier, place: Place, context: EvaluateContext): Value {
  if (node.text === "undefined") return { kind: "undefined", place };
  return { kind: "reference", place, path: [node.text], nameSpan: context.places.of(node) };
}

function evaluateText({ text, isUnterminated }: ts.StringLiteralLike, place: Place): Value {
  return isUnterminated === true || SNIPPET_SLOT.test(text) ? { kind: "unknown", place } : { kind: "string", place, value: text };
}

/** `String.raw`, where nothing in the text is escaped. */
function evaluateTagged({ tag, template }: ts.TaggedTemplateExpression, place: Place, context: EvaluateContext): Value {
  const isRaw = pathOf(tag)?.join(".") === "String.raw" && !template.getText(context.source).includes("\\");
  return isRaw ? evaluateKind(template, place, context) : { kind: "unknown", place };
}

/** Its place is its own, without a cast around it: by that, what it does is looked up. */
function evaluateFunction(node: ts.ArrowFunction | ts.FunctionExpression, _: Place, context: EvaluateContext): Value {
  return { kind: "function", place: context.places.of(node), async: isAsync(node) };
}

/** `"${1:MyToken}"` in a snippet file: what will stand there, nobody knows yet. */
const SNIPPET_SLOT = /\$\{\d+[:|}]/;

function evaluateBinary(expression: ts.BinaryExpression, place: Place, context: EvaluateContext): Value {
  switch (expression.operatorToken.kind) {
    case SyntaxKind.PlusToken:
      return { kind: "template", place, parts: flattenPlus(expression, context) };
    case SyntaxKind.AmpersandAmpersandToken:
      // Where it is spread, a condition that does not hold is nothing.
      return { kind: "choice", place, options: [evaluate(expression.right, context), { kind: "undefined", place }] };
    case SyntaxKind.BarBarToken:
    case SyntaxKind.QuestionQuestionToken: {
      const by = expression.operatorToken.kind === SyntaxKind.BarBarToken ? "||" : "??";
      return { kind: "choice", place, by, options: [evaluate(expression.left, context), evaluate(expression.right, context)] };
    }
    case SyntaxKind.EqualsToken: {
      const assigned = assignedExports(expression);
      return assigned === undefined ? { kind: "unknown", place } : evaluate(assigned.value, context);
    }
    case SyntaxKind.CommaToken: {
      const last = unwrap(expression);
      return last === expression ? { kind: "unknown", place } : evaluateKind(last, place, context);
    }
    default:
      return { kind: "unknown", place };
  }
}

function evaluateArray({ elements }: ts.ArrayLiteralExpression, place: Place, context: EvaluateContext): Value {
  if (elements.length > MOST_MEMBERS) return { kind: "unknown", place };
  const items: Value[] = [];
  const spreads: { before: number; value: Value }[] = [];
  for (const element of elements)
    if (ts.isSpreadElement(element)) spreads.push({ before: items.length, value: evaluate(element.expression, context) });
    else items.push(evaluate(element, context));
  return spreads.length === 0 ? { kind: "array", place, items, open: false } : { kind: "array", place, items, open: true, spreads };
}

/** `-1`, and `!0` and `!1`, as minifiers write them. */
function evaluateNegation({ operator, operand }: ts.PrefixUnaryExpression, place: Place): Value {
  const number = ts.isNumericLiteral(operand) ? Number(operand.text) : undefined;
  if (number !== undefined && operator === SyntaxKind.ExclamationToken) return { kind: "boolean", place, value: number === 0 };
  if (number !== undefined && operator === SyntaxKind.MinusToken) return { kind: "number", place, value: -number };
  if (ts.isBigIntLiteral(operand) && operator === SyntaxKind.MinusToken) return { kind: "unknown", place, builtIn: "BigInt" };
  return { kind: "unknown", place };
}

type Reference = Value & { readonly kind: "reference" };

function evaluateAccess(expression: Access, place: Place, context: EvaluateContext): Value {
  const { places, source, toolkitImports } = context;
  const path = pathOf(expression);
  const last = nameNodeOf(expression);
  // Of `["name"]` it is the text alone.
  const nameSpan = last && (ts.isStringLiteralLike(last) ? places.span(last.getStart(source) + 1, last.end - 1) : places.of(last));
  if (path === undefined || nameSpan === undefined) {
    const required = nameSpan && evaluateRequired(expression, place, nameSpan);
    return required ?? ofNew(expression, place, context) ?? { kind: "unknown", place, ...lookup(expression, context) };
  }
  const reference: Reference = { kind: "reference", place, path, nameSpan };
  const imported = toolkitImports.get(path[0] ?? "");
  return imported === undefined ? reference : (enumMember(toolkitPath(path, imported), reference, source.text) ?? reference);
}

/** `new URL(text).href`, `new Name().method`. */
function ofNew(expression: Access, place: Place, context: EvaluateContext): Value | undefined {
  if (!ts.isPropertyAccessExpression(expression) || !ts.isNewExpression(unwrap(expression.expression))) return undefined;
  const instance = evaluate(expression.expression, context);
  const name = expression.name.text;
  return isConstructedUrl(instance) ? partOfUrl(instance, name) : partOfNew(instance, name, place);
}

/** `HOSTS[ENV]`, of a name; `LIST[i]` in a loop over the list; `HOSTS[ENV].url`. */
function lookup(access: Access, context: EvaluateContext): Pick<Value & { kind: "unknown" }, "lookup" | "each"> {
  const name = nameNodeOf(access);
  if (name !== undefined) {
    const object = evaluate(access.expression, context);
    const place = context.places.of(name);
    return object.kind === "unknown" && object.lookup !== undefined
      ? { lookup: { object, key: { kind: "string", place, value: name.text } } }
      : {};
  }
  if (!ts.isElementAccessExpression(access)) return {};
  const object = evaluate(access.expression, context);
  if (object.kind !== "reference") return {};
  return isEachItem(access, context.source) ? { each: object } : { lookup: { object, key: evaluate(access.argumentExpression, context) } };
}

/** Of an object or a list that somebody writes. A table of data is no configuration, and is not looked into. */
const MOST_MEMBERS = 1_000;

/** Its place is that of the braces alone, without parentheses or `as`: edits go inside them. */
function evaluateObject(expression: ts.ObjectLiteralExpression, _: Place, context: EvaluateContext): Value {
  const { places, source } = context;
  const place = places.of(expression);
  const nodes = expression.properties;
  if (nodes.length > MOST_MEMBERS) return { kind: "unknown", place };
  const isBroken = mistakesIn(source).length > 0;
  const properties: Property[] = [];
  const spreads: { before: number; value: Value }[] = [];
  for (const [index, node] of nodes.entries()) {
    const span = places.of(node);
    const name = node.name && propertyName(node.name);
    // There may be more, but nothing that would change what is there.
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
 * Where a value is still to be typed, the parser takes the next member's name for it, and what is left of that member for another:
 * `type: coda.` above `headerName: "X"`.
 */
const isLeftOver = (node: ts.ObjectLiteralElementLike, before: ts.ObjectLiteralElementLike | undefined, text: string): boolean =>
  before !== undefined &&
  (isFollowedByColon(before, text) || (ts.isShorthandPropertyAssignment(node) && !/[,\n]/.test(text.slice(before.end, node.end))));

/**
 * What the parser takes for a member where a brace, a colon or a name is missing: what stands after the object, a text without a name, or
 * nothing at all.
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

/** With what is in parentheses and braces after it, each is a method to the parser. */
const STATEMENTS: ReadonlySet<string> = new Set(["for", "function", "if", "switch", "while"]);

const isStatement = (node: ts.ObjectLiteralElementLike): boolean =>
  ts.isMethodDeclaration(node) && ts.isIdentifier(node.name) && STATEMENTS.has(node.name.text);

function isReserved(name: ts.Identifier): boolean {
  const kind = ts.identifierToKeywordKind(name);
  return kind !== undefined && kind <= ts.SyntaxKind.LastReservedWord;
}

/** A member whose value is the name of the next one. */
export const isFollowedByColon = ({ end }: ts.ObjectLiteralElementLike, text: string): boolean => text[skipTrivia(text, end)] === ":";

/** A computed name may be any, and a prototype has names of its own. */
const spreadValue = (node: ts.ObjectLiteralElementLike, span: Place, context: EvaluateContext): Value =>
  ts.isSpreadAssignment(node) ? evaluate(node.expression, context) : { kind: "unknown", place: span, ...keyed(node, span, context) };

/** `[KEY]: value`: the name is known to whoever knows what KEY stands for. */
function keyed(property: ts.ObjectLiteralElementLike, span: Place, context: EvaluateContext): Pick<Value & { kind: "unknown" }, "keyed"> {
  if (!ts.isPropertyAssignment(property) || !ts.isComputedPropertyName(property.name)) return {};
  const key = evaluate(property.name.expression, context);
  if (key.kind !== "reference" && key.kind !== "template") return {};
  const nameSpan = context.places.of(property.name);
  return { keyed: { key, property: { nameSpan, span, value: propertyValue(property, span, context) } } };
}

/** `__proto__: base` is no property: what `base` has can be read from the object. */
const isPrototype = (property: ts.ObjectLiteralElementLike): boolean =>
  ts.isPropertyAssignment(property) && !ts.isComputedPropertyName(property.name);

function propertyValue(property: ts.ObjectLiteralElementLike, place: Place, context: EvaluateContext): Value {
  if (ts.isPropertyAssignment(property))
    return isFollowedByColon(property, context.source.text) ? { kind: "unknown", place } : evaluate(property.initializer, context);
  if (ts.isShorthandPropertyAssignment(property)) return evaluate(property.name, context);
  if (ts.isGetAccessor(property)) return getterValue(place);
  return ts.isMethodDeclaration(property) ? { kind: "function", place, async: isAsync(property) } : { kind: "unknown", place };
}

/** What a getter gives, by its place. */
export const getterValue = (place: Place): Value => ({
  kind: "unknown",
  place,
  callee: { kind: "function", place, async: false },
  arguments: [],
});

export function propertyName(name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}
