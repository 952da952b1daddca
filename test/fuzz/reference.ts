// The judge of the fuzz: an analysis in another process, because a cache that two analyses of one process share hides what it breaks.
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Files } from "../support/analyse.ts";

export interface Question {
  /** What can be read. */
  readonly disk: Files;
  /** What an editor has open. */
  readonly open: Files;
  /** The files that answers are about, which packs may be looked for in. */
  readonly paths: readonly string[];
  readonly withFixes: boolean;
  /** The whole answer is wanted: it is long, and mostly its digest is enough. */
  readonly whole?: true;
}

export interface ReferenceResult {
  /** Of all that analysis says, as answer.ts puts it. */
  readonly digest: string;
  readonly text?: string;
}

interface Waiting {
  readonly resolve: (results: readonly ReferenceResult[]) => void;
  readonly reject: (error: Error) => void;
}

let child: ChildProcess | undefined;
/** In the order in which they were asked, which is that of the answers. */
const waiting: Waiting[] = [];

/** What a fresh analysis says to each. */
export function askReference(questions: readonly Question[]): Promise<readonly ReferenceResult[]> {
  child ??= start();
  child.ref();
  child.channel?.ref();
  child.send(questions);
  return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
}

function start(): ChildProcess {
  const referenceProcess = fork(join(import.meta.dirname, "reference-process.ts"), { execArgv: ["--import", "tsx"] });
  referenceProcess.on("message", (results: readonly ReferenceResult[]) => {
    waiting.shift()?.resolve(results);
    if (waiting.length > 0) return;
    // It keeps nobody from ending.
    referenceProcess.channel?.unref();
    referenceProcess.unref();
  });
  referenceProcess.once("exit", () => {
    child = undefined;
    for (const { reject } of waiting.splice(0)) reject(new Error("The other process has ended."));
  });
  return referenceProcess;
}
