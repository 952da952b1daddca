// `pack-auth run --save-test`: the run as a file that `pack-auth test` runs again, with no network.
import { existsSync, statSync } from "node:fs";
import { relative } from "node:path";
import type { Pack } from "../../platform/process/pack.ts";
import { MOCHA_FILE, mochaFileOf, refuseForMocha } from "../../platform/recordings/mocha-file.ts";
import { type Recorded, recordTest } from "../../platform/recordings/record-test.ts";
import { type SavedTest, TEST_ENDING } from "../../platform/recordings/saved-test.ts";
import { fileIn, testFor, writeFile, writeTestFile } from "../../platform/recordings/test-file.ts";
import type { RunOptions } from "../../platform/runs/run.ts";
import type { RunReport, RunTarget } from "../../protocol/run.ts";
import { errorOutput } from "../terminal/output.ts";
import { printable, told } from "../terminal/printable.ts";
import { UsageError } from "../usage-error.ts";
import type { Asked } from "./asked.ts";

/** Throws UsageError for what is no test. */
function savable({ target, twice }: Asked): RunTarget {
  if (target.kind === "mcpServer" || target.kind === "mcpTool" || twice === true)
    throw new UsageError(
      "--save-test takes a formula, a table or another function of the pack, run once: no MCP server, and no Table:incremental.",
    );
  return target;
}

/** Throws UsageError. */
function isFolder(path: string): boolean {
  if (path.endsWith(TEST_ENDING)) return false;
  if (existsSync(path) ? statSync(path).isDirectory() : !/\.[^./\\]+$/.test(path)) return true;
  throw new UsageError(`--save-test takes a file that ends in ${TEST_ENDING}, or a folder, not ${path}.`);
}

export interface SaveOptions {
  /** A file, or a folder. */
  readonly path: string;
  readonly withMocha: boolean;
}

/** A run and how it is saved. */
export interface Ran {
  readonly report: RunReport;
  /** Throws PackAuthError. */
  readonly save?: () => Promise<void>;
}

/** Throws UsageError before anything runs. */
export async function runToSave(pack: Pack, asked: Asked, { path, withMocha }: SaveOptions, options: RunOptions): Promise<Ran> {
  const target = savable(asked);
  const inFolder = isFolder(path);
  const recorded = await recordTest(pack, target, asked.parameters, options);
  const save = async (): Promise<void> => {
    const file = inFolder ? fileIn(path, recorded) : path;
    const test = await writeRecorded(file, pack.entry, recorded);
    if (withMocha) await writeMocha(file, test);
  };
  return { report: recorded.report, save };
}

/** Writes the test and says so. Names that a person added to `volatile` stay. Throws PackAuthError. */
export async function writeRecorded(file: string, entry: string, recorded: Recorded): Promise<SavedTest> {
  const test = await testFor(file, entry, recorded);
  await writeTestFile(file, test);
  const names = Object.values(test.volatile).flat();
  const differ =
    names.length === 0 ? "" : ` Not compared, because it is another each time: ${names.map((name) => name || "the whole").join(", ")}.`;
  errorOutput.write(told`Saved as ${printable(relative(process.cwd(), file))}. Run it with pack-auth test.${printable(differ)}\n`);
  return test;
}

async function writeMocha(testFile: string, test: SavedTest): Promise<void> {
  refuseForMocha(test);
  const file = mochaFileOf(testFile);
  await writeFile(file, MOCHA_FILE);
  errorOutput.write(told`Saved as ${printable(relative(process.cwd(), file))} too. Run it with npx mocha.\n`);
}
