// Uses of globals that the platform lacks, in packs that do not bring these along.

import { HTTP_CLIENTS } from "../../../spec/http-clients.ts";
import type { FileFacts, GlobalUse } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import { callersOf } from "./parameter-binding.ts";
import { reachableCode } from "./reachable-code.ts";

/** Returns the uses of the globals that fail on the platform. */
export function missingGlobals(pack: PackModel, facts: FileFacts, names: ReadonlySet<string>): readonly GlobalUse[] {
  if (pack.partial || facts.unread !== undefined) return [];
  const uses = facts.globalUses.filter((use) => use.needs && names.has(use.name) && isGlobal(use, facts));
  return uses.filter(
    ({ name, place, standardOf }) =>
      !isForNode(facts) &&
      !bringsAlong(pack, name) &&
      reachableCode(pack).has(place) &&
      (standardOf === undefined || isOmitted(standardOf, pack)),
  );
}

/** Whether a call leaves the parameter's value to its default. */
const isOmitted = ({ owner, index }: Required<GlobalUse>["standardOf"], { facts, resolve }: PackModel): boolean =>
  callersOf(owner, facts, resolve).some(({ site }) => site.arguments.length <= index);

const isGlobal = ({ root, place }: GlobalUse, { imports, declarations }: FileFacts): boolean =>
  !imports.has(root) && declarations.scopeAt(root, place.start) === undefined;

/** Whether the file is a script for Node, judged by its imports and its arguments. */
export const isForNode = ({ modules, uses }: FileFacts): boolean =>
  uses("reads", "argv") || modules.some((module) => module.startsWith("node:") && !HTTP_CLIENTS.has(module) && module !== "node:url");

/** Whether code of the pack tests for the global or assigns to it, or a package may do so. */
const bringsAlong = (pack: PackModel, name: string): boolean =>
  pack.facts.some(
    (facts) =>
      facts.globalUses.some((use) => !use.needs && (use.name === name || use.name === "") && isGlobal(use, facts)) ||
      facts.modules.some((module) => POLYFILL.test(module) || isPackageWithoutNames(pack, facts, module)),
  );

const POLYFILL = /polyfill|shim|core-js|whatwg-/;

/** Whether the file imports a package only for what the package does: `import "package"`. */
function isPackageWithoutNames(pack: PackModel, { file, imports, exports }: FileFacts, module: string): boolean {
  const isNamed = [...imports.values(), ...exports.values()].some((one) => "module" in one && one.module === module);
  return !isNamed && !HTTP_CLIENTS.has(module) && !pack.isToolkit(module, file) && pack.resolveModule(file, module) === undefined;
}
