// Opens packs with the Node and the esbuild that a call names.
import { join } from "node:path";
import type { BundleOptions } from "../../platform/bundle/bundle.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { programsOnPath, THIS_MACHINE } from "../../platform/files/programs.ts";
import { chooseNode } from "../../platform/process/choose-node.ts";
import { openPack, type Pack, type PackOptions } from "../../platform/process/pack.ts";
import { validateBundle } from "../../platform/process/validate-bundle.ts";
import { buildWithToolkit } from "../../platform/upload/toolkit-build.ts";
import type { UploadOptions } from "../../platform/upload/upload.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Options of all verbs that run packs. */
export const ENTRY_OPTIONS = {
  node: { argument: "PATH", help: "the Node that runs the pack" },
  "workspace-esbuild": { help: "build with the workspace's own esbuild; its code then runs beside your accounts" },
} as const;

export interface EntryOptions {
  readonly node?: string | undefined;
  readonly "workspace-esbuild"?: boolean | undefined;
}

/**
 * Opens the pack with the Node that the call names. Without one it uses this Node if that can isolate packs, else another on the PATH that
 * can. `files` says which files the pack is made of, see BundleOptions.
 */
export async function openEntry(
  terminal: Terminal,
  entry: string,
  options: EntryOptions,
  files: Pick<BundleOptions, "texts" | "boundary">,
): Promise<Pack> {
  try {
    return await openPack(entry, { ...packOptions(terminal, options, process.execPath), ...files });
  } catch (error) {
    if (!(error instanceof PackAuthError) || error.code !== "sandbox-layer-missing" || options.node !== undefined) throw error;
    return openPack(entry, { ...packOptions(terminal, options, await isolatingNode(terminal)), ...files });
  }
}

/** Returns what builds the pack for an upload, and validates the result with the Node that {@link openEntry} uses. */
export async function openBuilder(
  terminal: Terminal,
  entry: string,
  options: EntryOptions,
): Promise<Pick<UploadOptions, "build" | "validate">> {
  const validation = packOptions(terminal, options, options.node ?? (await isolatingNode(terminal)));
  return {
    build: (signal) => buildWithToolkit(entry, { program: join(terminal.assets, "toolkit-build.cjs"), signal }),
    validate: (bundle, signal) => validateBundle(entry, bundle, validation, signal),
  };
}

const packOptions = ({ assets }: Terminal, { node, ...options }: EntryOptions, otherNode: string): PackOptions => ({
  process: { runner: join(assets, "runner.cjs"), node: node ?? otherNode },
  esbuildWasm: join(assets, "esbuild-wasm"),
  workspaceEsbuild: options["workspace-esbuild"] === true,
});

async function isolatingNode({ assets, environment }: Terminal): Promise<string> {
  const onPath = programsOnPath("node", { ...THIS_MACHINE, environment });
  return (await chooseNode({ own: process.execPath, onPath }, join(assets, "runner.cjs"))).node;
}
