// An expression → a Value, syntactically: literals, objects, arrays, functions, enum members of the toolkit; names stay references.
import { ts } from "ts-morph";
import { ENUMS } from "../../spec/fields.ts";
import type { ImportFact, ObjectValue, Property, Span, Value } from "./model.ts";

// Taken once: the compiler's namespace is a table of getters, and every keystroke comes through here.
const { SyntaxKind } = ts;

type Spreads = readonly { readonly before: number; readonly value: Value }[];

/** Shared by all objects that spread nothing: most. */
const NO_SPREADS: Spreads = Object.freeze([]);

export interface EvaluateContext {
  readonly file: string;
  readonly source: ts.SourceFile;
  /** What is imported from the toolkit, by its local name. */
  readonly toolkitImports: ReadonlyMap<string, ImportFact>;
}

// Every value is written out where it is made, place and all: a spread makes an object that is larger, and takes longer.
export function evaluate(node: ts.Expression, context: EvaluateContext): Value {
  const expression = unwrap(node);
  const { file, source } = context;
  const start = node.getStart(source);
  const { end } = node;
  switch (expression.kind) {
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral: {
      const { text } = expression as ts.StringLiteralLike;
      return isSnippetSlot(text) ? { kind: "unknown", file, start, end } : { kind: "string", file, start, end, value: text };
    }
    case SyntaxKind.NumericLiteral:
      return { kind: "number", file, start, end, value: Number((expression as ts.NumericLiteral).text) };
    case SyntaxKind.TrueKeyword:
      return { kind: "boolean", file, start, end, value: true };
    case SyntaxKind.FalseKeyword:
      return { kind: "boolean", file, start, end, value: false };
    case SyntaxKind.NullKeyword:
      return { kind: "null", file, start, end };
    case SyntaxKind.Identifier:
      if ((expression as ts.Identifier).text === "undefined") return { kind: "undefined", file, start, end };
      return evaluateName(expression, start, end, context);
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ElementAccessExpression:
      return evaluateName(expression, start, end, context);
    case SyntaxKind.PrefixUnaryExpression:
      return evaluateNegation(expression as ts.PrefixUnaryExpression, file, start, end);
    case SyntaxKind.ArrayLiteralExpression:
      return evaluateArray(expression as ts.ArrayLiteralExpression, start, end, context);
    case SyntaxKind.ObjectLiteralExpression:
      return evaluateObject(expression as ts.ObjectLiteralExpression, context);
    case SyntaxKind.ArrowFunction:
    case SyntaxKind.FunctionExpression:
      return { kind: "function", file, start, end, async: isAsync(expression as ts.ArrowFunction | ts.FunctionExpression) };
    case SyntaxKind.TemplateExpression:
      return { kind: "template", file, start, end, parts: templateParts(expression as ts.TemplateExpression, context) };
    case SyntaxKind.ConditionalExpression: {
      const { whenTrue, whenFalse } = expression as ts.ConditionalExpression;
      return { kind: "choice", file, start, end, options: [evaluate(whenTrue, context), evaluate(whenFalse, context)] };
    }
    case SyntaxKind.BinaryExpression:
      return evaluateBinary(expression as ts.BinaryExpression, start, end, context);
    case SyntaxKind.CallExpression:
      return evaluateCall(expression as ts.CallExpression, start, end, context);
    default:
      return { kind: "unknown", file, start, end };
  }
}

/** `"${1:MyToken}"` in a snippet file: what will stand there, nobody knows yet. */
const isSnippetSlot = (text: string): boolean => text.includes("${") && /\$\{\d+[:|}]/.test(text);

/** The expression without parentheses, `as`, `satisfies`, `!` and type assertions. */
export function unwrap(node: ts.Expression): ts.Expression {
  let expression = node;
  for (;;) {
    switch (expression.kind) {
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.AsExpression:
      case SyntaxKind.SatisfiesExpression:
      case SyntaxKind.NonNullExpression:
      case SyntaxKind.TypeAssertionExpression:
        expression = (expression as ts.ParenthesizedExpression).expression;
        break;
      default:
        return expression;
    }
  }
}

