// The judge of the fuzz: an analysis in another process, because a cache that two analyses of one process share hides what it breaks.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Files } from "../support/analyse.ts";

export interface Question {
  readonly files: Files;
  readonly paths: readonly string[];
  readonly withFixes: boolean;
}

export interface Answer {
  /** All that analysis says, as answer.ts puts it. */
  readonly text: string;
  /** Rules that were not asked, and find something. */
  readonly wronglyUnasked: readonly string[];
}

let child: ChildProcess | undefined;

/** What a fresh analysis says. One question at a time. */
export async function askReference(question: Question): Promise<Answer> {
  child ??= fork(join(import.meta.dirname, "reference-process.ts"), { execArgv: ["--import", "tsx"] });
  const { channel } = child;
  child.ref();
  channel?.ref();
  const gone = new AbortController();
  child.once("exit", () => gone.abort(new Error("The other process has ended.")));
  child.send(question);
  const [answer] = (await once(child, "message", { signal: gone.signal })) as [Answer];
  // It keeps nobody from ending.
  child.removeAllListeners("exit");
  channel?.unref();
  child.unref();
  return answer;
}
