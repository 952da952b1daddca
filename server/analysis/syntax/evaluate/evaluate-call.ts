// Evaluates a call: to its result for a known function, and otherwise to the call itself.

import { URL_HELPERS } from "../../../../spec/url-helpers.ts";
import type { Builder, Call, Expression, MappedList, NewPack, Place, Unknown } from "../../model/values.ts";
import { ts } from "../../typescript.ts";
import { type EvaluateContext, evaluate, evaluateAll, evaluateArguments, spreadOf } from "../evaluate.ts";
import { calleeName, pathOf, unwrap } from "../nodes.ts";
import { makesAgent } from "./builder-class.ts";
import { evaluateRequired } from "./evaluate-required.ts";
import { joinedTexts } from "./texts.ts";

/** Functions of the SDK and the language that return their argument, or an object built from a complete definition. */
const TRANSPARENT = new Set(
  "freeze seal structuredClone makeFormula makeSyncTable makeDynamicSyncTable makeObjectSchema makeSchema makeParameter withIdentity".split(
    " ",
  ),
);

/** Names of functions of the language that are known with their object. */
const PATHS: ReadonlySet<string> = new Set(["assign", "from", "parse"]);

/** Functions of the SDK and the language that build a string from their arguments. */
const TEXT_MAKERS = new Set([...Object.keys(URL_HELPERS), "stringify"]);

export function evaluateCall(call: ts.CallExpression, place: Place, context: EvaluateContext): Expression {
  const [first, by] = call.arguments;
  const name = calleeName(call)?.text;
  if (name === undefined) return calledBy(call, place, context);
  const encoded = name === "btoa" || name === "toString" ? encodedText(call, name) : undefined;
  if (encoded !== undefined) return { kind: "computed", place, name: "base64", arguments: [evaluate(encoded, context)] };
  const asText = textOfCall(call, name);
  if (asText !== undefined) return { kind: "template", place, parts: [evaluate(asText, context)] };
  if (name === "newPack") return newPack(calledBy(call, place, context));
  if (makesAgent(call, context.toolkitImports)) return { kind: "builder", place, builds: "agent" };
  // Each symbol is a key of its own.
  if (name === "Symbol") return { kind: "string", place, value: `Symbol(${place.start})` };
  const callee = unwrap(call.expression);
  // A bound function without arguments is called like the function.
  if (name === "bind" && by === undefined && ts.isPropertyAccessExpression(callee)) return evaluate(callee.expression, context);
  if (first === undefined) return calledBy(call, place, context);
  const required = name === "require" ? evaluateRequired(call, place, place) : undefined;
  if (required !== undefined) return required;
  if (name === "makeMetadataFormula") return { kind: "function", place, async: true };
  if (TRANSPARENT.has(name)) return evaluate(first, context);
  const path = PATHS.has(name) ? pathOf(call.expression)?.join(".") : undefined;
  if (path === "JSON.parse" && ts.isCallExpression(first) && pathOf(first.expression)?.join(".") === "JSON.stringify")
    return evaluateArguments(first.arguments, context)[0] ?? { kind: "unknown", place };
  if (path === "Array.from") {
    const list = spreadOf(evaluate(first, context), place);
    return by === undefined ? list : { kind: "map", place, list, by: evaluate(by, context) };
  }
  if (path === "Object.assign") {
    const merged = mergedObjects(call.arguments, context);
    if (merged !== undefined) return merged;
  }
  const joined = name === "join" || name === "concat" ? joinedTexts(call, name, () => calledBy(call, place, context), context) : undefined;
  if (joined !== undefined) return { kind: "template", place, parts: joined };
  if ((name === "replace" || name === "replaceAll") && ts.isPropertyAccessExpression(callee) && call.arguments.length === 2)
    return { kind: "computed", place, name, arguments: evaluateAll([callee.expression, ...call.arguments], context) };
  if (!TEXT_MAKERS.has(name)) return calledBy(call, place, context);
  return { kind: "computed", place, name, arguments: evaluateAll(call.arguments, context) };
}

