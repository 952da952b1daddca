// What outlives one version of a pack: its bundler, and at most one process that is ready ahead of the next run. Invariant: every
// run gets a process that no other run has touched, and nothing is left running once the last user has let go.

import type { PackDefinition } from "../../protocol/definition.ts";
import { BUNDLE_FILENAME, type Bundler, createBundler, type PackBundle } from "../bundle/bundle.ts";
import { type BundleOptions, TOOLKIT_FILENAME } from "../bundle/toolkit.ts";
import { type PackProcess, type ProcessOptions, startPackProcess } from "./process.ts";

export interface Loaded {
  readonly process: PackProcess;
  readonly definition: PackDefinition;
}

export interface Workshop {
  /** The pack as its files are now. Throws what bundling throws. */
  build(): Promise<PackBundle>;
  /** False once another toolkit is installed. */
  isCurrent(): boolean;
  /** A process of its own with the pack loaded. Throws PackThrew or a PackAuthError. */
  load(bundle: PackBundle, options?: Partial<ProcessOptions>): Promise<Loaded>;
  /** Makes a process ready for what comes next, in a moment. */
  warm(bundle: PackBundle): void;
  /** One more user; each one calls `release` once. */
  keep(): void;
  release(): void;
}

/** Milliseconds that a run's end has for itself before the next process starts. */
const MOMENT = 20;

/** A process that fails in its work is of no more use. */
const orEnd = <T>(process: PackProcess, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    process.dispose();
    throw error;
  });

export async function openWorkshop(entry: string, options: BundleOptions, processOptions: ProcessOptions): Promise<Workshop> {
  let users = 1;
  let ready: { readonly toolkit: string; readonly process: Promise<PackProcess> } | undefined;
  let moment: NodeJS.Timeout | undefined;
  let starting: Promise<PackProcess> | undefined = startPackProcess(processOptions);
  starting.catch(() => {});
  const drop = (process: Promise<PackProcess> | undefined): void => {
    process?.then(
      (startedProcess) => startedProcess.dispose(),
      () => {},
    );
  };
  let bundler: Bundler;
  try {
    bundler = await createBundler(entry, options);
  } catch (error) {
    drop(starting);
    throw error;
  }

  const prepare = async (toolkit: string, start: Promise<PackProcess>): Promise<PackProcess> => {
    const process = await start;
    await orEnd(process, process.prepare(toolkit, TOOLKIT_FILENAME));
    return process;
  };
  const warm = (toolkit: string): void => {
    if (users === 0 || ready?.toolkit === toolkit) return;
    drop(ready?.process);
    ready = { toolkit, process: prepare(toolkit, startPackProcess(processOptions)) };
    ready.process.catch(() => {});
  };
  /** The process that stands ready, if it is of the right toolkit and still alive. */
  const claimProcess = async (toolkit: string): Promise<PackProcess> => {
    clearTimeout(moment);
    const waiting = ready;
    ready = undefined;
    if (waiting?.toolkit === toolkit) {
      const process = await waiting.process.catch(() => undefined);
      if (process?.alive) return process;
    } else drop(waiting?.process);
    const freshProcess = starting ?? startPackProcess(processOptions);
    starting = undefined;
    return prepare(toolkit, freshProcess);
  };

  return {
    build: () => bundler.build(),
    isCurrent: () => bundler.isCurrent(),
    async load(bundle, more) {
      const process = await (more === undefined
        ? claimProcess(bundle.toolkit)
        : prepare(bundle.toolkit, startPackProcess({ ...processOptions, ...more })));
      return { process, definition: await orEnd(process, process.load(bundle.code, BUNDLE_FILENAME)) };
    },
    warm(bundle) {
      clearTimeout(moment);
      moment = setTimeout(warm, MOMENT, bundle.toolkit);
      moment.unref();
    },
    keep: () => void users++,
    release() {
      if (--users > 0) return;
      clearTimeout(moment);
      drop(starting);
      drop(ready?.process);
      starting = undefined;
      ready = undefined;
      void bundler.dispose();
    },
  };
}
