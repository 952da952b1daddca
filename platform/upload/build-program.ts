// The program of the process that builds a pack with the Packs SDK's own function; see toolkit-build.ts. The SDK loads the built bundle, to
// write a file for debugging and to try isolated-vm. Pack code runs nowhere but in the pack process, so both functions are replaced first.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { BUNDLE_NAME, type BuildOrder, type BuildOutcome, OUTCOME_NAME } from "./build-order.ts";

type Exports = Record<string, unknown>;

/** The SDK's file or function is not what this program knows. */
class Unsupported extends Error {}

async function build({ toolkit, entry, folder, timerStrategy }: BuildOrder): Promise<BuildOutcome> {
  try {
    const require = createRequire(toolkit);
    const load = (file: string): Exports => {
      const path = join(dirname(toolkit), "dist", file);
      if (!existsSync(path)) throw new Unsupported(`its file dist/${file} is missing`);
      try {
        return require(path) as Exports;
      } catch (error) {
        throw new Unsupported(errorMessage(error));
      }
    };
    refuseBuiltCode(folder);
    let isReplacementUsed = false;
    replace(load("cli/helpers.js"), "importManifest", async () => {
      isReplacementUsed = true;
      return {};
    });
    // Versions before 1.5 write no file for debugging, so this is the only use.
    replace(load("testing/ivm_wrapper.js"), "tryGetIvm", () => {
      isReplacementUsed = true;
      return undefined;
    });
    const compile = functionOf(load("testing/compile.js"), "compilePackBundle");
    await compile({
      manifestPath: entry,
      outputDirectory: folder,
      intermediateOutputDirectory: folder,
      bundleFilename: BUNDLE_NAME,
      timerStrategy,
    });
    if (!isReplacementUsed) throw new Unsupported("compilePackBundle called neither importManifest nor tryGetIvm");
    return {};
  } catch (error) {
    return { error: errorMessage(error), isUnsupported: error instanceof Unsupported };
  }
}

function functionOf(exports: Exports, name: string): (...args: unknown[]) => Promise<unknown> {
  const value = exports[name];
  if (typeof value !== "function") throw new Unsupported(`${name} is missing`);
  return value as (...args: unknown[]) => Promise<unknown>;
}

function replace(exports: Exports, name: string, replacement: () => unknown): void {
  functionOf(exports, name);
  Reflect.set(exports, name, replacement);
  if (exports[name] !== replacement) throw new Unsupported(`${name} cannot be replaced`);
}

/** Refuses to load what was built, in case an SDK loads it in another way. */
function refuseBuiltCode(folder: string): void {
  const extensions = (Module as unknown as { _extensions: Record<string, (module: unknown, file: string) => void> })._extensions;
  const load = extensions[".js"];
  extensions[".js"] = (module, file) => {
    if (file.startsWith(folder + sep)) throw new Unsupported("this version loads the built pack");
    load?.(module, file);
  };
}

let input = "";
let folder: string | undefined;
process.stdin.setEncoding("utf8").on("data", async (part: string) => {
  input += part;
  if (folder !== undefined || !input.endsWith("\n")) return;
  const order = JSON.parse(input) as BuildOrder;
  folder = order.folder;
  writeFileSync(join(folder, OUTCOME_NAME), JSON.stringify(await build(order)));
  // The open input, and whatever the SDK started, would keep this process alive.
  process.exit(0);
});
// The host has ended without its clean-up, or it would have ended this process first.
process.stdin.on("end", () => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  process.exit(1);
});
