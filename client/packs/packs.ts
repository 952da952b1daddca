// The packs of this window, for commands and the panel.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import { isStale, prepareToolkit } from "../../platform/bundle/bundle.ts";
import { isIn } from "../../platform/bundle/bundle-files.ts";
import type { BundleOptions } from "../../platform/bundle/toolkit.ts";
import type { SandboxSignIn } from "../../platform/connect/flows/flow.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { canonicalPath, oneOf } from "../../platform/files/file-names.ts";
import { programsOnPath } from "../../platform/files/programs.ts";
import { type ChosenNode, chooseNode, describeNode } from "../../platform/process/choose-node.ts";
import { openPack, type Pack, type PackOptions } from "../../platform/process/pack.ts";
import { validateBundle } from "../../platform/process/validate-bundle.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import type { UploadValidation } from "../../protocol/validation.ts";
import { Sandboxes } from "../window/sandboxes.ts";
import { saveDocument } from "../window/save-document.ts";
import { nodePath, toolkitModules, usesWorkspaceEsbuild } from "../window/settings.ts";
import { createPackPool } from "./pack-pool.ts";

export interface Packs {
  /** Prepares what every pack needs: a suitable Node, and the SDK. Runs no code of the workspace. */
  prepare(entry: string): void;
  /** Returns the pack for the files on disk. Throws PackAuthError: workspace-untrusted before any code of the pack runs. */
  open(entry: string): Promise<Pack>;
  /** Returns the pack for the text on the screen: saves unsaved files first. Throws PackAuthError. */
  saveAndOpen(entry: string): Promise<Pack>;
  /** Opens the pack for the text on the screen, confined to a real folder (see BundleOptions). The caller disposes it. Throws PackAuthError. */
  openWithin(entry: string, boundary: string): Promise<Pack>;
  /** Opens the pack with texts that are not on disk, by their path. The caller disposes it. Throws PackAuthError. */
  openTexts(entry: string, texts: ReadonlyMap<string, string>): Promise<Pack>;
  /** Validates a bundle that the Packs SDK built, in a pack process. Throws PackAuthError. */
  validateBundle(entry: string, bundle: string, signal: AbortSignal): Promise<UploadValidation>;
  /** Returns the definition from the last time that the pack was opened. */
  definition(entry: string): PackDefinition | undefined;
  /** Registers a listener for opened packs: the first time, and after each change of their sources. */
  onDidOpen(listener: (entry: string) => void): vscode.Disposable;
  readonly sandboxes: Sandboxes;
  /** Starts the sandbox if necessary, and returns the pack's part of it. Throws PackAuthError. */
  sandbox(pack: Pack, scope: AuthScope): Promise<SandboxSignIn>;
  /** Returns whether the account belongs to a sandbox that has ended. */
  sandboxEnded(account: Account, entry: string): boolean;
  dispose(): void;
}

const UNUSED_AFTER = 5 * 60_000;

/** What decides how this window opens packs. */
function createPackOptions(extensionPath: string, log: (message: string) => void) {
  const dist = (file: string): string => join(extensionPath, "dist", file);
  const runner = dist("runner.cjs");
  let loggedText = "";
  const packNode = async (): Promise<ChosenNode> => {
    const chosen = await chooseNode(
      { own: process.execPath, onPath: programsOnPath("node"), ...defined({ configured: nodePath() }) },
      runner,
    );
    const text = describeNode(chosen);
    if (text !== loggedText) log(text);
    loggedText = text;
    return chosen;
  };
  const bundleOptions = (entry: string): BundleOptions => {
    const folder = folderOf(entry)?.uri.fsPath;
    return {
      // A package for one platform contains esbuild in dist/; a checkout has it among its dependencies.
      esbuild: [dist("esbuild"), join(extensionPath, "node_modules/esbuild")].find((folder) => existsSync(folder)) ?? dist("esbuild"),
      esbuildWasm: dist("esbuild-wasm"),
      workspaceEsbuild: usesWorkspaceEsbuild(),
      toolkitModules: toolkitModules(),
      ...defined({ folder }),
    };
  };
  return {
    packNode,
    bundleOptions,
    optionsOf: async (entry: string): Promise<PackOptions> => ({
      process: { runner, node: (await packNode()).node },
      ...bundleOptions(entry),
    }),
  };
}

