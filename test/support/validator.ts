// The toolkit's own upload validator, in process: builds a pack the way its command does and asks what it would reject.
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { build, type Plugin, transform } from "esbuild";

const load = createRequire(import.meta.url);

export interface ValidationProblem {
  readonly path?: string;
  readonly message: string;
}

/**
 * What the upload of the pack would be rejected for; empty where it is accepted. Throws where the pack does not build or load.
 * `replaced` are texts that stand for those of files.
 */
export async function uploadProblems(
  entry: string,
  replaced: ReadonlyMap<string, string> = new Map(),
): Promise<readonly ValidationProblem[]> {
  // The bundler names files by where their links lead.
  const texts = new Map([...replaced].map(([path, text]) => [realpathSync(path), text]));
  const replacement: Plugin = {
    name: "replaced",
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const contents = texts.get(path);
        return contents === undefined ? undefined : { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
  return problemsOf(await bundled(entry, [replacement]));
}

/** A pack as one CommonJS text, the toolkit outside of it. */
async function bundled(entry: string, plugins: Plugin[] = []): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    external: ["@codahq/packs-sdk"],
    logLevel: "silent",
    plugins,
  });
  return outputFiles[0]?.text ?? "";
}

/** The same for a pack that is one source. */
export async function uploadProblemsOfSource(source: string): Promise<readonly ValidationProblem[]> {
  return problemsOf((await transform(source, { loader: "ts", format: "cjs" })).code);
}

interface Exported {
  readonly pack?: unknown;
  readonly manifest?: unknown;
}

/** The toolkit's own code needs the pack's live objects in this process: only for its own samples, generated mutants, and what is named on purpose. */
function exportsOf(code: string): Exported {
  const module = { exports: {} as Exported };
  new Function("module", "exports", "require", code)(module, module.exports, load);
  return module.exports;
}

/** The pack in this process, as the toolkit's `execute` has it. */
export const packHere = async (entry: string): Promise<unknown> => exportsOf(await bundled(entry)).pack;

async function problemsOf(code: string): Promise<readonly ValidationProblem[]> {
  const exported = exportsOf(code);
  const { compilePackMetadata } = load("@codahq/packs-sdk/dist/helpers/metadata") as { compilePackMetadata(manifest: unknown): object };
  const { validatePackVersionMetadata } = load("@codahq/packs-sdk/dist/testing/upload_validation") as {
    validatePackVersionMetadata(metadata: object, sdkVersion: null): Promise<unknown>;
  };
  const manifest = exported.pack ?? exported.manifest ?? exported;
  try {
    // The version is chosen at upload; formulas may stand in a namespace.
    await validatePackVersionMetadata({ ...compilePackMetadata(manifest), version: "1" }, null);
    return [];
  } catch (error) {
    const { validationErrors } = error as { validationErrors?: readonly ValidationProblem[] };
    return validationErrors ?? [{ message: error instanceof Error ? error.message : String(error) }];
  }
}