/** The name that a call calls, with the node that it stands in; undefined where it is computed. */
export function calleeName(call: ts.CallExpression): { readonly name: string; readonly node: ts.Node } | undefined {
  const callee = unwrap(call.expression);
  const node = callee.kind === SyntaxKind.Identifier ? callee : nameNodeOf(callee);
  return node === undefined ? undefined : { name: (node as ts.Identifier | ts.StringLiteralLike).text, node };
}

/** `urls.oauth["token"]` → its names, `this` among them; undefined where one is computed. */
export function pathOf(node: ts.Expression): { readonly names: readonly string[]; readonly last: ts.Node } | undefined {
  let part = unwrap(node);
  if (part.kind === SyntaxKind.Identifier) return { names: [(part as ts.Identifier).text], last: part };
  if (part.kind === SyntaxKind.PropertyAccessExpression) {
    // `coda.name`, as most are: a list that grows takes room for more names than any path has.
    const { expression, name } = part as ts.PropertyAccessExpression;
    if (expression.kind === SyntaxKind.Identifier) return { names: [(expression as ts.Identifier).text, name.text], last: name };
  }
  const names: string[] = [];
  let last: ts.Node | undefined;
  for (;;) {
    if (part.kind === SyntaxKind.Identifier || part.kind === SyntaxKind.ThisKeyword) {
      names.push(part.kind === SyntaxKind.Identifier ? (part as ts.Identifier).text : "this");
      return { names: names.reverse(), last: last ?? part };
    }
    const name = nameNodeOf(part);
    if (name === undefined) return undefined;
    names.push((name as ts.Identifier | ts.StringLiteralLike).text);
    last ??= name;
    part = unwrap((part as ts.PropertyAccessExpression).expression);
  }
}

/** The node of `.name` or `["name"]`. */
function nameNodeOf(node: ts.Expression): ts.Node | undefined {
  if (node.kind === SyntaxKind.PropertyAccessExpression) return (node as ts.PropertyAccessExpression).name;
  if (node.kind !== SyntaxKind.ElementAccessExpression) return undefined;
  const argument = (node as ts.ElementAccessExpression).argumentExpression;
  return isText(argument) ? argument : undefined;
}

const isText = (node: ts.Node): node is ts.StringLiteralLike =>
  node.kind === SyntaxKind.StringLiteral || node.kind === SyntaxKind.NoSubstitutionTemplateLiteral;

/** What a path means inside the toolkit: `coda.AuthenticationType.X` and `Auth.X` are both AuthenticationType, X. */
export function toolkitPath(names: readonly string[], imported: ImportFact): readonly string[] {
  return imported.name === "*" || imported.name === "default" ? names.slice(1) : [imported.name, ...names.slice(1)];
}

function evaluateName(expression: ts.Expression, start: number, end: number, context: EvaluateContext): Value {
  const { file, source, toolkitImports } = context;
  const path = pathOf(expression);
  if (path === undefined) return { kind: "unknown", file, start, end, ...lookup(expression, context) };
  const { names, last } = path;
  // Of `["name"]` it is the text alone.
  const quote = isText(last) ? 1 : 0;
  const nameSpan = { start: last.getStart(source) + quote, end: last.end - quote };
  const reference: Value = { kind: "reference", file, start, end, path: names, nameSpan };
  if (names.length < 2) return reference;
  const imported = toolkitImports.get(names[0] ?? "");
  return (imported && enumMember(toolkitPath(names, imported), reference, source.text)) ?? reference;
}

/** `HOSTS[ENV]`, of two names. */
function lookup(expression: ts.Expression, context: EvaluateContext): Pick<Value & { kind: "unknown" }, "lookup"> {
  if (expression.kind !== SyntaxKind.ElementAccessExpression) return {};
  const access = expression as ts.ElementAccessExpression;
  const [object, key] = [evaluate(access.expression, context), evaluate(access.argumentExpression, context)];
  return object.kind === "reference" && key.kind === "reference" ? { lookup: { object, key } } : {};
}

