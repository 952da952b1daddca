// A long check in several threads: packs that do not share files know nothing of each other. What each thread finds is what one would find
// alone; where files turn out to belong together after all, nothing is given, and one thread looks at all of them.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parentPort, Worker, workerData } from "node:worker_threads";
import type { Diagnostic } from "../server/analysis/model.ts";
import { type Checked, checkFiles } from "./check-files.ts";
import { compileAsEver, compileLess } from "./compile-less.ts";
import { createDisk } from "./disk.ts";
import { groupFiles } from "./file-groups.ts";
import { THREAD } from "./thread-name.ts";

/** A thread takes as long to start, and to have its code compiled, as it takes to look at some hundred files. */
const FILES_PER_THREAD = 250;

const MOST_THREADS = 8;

/** What tells a thread of a check from others. */
const KIND = "check";

/** What a thread is given. */
interface CheckPart {
  readonly texts: ReadonlyMap<string, string | undefined>;
  /** Files of the other threads. */
  readonly others: ReadonlySet<string>;
}

/** What it gives; undefined where its files lead to those of others. */
type PartChecked = Pick<Checked, "diagnostics" | "settingsFiles"> | undefined;

/** What a thread does; false where this is none. */
export function beThread(): boolean {
  if (parentPort === null || workerData !== KIND) return false;
  const port = parentPort;
  port.once("message", (part: CheckPart) => {
    compileLess();
    const found = checkPart(part, createDisk().read);
    port.postMessage(found && { ...found, diagnostics: new Map([...found.diagnostics].map(plain)) });
  });
  return true;
}

/** Undefined where one thread had better do it all. */
export async function checkInParts(paths: readonly string[], read: (path: string) => string | undefined): Promise<Checked | undefined> {
  const count = threadsFor(paths.length);
  if (count < 2) return undefined;
  process.prependOnceListener("exit", compileAsEver);
  // They start while the files are read here.
  const threads = Array.from({ length: count - 1 }, startThread);
  try {
    const [own = [], ...others] = groupFiles(paths, (path) => read(path) ?? "", count);
    if (others.length === 0) return undefined;
    const all = new Set(paths);
    for (const [index, group] of others.entries()) threads[index]?.worker.postMessage(partOf(group, all, read));
    const mine = checkPart(partOf(own, all, read), read, paths);
    const parts = mine === undefined ? undefined : [mine, ...(await Promise.all(others.map((_, index) => threads[index]?.found)))];
    const whole = parts?.filter((part) => part !== undefined);
    if (whole === undefined || whole.length !== parts?.length) return undefined;
    return {
      diagnostics: new Map(whole.flatMap((part) => [...part.diagnostics])),
      ignored: mine?.ignored ?? new Set(),
      settingsFiles: [...new Map(whole.flatMap((part) => part.settingsFiles.map((file) => [file.path, file] as const))).values()],
    };
  } finally {
    for (const { worker } of threads) void worker.terminate();
  }
}

/** PACK_AUTH_THREADS says how many. */
function threadsFor(files: number): number {
  const given = Number(process.env.PACK_AUTH_THREADS);
  if (Number.isInteger(given) && given > 0) return Math.min(given, files);
  return Math.min(availableParallelism(), MOST_THREADS, Math.floor(files / FILES_PER_THREAD));
}

function partOf(group: readonly string[], all: ReadonlySet<string>, read: (path: string) => string | undefined): CheckPart {
  const texts = new Map(group.map((path) => [path, read(path)]));
  return { texts, others: new Set([...all].filter((path) => !texts.has(path))) };
}

/** Looks at a part's files, and reads what else they lead to; `asked` are those whose settings are to be known besides. */
function checkPart(
  { texts, others }: CheckPart,
  read: (path: string) => string | undefined,
  asked: readonly string[] = [],
): Checked | undefined {
  const { analysis, ...checked } = checkFiles([...texts.keys()], (path) => (texts.has(path) ? texts.get(path) : read(path)));
  for (const path of texts.keys()) if (analysis.reach(path).some((reached) => others.has(reached))) return undefined;
  const ignored = new Set([...checked.ignored, ...asked.filter((path) => analysis.ignores(path))]);
  return { ...checked, ignored, settingsFiles: analysis.settingsFiles() };
}

/** With its fixes made: what goes to another thread has no functions. */
const plain = ([path, found]: [string, readonly Diagnostic[]]): [string, readonly Diagnostic[]] => [
  path,
  found.map(({ rule, severity, place, message, fixes }) => ({ rule, severity, place, message, fixes })),
];

/** A thread that fails has found nothing that can be used. */
function startThread(): { readonly worker: Worker; readonly found: Promise<PartChecked> } {
  const worker = new Worker(join(__dirname, "cli.cjs"), { workerData: KIND, argv: [THREAD] });
  const found = new Promise<PartChecked>((resolve) => {
    worker.once("message", resolve);
    worker.once("error", () => resolve(undefined));
    worker.once("exit", () => resolve(undefined));
  });
  return { worker, found };
}
