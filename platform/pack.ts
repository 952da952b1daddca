// A pack that runs: its bundle, its process, its definition. Everything that connects or runs goes through here.
import type { PackDefinition } from "../protocol/definition.ts";
import type { ParameterValue, RunContext, RunTarget, StackFrame } from "../protocol/run.ts";
import { BUNDLE_FILENAME, type BundleOptions, bundlePack, type PackBundle } from "./bundle.ts";
import { PackAuthError } from "./errors.ts";
import {
  type ExecuteHandlers,
  type ExecuteOptions,
  type PackProcess,
  PackThrew,
  type ProcessOptions,
  startPackProcess,
} from "./process.ts";
import { mapStack } from "./source-map.ts";

export interface PackOptions extends BundleOptions {
  readonly process: ProcessOptions;
}

export interface Pack {
  /** Absolute path of the file that builds the pack. */
  readonly entry: string;
  readonly definition: PackDefinition;
  readonly bundle: PackBundle;
  /**
   * Runs a target in the pack's process; a process that was killed by an earlier run is started anew. Undefined when the
   * signal was aborted. Throws PackAuthError; `pack-threw` carries the mapped stack.
   */
  execute(
    target: RunTarget,
    parameters: readonly ParameterValue[],
    context: RunContext,
    handlers: ExecuteHandlers,
    options?: ExecuteOptions,
  ): Promise<{ readonly value: unknown } | undefined>;
  dispose(): void;
}

/** Bundles and loads a pack. Throws PackAuthError whose location or stack names the source line. */
export async function openPack(entry: string, options: PackOptions): Promise<Pack> {
  const bundle = await bundlePack(entry, options);
  const start = async (): Promise<{ process: PackProcess; definition: PackDefinition }> => {
    const process = await startPackProcess(options.process);
    try {
      const definition = await process.load(bundle.code, BUNDLE_FILENAME);
      return {
        process,
        definition: bundle.toolkitVersion === undefined ? definition : { ...definition, toolkitVersion: bundle.toolkitVersion },
      };
    } catch (error) {
      process.dispose();
      throw loadError(error, bundle);
    }
  };
  let current = await start();
  const { definition } = current;
  return {
    entry: bundle.entry,
    definition,
    bundle,
    async execute(target, parameters, context, handlers, executeOptions) {
      if (!current.process.alive) current = await start();
      try {
        return await current.process.execute(target, parameters, context, handlers, executeOptions);
      } catch (error) {
        throw error instanceof PackThrew ? thrownError(error, bundle) : error;
      }
    },
    dispose: () => current.process.dispose(),
  };
}

function framesOf(error: PackThrew, bundle: PackBundle): readonly StackFrame[] {
  return error.thrown.stack === undefined ? [] : mapStack(error.thrown.stack, bundle);
}

function loadError(error: unknown, bundle: PackBundle): unknown {
  if (!(error instanceof PackThrew)) return error;
  if (error.thrown.name === "NotExported") {
    return new PackAuthError("pack-not-exported", "The entry file exports no pack.", {
      hint: "Export it: export const pack = coda.newPack();",
      location: { path: bundle.entry, line: 0, character: 0 },
    });
  }
  return new PackAuthError("pack-throws-while-loading", `The pack throws while it loads: ${explain(error.thrown.message)}`, {
    stackFrames: framesOf(error, bundle),
  });
}

function thrownError(error: PackThrew, bundle: PackBundle): PackAuthError {
  return new PackAuthError("pack-threw", explain(error.thrown.message), {
    stackFrames: framesOf(error, bundle),
    thrown: { name: error.thrown.name, userVisible: error.thrown.userVisible === true },
  });
}

const ABSENT = new Set(
  "URL URLSearchParams TextEncoder TextDecoder atob btoa fetch require setTimeout setInterval setImmediate clearTimeout clearInterval structuredClone queueMicrotask AbortController".split(
    " ",
  ),
);

/** A ReferenceError for a global that the platform lacks too says so. */
function explain(message: string): string {
  const name = /^(?:Error: )?(\w+) is not defined$/.exec(message)?.[1];
  return name !== undefined && ABSENT.has(name)
    ? `${message}: the platform's runtime has no ${name} either, so the pack would fail there too`
    : message;
}
