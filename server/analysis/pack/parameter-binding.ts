// Binds parameters of helper functions to the arguments of their callers. One example is `setAuth(pack, config)`, with
// `pack.setUserAuthentication(config)` inside. Another is `secret("key", context)`, which builds a placeholder of that name.

import { defined } from "../../../base/defined.ts";
import type { CallFact, CallSite, FileFacts, PlaceholderFact } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, FunctionValue, Instance, ObjectValue, Place, Resolve, Value } from "../model/values.ts";
import { builds, openPath } from "../syntax/expressions.ts";
import { unknownAt } from "../syntax/names/mutations.ts";
import { bindParameters } from "../syntax/names/substitute-arguments.ts";
import { skipTrivia } from "../text/edit.ts";
import { part } from "../text/place.ts";
import type { Resolver } from "./resolve.ts";

/**
 * Returns the argument's value for each caller of the function around the call. Returns the argument itself if it contains no parameter or
 * there is no known caller.
 */
export type ParameterBinding = (call: CallFact, argument: Expression) => readonly Expression[];

/** Maximum number of nested helper calls. */
const DEEPEST = 4;

export function createParameterBinding(facts: readonly FileFacts[], { resolve, options, after }: Resolver): ParameterBinding {
  /** `passedIn` is the place where the value is passed on. */
  const bound = (
    { place: { file }, within }: Pick<CallFact, "place" | "within">,
    value: Expression,
    passedIn: Place,
    depth: number,
  ): readonly Expression[] => {
    const own = facts.find((fileFacts) => fileFacts.file === file);
    if (within === undefined || own === undefined || depth > DEEPEST) return [value];
    const callers = callersOf(within, facts, resolve);
    const returns = callers[0] && own.functionAt(callers[0].to.place);
    if (returns === undefined) return [value];
    const bindings = returns.bindings.filter(({ name }) => isOnlyPassed(name, own.text, within, passedIn));
    const values = callers.flatMap(({ site, to }) => {
      const { place: callee, receiver } = after(to, site.arguments, passedIn);
      const called = { callee, facts: own, bindings, arguments: site.arguments, resolve, options, passedIn, ...defined({ receiver }) };
      const one = bindParameters(value, called);
      return one === value ? [value] : bound(site, one.kind === "bound" ? one.value : one, site.place, depth + 1);
    });
    return [...new Set(values)];
  };

  return (call, argument) => {
    // A literal is bound as written, since an unresolved spread hides the properties before it. A name is resolved first.
    const object = argument.kind === "object" ? argument : resolve(argument);
    const value = object.kind === "object" ? object : argument;
    return bound(call, value, value.place, 0);
  };
}

/**
 * Whether the function does nothing else with its parameter, or with the part that the value reads, than pass it on there. Any other read
 * or write could give it a value that its callers do not show.
 */
function isOnlyPassed(parameter: string, source: string, { start, end }: Place, passedIn: Place): boolean {
  const name = parameter.replaceAll("$", "\\$");
  const uses = new RegExp(`(?<![\\w$.])${name}(?![\\w$])(?:\\??\\.([\\w$]+))?`, "g");
  // The first use is the parameter's declaration.
  const [, ...named] = [...source.slice(start, end).matchAll(uses)].filter(
    ({ index }) => start + index < passedIn.start || passedIn.end <= start + index,
  );
  const otherUses = named.filter(({ index }) => !isMember(source, start + index, parameter));
  const parts = [...source.slice(passedIn.start, passedIn.end).matchAll(uses)].map(([, part]) => part);
  return parts.includes(undefined) ? otherUses.length === 0 : otherUses.every(([, read]) => read !== undefined && !parts.includes(read));
}

