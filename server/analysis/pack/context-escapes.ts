// Whether the execution context escapes to packages. Their code is not read, and it can build placeholders with the context's token. The
// same is possible if the platform runs functions of a package.

import { valueIn } from "../configuration/config.ts";
import type { FileFacts } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, ObjectValue } from "../model/values.ts";
import { isOwnModule } from "../modules/resolve-module.ts";
import { calleeOf } from "../syntax/expressions.ts";
import { find } from "../syntax/names/declarations.ts";
import { functionsOf } from "./functions-of.ts";

/** Whether the context is passed to a function or class of a package. */
export function contextEscapes(pack: PackModel): boolean {
  const parameters = contextParameters(pack);
  return pack.facts.some((file) => {
    const foreign = importsOf(pack, file);
    return foreign.size > 0 && (passesContext(file, foreign) || passesName(file.text, parameters));
  });
}

/** Returns the unusual parameter names for the context, in functions that the platform calls or that receive the context. */
function contextParameters(pack: PackModel): ReadonlySet<string> {
  const ofPlatform = [...pack.runnables.map(({ definition }) => definition), ...pack.auths.map(({ config }) => config)]
    .flatMap((definition) => functionsOf(pack, definition).functions)
    .map(({ place }) => pack.functionAt(place)?.parameters.at(-1));
  const ofHelpers = pack.facts
    .flatMap(({ contextCalls }) => contextCalls)
    .flatMap(({ callee, arguments: args }) => {
      const { kind, place } = pack.resolve(callee);
      const parameters = (kind === "function" && pack.functionAt(place)?.parameters) || [];
      return parameters.filter((_, index) => isContext(args[index]));
    });
  return new Set([...ofPlatform, ...ofHelpers].flatMap((name) => name ?? []));
}

const USUAL_NAME = /(?:context|ctx|token)$/i;

const isContext = (value: Expression | undefined): boolean => value?.kind === "reference" && USUAL_NAME.test(value.path.at(-1) ?? "");

/** `const c = context`, `let t = context.invocationToken`, `{ invocationToken: t }`. */
const RENAMED =
  /\b(\w{1,50})\s{0,9}=\s{0,9}(?:\w{1,50}\.){0,4}(?:context|ctx|invocationToken)\b(?!\s{0,9}[.([\w])|\binvocationToken\s{0,9}:\s{0,9}(\w{1,50})/gi;

/** Whether the context or its token is passed on under an unusual name. */
function passesName(text: string, parameters: ReadonlySet<string>): boolean {
  const renamed = [...text.matchAll(RENAMED)].flatMap(([, whole, token]) => whole ?? token ?? []);
  return [...parameters, ...renamed]
    .filter((name) => !USUAL_NAME.test(name))
    .some((name) => new RegExp(`(?:[(,:[]|(?<!\\$)\\{)\\s*${name.replaceAll("$", "\\$")}\\s*[,)}\\]]`).test(text));
}

/** Whether a pack that imports packages may build placeholders in them, although it never names the invocation token. */
export function mayBuildPlaceholders(pack: PackModel): boolean {
  if (pack.complete.packages) return false;
  if (!pack.complete.runnables || pack.runnables.some(({ definition }) => !isOwn(pack, definition))) return true;
  return pack.facts.some((file) => {
    const foreign = importsOf(pack, file);
    if (/\binvocationToken\b/.test(file.text)) return true;
    if (foreign.size === 0) return false;
    // A context in an object, or in an instance of a package's class, may reach any code.
    return CARRIED.test(file.text) || [...file.text.matchAll(/\bextends\s+(\w+)/g)].some(([, name]) => foreign.has(name ?? ""));
  });
}

/** `{ context }`, `{ ...context }`, `{ context: context }`, `this.context = context`. */
const CARRIED = /(?:[{,]\s*(?:\.\.\.\s*)?|[:=]\s*)\w*(?:context|ctx)\s*[,};]/i;

/** Returns the names of a file that are imported from packages. */
function importsOf(pack: PackModel, { file, imports }: FileFacts): ReadonlySet<string> {
  const foreign = [...imports].filter(
    ([, { module }]) => !isOwnModule(module) && !pack.isToolkit(module, file) && pack.resolveModule(file, module) === undefined,
  );
  return new Set(foreign.map(([name]) => name));
}

function passesContext({ contextCalls, declarations, text }: FileFacts, foreign: ReadonlySet<string>): boolean {
  const isForeign = (callee: Expression): boolean => {
    const head = callee.kind === "reference" ? (callee.path[0] ?? "") : "";
    if (foreign.has(head)) return true;
    // The name may refer to the return value of a package's function.
    const calleeValue = find(declarations.get(head), callee.place.start)?.value;
    const by = calleeValue && calleeOf(calleeValue);
    return by?.kind === "reference" && foreign.has(by.path[0] ?? "");
  };
  return (
    contextCalls.some(({ callee, fetches }) => fetches !== "yes" && isForeign(callee)) ||
    [...text.matchAll(/\bnew\s+(\w+)/g)].some(([, name]) => foreign.has(name ?? ""))
  );
}

/** Whether the platform runs a function of the pack itself. */
function isOwn(pack: PackModel, definition: ObjectValue): boolean {
  const inner = valueIn(pack, definition, "formula") ?? definition;
  return inner.kind === "object" && valueIn(pack, inner, "execute")?.kind === "function";
}
