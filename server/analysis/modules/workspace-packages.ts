// Workspace packages of a monorepo, such as `@me/shared`, for which node_modules has only a link to a folder. Packages that are actually
// installed are third-party, and are not read.
import { isRecord } from "../../../base/is-record.ts";
import { isTooDeepForFile } from "../../../base/json-depth.ts";
import { joinPath, parent } from "./paths.ts";
import type { FileReader } from "./toolkit.ts";

export interface PackageHost extends FileReader {
  /** Returns a path with all links resolved, with forward slashes. Without it, workspace packages are not read. */
  realPath?(path: string): string | undefined;
}

/** Folders for compiled output, and folders for sources. */
const COMPILED = /^(?:dist|lib|build|out|es|esm|cjs)\//;

/**
 * Returns the candidate paths for an import of a linked package, best first, without checking whether they exist; empty for other packages.
 */
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

/** Returns the package's entry paths relative to its folder. Before each compiled file comes its most likely source. */
function entries(manifest: Readonly<Record<string, unknown>>, rest: string): readonly string[] {
  const exported = textsOf(exportedAs(manifest.exports, rest));
  const main =
    rest === "" ? [manifest.source, manifest.module, manifest.main, manifest.types, "src/index", "index"] : [`src/${rest}`, rest];
  return [...exported, ...main.filter((entry) => typeof entry === "string")].flatMap((entry) => {
    const path = entry.replace(/^\.\//, "").replace(/\.d\.([cm]?ts)$/, ".$1");
    return COMPILED.test(path) ? [path.replace(COMPILED, "src/"), path] : [path];
  });
}

/** Returns the value in `exports` for the package itself, or for a path in it. */
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

/** Returns the strings of nested conditions, in order. */
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
