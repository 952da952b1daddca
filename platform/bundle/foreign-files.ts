// Refuses bundles that contain a file that the pack must not contain. There are two independent checks: each file before it is read, and
// esbuild's list of inputs after the build. A file whose origin is unclear counts as foreign.

import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type * as Esbuild from "esbuild";
import type { SourceLocation } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { LARGEST_SOURCE, readRegularFile } from "../files/regular-file.ts";
import { type BundleFiles, isIn, mayContainCredentials, realPath } from "./bundle-files.ts";
import { mayNameMaps, NO_MAP, namedMaps } from "./named-maps.ts";

/** The `detail` of an esbuild error from {@link ownFilesOnly}; the error has the location of the import. */
export class ForeignFile {
  readonly path: string;
  readonly folder: string;

  constructor(path: string, folder: string) {
    this.path = path;
    this.folder = folder;
  }
}

/**
 * The first check, before a file is read. `files` is called for each file, so that each build uses its own BundleFiles. `texts` are loaded
 * in place of files.
 */
export function ownFilesOnly(files: () => BundleFiles, texts?: ReadonlyMap<string, string>): Esbuild.Plugin {
  return {
    name: "pack-auth-own-files",
    setup(build) {
      build.onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => {
        const contents = texts?.get(path);
        // A file that a package replaces by an empty module for browsers need not exist.
        if (files().has(path) || !existsSync(path))
          return contents === undefined
            ? withoutForeignMap(path, files())
            : { contents, loader: loaderOf(path), resolveDir: dirname(path) };
        return { errors: [{ text: `${path} is foreign`, detail: new ForeignFile(path, files().folder) }] };
      });
    },
  };
}

/** Returns the source if it names a source map that is foreign, and keeps esbuild from following it; undefined to let esbuild read it. */
function withoutForeignMap(path: string, files: BundleFiles): Esbuild.OnLoadResult | undefined {
  if (!mayNameMaps(path) || !existsSync(path)) return undefined;
  const source = readFileSync(path);
  if (namedMaps(source, path).every((map) => map === undefined || files.has(map))) return undefined;
  return { contents: Buffer.concat([source, Buffer.from(NO_MAP)]), loader: "default" };
}

const loaderOf = (path: string): Esbuild.Loader => {
  const [, kind = "js"] = /\.[cm]?([jt]sx?)$/.exec(path) ?? [];
  return kind as Esbuild.Loader;
};

/** Inputs of a bundle that are not files: its entry wrapper, and modules that plugins generate. */
export const BEGINNING = "pack-auth:entry";
const GENERATED_INPUT = /^pack-auth:pack-auth:(?:nothing|shims|util|shared:\w+)$/;

/** The second check, after the build. Throws pack-does-not-bundle; its location is written by `asOpened`. */
export function refuseForeign(
  metafile: Esbuild.Metafile | undefined,
  workingFolder: string,
  files: BundleFiles,
  asOpened: (file: string) => string = same,
): void {
  if (metafile === undefined) throw new Error("the list of the bundle's files is missing");
  const pathOf = (input: string): string => inputFiles(input, workingFolder)[0];
  const inputs = Object.entries(metafile.inputs).flatMap(([input, { bytes }]) =>
    // Modules that a package disables for browsers are listed with no bytes.
    GENERATED_INPUT.test(input) || pathOf(input) === join(workingFolder, BEGINNING) || (bytes === 0 && input.startsWith("(disabled):"))
      ? []
      : [input],
  );
  const foreign = firstForeign(inputs, (input) => inputFiles(input, workingFolder).every((path) => files.has(path)));
  if (foreign !== undefined)
    throw foreignFile(new ForeignFile(pathOf(foreign), files.folder), importOf(metafile, foreign, pathOf), { asOpened });
  refuseForeignSettings(files, asOpened);
}

/** Returns the first input of a build that no round of checks accepts: a package counts only after its importer, and inputs have no order. */
export function firstForeign(inputs: readonly string[], isOwn: (input: string) => boolean): string | undefined {
  const left = inputs.filter((input) => !isOwn(input));
  return left.length === inputs.length ? left[0] : firstForeign(left, isOwn);
}

/**
 * Throws pack-does-not-bundle if settings extend a foreign file. Call it before a build too, because esbuild reads all that a tsconfig.json
 * extends.
 */
export function refuseForeignSettings(files: BundleFiles, asOpened: (file: string) => string): void {
  const base = files.foreignSettings();
  if (base !== undefined)
    throw foreignFile(
      new ForeignFile(base.foreign, files.folder),
      { path: base.settings, line: 0, character: 0 },
      { does: "extends", asOpened },
    );
}

/**
 * Returns the files that an input may stand for, the likeliest first. esbuild may append import attributes, or a suffix from `?` or `#` on,
 * to the path.
 * A file name may contain these too, so every existing candidate must be checked.
 */
export function inputFiles(input: string, workingFolder: string): readonly [string, ...string[]] {
  const whole = resolve(workingFolder, input);
  const starts = [...input.matchAll(/ with \{|[?#]/g)].map(({ index }) => resolve(workingFolder, input.slice(0, index)));
  const [first = whole, ...further] = [whole, ...starts.reverse()].filter(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false,
  );
  return [first, ...further];
}

const same = (file: string): string => file;

function importOf(metafile: Esbuild.Metafile, input: string, pathOf: (input: string) => string): SourceLocation | undefined {
  for (const [importer, { imports }] of Object.entries(metafile.inputs)) {
    const specifier = imports.find((each) => each.path === input)?.original;
    if (specifier === undefined) continue;
    const path = pathOf(importer);
    const line = (readRegularFile(path, LARGEST_SOURCE) ?? "").split("\n").findIndex((text) => text.includes(specifier));
    if (line >= 0) return { path, line, character: 0 };
  }
  return undefined;
}

/** Returns the error, with the location of the import and what to do. */
export function foreignFile(
  { path, folder }: ForeignFile,
  location?: SourceLocation,
  { does = "imports", asOpened = same }: { readonly does?: string; readonly asOpened?: (file: string) => string } = {},
): PackAuthError {
  const importer = location === undefined ? "The pack" : `${relative(folder, location.path) || location.path}:${location.line + 1}`;
  const real = realPath(path) ?? path;
  const [why, hint] = mayContainCredentials(real)
    ? [
        "which may contain credentials",
        "Import another file. A file of this name is never bundled, because its content would be uploaded with the pack.",
      ]
    : isIn(real, folder)
      ? ["which is not a regular file", "Put a file with the source in its place."]
      : [
          `which is outside of the folder ${folder}`,
          "Move the file into that folder. For a dependency such as file:../shared, make a workspace of the pack and that package: name both in the workspaces of a package.json above them. A pack is made of the opened folder, its npm or pnpm workspace, and packages in node_modules that a package.json names. A link in node_modules counts where its target is a package of that name in another node_modules.",
        ];
  return new PackAuthError("pack-does-not-bundle", `${importer} ${does} ${real}, ${why}.`, {
    hint,
    location: location && { ...location, path: asOpened(location.path) },
  });
}
