// Reads the description of an API in a thread with limits of time, memory and size. A thread reads one text.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { PackAuthError } from "../../errors.ts";
import type { ApiDescription, Reading } from "./api-description.ts";

/** The path of the thread's own bundle, beside the bundle that contains this module. */
const BUNDLE = new URL(import.meta.url.endsWith(".ts") ? "../../../dist/openapi-worker.cjs" : "./openapi-worker.cjs", import.meta.url);

const LIMITS = {
  /** UTF-8 bytes of the text. */
  bytes: 20_000_000,
  milliseconds: 10_000,
  /** Megabytes of heap. */
  heap: 1_024,
};

const HINT = "Remove what the pack does not need from the description, such as examples, and try again.";

/** The last description. Each answer reads the same text again. */
let last: { readonly hash: string; readonly description: ApiDescription } | undefined;

/** Throws evidence-unreadable, or the signal's reason. */
export async function readDescriptionApart(text: string, signal: AbortSignal, limits = LIMITS): Promise<ApiDescription> {
  const bytes = Buffer.byteLength(text);
  if (bytes >= limits.bytes) {
    const size = `${Math.round(bytes / 1e6)} MB`;
    throw new PackAuthError("evidence-unreadable", `The description has ${size}; it must have less than ${limits.bytes / 1e6} MB.`, {
      hint: HINT,
    });
  }
  const hash = createHash("sha256").update(text).digest("hex");
  if (last?.hash === hash) return last.description;
  const reading = await readInThread(text, signal, limits);
  if ("problem" in reading) throw new PackAuthError("evidence-unreadable", reading.problem, { hint: reading.hint });
  last = { hash, description: reading.description };
  return reading.description;
}

async function readInThread(text: string, signal: AbortSignal, { milliseconds, heap }: typeof LIMITS): Promise<Reading> {
  signal.throwIfAborted();
  // The host's flags may load modules that the thread does not need.
  const worker = new Worker(BUNDLE, { workerData: text, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heap } });
  const limit = AbortSignal.timeout(milliseconds);
  try {
    const [reading] = (await once(worker, "message", { signal: AbortSignal.any([signal, limit]) })) as [Reading];
    return reading;
  } catch (error) {
    signal.throwIfAborted();
    const problem = limit.aborted
      ? `The description could not be read within ${milliseconds / 1_000} seconds.`
      : (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY"
        ? `Reading the description takes more than ${heap} MB of memory.`
        : undefined;
    throw problem === undefined ? error : new PackAuthError("evidence-unreadable", problem, { hint: HINT, cause: error });
  } finally {
    await worker.terminate();
  }
}
