// Parameters of helpers that set a pack up are bound to the arguments of their callers: `setAuth(pack, config)`, with
// `pack.setUserAuthentication(config)` inside.

import type { CallFact, CallWithPack, FileFacts } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place, Value } from "../model/values.ts";
import { returnsOf } from "../syntax/function-facts.ts";
import { bindParameters } from "../syntax/names/substitute-arguments.ts";
import type { Resolver } from "./resolve.ts";

export interface ParameterBinding {
  /** The arguments that callers of the function around the call pass for a parameter, or the parts of them; none where no caller is seen. */
  values(call: CallFact, value: Value): readonly Value[];
  /** What a value is for each caller of that function: the value itself where no parameter is in it, or no caller is seen. */
  withParameters(call: CallFact, value: Value): readonly Value[];
}

type Site = Pick<CallFact, "place" | "within">;

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

  const factsOf = ({ place }: Site): FileFacts | undefined => facts.find(({ file }) => file === place.file);

  const callersOf = ({ place: { file }, within }: Site) =>
    within === undefined
      ? []
      : // With the blanks before it, a function's span starts where the walk says.
        calls().filter(
          ({ to: { kind, place } }) =>
            kind === "function" && place.file === file && place.end === within.end && within.start <= place.start,
        );

  const valuesOf = (call: Site, value: Value, depth: number): readonly Value[] => {
    const resolved = resolve(value);
    if (resolved.kind !== "unknown") return [resolved];
    const [head, ...rest] = resolved.path ?? [];
    const text = factsOf(call)?.text;
    if (head === undefined || text === undefined || depth > DEEPEST) return [];
    const callers = callersOf(call);
    const [first] = callers;
    if (first === undefined || !isPassedOnce(text.slice(first.to.place.start, first.to.place.end), head, rest)) return [];
    const index = returnsOf(first.to.place, text)?.parameters.indexOf(head) ?? -1;
    return callers.flatMap(({ site }) => {
      const argument = site.arguments[index];
      return argument === undefined ? [] : valuesOf(site, argument, depth + 1).flatMap((all) => partOf(all, rest, resolve) ?? []);
    });
  };

  return {
    values: (call, value) => valuesOf(call, value, 0),
    withParameters(call, value) {
      const own = factsOf(call);
      const callers = own === undefined ? [] : callersOf(call);
      if (own === undefined || callers.length === 0) return [value];
      const bound = callers.map(({ site, to }) =>
        bindParameters(value.kind === "object" ? value : resolve(value), {
          called: to.place,
          facts: own,
          bindings: returnsOf(to.place, own.text)?.bindings ?? [],
          arguments: site.arguments,
          resolve,
          options,
        }),
      );
      return [...new Set(bound)];
    },
  };
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

/**
 * Whether a function does nothing with its parameter, or with the part of it that the path leads to, but to pass it on once: a look at it,
 * or something that is written to it, would make of it what its callers do not say.
 */
function isPassedOnce(text: string, parameter: string, [part]: readonly string[]): boolean {
  const name = parameter.replaceAll("$", "\\$");
  const [, ...uses] = [...text.matchAll(new RegExp(`(?<![\\w$.])${name}(?![\\w$])(?:\\??\\.([\\w$]+))?`, "g"))];
  return (
    uses.filter(([, read]) => read === part).length === 1 &&
    (part === undefined ? uses.length === 1 : uses.every(([, read]) => read !== undefined))
  );
}

/** The path's names inside a value. */
function partOf(value: Value, path: readonly string[], resolve: (value: Value) => Value): Value | undefined {
  let found: Value | undefined = value;
  for (const name of path) {
    const object: Value = resolve(found);
    found = object.kind === "object" ? object.properties.findLast((property) => property.name === name)?.value : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}
