// Parses large XML in a thread: a document of 2 MB would block the host's event loop for most of a second. The thread stays for the next
// document, such as a table's next page, and ends when none follows.
import { Worker } from "node:worker_threads";

export interface XmlToParse {
  readonly id: number;
  readonly text: string;
}

export interface XmlParsed {
  readonly id: number;
  /** The document as JSON; absent if the text cannot be parsed. */
  readonly json?: string;
}

/** The path of the thread's own bundle, beside the bundle that contains this module. */
const BUNDLE = new URL(import.meta.url.endsWith(".ts") ? "../../dist/xml-worker.cjs" : "./xml-worker.cjs", import.meta.url);
/** Milliseconds without work after which the thread ends. */
const IDLE = 10_000;
/** Megabytes of heap; the largest allowed response needs less. */
const LARGEST_HEAP = 1_024;

interface Thread {
  parse(text: string): Promise<string | undefined>;
}

let thread: Thread | undefined;

/** Returns the result of {@link parseXml} as JSON. Returns undefined if the text cannot be parsed, or the thread ran out of memory. */
export function parseXmlApart(text: string): Promise<string | undefined> {
  thread ??= startThread();
  return thread.parse(text);
}

function startThread(): Thread {
  // The host's flags may load modules that the thread does not need.
  const worker = new Worker(BUNDLE, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP } });
  const waiting = new Map<number, (json: string | undefined) => void>();
  let idle: NodeJS.Timeout | undefined;
  let last = 0;
  const leave = (): void => {
    // Another thread may have started in the meantime.
    if (thread === own) thread = undefined;
  };
  const end = (): void => {
    clearTimeout(idle);
    leave();
    for (const settle of waiting.values()) settle(undefined);
    waiting.clear();
  };
  // The thread may end by itself, for example out of memory. Its documents stay text then.
  worker.on("error", end);
  worker.on("exit", end);
  worker.on("message", ({ id, json }: XmlParsed) => {
    waiting.get(id)?.(json);
    waiting.delete(id);
    if (waiting.size > 0) return;
    worker.unref();
    idle = setTimeout(() => {
      leave();
      void worker.terminate();
    }, IDLE).unref();
  });
  const own: Thread = {
    parse(text) {
      clearTimeout(idle);
      worker.ref();
      return new Promise((resolve) => {
        waiting.set(++last, resolve);
        worker.postMessage({ id: last, text } satisfies XmlToParse);
      });
    },
  };
  return own;
}
