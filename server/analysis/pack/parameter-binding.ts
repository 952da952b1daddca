// Parameters of helpers that set a pack up are bound to the arguments of their callers: `setAuth(pack, config)`, with
// `pack.setUserAuthentication(config)` inside.

import type { CallFact, CallWithPack, FileFacts } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place, Value } from "../model/values.ts";
import { returnsOf } from "../syntax/function-facts.ts";
import { bindParameters } from "../syntax/names/substitute-arguments.ts";
import type { Resolver } from "./resolve.ts";

/** What the argument of a call is for each caller of the function around it: as it stands there where no parameter is in it, or no caller is seen. */
export type ParameterBinding = (call: CallFact, argument: Value) => readonly Value[];

/** A helper calls a helper. */
const DEEPEST = 4;

export function createParameterBinding(
  facts: readonly FileFacts[],
  { resolve, options }: Pick<Resolver, "resolve" | "options">,
): ParameterBinding {
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
    const own = facts.find((known) => known.file === file);
    if (within === undefined || own === undefined || depth > DEEPEST) return [value];
    // With the blanks before it, a function's span starts where the walk says.
    const isCalled = ({ kind, place }: Value): boolean =>
      kind === "function" && place.file === file && place.end === within.end && within.start <= place.start;
    const callers = calls().filter(({ to }) => isCalled(to));
    const returns = callers[0] && returnsOf(callers[0].to.place, own.text);
    if (returns === undefined) return [value];
    const bindings = returns.bindings.filter(({ name }) => isOnlyPassed(name, own.text, within, passedIn, value));
    const found = callers.flatMap(({ site, to }) => {
      const given = { called: to.place, facts: own, bindings, arguments: site.arguments, resolve, options, passedIn };
      const one = bindParameters(value, given);
      return one === value ? [value] : bound(site, one.kind === "unknown" ? (one.standsFor ?? one) : one, site.place, depth + 1);
    });
    return [...new Set(found)];
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
  const [, ...others] = [...uses].filter(({ index }) => start + index < passedIn.start || passedIn.end <= start + index);
  const part = value.kind === "reference" ? value.path[1] : undefined;
  return part === undefined ? others.length === 0 : others.every(([, read]) => read !== undefined && read !== part);
}

/** Whether the receiver is a parameter for which a call of the function around it passes a pack. */
export function isPackParameter({ facts, resolve, text }: PackModel, { file, start }: Place, path: readonly string[] | undefined): boolean {
  const [name, ...rest] = path ?? [];
  if (name === undefined || rest.length > 0) return false;
  return facts.some(({ callsWithPack }) =>
    callsWithPack.some(({ callee, arguments: args }) => {
      const to = resolve(callee);
      if (to.kind !== "function" || to.place.file !== file || start < to.place.start || to.place.end <= start) return false;
      const argument = args[returnsOf(to.place, text(file))?.parameters.indexOf(name) ?? -1];
      const pack = argument === undefined ? undefined : resolve(argument);
      return pack?.kind === "unknown" && pack.isPack === true;
    }),
  );
}
