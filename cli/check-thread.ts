// A further thread of a long check: it takes parts from the queue, as the first one does, until none is left.
import { join } from "node:path";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { createDisk } from "./disk.ts";
import { lookAtParts, type PartsChecked } from "./look-at-parts.ts";
import { joinQueue } from "./part-queue.ts";
import { THREAD } from "./thread-name.ts";

/** What tells a thread of a check from others. */
const KIND = "check";

/** What a thread is given. */
export interface ThreadTask {
  readonly parts: readonly (readonly string[])[];
  /** Of all files of the parts, as the first thread has read them. */
  readonly texts: ReadonlyMap<string, string | undefined>;
  readonly queue: SharedArrayBuffer;
}

/** What it gives; undefined where a part leads to files of another one. */
type ThreadAnswer = PartsChecked | undefined;

export interface CheckThread {
  start(task: ThreadTask): void;
  /** "failed": what it took from the queue is lost. */
  readonly answer: Promise<ThreadAnswer | "failed">;
  end(): void;
}

/** What a thread does; false where this is none. */
export function beThread(): boolean {
  if (parentPort === null || workerData !== KIND) return false;
  const port = parentPort;
  port.once("message", ({ parts, texts, queue: memory }: ThreadTask) => {
    const disk = createDisk();
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

/** It starts by itself, while the files are read. */
export function createThread(): CheckThread {
  const worker = new Worker(join(__dirname, "cli.cjs"), { workerData: KIND, argv: [THREAD] });
  const answer = new Promise<ThreadAnswer | "failed">((resolve) => {
    worker.once("message", resolve);
    worker.once("error", () => resolve("failed"));
    worker.once("exit", () => resolve("failed"));
  });
  return { start: (task) => worker.postMessage(task), answer, end: () => void worker.terminate() };
}
