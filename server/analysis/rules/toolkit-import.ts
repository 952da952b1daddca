import { areNear, closest } from "../../../base/closest.ts";
import { describeToolkit } from "../../../protocol/verdict.ts";
import { ENUMS, type EnumName } from "../../../spec/fields.ts";
import { AGENT_METHODS, BUILDER_METHODS } from "../../../spec/pack-builder.ts";
import { propose, respell } from "../configuration/config.ts";
import type { BuilderCall, FileFacts, ImportFact, ToolkitUse } from "../model/facts.ts";
import type { Finding } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place } from "../model/values.ts";
import { TOOLKIT_NAMES, toolkitName } from "../modules/toolkit-imports.ts";
import { isPackParameter } from "../pack/parameter-binding.ts";
import { pack, rule, source } from "../rule.ts";
import { openPath } from "../syntax/expressions.ts";
import { defaultPlaces, type ImportedName, importedNames, modulePlaces } from "../syntax/import-places.ts";
import { FILE_SCOPE, find } from "../syntax/names/declarations.ts";
import { isBuilderMethod, PACK_METHODS } from "../syntax/pack-methods.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "toolkit-import",
  severity: "error",
  verdict: "will-be-rejected",
  source: "sdk-facts 4",
  docs: `A name of the Packs SDK is wrong, so the pack cannot be loaded.

Correct the name. A misspelled module is not found. A name that the SDK does not export is \`undefined\`, and so is a method that a pack does not have. Calling it, or reading a member of it, throws before anything is uploaded. The installed Packs SDK declares the legal names. Without an installed one this is a warning.`,
  supersedes: ["toolkit-missing"],
  examples: [
    {
      bad: source`
        import * as coda from "«@codahq/pack-sdk»";
        export const pack = coda.newPack();`,
      change: ["@codahq/pack-sdk", "@codahq/packs-sdk"],
      toolkit: "installed",
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.«AuthentcationType».WebBasic });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });`,
      toolkit: "installed",
    },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();
        pack.«addNetworkDomian»("example.com");`,
      change: ["addNetworkDomian", "addNetworkDomain"],
      toolkit: "installed",
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();
        pack.setVersion("1.0");
        export const icon = coda.SvgConstants;`,
      toolkit: "installed",
    },
  ],
  on: {
    *file(pack, facts) {
      yield* modulesOf(pack, facts);
      yield* namesOf(pack, facts);
      yield* defaultsOf(pack, facts);
      for (const call of facts.builderCalls) yield* methodOf(pack, call);
    },
  },
});

function* modulesOf(pack: PackModel, { file, text, modules }: FileFacts): Iterable<Finding> {
  for (const module of modules) {
    const suggestion = pack.closestToolkit(module, file);
    if (suggestion === undefined) continue;
    for (const place of modulePlaces(file, text, module))
      yield {
        place,
        ...severity(pack, true),
        message: `Did you mean ${suggestion}? There is no module ${module} here, so the pack cannot be loaded.`,
        fixes: () => [respell(`Change to ${suggestion}`, replace(place, suggestion))],
      };
  }
}

function* namesOf(pack: PackModel, facts: FileFacts): Iterable<Finding> {
  const { file, text, imports, toolkitUses } = facts;
  for (const imported of imports.values()) {
    const { name, local } = imported;
    if (isWhole(imported) || !isOfToolkit(pack, imported, file)) continue;
    const fails = toolkitUses.some((use) => use.local === local && use.fails);
    if (!isUnknown(pack, name) && !(fails && isType(pack, name))) continue;
    // The name may be a type that the pack adds to the SDK's.
    if (!fails && closest(name, exportsOf(pack)) === undefined) continue;
    for (const { place, respelt } of importedNames(file, text, name)) yield unknownName(pack, place, name, fails, respelt);
  }
  for (const use of toolkitUses) {
    // Checked first, because nearly all names exist.
    if (!isUnknown(pack, use.name) && !(use.fails && isType(pack, use.name))) continue;
    const imported = imports.get(use.local);
    if (imported === undefined || !isWhole(imported) || isHidden(facts, use)) continue;
    if (!isOfToolkit(pack, imported, file)) continue;
    // Names that only compilers use.
    if (use.name === "default" || use.name === "" || use.name.startsWith("__")) continue;
    // The code may test whether the name exists.
    if (use.fails || closest(use.name, exportsOf(pack)) !== undefined)
      yield unknownName(pack, use.place, use.name, use.fails, undefined, valueNamed(pack, use.name));
  }
}

/** Returns whether a local name hides the import. A required module is in a variable too, whose value is unknown if it changes. */
function isHidden({ declarations }: FileFacts, { local, place }: ToolkitUse): boolean {
  const declaration = find(declarations.get(local), place.start);
  if (declaration === undefined) return false;
  return declaration.scope.start !== FILE_SCOPE.start || declaration.value === undefined || declarations.changesOf(local).length > 0;
}

/** Reports `import coda from` the SDK, which has no default export, so that reading a member throws. */
function* defaultsOf(pack: PackModel, { file, text, imports, toolkitUses }: FileFacts): Iterable<Finding> {
  const { toolkit } = pack;
  if (toolkit?.exports?.has("default") !== false || toolkit.inEsModules || /\.m[jt]s$/.test(file)) return;
  for (const imported of imports.values()) {
    const uses = toolkitUses.filter(({ local }) => local === imported.local);
    if (imported.name !== "default" || uses.length === 0 || !isOfToolkit(pack, imported, file)) continue;
    const fails = uses.some((use) => use.fails);
    for (const { place, isAll } of defaultPlaces(file, text, imported.local))
      yield {
        place,
        ...severity(pack, fails),
        message: `Write import * as ${imported.local}: the Packs SDK has no default export${fails ? ", so the pack cannot be loaded" : ""}.`,
        fixes: () => (isAll ? [respell(`Change to * as ${imported.local}`, replace(place, `* as ${imported.local}`))] : []),
      };
  }
}

function unknownName(
  pack: PackModel,
  place: Place,
  name: string,
  fails: boolean,
  respelt: ImportedName["respelt"] = (to) => [replace(place, to)],
  suggestion = isType(pack, name) ? valueNamed(pack, name) : findIntendedName(name, fails ? valuesOf(pack) : [...exportsOf(pack)]),
): Finding {
  return {
    place,
    ...severity(pack, fails),
    message: isType(pack, name)
      ? `${did(suggestion)}${name} is a type alone, which is gone when the pack runs, so it cannot be loaded.`
      : `${did(suggestion)}The Packs SDK exports no ${name}${fails ? ", so the pack cannot be loaded" : ""}.`,
    fixes: () => {
      if (suggestion === undefined) return [];
      const edits = respelt(suggestion);
      // The intended name may be the longer one.
      const make = areNear(name.toLowerCase(), suggestion.toLowerCase(), Math.max(2, name.length / 3)) ? respell : propose;
      return edits === undefined ? [] : [make(`Change to ${suggestion}`, ...edits)];
    },
  };
}

/** Reports a pack's method on an agent or, if the SDK is installed, any method that agents lack. */
function* methodOfAgent(pack: PackModel, call: BuilderCall): Iterable<Finding> {
  const { name, place, fails } = call;
  const methods = pack.toolkit === undefined ? AGENT_METHODS : pack.toolkit.agentBuilder;
  const isOfPacks = isBuilderMethod(name);
  if (methods === undefined || methods.has(name) || (pack.toolkit === undefined && !isOfPacks) || isDefinedHere(pack, call)) return;
  const suggestion = isOfPacks ? undefined : closest(name, methods);
  yield {
    place,
    ...severity(pack, fails),
    message: `${isOfPacks ? "Use newPack for a pack. " : did(suggestion)}An agent has no method ${name}${fails ? ", so it cannot be loaded" : ""}.`,
    fixes: () => (suggestion === undefined ? [] : [respell(`Change to ${suggestion}`, replace(place, suggestion))]),
  };
}

/** Returns whether the source defines the name elsewhere, because some packs add their own methods. */
const isDefinedHere = (pack: PackModel, { name }: BuilderCall): boolean =>
  pack.facts.some(({ uses, declarations }) => uses("defines", name) || declarations.get(name) !== undefined);

function* methodOf(pack: PackModel, call: BuilderCall): Iterable<Finding> {
  const receiver = pack.resolve(call.receiver);
  if (receiver.kind === "builder" && receiver.builds === "agent") {
    if (!(call.name in Object.prototype)) yield* methodOfAgent(pack, call);
    return;
  }
  const { builder } = pack.toolkit ?? {};
  const isOurs = isBuilderMethod(call.name) || PACK_METHODS.has(call.name);
  if (builder === undefined ? pack.toolkit !== undefined || isOurs : builder.has(call.name)) return;
  if (call.name in Object.prototype) return;
  const isPack = receiver.kind === "builder" || isPackParameter(pack, call.place, openPath(receiver));
  if (!call.isTyped && !isPack) return;
  if (isDefinedHere(pack, call)) return;
  if (Object.hasOwn(ENUMS, call.name)) {
    yield enumOfPack(pack, call);
    return;
  }
  if (builder !== undefined && isOurs) {
    yield {
      place: call.place,
      ...severity(pack, call.fails),
      message: `Update the Packs SDK, or remove ${call.name}. The installed ${describeToolkit(pack.toolkit?.version)} does not have this method${call.fails ? ", so the pack cannot be loaded" : ""}.`,
    };
    return;
  }
  const suggestion = builder === undefined ? nearest(call.name, Object.keys(BUILDER_METHODS)) : closest(call.name, builder);
  if (suggestion === undefined && builder === undefined) return;
  yield {
    place: call.place,
    ...severity(pack, call.fails),
    message: `${did(suggestion)}A pack has no method ${call.name}${call.fails ? ", so it cannot be loaded" : ""}.`,
    // No method of a pack takes a list.
    fixes: () =>
      suggestion === undefined || /^\(\s*\[/.test(pack.text(call.place.file).slice(call.place.end))
        ? []
        : [respell(`Change to ${suggestion}`, replace(call.place, suggestion))],
  };
}

function enumOfPack(pack: PackModel, { place, name, receiver, fails }: BuilderCall): Finding {
  const qualifiedName = toolkitName(pack, place.file, name as EnumName);
  const text = pack.text(place.file);
  const [member] = /^\.\w+/.exec(text.slice(place.end)) ?? [];
  const isPlain = text.slice(receiver.place.end, place.start) === ".";
  return {
    place,
    ...severity(pack, fails),
    message: `Write ${qualifiedName}. The Packs SDK has this enum, and a pack does not${fails ? ", so it cannot be loaded" : ""}.`,
    fixes: () => {
      if (!isPlain || member === undefined) return [];
      const whole = { file: place.file, start: receiver.place.start, end: place.end + member.length };
      return [respell(`Change to ${qualifiedName}`, replace(whole, `${qualifiedName}${member}`))];
    },
  };
}

/**
 * Returns a name with a value among those that begin with this one: `AuthenticationT` does not mean `Authentication`, which is only a type.
 */
const valueNamed = (pack: PackModel, name: string): string | undefined =>
  name.length < 4 ? undefined : [...TOOLKIT_NAMES].find((candidate) => candidate.startsWith(name) && exportsOf(pack).has(candidate));

/** Other names of SDK members, for which no similar spelling exists. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["AuthType", "AuthenticationType"],
  ["Context", "ExecutionContext"],
]);

function findIntendedName(name: string, candidates: readonly string[]): string | undefined {
  const aliasedName = ALIASES.get(name);
  return aliasedName !== undefined && candidates.includes(aliasedName) ? aliasedName : closest(name, candidates);
}

const did = (suggestion: string | undefined): string => (suggestion === undefined ? "" : `Did you mean ${suggestion}? `);
const severity = (pack: PackModel, fails: boolean): Pick<Finding, "severity"> =>
  pack.toolkit !== undefined && fails ? {} : { severity: "warning" };

/** Returns whether the import is of the package itself, because its inner files export other names. */
const isOfToolkit = (pack: PackModel, { module }: ImportFact, file: string): boolean =>
  pack.resolveModule(file, module) === undefined &&
  (pack.toolkit === undefined ? pack.isToolkit(module, file) && !module.includes("/dist/") : module === pack.toolkit.module);

const isWhole = ({ name }: ImportFact): boolean => name === "*" || name === "default";

const exportsOf = (pack: PackModel): ReadonlySet<string> => pack.toolkit?.exports ?? TOOLKIT_NAMES;

const valuesOf = (pack: PackModel): readonly string[] => [...exportsOf(pack)].filter((name) => !isType(pack, name));

const isType = ({ toolkit }: PackModel, name: string): boolean => toolkit?.exportedTypes.has(name) === true;

/** Returns whether the SDK lacks the name. If no SDK is installed, only names similar to a known one count. */
function isUnknown({ toolkit }: PackModel, name: string): boolean {
  if (toolkit !== undefined) return toolkit.exports?.has(name) === false;
  return !TOOLKIT_NAMES.has(name) && nearest(name, TOOLKIT_NAMES) !== undefined;
}

/** Returns a candidate that differs at most in case and two letters. */
function nearest(name: string, candidates: Iterable<string>): string | undefined {
  for (const other of candidates) if (areNear(name.toLowerCase(), other.toLowerCase(), 2)) return other;
  return undefined;
}
