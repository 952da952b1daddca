// The packs of this window as commands and the panel use them.

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
import { openPack, type Pack } from "../../platform/process/pack.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { createSandboxes, type Sandboxes } from "../sandboxes.ts";
import { nodePath, toolkitModules, usesWorkspaceEsbuild } from "../settings.ts";
import { createPackPool } from "./pack-pool.ts";

export interface Packs {
  /** Gets ready what opening the pack takes and is not its own: a Node that is fit, and the toolkit. Runs no code of the workspace. */
  prepare(entry: string): void;
  /** The pack as its files are on disk. Throws PackAuthError: workspace-untrusted before any of its code runs. */
  open(entry: string): Promise<Pack>;
  /** The pack as it stands on the screen: its unsaved files are saved first. Throws PackAuthError. */
  saveAndOpen(entry: string): Promise<Pack>;
  /** What packs run in. Throws PackAuthError: no-usable-node. */
  packNode(): Promise<ChosenNode>;
  /** What the pack said of itself when it was last opened. */
  definition(entry: string): PackDefinition | undefined;
  /** A pack was opened, for the first time or because its sources changed. */
  onDidOpen(listener: (entry: string) => void): vscode.Disposable;
  readonly sandboxes: Sandboxes;
  /** Starts the sandbox where it is not running, and gives what the pack has in it. Throws PackAuthError. */
  sandbox(pack: Pack, scope: AuthScope): Promise<SandboxSignIn>;
  /** True where the account belongs to a sandbox that has ended. */
  sandboxEnded(account: Account, entry: string): boolean;
  dispose(): void;
}

const UNUSED_AFTER = 5 * 60_000;

export function createPacks(context: vscode.ExtensionContext, log: (message: string) => void): Packs {
  const dist = (file: string): string => join(context.extensionPath, "dist", file);
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
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(entry))?.uri.fsPath;
    return {
      // A package for one platform has it among its own; a checkout has it among its dependencies.
      esbuild:
        [dist("esbuild"), join(context.extensionPath, "node_modules/esbuild")].find((folder) => existsSync(folder)) ?? dist("esbuild"),
      esbuildWasm: dist("esbuild-wasm"),
      workspaceEsbuild: usesWorkspaceEsbuild(),
      toolkitModules: toolkitModules(),
      ...defined({ folder }),
    };
  };
  const pool = createPackPool({
    unusedAfter: UNUSED_AFTER,
    now: Date.now,
    isStale: (pack, since) => isStale(pack.bundle, since),
    async open(entry) {
      const { node } = await packNode();
      return openPack(entry, { process: { runner, node }, ...bundleOptions(entry) });
    },
  });
  const settingsChanged = vscode.workspace.onDidChangeConfiguration((change) => {
    if (["packAuth.nodePath", "packAuth.toolkitModules", "packAuth.useWorkspaceEsbuild"].some((name) => change.affectsConfiguration(name)))
      pool.clear();
  });

  const sandboxes = createSandboxes(dist("sandbox.cjs"), context.workspaceState);
  /** Whoever forgot to ask for trust finds no pack either: opening one runs its code. */
  const open = async (entry: string): Promise<Pack> => {
    if (!vscode.workspace.isTrusted)
      throw new PackAuthError("workspace-untrusted", "The pack's code runs in a trusted workspace only.", {
        hint: "Trust the workspace first: Workspaces: Manage Workspace Trust.",
      });
    return pool.get(entry);
  };

  const prepared = new Set<string>();

  return {
    prepare(entry) {
      if (!vscode.workspace.isTrusted || usesWorkspaceEsbuild() || prepared.has(entry)) return;
      prepared.add(entry);
      // What goes wrong is told when the pack is opened.
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
    packNode,
    definition: pool.definition,
    onDidOpen: (listener) => new vscode.Disposable(pool.onDidOpen(listener)),
    sandboxes,
    sandbox: sandboxes.signIn,
    sandboxEnded: sandboxes.hasEnded,
    dispose() {
      settingsChanged.dispose();
      pool.dispose();
      sandboxes.dispose();
    },
  };
}

/** What runs is what is on disk; an author who presses Run means what is on the screen. */
async function saveSources(entry: string, inputs: readonly string[]): Promise<void> {
  const folder = canonicalPath(dirname(entry));
  const isInput = oneOf(inputs);
  const dirty = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && uri.scheme === "file" && (isIn(canonicalPath(uri.fsPath), folder) || isInput(uri.fsPath)),
  );
  await Promise.all(dirty.map((document) => document.save()));
}
