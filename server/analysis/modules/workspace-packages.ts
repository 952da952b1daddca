// Packages of one's own in a monorepo: `@me/shared` where node_modules only links to a folder beside the pack. What is installed for real
// is somebody else's, and is not looked into.
import { isRecord } from "../../../base/is-record.ts";
import { isTooDeepForFile } from "../../../base/json-depth.ts";
import { joinPath, parent } from "./paths.ts";
import type { FileReader } from "./toolkit.ts";

export interface PackageHost extends FileReader {
  /** Where a path leads to when all links are followed, with forward slashes; without it packages of a monorepo are not looked into. */
  realPath?(path: string): string | undefined;
}

/** Folders that sources are compiled into, and those that sources stand in. */
const COMPILED = /^(?:dist|lib|build|out|es|esm|cjs)\//;

/** The paths that an import of a linked package may mean, best first, without looking whether they exist; none for all others. */
export function linkedCandidates(folder: string, module: string, host: PackageHost): readonly string[] {
  const [, name, rest = ""] = /^(@[^/]+\/[^/]+|[^@./][^/]*)(?:\/(.+))?$/.exec(module) ?? [];
  if (name === undefined || host.realPath === undefined) return [];
  for (let above = folder; ; above = parent(above)) {
    const installed = joinPath(above, `node_modules/${name}`);
    const manifest = host.readFile(`${installed}/package.json`);
    if (manifest !== undefined) {
      const real = host.realPath(installed);
      const isOwn = real !== undefined && real !== installed && !real.includes("/node_modules/");
      return isOwn ? entries(readManifest(manifest), rest).map((entry) => joinPath(real, entry)) : [];
    }
    if (above === parent(above)) return [];
  }
}

/** Relative to the package's folder; of what is compiled, the source that it is most likely compiled from comes first. */
function entries(manifest: Readonly<Record<string, unknown>>, rest: string): readonly string[] {
  const exported = textsOf(exportedAs(manifest.exports, rest));
  const main =
    rest === "" ? [manifest.source, manifest.module, manifest.main, manifest.types, "src/index", "index"] : [`src/${rest}`, rest];
  return [...exported, ...main.filter((entry) => typeof entry === "string")].flatMap((entry) => {
    const path = entry.replace(/^\.\//, "").replace(/\.d\.([cm]?ts)$/, ".$1");
    return COMPILED.test(path) ? [path.replace(COMPILED, "src/"), path] : [path];
  });
}

/** What `exports` has for the package itself, or for a path in it. */
function exportedAs(exports: unknown, rest: string): unknown {
  if (!isRecord(exports)) return rest === "" ? exports : undefined;
  const keys = Object.keys(exports);
  if (!keys.some((key) => key.startsWith("."))) return rest === "" ? exports : undefined;
  const subpath = rest === "" ? "." : `./${rest}`;
  if (exports[subpath] !== undefined) return exports[subpath];
  const pattern = keys.find((key) => key.includes("*") && subpath.startsWith(key.slice(0, key.indexOf("*"))));
  const target = pattern === undefined ? undefined : exports[pattern];
  const star =
    pattern === undefined ? "" : subpath.slice(pattern.indexOf("*"), subpath.length - (pattern.length - pattern.indexOf("*") - 1));
  return textsOf(target).map((text) => text.replace("*", () => star));
}

/** The texts of nested conditions, in their order. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isRecord(value) ? Object.values(value).flatMap(textsOf) : [];
}

function readManifest(text: string): Readonly<Record<string, unknown>> {
  if (isTooDeepForFile(text)) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
