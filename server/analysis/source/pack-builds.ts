// How many packs a file builds: by newPack of the toolkit, by a newPack of another file, or as a manifest from before there was newPack.
import type { CallFact, FileFacts, ImportFact } from "../model/facts.ts";
import { isToolkitModule } from "../syntax/is-toolkit-module.ts";
import { exportedValue } from "../syntax/own-exports.ts";
import { rootOf } from "./pack-names.ts";

type Code = Pick<FileFacts, "imports" | "exports" | "calls" | "declarations">;

export function countPacks(
  code: Code,
  toolkitImports: ReadonlyMap<string, ImportFact>,
  toolkitModules: readonly string[],
): Pick<FileFacts, "builds" | "buildsBy" | "importsToolkit"> {
  const isOfToolkit = ({ receiver, callee }: CallFact): boolean =>
    toolkitImports.has(receiver === "" ? callee : rootOf(receiver)) ||
    isToolkitModule(REQUIRED_THERE.exec(receiver)?.[1] ?? "", toolkitModules);
  const newPacks = code.calls.filter(({ method }) => method === "newPack");
  const builds = newPacks.filter(isOfToolkit).length;
  const buildsBy = newPacks.flatMap((call): string[][] => {
    const path = call.receiver === "" ? [call.callee] : [...call.receiver.split("."), call.method];
    return !isOfToolkit(call) && code.imports.has(path[0] ?? "") ? [path] : [];
  });
  const isManifest = builds === 0 && toolkitImports.size > 0 && exportsManifest(code);
  return { builds: isManifest ? 1 : builds, buildsBy, importsToolkit: toolkitImports.size > 0 || builds > 0 };
}

/** `require("m").newPack()`. */
const REQUIRED_THERE = /^require\(\s*["'`]([^"'`]+)["'`]\s*\)$/;

const OF_MANIFESTS: ReadonlySet<string> = new Set(["defaultAuthentication", "networkDomains", "formulas", "syncTables"]);

const exportsManifest = (code: Code): boolean =>
  ["manifest", "pack"].some((name) => {
    const value = exportedValue(code, name);
    return value?.kind === "object" && value.properties.some((property) => OF_MANIFESTS.has(property.name));
  });