/** The member that a path inside the toolkit names, as the reference writes it. */
export function enumMember(path: readonly string[], reference: Value & { kind: "reference" }, text: string): Value | undefined {
  const enumName = path[0];
  const name = path[1];
  if (path.length !== 2 || enumName === undefined || name === undefined || !Object.hasOwn(ENUMS, enumName)) return undefined;
  const { file, start, end, nameSpan } = reference;
  return { kind: "member", file, start, end, enum: enumName, name, prefix: text.slice(start, nameSpan.start), nameSpan };
}

function evaluateBinary(expression: ts.BinaryExpression, start: number, end: number, context: EvaluateContext): Value {
  const { file } = context;
  switch (expression.operatorToken.kind) {
    case SyntaxKind.PlusToken:
      return { kind: "template", file, start, end, parts: flattenPlus(expression, context) };
    case SyntaxKind.AmpersandAmpersandToken:
      // Where it is spread, a condition that does not hold is nothing.
      return { kind: "choice", file, start, end, options: [evaluate(expression.right, context), { kind: "undefined", file, start, end }] };
    case SyntaxKind.BarBarToken:
    case SyntaxKind.QuestionQuestionToken:
      return { kind: "choice", file, start, end, options: [evaluate(expression.left, context), evaluate(expression.right, context)] };
    default:
      return { kind: "unknown", file, start, end };
  }
}

/** Functions of the toolkit and the language that give what they are given, or what is made of a definition that says all of it. */
const TRANSPARENT = new Set(["freeze", "makeFormula", "makeSyncTable", "makeDynamicSyncTable"]);

/** Functions of the toolkit and the language that make a text of what they are given. */
const TEXT_MAKERS = new Set(["withQueryParams", "joinUrl", "stringify"]);

function evaluateCall(call: ts.CallExpression, start: number, end: number, context: EvaluateContext): Value {
  const { file } = context;
  const first = call.arguments[0];
  const name = calleeName(call)?.name;
  if (name === undefined) return { kind: "unknown", file, start, end };
  const encoded = name === "btoa" || name === "toString" ? encodedText(call, name) : undefined;
  if (encoded !== undefined)
    return { kind: "unknown", file, start, end, call: { name: "base64", arguments: [evaluate(encoded, context)] } };
  if (first === undefined) return calledBy(call, start, end, context);
  if (name === "makeMetadataFormula") return { kind: "function", file, start, end, async: true };
  if (TRANSPARENT.has(name)) return evaluate(first, context);
  const joined = name === "join" || name === "concat" ? joinedTexts(call, name, context) : undefined;
  if (joined !== undefined) return { kind: "template", file, start, end, parts: joined };
  if (!TEXT_MAKERS.has(name)) return calledBy(call, start, end, context);
  const given = call.arguments.map((argument) => evaluate(argument, context));
  return { kind: "unknown", file, start, end, call: { name, arguments: given } };
}

/** What is encoded by `Buffer.from(text).toString("base64")` or `btoa(text)`. */
function encodedText(call: ts.CallExpression, name: string): ts.Expression | undefined {
  const [first] = call.arguments;
  if (name === "btoa") return first;
  if (name !== "toString" || first === undefined || !isText(first) || first.text !== "base64") return undefined;
  const callee = unwrap(call.expression);
  const made = callee.kind === SyntaxKind.PropertyAccessExpression ? unwrap((callee as ts.PropertyAccessExpression).expression) : undefined;
  if (made?.kind !== SyntaxKind.CallExpression || pathOf((made as ts.CallExpression).expression)?.names.join(".") !== "Buffer.from")
    return undefined;
  const [text, encoding] = (made as ts.CallExpression).arguments;
  const isPlain = encoding === undefined || (isText(encoding) && /^(?:utf-?8|ascii|latin1|binary)$/i.test(encoding.text));
  return isPlain ? text : undefined;
}

