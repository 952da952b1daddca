// What a file does with the platform's context: requests, calls that pass the context on, uses of the account's endpoint. Everything is
// matched by name, and only code that contains the name is examined.
import { defined } from "../../../base/defined.ts";
import type { ContextCall, ContextFacts, FunctionFact } from "../model/context-facts.ts";
import { ts } from "../typescript.ts";
import { GIVES_CONTEXT, isGuarded } from "./endpoint-guards.ts";
import { collectEndpointUses } from "./endpoint-uses.ts";
import { type EvaluateContext, evaluate, evaluateAll } from "./evaluate.ts";
import { isFunction, parameterAround, pathOf, unwrap } from "./nodes.ts";
import { collectSecrets } from "./secret-facts.ts";
import { SECRET_BEGINNING } from "./secret-texts.ts";
import { swallowedError } from "./swallowed-errors.ts";

/** Combines the facts of a file's statements, in order. */
export const joinContextFacts = (parts: readonly ContextFacts[]): ContextFacts => ({
  contextCalls: parts.flatMap((part) => part.contextCalls),
  functions: parts.flatMap((part) => part.functions),
  endpointUses: parts.flatMap((part) => part.endpointUses),
  secrets: parts.flatMap((part) => part.secrets),
});

/** The usual parameter names for an execution context, and for the invocation token if it is passed separately. */
const CONTEXT_NAME = /(?:context|ctx|token)$/i;

const OWN_CONTEXT_NAME = /(?:context|ctx)$/i;

/** Whether a call may send a request or pass the context on. It is called for every call of a file. */
export const usesContext = (node: ts.CallExpression, name: string | undefined): boolean =>
  name === "fetch" ||
  node.arguments.some(mayContainContext) ||
  (ts.isCallExpression(node.expression) && node.expression.arguments.some(mayContainContext));

function mayContainContext(argument: ts.Expression): boolean {
  if (ts.isIdentifier(argument)) return CONTEXT_NAME.test(argument.text);
  if (ts.isPropertyAccessExpression(argument)) return /^(?:fetcher|fetch|context|invocationToken)$/.test(argument.name.text);
  return ts.isObjectLiteralExpression(argument) && argument.properties.some((property) => isUrl(property) || isContext(property));
}

/** Whether the property passes the context to a helper with an options object: `{ context, path }`, `{ ctx: context }`. */
function isContext(property: ts.ObjectLiteralElementLike): boolean {
  if (ts.isShorthandPropertyAssignment(property)) return OWN_CONTEXT_NAME.test(property.name.text);
  return ts.isPropertyAssignment(property) && ts.isIdentifier(property.initializer) && OWN_CONTEXT_NAME.test(property.initializer.text);
}

const isUrl = ({ name }: ts.ObjectLiteralElementLike): boolean => name !== undefined && ts.isIdentifier(name) && name.text === "url";

/** Returns the facts of the calls that the walk over a statement found, and of names in its text. */
export function collectContextFacts(statement: ts.Statement, calls: readonly ts.CallExpression[], context: EvaluateContext): ContextFacts {
  const text = context.source.text.slice(statement.pos, statement.end);
  const mentionsEndpoint = /endpoint/i.test(text);
  const mayGuard = calls.length > 0 && (mentionsEndpoint || GIVES_CONTEXT.test(text));
  return {
    contextCalls: calls.map((call) => contextCall(call, mayGuard, context)),
    functions: functionsAround(calls, context),
    endpointUses: mentionsEndpoint ? collectEndpointUses(statement, context) : [],
    secrets: text.search(SECRET_BEGINNING) < 0 ? [] : collectSecrets(statement, context),
  };
}

function contextCall(call: ts.CallExpression, mayGuard: boolean, context: EvaluateContext): ContextCall {
  const sends = fetches(call, context.source);
  return {
    place: context.places.of(call),
    callee: evaluate(call.expression, context),
    fetches: sends,
    arguments: evaluateAll(call.arguments, context),
    guarded: mayGuard && isGuarded(call, ["endpoint"], context.source),
    ...defined({ swallowed: sends === "no" ? undefined : swallowedError(call, context) }),
  };
}

function functionsAround(calls: readonly ts.CallExpression[], { places }: EvaluateContext): readonly FunctionFact[] {
  const factsByFunction = new Map<ts.Node, FunctionFact>();
  for (const call of calls)
    for (let around = ts.findAncestor(call.parent, isFunction); around !== undefined; around = ts.findAncestor(around.parent, isFunction)) {
      // The enclosing functions of a known function are known, too.
      if (factsByFunction.has(around)) break;
      const parameters = around.parameters.map(({ name }) => parameterName(name));
      factsByFunction.set(around, { place: places.of(around), parameters });
    }
  return [...factsByFunction.values()];
}

const parameterName = (name: ts.BindingName): string | undefined =>
  ts.isIdentifier(name) ? name.text : ts.isObjectBindingPattern(name) ? "" : undefined;

/** Whether the name is one of the platform's fetcher, by its ending. */
export const isFetcherName = (name: string | undefined): boolean => name !== undefined && /fetcher$/i.test(name);

/** Whether a call is the platform's fetch. Other objects may have a method `fetch`, so the receiver decides. */
function fetches(call: ts.CallExpression, source: ts.SourceFile): ContextCall["fetches"] {
  const names = pathOf(call.expression);
  if (names !== undefined && names.length < 2) return "maybe";
  const callee = unwrap(call.expression);
  if (names === undefined) {
    const receiver = ts.isPropertyAccessExpression(callee) && callee.name.text === "fetch" ? unwrap(callee.expression) : undefined;
    return receiver && ts.isPropertyAccessExpression(receiver) && isFetcherName(receiver.name.text) ? "yes" : "no";
  }
  if (names.at(-1) !== "fetch") return "no";
  const first = names[0] ?? "";
  if (first === "this") return isFetcherName(names.at(-2)) && !hasFetcherOfItsOwn(call, source) ? "yes" : "no";
  const type = names.length === 2 ? parameterAround(call, first)?.type?.getText(source) : undefined;
  if (type === undefined || type === "any") return "maybe";
  return /\bFetcher\b/.test(type) ? "yes" : "no";
}

/** Whether the enclosing class creates or receives something else by that name. */
function hasFetcherOfItsOwn(node: ts.Node, source: ts.SourceFile): boolean {
  const around = ts.findAncestor(node.parent, ts.isClassLike);
  return around !== undefined && namesOwnFetcher(around.getText(source));
}

/** Matches, after the name, another type than Fetcher or a constructed object. */
const OWN_FETCHER = /^(?:\s*(?:[?!]\s*)?:(?!\s*(?:(?:\w+\.)*Fetcher|any)\b)\s*\w|[^=;,(){}]*=\s*new\b)/i;
/** Maximum number of characters between a name and its type or value. */
const LONGEST_TYPE = 200;

function namesOwnFetcher(text: string): boolean {
  for (const { index } of text.matchAll(/(?<=fetcher)/gi)) if (OWN_FETCHER.test(text.slice(index, index + LONGEST_TYPE))) return true;
  return false;
}
