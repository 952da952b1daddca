// A long check, in parts and by several threads: packs that do not share files know nothing of each other. What is found so is what one
// analysis of all files would find; where parts turn out to belong together after all, nothing is given.
import type { Checked } from "./check-files.ts";
import { groupFiles } from "./file-groups.ts";
import type { KnownFolders } from "./listed-folders.ts";
import { lookAtParts, type PartsChecked } from "./look-at-parts.ts";
import { createQueue } from "./part-queue.ts";
import { createProgress } from "./progress.ts";
import type { Threads } from "./threads.ts";

/** With fewer, parts gain nothing. */
const FEWEST_FILES = 100;

/** Of a part: what an analysis of so many keeps is less than what V8 collects at once. */
const CHARACTERS = 80_000;

/** For each thread, so that all end at about the same time. */
const FEWEST_PARTS = 4;

/** Undefined where all had better be done at once. */
export async function checkInParts(
  paths: readonly string[],
  read: (path: string) => string | undefined,
  { started: threads, expect }: Threads,
  folders: KnownFolders,
): Promise<Checked | undefined> {
  expect(paths.length);
  const count = threads.length + 1;
  if (count < 2 && paths.length < FEWEST_FILES) return undefined;
  const progress = createProgress();
  try {
    const texts = new Map(paths.map((path) => [path, read(path)]));
    let characters = 0;
    for (const text of texts.values()) characters += text?.length ?? 0;
    const size = Math.min(CHARACTERS, characters / (count * FEWEST_PARTS));
    const parts = groupFiles(paths, (path) => texts.get(path) ?? "", size);
    if (parts.length < 2) return undefined;
    const queue = createQueue(parts.length);
    const onFile = (): void => {
      queue.countFile();
      progress.show(queue.filesDone(), paths.length);
    };
    for (const thread of threads) thread.start({ parts, texts, folders, queue: queue.memory });
    const own = lookAtParts(parts, queue.take, read, onFile);
    if (own === undefined) return undefined;
    const answers = await Promise.all(threads.map((thread) => thread.answer));
    const whole = [own, ...answers.filter((answer) => answer !== "failed")];
    if (!whole.every((checked) => checked !== undefined)) return undefined;
    // What a thread took that failed is done here.
    const done = new Set(whole.flatMap(({ numbers }) => numbers));
    const lost = [...parts.keys()].filter((number) => !done.has(number));
    const rest = lookAtParts(parts, () => lost.shift(), read, onFile);
    return rest && joined([...whole, rest]);
  } finally {
    progress.end();
  }
}

function joined(parts: readonly PartsChecked[]): Checked {
  return {
    diagnostics: new Map(parts.flatMap(({ diagnostics }) => [...diagnostics])),
    ignored: new Set(parts.flatMap(({ ignored }) => [...ignored])),
    settingsFiles: [...new Map(parts.flatMap(({ settingsFiles }) => settingsFiles.map((file) => [file.path, file] as const))).values()],
  };
}
