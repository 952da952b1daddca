// A further thread of a long check: it takes parts from the queue, as the first one does, until none is left.
import { parentPort, workerData } from "node:worker_threads";
import { THREAD } from "../launch/thread-name.ts";
import { createDisk } from "./disk.ts";
import { createListedFolders, type KnownFolders } from "./listed-folders.ts";
import { lookAtParts, type PartsChecked } from "./look-at-parts.ts";
import { joinQueue } from "./part-queue.ts";

/** What a thread is given. */
export interface ThreadTask {
  readonly parts: readonly (readonly string[])[];
  /** Of all files of the parts, as the first thread has read them. */
  readonly texts: ReadonlyMap<string, string | undefined>;
  /** What the search for files has seen, so that what is not there need not be looked for here either. */
  readonly folders: KnownFolders;
  readonly queue: SharedArrayBuffer;
}

/** What it gives; undefined where a part leads to files of another one. */
export type ThreadAnswer = PartsChecked | undefined;

/** What a thread does; false where this is none. */
export function beThread(): boolean {
  if (parentPort === null || workerData !== THREAD) return false;
  const port = parentPort;
  port.once("message", ({ parts, texts, folders, queue: memory }: ThreadTask) => {
    const disk = createDisk(createListedFolders(folders));
    const queue = joinQueue(memory, parts.length);
    const answer: ThreadAnswer = lookAtParts(
      parts,
      queue.take,
      (path) => (texts.has(path) ? texts.get(path) : disk.read(path)),
      queue.countFile,
    );
    if (answer === undefined) queue.stop();
    port.postMessage(answer);
  });
  return true;
}
