// Binds parameters of helper functions to the arguments of their callers. One example is `setAuth(pack, config)`, with
// `pack.setUserAuthentication(config)` inside. Another is `secret("key", context)`, which builds a placeholder of that name.

import type { ContextCall } from "../model/context-facts.ts";
import type { CallFact, CallWithPack, FileFacts, PlaceholderFact } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, Names, Place, Resolve, Value } from "../model/values.ts";
import { builds, openPath } from "../syntax/expressions.ts";
import { bindParameters } from "../syntax/names/substitute-arguments.ts";
import { isWithin } from "../text/edit.ts";
import { part } from "../text/place.ts";

/**
 * Returns the argument's value for each caller of the function around the call. Returns the argument itself if it contains no parameter or
 * there is no known caller.
 */
export type ParameterBinding = (call: CallFact, argument: Expression) => readonly Expression[];

/** Maximum number of nested helper calls. */
const DEEPEST = 4;

export function createParameterBinding(facts: readonly FileFacts[], { resolve, options }: Names): ParameterBinding {
  let sites: readonly { readonly site: CallWithPack; readonly to: Expression }[] | undefined;
  /** Returns the calls that pass a pack on, with the functions that they call. */
  const calls = () => {
    sites ??= facts.flatMap((file) => file.callsWithPack).map((site) => ({ site, to: resolve(site.callee) }));
    return sites;
  };

  /** `passedIn` is the place where the value is passed on. */
  const bound = (
    { place: { file }, within }: Pick<CallFact, "place" | "within">,
    value: Expression,
    passedIn: Place,
    depth: number,
  ): readonly Expression[] => {
    const own = facts.find((fileFacts) => fileFacts.file === file);
    if (within === undefined || own === undefined || depth > DEEPEST) return [value];
    // Both ends agree; the span of `within` may begin earlier, with whitespace.
    const isCalled = ({ kind, place }: Expression): boolean =>
      kind === "function" && place.file === file && place.end === within.end && within.start <= place.start;
    const callers = calls().filter(({ to }) => isCalled(to));
    const returns = callers[0] && own.functionAt(callers[0].to.place);
    if (returns === undefined) return [value];
    const bindings = returns.bindings.filter(({ name }) => isOnlyPassed(name, own.text, within, passedIn, value));
    const values = callers.flatMap(({ site, to }) => {
      const callContext = { callee: to.place, facts: own, bindings, arguments: site.arguments, resolve, options, passedIn };
      const one = bindParameters(value, callContext);
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
function isOnlyPassed(parameter: string, source: string, { start, end }: Place, passedIn: Place, value: Expression): boolean {
  const name = parameter.replaceAll("$", "\\$");
  const uses = source.slice(start, end).matchAll(new RegExp(`(?<![\\w$.])${name}(?![\\w$])(?:\\??\\.([\\w$]+))?`, "g"));
  // The first use is the parameter's declaration.
  const [, ...named] = [...uses].filter(({ index }) => start + index < passedIn.start || passedIn.end <= start + index);
  const otherUses = named.filter(({ index }) => !isMember(source, start + index, parameter));
  const part = value.kind === "reference" ? value.path[1] : undefined;
  return part === undefined ? otherUses.length === 0 : otherUses.every(([, read]) => read !== undefined && read !== part);
}

/** Whether the name is a property name in a type or literal, such as `{ domain: string }`, and so not a use of the parameter. */
const isMember = (source: string, at: number, name: string): boolean =>
  /^\??:/.test(source.slice(at + name.length, at + name.length + 2)) && /[{;,]$/.test(source.slice(Math.max(0, at - 100), at).trimEnd());

/** Whether the receiver is a parameter for which a caller passes a pack. */
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
      return argument !== undefined && builds(resolve(argument), "pack");
    }),
  );
}

/** Adds the placeholders that calls of helpers build, and removes the helpers' own placeholders if all calls are known. */
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
    // Only calls of the innermost enclosing function count.
    const start = Math.max(...around.map(({ target }) => target.place.start));
    const own = around.filter(({ target }) => target.place.start === start);
    const [first] = own;
    const helperPlaceholders = own.map(({ call, target }) => ofCall(one, call, target, facts, resolve));
    const resolvedPlaceholders = helperPlaceholders.filter((placeholder) => placeholder !== undefined);
    const isAll = first !== undefined && resolvedPlaceholders.length === helperPlaceholders.length && isNamedInCallsOnly(own, facts);
    return isAll ? resolvedPlaceholders : [...resolvedPlaceholders, one];
  });
}

/** Returns the placeholder that the helper builds for one call, placed where the call passes the name. */
function ofCall(
  { parts = [] }: PlaceholderFact,
  call: ContextCall,
  target: Value,
  facts: readonly FileFacts[],
  resolve: Resolve,
): PlaceholderFact | undefined {
  const textOf = (file: string): string => facts.find((fileFacts) => fileFacts.file === file)?.text ?? "";
  const parameters = facts.find(({ file }) => file === target.place.file)?.functionAt(target.place)?.parameters ?? [];
  let first: Expression | undefined;
  let name = "";
  for (const piece of parts) {
    const own = resolve(piece);
    const [parameter, ...rest] = openPath(own) ?? [];
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

/** Whether the helper's name occurs only in its declaration, in imports and exports, and in the known calls. */
function isNamedInCallsOnly(
  calls: readonly { readonly call: ContextCall; readonly target: Expression }[],
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

/** Maximum number of characters between a function and its name: `function name`, `name: Type = (…) =>`. */
const NEAR = 80;
