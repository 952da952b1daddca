// Large XML is parsed in a thread: a document of 2 MB would hold up the host's loop for most of a second. The thread stays for the next
// document, which a table's pages bring soon, and goes when none comes.
import { Worker } from "node:worker_threads";

export interface XmlToParse {
  readonly id: number;
  readonly text: string;
}

export interface XmlParsed {
  readonly id: number;
  /** The document's value as JSON; absent where the text is not to be parsed. */
  readonly json?: string;
}

/** The thread's own bundle, beside whichever bundle this one is in. */
const BUNDLE = new URL(import.meta.url.endsWith(".ts") ? "../../dist/xml-worker.cjs" : "./xml-worker.cjs", import.meta.url);
/** Milliseconds without work after which the thread ends. */
const IDLE = 10_000;
/** Megabytes: a document at the limit of a response takes less. */
const LARGEST_HEAP = 1_024;

interface Thread {
  parse(text: string): Promise<string | undefined>;
}

let thread: Thread | undefined;

/** As {@link parseXml} parses it, as the text of JSON; undefined where it is not to be parsed, or cannot be for want of memory. */
export function parseXmlApart(text: string): Promise<string | undefined> {
  thread ??= startThread();
  return thread.parse(text);
}

function startThread(): Thread {
  // What the host's flags load is nothing that the thread needs.
  const worker = new Worker(BUNDLE, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP } });
  const waiting = new Map<number, (json: string | undefined) => void>();
  let idle: NodeJS.Timeout | undefined;
  let last = 0;
  const leave = (): void => {
    // Another one may have started since.
    if (thread === own) thread = undefined;
  };
  const end = (): void => {
    clearTimeout(idle);
    leave();
    for (const settle of waiting.values()) settle(undefined);
    waiting.clear();
  };
  // It may end by itself: out of memory, say. What it worked on stays text.
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
