// What a helper is given that sets a pack up: `setAuth(pack, config)` with `pack.setUserAuthentication(config)` inside. A parameter of the
// helper stands for what its callers write.

import type { CallFact, FileFacts, HandedCall } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place, Value } from "../model/values.ts";
import { returnsOf } from "../syntax/function-facts.ts";

/** What the callers of the function around a call give for a value that is a parameter, or a part of one; none where nobody is seen to. */
export type HandedValues = (call: CallFact, value: Value) => readonly Value[];

/** A helper hands on to a helper. */
const DEEPEST = 4;

export function createHandedValues(facts: readonly FileFacts[], resolve: (value: Value) => Value): HandedValues {
  let sites: readonly { readonly site: HandedCall; readonly to: Value }[] | undefined;
  /** Calls that hand a pack on, with the functions that they call. */
  const calls = () => {
    sites ??= facts.flatMap((file) => file.handedCalls).map((site) => ({ site, to: resolve(site.callee) }));
    return sites;
  };

  const given = ({ place: { file }, within }: Pick<CallFact, "place" | "within">, value: Value, depth: number): readonly Value[] => {
    const resolved = resolve(value);
    if (resolved.kind !== "unknown") return [resolved];
    const [head, ...rest] = resolved.path ?? [];
    const text = facts.find((known) => known.file === file)?.text;
    if (head === undefined || within === undefined || text === undefined || depth > DEEPEST) return [];
    // With the blanks before it, a function's span starts where the walk says.
    const isCalled = ({ kind, place }: Value): boolean =>
      kind === "function" && place.file === file && place.end === within.end && within.start <= place.start;
    const callers = calls().filter(({ to }) => isCalled(to));
    const [first] = callers;
    if (first === undefined || !isOnlyHandedOn(text.slice(first.to.place.start, first.to.place.end), head, rest)) return [];
    const index = returnsOf(first.to.place, text)?.parameters.indexOf(head) ?? -1;
    return callers.flatMap(({ site }) => {
      const argument = site.arguments[index];
      return argument === undefined ? [] : given(site, argument, depth + 1).flatMap((all) => partOf(all, rest, resolve) ?? []);
    });
  };
  return (call, value) => given(call, value, 0);
}

/** Whether the receiver is a parameter that a call of the function around it gives a pack for. */
export function isHandedPack({ facts, resolve, text }: PackModel, { file, start }: Place, path: readonly string[] | undefined): boolean {
  const [name, ...rest] = path ?? [];
  if (name === undefined || rest.length > 0) return false;
  return facts.some(({ handedCalls }) =>
    handedCalls.some(({ callee, arguments: given }) => {
      const to = resolve(callee);
      if (to.kind !== "function" || to.place.file !== file || start < to.place.start || to.place.end <= start) return false;
      const argument = given[returnsOf(to.place, text(file))?.parameters.indexOf(name) ?? -1];
      const pack = argument === undefined ? undefined : resolve(argument);
      return pack?.kind === "unknown" && pack.isPack === true;
    }),
  );
}

/**
 * Whether a function does nothing with its parameter, or with the part of it that the path leads to, but to hand it on once: a look at it,
 * or something that is written to it, would make of it what its callers do not say.
 */
function isOnlyHandedOn(text: string, parameter: string, [part]: readonly string[]): boolean {
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
