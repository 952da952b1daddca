import { areNear, closest } from "../closest.ts";
import { respell } from "../config.ts";
import { replace } from "../edit.ts";
import { find } from "../find-declaration.ts";
import { modulePlaces, namePlaces } from "../import-places.ts";
import type { BuilderCall, FileFacts, Finding, ImportFact, PackModel, Place, Severity } from "../model.ts";
import { PACK_METHODS } from "../pack-methods.ts";
import { rule } from "../rule.ts";
import { TOOLKIT_NAMES } from "../toolkit-imports.ts";

export default rule({
  id: "toolkit-import",
  severity: "error",
  source: "sdk-facts 4",
  docs: `Something of the Packs SDK is named wrong, so the pack cannot be loaded.

A module that is only named like the Packs SDK is not found. A name that the SDK does not export is \`undefined\`, and so is a method that a pack does not have: to call it, or to read something of it, throws before anything is uploaded. What is legal is what the installed Packs SDK declares; where none is installed this is a warning.`,
  supersedes: ["toolkit-missing"],
  examples: [
    {
      bad: `import * as coda from "«@codahq/pack-sdk»";\nexport const pack = coda.newPack();\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`,
      toolkit: "installed",
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.«AuthentcationType».WebBasic });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n`,
      toolkit: "installed",
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.«addNetworkDomian»("example.com");\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`,
      toolkit: "installed",
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setVersion("1.0");\nexport const icon = coda.SvgConstants;\n`,
      toolkit: "installed",
    },
  ],
  *check(pack) {
    for (const facts of pack.facts) {
      yield* modulesOf(pack, facts);
      yield* namesOf(pack, facts);
      for (const call of facts.builderCalls) yield* methodOf(pack, call);
    }
  },
});

function* modulesOf(pack: PackModel, { file, text, modules }: FileFacts): Iterable<Finding> {
  for (const module of modules) {
    const meant = pack.meantToolkit(module, file);
    if (meant === undefined) continue;
    for (const place of modulePlaces(file, text, module))
      yield {
        place,
        ...severity(pack, true),
        message: `There is no module ${module} here, so the pack cannot be loaded. Did you mean ${meant}?`,
        fixes: () => [respell(`Change to ${meant}`, replace(place, meant))],
      };
  }
}

function* namesOf(pack: PackModel, facts: FileFacts): Iterable<Finding> {
  const { file, text, imports, toolkitUses } = facts;
  for (const imported of imports.values()) {
    const { name, local } = imported;
    if (isWhole(imported) || !isUnknown(pack, name) || !isOfToolkit(pack, imported, file)) continue;
    const fails = toolkitUses.some((use) => use.local === local && use.fails);
    for (const place of namePlaces(file, text, name)) yield unknownName(pack, place, name, fails);
  }
  for (const use of toolkitUses) {
    // Nearly all are there.
    if (!isUnknown(pack, use.name)) continue;
    const imported = imports.get(use.local);
    // A name of a function's own hides what is imported.
    if (imported === undefined || !isWhole(imported) || find(facts.declarations.get(use.local), use.start)?.start !== undefined) continue;
    if (!isOfToolkit(pack, imported, file)) continue;
    // What compilers look at.
    if (use.name === "default" || use.name.startsWith("__")) continue;
    // Whether it is there may be what is asked.
    if (use.fails || closest(use.name, exportsOf(pack)) !== undefined) yield unknownName(pack, use, use.name, use.fails);
  }
}

function unknownName(pack: PackModel, { file, start, end }: Place, name: string, fails: boolean): Finding {
  const meant = closest(name, exportsOf(pack));
  return {
    place: { file, start, end },
    ...severity(pack, fails),
    message: `The Packs SDK exports no ${name}${fails ? ", so the pack cannot be loaded" : ""}.${did(meant)}`,
    fixes: () => (meant === undefined ? [] : [respell(`Change to ${meant}`, replace({ file, start, end }, meant))]),
  };
}

function* methodOf(pack: PackModel, call: BuilderCall): Iterable<Finding> {
  const { builder } = pack.toolkit ?? {};
  if (builder === undefined ? pack.toolkit !== undefined : builder.has(call.name)) return;
  if (call.name in Object.prototype) return;
  const receiver = pack.resolve(call.receiver);
  if (!call.isTyped && !(receiver.kind === "unknown" && receiver.isPack === true)) return;
  // Some packs get methods of their own.
  const given = new RegExp(`\\b${call.name}\\s*(?:=|:|\\()|["']${call.name}["']`);
  const elsewhere = pack.facts.map(({ file, text }) => (file === call.file ? text.slice(0, call.start) + text.slice(call.end) : text));
  if (elsewhere.some((text) => given.test(text))) return;
  const meant = builder === undefined ? nearest(call.name, PACK_METHODS.keys()) : closest(call.name, builder);
  if (meant === undefined && builder === undefined) return;
  yield {
    place: call,
    ...severity(pack, call.fails),
    message: `A pack has no method ${call.name}${call.fails ? ", so it cannot be loaded" : ""}.${did(meant)}`,
    fixes: () => (meant === undefined ? [] : [respell(`Change to ${meant}`, replace(call, meant))]),
  };
}

const did = (meant: string | undefined): string => (meant === undefined ? "" : ` Did you mean ${meant}?`);
const severity = (pack: PackModel, fails: boolean): { readonly severity?: Severity } =>
  pack.toolkit !== undefined && fails ? {} : { severity: "warning" };

/** Of the package as a whole: its files export other names. */
const isOfToolkit = (pack: PackModel, { module }: ImportFact, file: string): boolean =>
  pack.resolveModule(file, module) === undefined &&
  (pack.toolkit === undefined ? pack.isToolkit(module, file) && !module.includes("/dist/") : module === pack.toolkit.module);

const isWhole = ({ name }: ImportFact): boolean => name === "*" || name === "default";

const exportsOf = (pack: PackModel): ReadonlySet<string> => pack.toolkit?.exports ?? TOOLKIT_NAMES;

/** Where no SDK is installed, a name that is spelt nearly as one that is known. */
function isUnknown({ toolkit }: PackModel, name: string): boolean {
  if (toolkit !== undefined) return toolkit.exports?.has(name) === false;
  return !TOOLKIT_NAMES.has(name) && nearest(name, TOOLKIT_NAMES) !== undefined;
}

/** But for case and a letter or two. */
function nearest(name: string, known: Iterable<string>): string | undefined {
  for (const other of known) if (areNear(name.toLowerCase(), other.toLowerCase(), 2)) return other;
  return undefined;
}
