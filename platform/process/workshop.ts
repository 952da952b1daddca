// What outlives one version of a pack: its bundler, and at most one process that is ready for the next run. Invariant: every run gets a
// process that no other run has used, and nothing keeps running after the last user has released it.

import type { PackDefinition } from "../../protocol/definition.ts";
import { BUNDLE_FILENAME, type Bundler, createBundler, type PackBundle, type ValidatorScripts } from "../bundle/bundle.ts";
import { type BundleOptions, TOOLKIT_FILENAME } from "../bundle/toolkit.ts";
import { type PackProcess, type ProcessOptions, startPackProcess } from "./process.ts";

export interface Loaded {
  readonly process: PackProcess;
  readonly definition: PackDefinition;
}

export interface Workshop {
  /** Bundles the pack with its current files. Throws the bundler's errors. */
  build(): Promise<PackBundle>;
  /** Returns the SDK's scripts for {@link PackProcess.validate}. Throws the bundler's errors. */
  validator(): Promise<ValidatorScripts>;
  /** False if another version of the SDK was installed. */
  isCurrent(): boolean;
  /** Loads the pack in a process of its own. Throws PackThrew or a PackAuthError. */
  load(bundle: Pick<PackBundle, "code" | "toolkit">, options?: Partial<ProcessOptions>): Promise<Loaded>;
  /** Prepares a process for the next run after a short delay. */
  warm(bundle: PackBundle): void;
  /** Adds a user. Each user calls `release` once. */
  keep(): void;
  release(): void;
}

/** Milliseconds after the end of a run before the next process starts. */
const MOMENT = 20;

/** Disposes of a process whose work fails. */
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
  /** Returns the prepared process if it has the right SDK and is still alive, else a new one. */
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
    validator: () => bundler.validator(),
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
