// Starts a bundle with the code that V8 compiled for it before. The bundle itself knows nothing of it.
import { readFileSync, statSync } from "node:fs";
import { createRequire, wrap } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { openCodeCache } from "./code-cache.ts";

type Wrapped = (exports: object, require: NodeJS.Require, module: { exports: object }, filename: string, dirname: string) => void;

export interface LaunchOptions {
  /** Whether this run does what most runs do, so that its compiled code is worth keeping. */
  readonly keep: boolean;
  /** Milliseconds after which it is kept, for what ends late or never. */
  readonly after?: number;
}

/** Runs the bundle that lies beside this one; those that it requires are run the same way. Gives what it exports. */
export function launch(bundle: string, { keep, after }: LaunchOptions): object {
  const path = join(__dirname, bundle);
  // Bundles are ASCII, which is read several times faster as what it is.
  const source = readFileSync(path, "latin1");
  const { size, mtimeMs } = statSync(path);
  const cache = openCodeCache(bundle, `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`);
  const cachedData = cache.read();
  const script = new Script(wrap(source), { filename: path, ...(cachedData === undefined ? {} : { cachedData }) });
  if (keep && (cachedData === undefined || script.cachedDataRejected)) {
    let kept = false;
    const write = (): void => {
      if (!kept) cache.write(script.createCachedData());
      kept = true;
    };
    process.once("exit", write);
    if (after !== undefined) setTimeout(write, after).unref();
  }
  const module = { exports: {} };
  const ofNode = createRequire(path);
  // Parts that few runs need are kept by the first one that does.
  const load = (id: string): unknown => (/^\.\/[\w-]+\.cjs$/.test(id) ? launch(id.slice(2), { keep: true }) : ofNode(id));
  (script.runInThisContext() as Wrapped)(module.exports, Object.assign(load, ofNode), module, path, __dirname);
  return module.exports;
}