/** Returns the expression that `String(url)` or `url.toString()` converts to a string. */
function textOfCall(call: ts.CallExpression, name: string): ts.Expression | undefined {
  const callee = unwrap(call.expression);
  if (name === "String" && ts.isIdentifier(callee)) return call.arguments[0];
  return name === "toString" && call.arguments.length === 0 && ts.isPropertyAccessExpression(callee) ? callee.expression : undefined;
}

/** Evaluates `Object.assign({}, base, { … })` like `{ ...base, … }`: the last or first literal, with the other arguments as spreads. */
function mergedObjects(args: readonly ts.Expression[], context: EvaluateContext): Expression | undefined {
  const values = evaluateArguments(args, context);
  const [first] = values;
  const last = values.at(-1);
  if (last?.kind === "object") {
    const before = values.slice(0, -1).map((value) => ({ before: 0, value }));
    return { ...last, spreads: [...before, ...last.spreads], open: before.length > 0 || last.open };
  }
  if (first?.kind !== "object") return undefined;
  const behind = values.slice(1).map((value) => ({ before: first.properties.length, value }));
  return { ...first, spreads: [...first.spreads, ...behind], open: true };
}

/** Returns the expression that `Buffer.from(text).toString("base64")` or `btoa(text)` encodes. */
function encodedText(call: ts.CallExpression, name: string): ts.Expression | undefined {
  const [first] = call.arguments;
  if (name === "btoa") return first;
  if (name !== "toString" || first === undefined || !ts.isStringLiteralLike(first) || first.text !== "base64") return undefined;
  const callee = unwrap(call.expression);
  const bufferCall = ts.isPropertyAccessExpression(callee) ? unwrap(callee.expression) : undefined;
  if (bufferCall === undefined || !ts.isCallExpression(bufferCall) || pathOf(bufferCall.expression)?.join(".") !== "Buffer.from")
    return undefined;
  const [text, encoding] = bufferCall.arguments;
  const isPlain = encoding === undefined || (ts.isStringLiteralLike(encoding) && /^(?:utf-?8|ascii|latin1|binary)$/i.test(encoding.text));
  return isPlain ? text : undefined;
}

const newPack = (call: Call | MappedList | Unknown): NewPack | Builder =>
  call.kind === "call" ? { ...call, kind: "newPack" } : { kind: "builder", place: call.place, builds: "pack" };

/** Returns the call if its callee has a name or is a function, or else an unknown value. */
function calledBy(call: ts.CallExpression, place: Place, context: EvaluateContext): Call | MappedList | Unknown {
  const callee = unwrap(call.expression);
  const [by, ...remaining] = call.arguments;
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === "map" && by !== undefined && remaining.length === 0)
    return { kind: "map", place, list: evaluate(callee.expression, context), by: evaluate(by, context) };
  return callOf(evaluate(callee, context), call.arguments, place, context);
}

/** Kinds of values that may be a function. */
const MAY_BE_FUNCTION: ReadonlySet<Expression["kind"]> = new Set(["function", "reference", "lookUp", "call"]);

function callOf(callee: Expression, args: readonly ts.Expression[], place: Place, context: EvaluateContext): Call | Unknown {
  if (!MAY_BE_FUNCTION.has(callee.kind)) return { kind: "unknown", place };
  // The SDK's functions are known without their arguments.
  const isToolkit = callee.kind === "reference" && context.toolkitImports.has(callee.path[0] ?? "");
  return { kind: "call", place, callee, arguments: isToolkit ? undefined : evaluateArguments(args, context) };
}

/** Evaluates a tagged template to the call of its tag, or to the text for `String.raw` without a backslash. */
export function evaluateTagged({ tag, template }: ts.TaggedTemplateExpression, place: Place, context: EvaluateContext): Expression {
  const text = evaluate(template, context);
  if (pathOf(tag)?.join(".") === "String.raw")
    return template.getText(context.source).includes("\\") ? { kind: "unknown", place } : { ...text, place };
  const parts = text.kind === "template" ? text.parts : [text];
  const texts: Expression = { kind: "array", place, items: parts.filter((_, index) => index % 2 === 0), spreads: [], open: false };
  const call = callOf(evaluate(tag, context), [], place, context);
  return call.kind === "call" ? { ...call, arguments: [texts, ...parts.filter((_, index) => index % 2 === 1)] } : call;
}
