// Reads and writes the file of a saved test. Reading is limited in size. A file that is not a saved test is never replaced.

import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { defined } from "../../base/defined.ts";
import type { RunReport } from "../../protocol/run.ts";
import { isIn, openedFolder, realPath } from "../bundle/bundle-files.ts";
import { PackAuthError } from "../errors.ts";
import { makeFolder } from "../files/make-folder.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { writeWhole } from "../files/write-file.ts";
import { failureMessage } from "../runs/failure-message.ts";
import { isSame } from "./differences.ts";
import type { RunRecord } from "./record-run.ts";
import { isOfMoment, testOf } from "./record-test.ts";
import { notSaved } from "./recorder.ts";
import { outcomeOf } from "./replay.ts";
import { joinVolatile, readTest, type SavedTest, testFileName, testText } from "./saved-test.ts";

/** A recording has up to 50 MB, and its JSON is indented. */
const LARGEST_FILE = 200 * 1024 * 1024;

/** Returns the test. Throws test-invalid. */
export function readTestFile(file: string): SavedTest {
  const text = readRegularFile(file, LARGEST_FILE);
  if (text !== undefined) return readTest(text);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  throw new PackAuthError("test-invalid", `The file cannot be read${size > LARGEST_FILE ? ": it is larger than 200 MB" : ""}.`);
}

/**
 * Returns the test in an existing file, or undefined if there is no file. Throws test-invalid naming the file if it is not a saved test.
 */
function readExistingTest(file: string): SavedTest | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return readTestFile(file);
  } catch (error) {
    throw new PackAuthError("test-invalid", `${file} is not a saved test, so it was not replaced.`, {
      hint: "Move it away, or name another file.",
      cause: error,
    });
  }
}

/**
 * Returns the test of a recording for the file. Names that a person added to `volatile` in the file are kept. A failed run becomes a test
 * only with `expectsFailure`: a test that expects a failure by mistake would pass from then on. Throws recording-refused and test-invalid.
 */
export async function testFor(file: string, record: RunRecord, expectsFailure: boolean): Promise<SavedTest> {
  refuseUnexpected(record.report, expectsFailure);
  const existingTest = readExistingTest(file);
  const fresh = await testOf(record, packOf(file, record.world.pack.entry));
  return { ...fresh, volatile: joinVolatile([existingTest?.volatile ?? {}, fresh.volatile]) };
}

function refuseUnexpected(report: RunReport, expectsFailure: boolean): void {
  if (isOfMoment(report)) return;
  const failure = failureMessage(report);
  if (failure !== undefined && !expectsFailure)
    throw notSaved("it failed", "Fix that, and record it again.", { do: "saveOutcome", expectsFailure: true });
  if (failure === undefined && expectsFailure) throw notSaved("it did not fail", undefined, { do: "saveOutcome", expectsFailure: false });
}

/**
 * Refuses to replace a test with a failed run when tests are recorded again, because no person checks the result. The exception is a test
 * that expects this failure. Throws recording-refused.
 */
export function refuseFailed(report: RunReport, test: SavedTest): void {
  const failure = failureMessage(report);
  if (failure === undefined || isSame(outcomeOf(report), test.outcome)) return;
  const { hint, nextStep } = "error" in report.outcome ? report.outcome.error : {};
  throw new PackAuthError("recording-refused", `The test is unchanged, because the new run failed: ${failure}`, { hint, nextStep });
}

/** `assertPlace` is called at the last moment. Throws storage-failed, and what `assertPlace` throws; the previous file is then unchanged. */
export const writeTestFile = (file: string, test: SavedTest, assertPlace = (): void => {}): Promise<boolean> =>
  writeFile(file, testText(test), () => {
    assertPlace();
    return true;
  });

/** False where `onlyIf` forbade it at the last moment. Throws as {@link writeTestFile}, and what `onlyIf` throws. */
async function writeFile(file: string, text: string, onlyIf?: () => boolean): Promise<boolean> {
  try {
    makeFolder(dirname(file), 0o777);
    return await writeWhole(file, text, { mode: 0o644, ...defined({ onlyIf }) });
  } catch (error) {
    if (error instanceof PackAuthError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new PackAuthError(
      "storage-failed",
      `${file} was not written: ${code === "ENOSPC" ? "the disk is full" : message}. The file is unchanged.`,
      { hint: code === "ENOSPC" ? "Free some space, and record it again." : "Name another file, or make this one writable.", cause: error },
    );
  }
}

type Call = Pick<SavedTest, "target" | "parameters">;

/** Whether a file does not exist, or contains a test of the same call. Throws test-invalid if the file cannot be read. */
function isFor(file: string, call: Call): boolean {
  const existingTest = readExistingTest(file);
  return existingTest === undefined || isSame([existingTest.target, existingTest.parameters], [call.target, call.parameters]);
}

/** Returns a file for the test in a folder: the file with the same call, or a new one. Throws test-invalid. */
export function fileIn(folder: string, call: Call): string {
  for (let number = 1; ; number++) {
    const file = join(folder, testFileName(call, number));
    if (isFor(file, call)) return file;
  }
}

/**
 * Writes the test into a folder and resolves to its file. If another window has written that file since its name was chosen, another name
 * is used. `assertPlace` is called before each step that looks into the folder or writes, since a link may have taken its place.
 * Throws storage-failed and test-invalid, and what `assertPlace` throws.
 */
export async function saveIn(folder: string, test: SavedTest, assertPlace = (): void => {}): Promise<string> {
  const mayWrite = (file: string): boolean => {
    assertPlace();
    return isFor(file, test);
  };
  for (;;) {
    assertPlace();
    const file = fileIn(folder, test);
    if (await writeFile(file, testText(test), () => mayWrite(file))) return file;
  }
}

/** Returns the path of a pack's entry as a test's file names it: relative to the file's folder, with slashes on every system. */
const packOf = (file: string, entry: string): string => relative(dirname(resolve(file)), entry).replaceAll(sep, "/");

export const entryOf = (file: string, test: SavedTest): string => resolve(dirname(file), test.pack);

/**
 * Returns the entry of a test's pack, to be run. `workFolder` is the folder in which the person works. Throws test-invalid if the pack is
 * outside of that folder and of the test's own (see {@link openedFolder}). The author of a test could otherwise run code with the accounts
 * of another pack.
 */
export function ownEntryOf(file: string, test: SavedTest, workFolder?: string): string {
  const entry = entryOf(file, test);
  const real = realPath(entry) ?? entry;
  const folders = [openedFolder(file), ...(workFolder === undefined ? [] : [realPath(workFolder) ?? workFolder])];
  if (folders.some((folder) => isIn(real, folder))) return entry;
  throw new PackAuthError("test-invalid", `The test was not run: its pack ${test.pack} is outside of the opened folder.`, {
    nextStep: { do: "openFolder" },
  });
}
