// Placeholders that a helper builds of a name that its callers give: `secret("key", context)`. Each of its calls is a placeholder then.
import type { ContextCall } from "../model/context-facts.ts";
import type { FileFacts, PlaceholderFact } from "../model/facts.ts";
import type { Value } from "../model/values.ts";
import { returnsOf } from "../syntax/function-facts.ts";
import { isWithin } from "../text/edit.ts";
import { part } from "../text/place.ts";

type Resolve = (value: Value) => Value;

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
    const found = own.map(({ call, target }) => ofCall(one, call, target, facts, resolve));
    const known = found.filter((placeholder) => placeholder !== undefined);
    const isAll = first !== undefined && known.length === found.length && isNamedInCallsOnly(own, facts);
    return isAll ? known : [...known, one];
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
  const textOf = (file: string): string => facts.find((known) => known.file === file)?.text ?? "";
  const parameters = returnsOf(target.place, textOf(target.place.file))?.parameters ?? [];
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
