// Bundles a program of the tests: a process that runs a bundle starts in a fraction of the time that compiling its sources takes.
import { basename, join } from "node:path";
import { build } from "esbuild";
import { root } from "./packs.ts";

/** Bundles a source into a folder. Returns the path of the bundle. `source` is relative to the repository. */
export async function bundleProgram(source: string, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(source, ".ts")}.cjs`);
  await build({ entryPoints: [join(root, source)], outfile, bundle: true, platform: "node", format: "cjs", logLevel: "warning" });
  return outfile;
}