/** What a function gives back, with the function's name where it has one. */
function calledBy(call: ts.CallExpression, start: number, end: number, context: EvaluateContext): Value {
  const { file } = context;
  const callee = unwrap(call.expression);
  if (callee.kind !== SyntaxKind.Identifier && callee.kind !== SyntaxKind.PropertyAccessExpression)
    return { kind: "unknown", file, start, end };
  const value = evaluate(callee, context);
  const isNamed = value.kind === "reference" && value.path[0] !== "this";
  return isNamed ? { kind: "unknown", file, start, end, callee: value } : { kind: "unknown", file, start, end };
}

/** The parts of `["a", b].join("-")` and `"a".concat(b)`; undefined where the call is another. */
function joinedTexts(call: ts.CallExpression, name: "join" | "concat", context: EvaluateContext): readonly Value[] | undefined {
  const callee = unwrap(call.expression);
  if (callee.kind !== SyntaxKind.PropertyAccessExpression) return undefined;
  const receiver = unwrap((callee as ts.PropertyAccessExpression).expression);
  const given = call.arguments.map((argument) => evaluate(argument, context));
  if (name === "concat") {
    const isTexts = isText(receiver) || receiver.kind === SyntaxKind.TemplateExpression || isJoining(receiver);
    return isTexts && !call.arguments.some(ts.isSpreadElement) ? [evaluate(receiver, context), ...given].flatMap(partsOf) : undefined;
  }
  const list = receiver.kind === SyntaxKind.ArrayLiteralExpression ? evaluate(receiver, context) : undefined;
  const [separator] = given;
  if (list?.kind !== "array" || list.open || separator?.kind !== "string") return undefined;
  // What stands between two items stands in the source where the first of them ends.
  return list.items.flatMap((item, index) =>
    index === list.items.length - 1 || separator.value === ""
      ? partsOf(item)
      : [...partsOf(item), { kind: "string" as const, file: item.file, start: item.end, end: item.end, value: separator.value }],
  );
}

/** A call that puts texts together. */
export function isJoining(node: ts.Node): boolean {
  if (node.kind !== SyntaxKind.CallExpression) return false;
  const name = calleeName(node as ts.CallExpression)?.name;
  return name === "join" || name === "concat";
}

function evaluateArray(expression: ts.ArrayLiteralExpression, start: number, end: number, context: EvaluateContext): Value {
  const { file } = context;
  const items: Value[] = [];
  let spreads: { before: number; value: Value }[] | undefined;
  for (const element of expression.elements)
    if (element.kind === SyntaxKind.SpreadElement) {
      spreads ??= [];
      spreads.push({ before: items.length, value: evaluate((element as ts.SpreadElement).expression, context) });
    } else items.push(evaluate(element, context));
  if (spreads === undefined) return { kind: "array", file, start, end, items, open: false };
  return { kind: "array", file, start, end, items, open: true, spreads };
}

/** An enum's members by their texts; those that are counted are not known. */
export function evaluateEnum(node: ts.EnumDeclaration, context: EvaluateContext): ObjectValue {
  return members(node, node.members, context, { open: false });
}

/** What a namespace exports, each by its own name, since that is where it is declared. */
export function evaluateNamespace(node: ts.ModuleDeclaration, context: EvaluateContext): ObjectValue {
  const { body } = node;
  const { file, source } = context;
  // `namespace A.B` is one in the other.
  const inside = body?.kind === SyntaxKind.ModuleBlock ? (body as ts.ModuleBlock).statements.filter(isExported) : [];
  const named = body?.kind === SyntaxKind.ModuleDeclaration ? declaredBy(body as ts.ModuleDeclaration) : inside.flatMap(declaredBy);
  const properties = named.map((name): Property => {
    const nameSpan = { start: name.getStart(source), end: name.end };
    return { name: name.text, nameSpan, span: nameSpan, value: { file, ...nameSpan, kind: "reference", path: [name.text], nameSpan } };
  });
  const at = { file, start: node.getStart(source), end: node.end };
  return {
    kind: "object",
    ...at,
    properties,
    spreads: [{ before: 0, value: { ...at, kind: "unknown" } }],
    open: true,
    trailingComma: false,
  };
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) && statement.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword) === true;

