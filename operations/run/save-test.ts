// Saves a recorded run as a test, in a file or a folder. What a real account gave is people's data, so the person reads it first.
import { existsSync, statSync } from "node:fs";
import { PackAuthError } from "../../platform/errors.ts";
import type { RunRecord } from "../../platform/recordings/record-run.ts";
import { TEST_ENDING, testText } from "../../platform/recordings/saved-test.ts";
import { fileIn, saveIn, testFor, writeTestFile } from "../../platform/recordings/test-file.ts";
import type { RunInput } from "../../platform/runs/run-input.ts";
import { isOfMcp } from "../../protocol/mcp.ts";
import { InputError } from "../input-error.ts";
import type { Observer } from "../observer.ts";
import type { Person } from "../person.ts";
import type { World } from "../world.ts";
import type { TargetInput } from "./target-request.ts";

/** Where tests are saved. */
export interface TestPlace {
  /** The path as the caller wrote it. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Throws InputError if the path is neither a folder nor a test file, and path-outside. */
export function testPlace({ pathOf }: World, path: string): TestPlace {
  const absolute = pathOf(path);
  if (path.endsWith(TEST_ENDING)) return { path, isFolder: false };
  if (existsSync(absolute) ? statSync(absolute).isDirectory() : !/\.[^./\\]+$/.test(path)) return { path, isFolder: true };
  throw new InputError("saveTest", `Tests are saved in a folder or a file that ends in ${TEST_ENDING}, not ${path}.`);
}

/** Returns the input. Throws InputError if a test cannot repeat it. */
export function savable({ target, isTwice, ...input }: TargetInput): RunInput {
  if (isOfMcp(target) || isTwice)
    throw new InputError("saveTest", "A run of an MCP server, or one that reads a table twice, cannot be saved as a test.");
  return { ...input, target };
}

interface SaveOptions {
  readonly expectsFailure: boolean;
  /** Saves what a real account gave without showing it first. */
  readonly isConfirmed: boolean;
}

/** Saves a run that succeeded or, if `expectsFailure` is true, one that failed. Returns the file. Throws PackAuthError. */
export async function saveTest(
  record: RunRecord,
  { path, isFolder }: TestPlace,
  { expectsFailure, isConfirmed }: SaveOptions,
  { pathOf, signal }: World,
  person: Person,
  { note }: Pick<Observer<never>, "note">,
): Promise<string> {
  // The run took seconds, in which a link may have taken the place.
  const place = pathOf(path);
  const assertPlace = (): void => void pathOf(path);
  const test = await testFor(isFolder ? fileIn(place, record.input) : place, record, expectsFailure);
  const { account } = record.world;
  if (account !== undefined && account.sandboxOrigin === undefined && !isConfirmed) await confirm(testText(test), person, signal, note);
  const names = Object.values(test.volatile).flat();
  if (names.length > 0) note(`Not compared, because it changes each time: ${names.map((name) => name || "the whole").join(", ")}.`);
  if (isFolder) return saveIn(place, test, assertPlace);
  await writeTestFile(place, test, assertPlace);
  return place;
}

/** The most characters of a recording that are shown. */
const MOST_SHOWN = 20_000;

/** Throws recording-refused. */
async function confirm(recording: string, person: Person, signal: AbortSignal, note: (text: string) => void): Promise<void> {
  const rest = recording.length > MOST_SHOWN ? `\n… and ${recording.length - MOST_SHOWN} more characters` : "";
  note(recording.slice(0, MOST_SHOWN) + rest);
  const title = "Save this recording of a real account?";
  const warnings = ["It contains answers of the API, but no credentials."];
  const choice = await person.withPrompts({ title, facts: [], warnings, agree: "Save" }, ({ prompter }) =>
    prompter.pick({
      title,
      placeholder: "It contains answers of the API, but no credentials",
      items: [
        { label: "Do not save", value: "no" },
        { label: "Save", value: "yes" },
      ],
      signal,
    }),
  );
  if (choice !== "yes")
    throw new PackAuthError("recording-refused", "The recording contains data of a real account, and was not confirmed.", {
      nextStep: { do: "confirmRecording" },
    });
}
