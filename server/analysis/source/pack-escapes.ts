// The functions that a file gives its pack to: what these do to the pack is not seen in the file.
import type { FileFacts } from "../model/facts.ts";
import { isOwnModule } from "../modules/resolve-module.ts";
import { isToolkitModule } from "../syntax/is-toolkit-module.ts";
import { TOP_LEVEL } from "../syntax/names/declarations.ts";
import { find } from "../syntax/names/find-declaration.ts";
import { REQUIRED } from "../syntax/required-name.ts";
import type { Escape } from "../syntax/walk/walked.ts";

type Code = Pick<FileFacts, "imports" | "modules" | "declarations">;

export const packEscapes = (
  escapes: readonly Escape[],
  packs: ReadonlySet<string>,
  code: Code,
  toolkitModules: readonly string[],
): FileFacts["packGoesTo"] =>
  escapes.flatMap(({ to, what, callee, adds }) =>
    adds !== undefined || !packs.has(what)
      ? []
      : modulesOf(to, code, toolkitModules).map((module) => (callee === undefined ? { module } : { module, callee })),
  );

/**
 * The module that a function is imported from; an empty name for a function that is computed, or is a method of something that a package
 * may have made; nothing for one of the file itself.
 */
function modulesOf(name: string | undefined, code: Code, toolkitModules: readonly string[]): readonly string[] {
  if (name?.startsWith(REQUIRED)) return [name.slice(REQUIRED.length)];
  if (name === undefined || name === "Object" || name === "Reflect") return [""];
  const imported = code.imports.get(name);
  if (imported !== undefined) return [imported.module];
  const isOwn = name === "this" || find(code.declarations.get(name), TOP_LEVEL)?.value?.kind === "function";
  return isOwn || code.modules.every((module) => isOwnModule(module) || isToolkitModule(module, toolkitModules)) ? [] : [""];
}