function declaredBy(statement: ts.Statement): readonly ts.Identifier[] {
  switch (statement.kind) {
    case SyntaxKind.VariableStatement:
      return (statement as ts.VariableStatement).declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name] : []));
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.ClassDeclaration:
    case SyntaxKind.EnumDeclaration:
    case SyntaxKind.ModuleDeclaration: {
      const { name } = statement as ts.FunctionDeclaration | ts.EnumDeclaration | ts.ModuleDeclaration;
      return name?.kind === SyntaxKind.Identifier ? [name as ts.Identifier] : [];
    }
    default:
      return [];
  }
}

/** What stands in a class for good: its `static readonly` properties. */
export function evaluateStatics(node: ts.ClassDeclaration, context: EvaluateContext): ObjectValue {
  const has = (property: ts.PropertyDeclaration, kind: ts.SyntaxKind): boolean =>
    property.modifiers?.some((modifier) => modifier.kind === kind) === true;
  const statics = node.members
    .filter(ts.isPropertyDeclaration)
    .filter((property) => has(property, SyntaxKind.StaticKeyword) && has(property, SyntaxKind.ReadonlyKeyword));
  return members(node, statics, context, { open: true });
}

function members(
  node: ts.Node,
  nodes: readonly (ts.EnumMember | ts.PropertyDeclaration)[],
  context: EvaluateContext,
  { open }: { readonly open: boolean },
): ObjectValue {
  const { file, source } = context;
  const start = node.getStart(source);
  const { end } = node;
  const properties = nodes.flatMap((member): Property[] => {
    const name = propertyName(member.name);
    if (name === undefined) return [];
    const span = { start: member.getStart(source), end: member.end };
    const nameSpan = { start: member.name.getStart(source), end: member.name.end };
    return [
      { name, nameSpan, span, value: member.initializer ? evaluate(member.initializer, context) : { file, ...span, kind: "unknown" } },
    ];
  });
  const spreads: Spreads = open ? [{ before: 0, value: { kind: "unknown", file, start, end } }] : NO_SPREADS;
  return { kind: "object", file, start, end, properties, spreads, open, trailingComma: false };
}

function evaluateObject(expression: ts.ObjectLiteralExpression, context: EvaluateContext): Value {
  const { file, source } = context;
  const nodes = expression.properties;
  const properties: Property[] = [];
  let spreads: { before: number; value: Value }[] | undefined;
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as ts.ObjectLiteralElementLike;
    const span = { start: node.getStart(source), end: node.end };
    const name = node.name && propertyName(node.name);
    if (name !== undefined && node.name !== undefined && !isPrototype(node, name)) {
      const nameSpan = { start: node.name.getStart(source), end: node.name.end };
      properties.push({ name, nameSpan, span, value: propertyValue(node, span, context) });
      continue;
    }
    spreads ??= [];
    const value: Value =
      node.kind === SyntaxKind.SpreadAssignment
        ? evaluate((node as ts.SpreadAssignment).expression, context)
        : // A computed name may be any, and a prototype has names of its own.
          { file, ...span, kind: "unknown", ...keyed(node, span, context) };
    spreads.push({ before: properties.length, value });
  }
  // The braces alone, without parentheses or `as`: edits go inside them.
  const start = expression.getStart(source);
  const { end } = expression;
  const open = spreads !== undefined;
  const trailingComma = nodes.hasTrailingComma === true;
  const first = nodes[0];
  const last = nodes[nodes.length - 1];
  if (first === undefined || last === undefined)
    return { kind: "object", file, start, end, properties, spreads: spreads ?? NO_SPREADS, open, trailingComma };
  const members = { start: first.getStart(source), end: last.end };
  return { kind: "object", file, start, end, properties, spreads: spreads ?? NO_SPREADS, open, trailingComma, members };
}

