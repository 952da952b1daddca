// Starts a bundle with the code that V8 compiled for it before. The bundle itself knows nothing of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { openCodeCache } from "./code-cache.ts";

type Wrapped = (exports: object, require: NodeJS.Require, module: { exports: object }, filename: string, dirname: string) => void;

export interface LaunchOptions {
  /** Whether this run does what most runs do, so that its compiled code is worth keeping. */
  readonly keep: boolean;
  /** Milliseconds after which it is kept, for what ends late or never. */
  readonly after?: number;
  /** How much this run has done so far; without it, what the bundle exports by this name says so. */
  readonly work?: () => number;
  /** What runs are called that other code is compiled for, or that have given V8 other flags: it takes no code of others. */
  readonly kind?: string | undefined;
}

/** A run that did so much more than the one whose code was kept has compiled what that one never called. */
const MUCH_MORE = 4;

/** As Node wraps what it requires; with its own function come modules that a start does without. */
const wrap = (source: string): string => `(function (exports, require, module, __filename, __dirname) { ${source}\n});`;

/** Runs the bundle that lies beside this one; those that it requires are run the same way. Gives what it exports. */
export function launch(bundle: string, { keep, after, work, kind }: LaunchOptions): object {
  const path = join(__dirname, bundle);
  const source = readFileSync(path);
  const cache = openCodeCache(kind === undefined ? bundle : `${kind}-${bundle}`, source);
  const before = cache.read();
  const cachedData = before?.code;
  // Bundles are ASCII, which is read several times faster as what it is.
  const script = new Script(wrap(source.toString("latin1")), { filename: path, ...(cachedData === undefined ? {} : { cachedData }) });
  const module: { exports: { readonly work?: () => number } } = { exports: {} };
  const done = (): number => Math.min(work?.() ?? module.exports.work?.() ?? 0, 0xffff_ffff);
  if (keep) {
    let known = before === undefined || script.cachedDataRejected === true ? undefined : before.work;
    const write = (): void => {
      const now = done();
      if (known !== undefined && (now === 0 || now < known * MUCH_MORE)) return;
      cache.write({ code: script.createCachedData(), work: now });
      known = now;
    };
    process.once("exit", write);
    if (after !== undefined && known === undefined) setTimeout(write, after).unref();
  }
  // Parts that few runs need are kept by the first one that does.
  const load = (id: string): unknown =>
    /^\.\/[\w-]+\.cjs$/.test(id) ? launch(id.slice(2), { keep: true, work: done, kind }) : require(id);
  (script.runInThisContext() as Wrapped)(module.exports, Object.assign(load, require), module, path, __dirname);
  return module.exports;
}
