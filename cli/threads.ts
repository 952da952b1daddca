// The further threads of a long check, as its first one sees them. They start while files are still being searched for, since a thread takes
// as long to start as it takes to look at some hundred files.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { compileAsUsual, compileLess } from "../launch/compile-less.ts";
import { THREAD } from "../launch/thread-name.ts";
import type { ThreadAnswer, ThreadTask } from "./check-thread.ts";

/** What is worth a thread. */
const FILES_PER_THREAD = 250;

const MOST_THREADS = 8;

interface CheckThread {
  start(task: ThreadTask): void;
  /** "failed": what it took from the queue is lost. */
  readonly answer: Promise<ThreadAnswer | "failed">;
}

export interface Threads {
  /** Starts what so many files are worth; there may be more of them later. */
  expect(files: number): void;
  readonly started: readonly CheckThread[];
  end(): void;
}

interface StartedThread extends CheckThread {
  end(): void;
}

export function createThreads(): Threads {
  const started: StartedThread[] = [];
  const threadsFor = readLimit();
  return {
    started,
    expect(files) {
      const further = threadsFor(files) - 1;
      if (started.length >= further) return;
      // Node's own code comes compiled for V8's usual flags; a thread that finds others compiles it once more, and takes twice as long to start.
      // It asks V8 to compile less when it comes to code of ours.
      if (started.length === 0) compileAsUsual();
      while (started.length < further) started.push(startThread());
    },
    end() {
      // Where none came so far: this one's compiled code is kept for the same flags as ever.
      if (started.length > 0) compileLess();
      for (const thread of started) thread.end();
    },
  };
}

/** Gives how many threads so many files are worth, the first one too. PACK_AUTH_THREADS says how many it shall be. */
function readLimit(): (files: number) => number {
  const given = Number(process.env.PACK_AUTH_THREADS);
  if (Number.isInteger(given) && given > 0) return (files) => Math.min(given, files);
  const most = Math.min(availableParallelism(), MOST_THREADS);
  return (files) => Math.max(1, Math.min(most, Math.floor(files / FILES_PER_THREAD)));
}

function startThread(): StartedThread {
  // Most checks need none, and start without what threads need.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(join(__dirname, "cli.cjs"), { workerData: THREAD, argv: [THREAD] });
  // A check that ends before it has a task for it ends all the same.
  worker.unref();
  const answer = new Promise<ThreadAnswer | "failed">((resolve) => {
    worker.once("message", resolve);
    worker.once("error", () => resolve("failed"));
    worker.once("exit", () => resolve("failed"));
  });
  const start = (task: ThreadTask): void => {
    worker.ref();
    worker.postMessage(task);
  };
  return { start, answer, end: () => void worker.terminate() };
}