/** `[KEY]: value`: the name is known to whoever knows what KEY stands for. */
function keyed(property: ts.ObjectLiteralElementLike, span: Span, context: EvaluateContext): Pick<Value & { kind: "unknown" }, "keyed"> {
  const { name } = property;
  if (property.kind !== SyntaxKind.PropertyAssignment || name?.kind !== SyntaxKind.ComputedPropertyName) return {};
  const key = evaluate((name as ts.ComputedPropertyName).expression, context);
  if (key.kind !== "reference" && key.kind !== "template") return {};
  const nameSpan = { start: name.getStart(context.source), end: name.end };
  return { keyed: { key, property: { nameSpan, span, value: propertyValue(property, span, context) } } };
}

/** `__proto__: base` is no property: what `base` has can be read from the object. */
const isPrototype = (property: ts.ObjectLiteralElementLike, name: string): boolean =>
  name === "__proto__" && property.kind === SyntaxKind.PropertyAssignment && property.name?.kind !== SyntaxKind.ComputedPropertyName;

function propertyValue(property: ts.ObjectLiteralElementLike, { start, end }: Span, context: EvaluateContext): Value {
  const { file } = context;
  switch (property.kind) {
    case SyntaxKind.PropertyAssignment:
      return evaluate((property as ts.PropertyAssignment).initializer, context);
    case SyntaxKind.ShorthandPropertyAssignment:
      return evaluate((property as ts.ShorthandPropertyAssignment).name, context);
    case SyntaxKind.MethodDeclaration:
      return { kind: "function", file, start, end, async: isAsync(property as ts.MethodDeclaration) };
    default:
      return { kind: "unknown", file, start, end };
  }
}

export function propertyName(name: ts.PropertyName): string | undefined {
  if (name.kind === SyntaxKind.Identifier || isText(name) || name.kind === SyntaxKind.NumericLiteral) return name.text;
  return name.kind === SyntaxKind.ComputedPropertyName && isText(name.expression) ? name.expression.text : undefined;
}

function templateParts(expression: ts.TemplateExpression, context: EvaluateContext): readonly Value[] {
  const parts = [templatePart(expression.head, context)];
  for (const span of expression.templateSpans) parts.push(evaluate(span.expression, context), templatePart(span.literal, context));
  return parts;
}

function templatePart(node: ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail, { file, source }: EvaluateContext): Value {
  return { kind: "string", file, start: node.getStart(source), end: node.end, value: node.text };
}

/** The operands from left to right; written as a loop, because sums of thousands of texts are a deep tree. */
function flattenPlus(expression: ts.Expression, context: EvaluateContext): readonly Value[] {
  const operands: Value[][] = [];
  let node = unwrap(expression);
  for (; isSum(node); node = unwrap(node.left)) operands.push(partsOf(evaluate(node.right, context)));
  operands.push(partsOf(evaluate(node, context)));
  return operands.reverse().flat();
}

/** A sum of texts or numbers. */
export const isSum = (node: ts.Node): node is ts.BinaryExpression =>
  node.kind === SyntaxKind.BinaryExpression && (node as ts.BinaryExpression).operatorToken.kind === SyntaxKind.PlusToken;

const partsOf = (value: Value): Value[] => (value.kind === "template" ? [...value.parts] : [value]);

/** `!0` and `!1`, as minifiers write them. */
function evaluateNegation(node: ts.PrefixUnaryExpression, file: string, start: number, end: number): Value {
  const isNumber = node.operator === SyntaxKind.ExclamationToken && node.operand.kind === SyntaxKind.NumericLiteral;
  if (!isNumber) return { kind: "unknown", file, start, end };
  return { kind: "boolean", file, start, end, value: Number((node.operand as ts.NumericLiteral).text) === 0 };
}

function isAsync(node: ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === SyntaxKind.AsyncKeyword) === true;
}
