// The Packs SDK's own upload validator in this process: builds a pack as the SDK's command does, and returns the reasons for rejection.
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { build, type Plugin, transform } from "esbuild";

const load = createRequire(import.meta.url);

export interface ValidationProblem {
  readonly path?: string;
  readonly message: string;
}

/**
 * Returns the reasons for which the upload would reject the pack; empty if it is accepted. Throws if the pack does not build or load.
 * `replaced` are texts that replace those of files.
 */
export async function uploadProblems(
  entry: string,
  replaced: ReadonlyMap<string, string> = new Map(),
): Promise<readonly ValidationProblem[]> {
  return problemsOf(await bundled(entry, [replacing(replaced)]));
}

function replacing(replaced: ReadonlyMap<string, string>): Plugin {
  // The bundler identifies files by the targets of their links.
  const texts = new Map([...replaced].map(([path, text]) => [realpathSync(path), text]));
  return {
    name: "replaced",
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const contents = texts.get(path);
        return contents === undefined ? undefined : { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}

export interface CommandVerdict {
  readonly isAccepted: boolean;
  /** The lines about errors or deprecations; undefined if the pack does not build or load. */
  readonly output: string | undefined;
}

/** Returns the verdict of the SDK's `validate` command by the functions that it calls, with another bundler and a cached schema. */
export async function commandVerdict(entry: string, replaced: ReadonlyMap<string, string> = new Map()): Promise<CommandVerdict> {
  // The SDK's modules import each other in circles: this one has to be loaded first, as by the program.
  load("@codahq/packs-sdk/dist/cli/config_storage");
  const { validateMetadata } = load("@codahq/packs-sdk/dist/cli/validate") as { validateMetadata(metadata: object): Promise<void> };
  const { compilePackMetadata } = load("@codahq/packs-sdk/dist/helpers/metadata") as { compilePackMetadata(manifest: unknown): object };
  let metadata: object;
  try {
    const exported = exportsOf(await bundled(entry, [replacing(replaced)]));
    const manifest = (exported.pack ?? exported.manifest) as { version?: string };
    if (!manifest.version) manifest.version = "1";
    metadata = compilePackMetadata(manifest);
  } catch {
    return { isAccepted: false, output: undefined };
  }
  const { exitCode, output } = await untilExit(() => validateMetadata(metadata));
  // The first line repeats the messages, or introduces the deprecations.
  return { isAccepted: exitCode === 0, output: output.split("\n").slice(1).join("\n") };
}

let turn: Promise<unknown> = Promise.resolve();

/** Runs a function of a command that prints and exits, one at a time. */
function untilExit(run: () => Promise<void>): Promise<{ readonly exitCode: number; readonly output: string }> {
  const mine = turn.then(async () => {
    const helpers = load("@codahq/packs-sdk/dist/testing/helpers") as { print: (text: string) => void };
    const validation = load(VALIDATION) as Pick<Validation, "validatePackVersionMetadata">;
    const { exit } = process;
    const { print } = helpers;
    const { validatePackVersionMetadata } = validation;
    validation.validatePackVersionMetadata = onceBuilt().validatePackVersionMetadata;
    let output = "";
    helpers.print = (text) => {
      output += text;
    };
    process.exit = (code) => {
      throw new CommandExit(Number(code ?? 0));
    };
    try {
      await run();
      return { exitCode: 0, output };
    } catch (error) {
      if (error instanceof CommandExit) return { exitCode: error.code, output };
      throw error;
    } finally {
      process.exit = exit;
      helpers.print = print;
      validation.validatePackVersionMetadata = validatePackVersionMetadata;
    }
  });
  turn = mine.catch(() => {});
  return mine;
}

class CommandExit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** Returns a pack as one CommonJS text, without the SDK. */
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

/** Does the same for a pack of a single source. */
export async function uploadProblemsOfSource(
  source: string,
  validator: Pick<Validation, "validatePackVersionMetadata"> = onceBuilt(),
): Promise<readonly ValidationProblem[]> {
  return problemsOf((await transform(source, { loader: "ts", format: "cjs" })).code, validator);
}

interface Schema {
  safeParse(metadata: object): { readonly error?: { readonly issues: readonly ValidationIssue[] } };
}

interface ValidationIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The exports of the SDK's file. */
interface Validation {
  validatePackVersionMetadata(metadata: object, sdkVersion: null): Promise<unknown>;
  buildMetadataSchema(options: { readonly sdkVersion: string }): { readonly legacyPackMetadataSchema: Schema };
  readonly packMetadataSchemaBySdkVersion: readonly { readonly versionRange: string; schemaExtend(schema: Schema): Schema }[];
  readonly semver_1: { readonly default: { satisfies(version: string, range: string): boolean } };
}

const VALIDATION = "@codahq/packs-sdk/dist/testing/upload_validation";

/** Returns the SDK's original validator, which builds its schema for each pack. */
export const asToolkitHasIt = (): Pick<Validation, "validatePackVersionMetadata"> => load(VALIDATION);

let validation: Validation | undefined;

/** Returns the SDK's validator with a cached schema, because building the schema takes most of the time and always has the same result. */
function onceBuilt(): Validation {
  if (validation !== undefined) return validation;
  const path = load.resolve(VALIDATION);
  const module = { exports: {} as Validation };
  const code = `${readFileSync(path, "utf8")}
const anew = buildMetadataSchema;
const built = new Map();
buildMetadataSchema = (options) => {
  const key = JSON.stringify(options);
  if (!built.has(key)) built.set(key, anew(options));
  return built.get(key);
};
Object.assign(exports, { buildMetadataSchema, packMetadataSchemaBySdkVersion, semver_1 });`;
  new Function("module", "exports", "require", code)(module, module.exports, createRequire(path));
  validation = module.exports;
  return validation;
}

/** The upload chooses the version; formulas may be in a namespace. */
function metadataOf({ pack, manifest, ...otherExports }: Exported): object {
  const { compilePackMetadata } = load("@codahq/packs-sdk/dist/helpers/metadata") as { compilePackMetadata(manifest: unknown): object };
  return { ...compilePackMetadata(pack ?? manifest ?? otherExports), version: "1" };
}

/**
 * Does the same for thousands of packs, each a CommonJS source, with the additional conditions of the current SDK. Returns the first
 * problem, or undefined if the pack is accepted.
 */
export function createQuickValidator(): (source: string) => string | undefined {
  const { buildMetadataSchema, packMetadataSchemaBySdkVersion, semver_1: semver } = onceBuilt();
  const { version: sdkVersion } = load("@codahq/packs-sdk/package.json") as { version: string };
  const schema = packMetadataSchemaBySdkVersion
    .filter(({ versionRange }) => semver.default.satisfies(sdkVersion, versionRange))
    .reduce((extended, { schemaExtend }) => schemaExtend(extended), buildMetadataSchema({ sdkVersion }).legacyPackMetadataSchema);
  return (source) => {
    try {
      const issue = schema.safeParse(metadataOf(exportsOf(source))).error?.issues[0];
      return issue && `${issue.path.join(".")}: ${issue.message}`;
    } catch (error) {
      return `does not load: ${String(error)}`;
    }
  };
}

interface Exported {
  readonly pack?: unknown;
  readonly manifest?: unknown;
}

/**
 * The SDK's code needs the pack's live objects in this process. This is only for the SDK's samples, generated mutants, and deliberate
 * exceptions.
 */
function exportsOf(code: string): Exported {
  const module = { exports: {} as Exported };
  new Function("module", "exports", "require", code)(module, module.exports, load);
  return module.exports;
}

/** Returns the pack in this process, as the SDK's `execute` does. */
export const packHere = async (entry: string): Promise<unknown> => exportsOf(await bundled(entry)).pack;

async function problemsOf(
  code: string,
  { validatePackVersionMetadata }: Pick<Validation, "validatePackVersionMetadata"> = onceBuilt(),
): Promise<readonly ValidationProblem[]> {
  const exported = exportsOf(code);
  try {
    await validatePackVersionMetadata(metadataOf(exported), null);
    return [];
  } catch (error) {
    const { validationErrors } = error as { validationErrors?: readonly ValidationProblem[] };
    return validationErrors ?? [{ message: error instanceof Error ? error.message : String(error) }];
  }
}
