// The platform as it ships in the extension. Run from its sources, it is slower by a twentieth: their loader names every function that is
// made, each time it is made.
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { extension } from "../../scripts/build.ts";
import type { Workplace } from "./workplace.ts";

/** Bundles it into the workplace, and loads it. */
export async function shippedHost({ folder }: Workplace): Promise<typeof import("./host.ts")> {
  await build({ ...extension, entryPoints: [join(import.meta.dirname, "host.ts")], outdir: folder });
  return createRequire(import.meta.url)(join(folder, "host.cjs")) as typeof import("./host.ts");
}