/** Whether the name is a property name in a type or literal, such as `{ domain: string }`, and so not a use of the parameter. */
const isMember = (source: string, at: number, name: string): boolean =>
  /^\??:/.test(source.slice(at + name.length, at + name.length + 2)) && /[{;,]$/.test(source.slice(Math.max(0, at - 100), at).trimEnd());

interface Caller {
  readonly site: CallSite;
  readonly to: FunctionValue;
}

/** Returns the calls of the function, with the function as each of them finds it. */
export function callersOf(within: Place, facts: readonly FileFacts[], resolve: Resolve): readonly Caller[] {
  const own = facts.find(({ file }) => file === within.file);
  const start = own === undefined ? 0 : skipTrivia(own.text, within.start) - within.start;
  const name = own?.functionAt(part(within, start, within.end - within.start))?.name;
  if (name === undefined) return [];
  return facts.flatMap(({ callsOf, imports }) => {
    const imported = [...imports.values()].filter((one) => one.name === name || one.name === "default").map(({ local }) => local);
    return [...new Set([name, ...imported])].flatMap(callsOf).flatMap((site) => {
      const callee = resolve(site.callee);
      const to = callee.kind === "object" ? constructorOf(callee, site, facts) : callee;
      const isCall = to.kind === "function" && to.place.file === within.file && to.place.end === within.end;
      return isCall && within.start <= to.place.start ? [{ site, to }] : [];
    });
  });
}

/** Returns the constructor of a class as a function that knows its object. */
function constructorOf({ place }: ObjectValue, site: CallSite, facts: readonly FileFacts[]): Value {
  const construction = facts.find(({ file }) => file === place.file)?.classAt(place)?.construction;
  const receiver: Instance = { kind: "instance", place: site.place, class: site.callee, arguments: site.arguments };
  return construction === undefined ? unknownAt(place) : { kind: "function", place: construction.place, async: false, receiver };
}

/** Whether the receiver is a parameter for which a caller passes a pack. */
export function isPackParameter(
  { facts, resolve, functionAt }: PackModel,
  { file, start }: Place,
  path: readonly string[] | undefined,
): boolean {
  const [name, ...rest] = path ?? [];
  if (name === undefined || rest.length > 0) return false;
  const scope = facts.find((one) => one.file === file)?.declarations.scopeAt(name, start);
  if (scope === undefined || scope.file !== file) return false;
  return callersOf(scope, facts, resolve).some(({ site, to }) => {
    const argument = site.arguments[functionAt(to.place)?.parameters.indexOf(name) ?? -1];
    return argument !== undefined && builds(resolve(argument), "pack");
  });
}

/** Adds the placeholders that calls of helpers build, and removes the helpers' own placeholders if all calls are known. */
export function withHelpers(
  placeholders: readonly PlaceholderFact[],
  facts: readonly FileFacts[],
  resolve: Resolve,
): readonly PlaceholderFact[] {
  return placeholders.flatMap((one) => {
    const own = one.name === undefined ? callsOfHelper(one, facts, resolve) : [];
    const [first] = own;
    const helperPlaceholders = own.map((call) => ofCall(one, call, facts, resolve));
    const resolvedPlaceholders = helperPlaceholders.filter((placeholder) => placeholder !== undefined);
    const isAll = first !== undefined && resolvedPlaceholders.length === helperPlaceholders.length && isNamedInCallsOnly(own, facts);
    return isAll ? resolvedPlaceholders : [...resolvedPlaceholders, one];
  });
}

/** Returns the calls of the function that has a part of the name as its parameter. */
function callsOfHelper({ parts = [] }: PlaceholderFact, facts: readonly FileFacts[], resolve: Resolve) {
  const scopes = parts.flatMap((one) => {
    const declarations = facts.find(({ file }) => file === one.place.file)?.declarations;
    return (one.kind === "reference" && declarations?.scopeAt(one.path[0] ?? "", one.place.start)) || [];
  });
  const [scope] = scopes.filter(({ file }) => file !== "");
  return scope === undefined ? [] : callersOf(scope, facts, resolve);
}

/** Returns the placeholder that the helper builds for one call, placed where the call passes the name. */
function ofCall(
  { parts = [] }: PlaceholderFact,
  { site, to }: Caller,
  facts: readonly FileFacts[],
  resolve: Resolve,
): PlaceholderFact | undefined {
  const textOf = (file: string): string => facts.find((fileFacts) => fileFacts.file === file)?.text ?? "";
  const parameters = facts.find(({ file }) => file === to.place.file)?.functionAt(to.place)?.parameters ?? [];
  let first: Expression | undefined;
  let name = "";
  for (const piece of parts) {
    const own = resolve(piece);
    const [parameter, ...rest] = openPath(own) ?? [];
    const index = parameter === undefined || rest.length > 0 ? -1 : parameters.indexOf(parameter);
    const argument = index < 0 ? undefined : site.arguments[index];
    const text = argument === undefined ? own : resolve(argument);
    if (text.kind !== "string") return undefined;
    name += text.value;
    first ??= argument;
  }
  if (first === undefined) return undefined;
  const { place } = first;
  const builtBy = parts[0]?.place;
  const isWritten = first.kind === "string" && textOf(place.file).slice(place.start + 1, place.end - 1) === name;
  const inside = isWritten ? part(place, 1, place.end - place.start - 1) : place;
  return { place: inside, name, ...(isWritten ? {} : { parts: [first] }), ...(builtBy === undefined ? {} : { builtBy }) };
}

/** Whether the helper's name occurs only in its declaration, in imports and exports, and in the known calls. */
function isNamedInCallsOnly(calls: readonly Caller[], facts: readonly FileFacts[]): boolean {
  const callees = calls.map(({ site }) => site.callee);
  const target = calls[0]?.to;
  const name = callees[0]?.kind === "reference" ? callees[0].path.at(-1) : undefined;
  if (name === undefined || target === undefined) return false;
  const named = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`, "g");
  return facts.every(({ file, text }) =>
    [...text.matchAll(named)].every(({ index }) => {
      if (callees.some((callee) => callee.place.file === file && callee.place.start <= index && index < callee.place.end)) return true;
      const lineStart = text.lastIndexOf("\n", index) + 1;
      const lineEnd = text.indexOf("\n", index);
      const isDeclared =
        target.place.file === file && Math.abs(target.place.start - index) <= NEAR && !text.slice(index, target.place.start).includes(";");
      return isDeclared || /^(?:import|export)\b|\brequire\(|\bexports\./.test(text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd));
    }),
  );
}

/** Maximum number of characters between a function and its name: `function name`, `name: Type = (…) =>`. */
const NEAR = 80;