export function createPacks({ extensionPath, workspaceState }: vscode.ExtensionContext, log: (message: string) => void): Packs {
  const { packNode, bundleOptions, optionsOf } = createPackOptions(extensionPath, log);
  const pool = createPackPool({
    unusedAfter: UNUSED_AFTER,
    now: Date.now,
    isStale: (pack, since) => isStale(pack.bundle, since),
    open: async (entry) => openPack(entry, await optionsOf(entry)),
  });
  const settingsChanged = vscode.workspace.onDidChangeConfiguration((change) => {
    if (["packAuth.nodePath", "packAuth.toolkitModules", "packAuth.useWorkspaceEsbuild"].some((name) => change.affectsConfiguration(name)))
      pool.clear();
  });

  const sandboxes = new Sandboxes(join(extensionPath, "dist/sandbox.cjs"), workspaceState);
  /** Checks trust again, in case a caller forgot to ask: opening a pack runs its code. */
  const assertTrusted = (): void => {
    if (!vscode.workspace.isTrusted)
      throw new PackAuthError("workspace-untrusted", "The pack's code runs in a trusted workspace only.", {
        hint: "Trust the workspace first: Workspaces: Manage Workspace Trust.",
      });
  };
  const open = async (entry: string): Promise<Pack> => {
    assertTrusted();
    return pool.get(entry);
  };

  const prepared = new Set<string>();

  return {
    prepare(entry) {
      if (!vscode.workspace.isTrusted || usesWorkspaceEsbuild() || prepared.has(entry)) return;
      prepared.add(entry);
      // Errors are reported when the pack is opened.
      packNode().then(
        () => prepareToolkit(entry, bundleOptions(entry)),
        () => {},
      );
    },
    open,
    async saveAndOpen(entry) {
      await saveSources(entry, pool.peek(entry)?.bundle.inputs ?? []);
      return open(entry);
    },
    async openWithin(entry, boundary) {
      assertTrusted();
      await saveSources(entry, pool.peek(entry)?.bundle.inputs ?? []);
      return openPack(entry, { ...(await optionsOf(entry)), boundary });
    },
    async openTexts(entry, texts) {
      assertTrusted();
      return openPack(entry, { ...(await optionsOf(entry)), texts });
    },
    async validateBundle(entry, bundle, signal) {
      assertTrusted();
      return validateBundle(entry, bundle, await optionsOf(entry), signal);
    },
    definition: pool.definition,
    onDidOpen: (listener) => new vscode.Disposable(pool.onDidOpen(listener)),
    sandboxes,
    sandbox: (pack, scope) => sandboxes.signIn(pack, scope),
    sandboxEnded: (account, entry) => sandboxes.hasEnded(account, entry),
    dispose() {
      settingsChanged.dispose();
      pool.dispose();
      sandboxes.dispose();
    },
  };
}

/** Returns the workspace folder of a file. The folder may be open under another name than the path's, through a link. */
export function folderOf(path: string): vscode.WorkspaceFolder | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path));
  if (folder !== undefined) return folder;
  const file = canonicalPath(path);
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file" && isIn(file, canonicalPath(uri.fsPath)));
}

/** Saves the sources: a run uses the files on disk, but an author who presses Run expects the text on the screen. */
async function saveSources(entry: string, inputs: readonly string[]): Promise<void> {
  const folder = canonicalPath(dirname(entry));
  const isInput = oneOf(inputs);
  const dirty = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && uri.scheme === "file" && (isIn(canonicalPath(uri.fsPath), folder) || isInput(uri.fsPath)),
  );
  await Promise.all(dirty.map(saveDocument));
}
