// The packs that are open: bundled and started on first use, built again after their sources changed, closed when unused. And the
// one sandbox of this window.
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import { isStale } from "../platform/bundle.ts";
import { chooseNode } from "../platform/choose-node.ts";
import type { SandboxSignIn } from "../platform/flows/flow.ts";
import { openPack, type Pack } from "../platform/pack.ts";
import { type Sandbox, startSandbox } from "../platform/sandbox/launch.ts";
import type { AuthScope } from "../protocol/run.ts";
import { settings } from "./platform-host.ts";

export interface Packs {
  /** The pack as its files are now; unsaved files of it are saved first. Throws PackAuthError. */
  open(entry: string): Promise<Pack>;
  /** Starts the sandbox where it is not running, and gives what the pack has in it. */
  sandbox(pack: Pack, scope: AuthScope): Promise<SandboxSignIn | undefined>;
  dispose(): void;
}

export const packName = (entry: string): string => basename(dirname(entry));

const UNUSED_AFTER = 5 * 60_000;

export function createPacks(context: vscode.ExtensionContext): Packs {
  const opened = new Map<string, { readonly pack: Pack; readonly builtAt: number; timer: NodeJS.Timeout }>();
  let sandbox: Promise<Sandbox> | undefined;
  const dist = (file: string): string => join(context.extensionPath, "dist", file);

  const close = (entry: string): void => {
    const known = opened.get(entry);
    if (known === undefined) return;
    clearTimeout(known.timer);
    known.pack.dispose();
    opened.delete(entry);
  };
  const closeLater = (entry: string): NodeJS.Timeout => setTimeout(close, UNUSED_AFTER, entry);

  return {
    async open(entry) {
      await saveUnder(dirname(entry));
      const known = opened.get(entry);
      if (known !== undefined && !(await isStale(known.pack.bundle, known.builtAt))) {
        clearTimeout(known.timer);
        known.timer = closeLater(entry);
        return known.pack;
      }
      close(entry);
      const builtAt = Date.now();
      const configured = settings().get<string>("nodePath");
      const runner = dist("runner.cjs");
      const node = await chooseNode({ own: process.execPath, path: process.env.PATH ?? "", ...(configured ? { configured } : {}) }, runner);
      const toolkitModules = settings().get<readonly string[]>("toolkitModules");
      const pack = await openPack(entry, {
        process: { runner, node },
        esbuildWasm: dist("esbuild-wasm"),
        ...(toolkitModules === undefined ? {} : { toolkitModules }),
      });
      opened.set(entry, { pack, builtAt, timer: closeLater(entry) });
      return pack;
    },
    async sandbox(pack, scope) {
      const running = process.env.PACK_AUTH_SANDBOX;
      sandbox ??= startSandbox(running ? { url: running } : { modulePath: dist("sandbox.cjs") });
      // A start that failed is tried again the next time.
      const started = await sandbox.catch((error: unknown) => {
        sandbox = undefined;
        throw error;
      });
      const registered = await started
        .register({
          entry: pack.entry,
          name: packName(pack.entry),
          definition: pack.definition,
          answersFile: join(dirname(pack.entry), "sandbox.json"),
        })
        .catch((error: unknown) => {
          sandbox = undefined;
          throw error;
        });
      const side = registered[scope];
      return side === undefined ? undefined : { ...side, origin: registered.origin, browserOrigin: registered.browserOrigin };
    },
    dispose() {
      for (const entry of [...opened.keys()]) close(entry);
      void sandbox?.then(
        (started) => started.stop(),
        () => {},
      );
    },
  };
}

/** What runs is what is on disk; an author who presses Run means what is on the screen. */
async function saveUnder(folder: string): Promise<void> {
  const dirty = vscode.workspace.textDocuments.filter(
    (document) => document.isDirty && document.uri.scheme === "file" && document.uri.fsPath.startsWith(folder),
  );
  await Promise.all(dirty.map((document) => document.save()));
}
