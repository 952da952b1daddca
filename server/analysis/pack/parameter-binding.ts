// Parameters of helpers are bound to the arguments of their callers: `setAuth(pack, config)`, with `pack.setUserAuthentication(config)` inside,
// and `secret("key", context)`, which builds a placeholder of the name that it is given.

import type { ContextCall } from "../model/context-facts.ts";
import type { CallFact, CallWithPack, FileFacts, PlaceholderFact } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Names, Place, Resolve, Value } from "../model/values.ts";
import { bindParameters } from "../syntax/names/substitute-arguments.ts";
import { isWithin } from "../text/edit.ts";
import { part } from "../text/place.ts";

/** What the argument of a call is for each caller of the function around it: as it stands there where no parameter is in it, or no caller is seen. */
export type ParameterBinding = (call: CallFact, argument: Value) => readonly Value[];

/** A helper calls a helper. */
const DEEPEST = 4;

export function createParameterBinding(facts: readonly FileFacts[], { resolve, options }: Names): ParameterBinding {
  let sites: readonly { readonly site: CallWithPack; readonly to: Value }[] | undefined;
  /** Calls that pass a pack on, with the functions that they call. */
  const calls = () => {
    sites ??= facts.flatMap((file) => file.callsWithPack).map((site) => ({ site, to: resolve(site.callee) }));
    return sites;
  };

  /** `passedIn`: where the value is passed on. */
  const bound = (
    { place: { file }, within }: Pick<CallFact, "place" | "within">,
    value: Value,
    passedIn: Place,
    depth: number,
  ): readonly Value[] => {
    const own = facts.find((fileFacts) => fileFacts.file === file);
    if (within === undefined || own === undefined || depth > DEEPEST) return [value];
    // With the blanks before it, a function's span starts where the walk says.
    const isCalled = ({ kind, place }: Value): boolean =>
      kind === "function" && place.file === file && place.end === within.end && within.start <= place.start;
    const callers = calls().filter(({ to }) => isCalled(to));
    const returns = callers[0] && own.functionAt(callers[0].to.place);
    if (returns === undefined) return [value];
    const bindings = returns.bindings.filter(({ name }) => isOnlyPassed(name, own.text, within, passedIn, value));
    const values = callers.flatMap(({ site, to }) => {
      const callContext = { callee: to.place, facts: own, bindings, arguments: site.arguments, resolve, options, passedIn };
      const one = bindParameters(value, callContext);
      return one === value ? [value] : bound(site, one.kind === "unknown" ? (one.standsFor ?? one) : one, site.place, depth + 1);
    });
    return [...new Set(values)];
  };

  return (call, argument) => {
    // A literal as it is written, since a spread that is not known yet hides what stands before it; else what its name stands for.
    const object = argument.kind === "object" ? argument : resolve(argument);
    const value = object.kind === "object" ? object : argument;
    return bound(call, value, value.place, 0);
  };
}

/**
 * Whether a function does nothing with its parameter, or with the part of it that the value is, but to pass it on there: a look at it, or
 * something that is written to it, would make of it what its callers do not say.
 */
function isOnlyPassed(parameter: string, source: string, { start, end }: Place, passedIn: Place, value: Value): boolean {
  const name = parameter.replaceAll("$", "\\$");
  const uses = source.slice(start, end).matchAll(new RegExp(`(?<![\\w$.])${name}(?![\\w$])(?:\\??\\.([\\w$]+))?`, "g"));
  // Behind its declaration.
  const [, ...named] = [...uses].filter(({ index }) => start + index < passedIn.start || passedIn.end <= start + index);
  const otherUses = named.filter(({ index }) => !isMember(source, start + index, parameter));
  const part = value.kind === "reference" ? value.path[1] : undefined;
  return part === undefined ? otherUses.length === 0 : otherUses.every(([, read]) => read !== undefined && read !== part);
}

/** `{ domain: string }`, in a type or a literal: no look at what is called so. */
const isMember = (source: string, at: number, name: string): boolean =>
  /^\??:/.test(source.slice(at + name.length, at + name.length + 2)) && /[{;,]$/.test(source.slice(Math.max(0, at - 100), at).trimEnd());

/** Whether the receiver is a parameter for which a call of the function around it passes a pack. */
export function isPackParameter(
  { facts, resolve, functionAt }: PackModel,
  { file, start }: Place,
  path: readonly string[] | undefined,
): boolean {
  const [name, ...rest] = path ?? [];
  if (name === undefined || rest.length > 0) return false;
  return facts.some(({ callsWithPack }) =>
    callsWithPack.some(({ callee, arguments: args }) => {
      const to = resolve(callee);
      if (to.kind !== "function" || to.place.file !== file || start < to.place.start || to.place.end <= start) return false;
      const argument = args[functionAt(to.place)?.parameters.indexOf(name) ?? -1];
      const pack = argument === undefined ? undefined : resolve(argument);
      return pack?.kind === "unknown" && pack.builder === "pack";
    }),
  );
}

/** With those of calls; without those whose calls are all known. */
export function withHelpers(
  placeholders: readonly PlaceholderFact[],
  facts: readonly FileFacts[],
  resolve: Resolve,
): readonly PlaceholderFact[] {
  if (placeholders.every(({ name }) => name !== undefined)) return placeholders;
  const calls = facts.flatMap(({ contextCalls }) => contextCalls.map((call) => ({ call, target: resolve(call.callee) })));
  return placeholders.flatMap((one) => {
    const isAround = ({ target }: (typeof calls)[number]): boolean => target.kind === "function" && isWithin(one.place, target.place);
    const around = one.name === undefined ? calls.filter(isAround) : [];
    // The innermost of the functions around it.
    const start = Math.max(...around.map(({ target }) => target.place.start));
    const own = around.filter(({ target }) => target.place.start === start);
    const [first] = own;
    const helperPlaceholders = own.map(({ call, target }) => ofCall(one, call, target, facts, resolve));
    const resolvedPlaceholders = helperPlaceholders.filter((placeholder) => placeholder !== undefined);
    const isAll = first !== undefined && resolvedPlaceholders.length === helperPlaceholders.length && isNamedInCallsOnly(own, facts);
    return isAll ? resolvedPlaceholders : [...resolvedPlaceholders, one];
  });
}

/** What the helper builds for one of its calls, standing where the call gives the name. */
function ofCall(
  { parts = [] }: PlaceholderFact,
  call: ContextCall,
  target: Value,
  facts: readonly FileFacts[],
  resolve: Resolve,
): PlaceholderFact | undefined {
  const textOf = (file: string): string => facts.find((fileFacts) => fileFacts.file === file)?.text ?? "";
  const parameters = facts.find(({ file }) => file === target.place.file)?.functionAt(target.place)?.parameters ?? [];
  let first: Value | undefined;
  let name = "";
  for (const piece of parts) {
    const own = resolve(piece);
    const [parameter, ...rest] = own.kind === "unknown" ? (own.path ?? []) : [];
    const index = parameter === undefined || rest.length > 0 ? -1 : parameters.indexOf(parameter);
    const argument = index < 0 ? undefined : call.arguments[index];
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

/** Whether the helper is named where it is declared, imported and called with what is known, and nowhere else. */
function isNamedInCallsOnly(
  calls: readonly { readonly call: ContextCall; readonly target: Value }[],
  facts: readonly FileFacts[],
): boolean {
  const callees = calls.map(({ call }) => call.callee);
  const target = calls[0]?.target;
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

/** Between a function and its name: `function name`, `name: Type = (…) =>`. */
const NEAR = 80;
