// `pack-auth run --save-test`: saves the run as a file that `pack-auth test` repeats without a network.

import { existsSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { TargetInput } from "../../operations/run/target-request.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { recordRun } from "../../platform/recordings/record-run.ts";
import { type SavedTest, TEST_ENDING, testText } from "../../platform/recordings/saved-test.ts";
import { fileIn, saveIn, testFor, writeTestFile } from "../../platform/recordings/test-file.ts";
import { failureMessage } from "../../platform/runs/failure-message.ts";
import type { RunInput } from "../../platform/runs/run-input.ts";
import type { RunObserver } from "../../platform/runs/run-observer.ts";
import type { RunWorld } from "../../platform/runs/run-world.ts";
import { isOfMcp } from "../../protocol/mcp.ts";
import type { RunReport } from "../../protocol/run.ts";
import { openCliHost } from "../terminal/host.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";

/** Returns the input. Throws UsageError if a test cannot repeat it. */
function savable({ target, isTwice, ...input }: TargetInput): RunInput {
  if (isOfMcp(target) || isTwice)
    throw new UsageError(
      "Use --save-test with a formula, a table or another function of the pack. It cannot save an MCP server or Table:incremental.",
    );
  return { ...input, target };
}

/** Returns whether the path is a folder for tests. Throws UsageError if it is neither a folder nor a test file. */
function isFolder(path: string, absolute: string): boolean {
  if (path.endsWith(TEST_ENDING)) return false;
  if (existsSync(absolute) ? statSync(absolute).isDirectory() : !/\.[^./\\]+$/.test(path)) return true;
  throw new UsageError(`--save-test must be a folder or a file that ends in ${TEST_ENDING}, not ${path}.`);
}

interface SaveOptions {
  /** Path of a file or a folder. */
  readonly path: string;
  /** What a real account gave is saved without being shown first. */
  readonly isAgreed: boolean;
}

/** A run, and a function that saves it. */
export interface Ran {
  readonly report: RunReport;
  /** Saves a run that succeeded or, if `expectsFailure` is true, one that failed. Throws PackAuthError. */
  readonly save?: (expectsFailure: boolean) => Promise<void>;
}

/** Throws UsageError before anything runs. */
export async function runToSave(
  terminal: Terminal,
  cliInput: TargetInput,
  { path, isAgreed }: SaveOptions,
  world: RunWorld,
  observer: RunObserver,
): Promise<Ran> {
  const input = savable(cliInput);
  const place = resolve(terminal.folder, path);
  const inFolder = isFolder(path, place);
  const recorded = await recordRun(input, world, observer);
  const save = async (expectsFailure: boolean): Promise<void> => {
    const test = await testFor(inFolder ? fileIn(place, recorded.input) : place, recorded, expectsFailure);
    const isReal = world.account !== undefined && world.account.sandboxOrigin === undefined;
    if (isReal && !isAgreed) await showFirst(terminal, test);
    const file = inFolder ? await saveIn(place, test) : place;
    if (!inFolder) await writeTestFile(place, test);
    saySaved(terminal, file, test, failureMessage(recorded.report));
  };
  return { report: recorded.report, save };
}

/** The most characters of a recording that are shown. */
const MOST_SHOWN = 20_000;

/** Shows the recording and asks before it is saved: the API's responses for a real account are people's data. Throws recording-refused. */
async function showFirst(terminal: Terminal, test: SavedTest): Promise<void> {
  const text = testText(test);
  const rest = text.length > MOST_SHOWN ? `\n… and ${text.length - MOST_SHOWN} more characters` : "";
  terminal.errorOutput.write(formatMessage`${printable(text.slice(0, MOST_SHOWN))}${printable(rest)}\n`);
  const { prompter, close } = await openCliHost(terminal);
  try {
    const choice = await prompter.pick({
      title: "Save this recording of a real account?",
      placeholder: "It contains answers of the API, but no credentials",
      items: [
        { label: "Do not save", value: "no" },
        { label: "Save", value: "yes" },
      ],
    });
    if (choice === "yes") return;
  } finally {
    close();
  }
  throw new PackAuthError("recording-refused", "The recording contains data of a real account, and was not confirmed.", {
    hint: "Read it above. Then run again and choose Save, or add --yes.",
  });
}

function saySaved({ folder, errorOutput }: Terminal, file: string, test: SavedTest, expectedFailure: string | undefined): void {
  const names = Object.values(test.volatile).flat();
  const differ =
    names.length === 0 ? "" : ` Not compared, because it changes each time: ${names.map((name) => name || "the whole").join(", ")}.`;
  const expects = expectedFailure === undefined ? "" : ` It expects the failure: ${expectedFailure}`;
  errorOutput.write(
    formatMessage`Saved as ${printable(relative(folder, file))}. Run it with pack-auth test.${printable(differ)}${printable(expects)}\n`,
  );
}
