// The platform's host in VS Code: secrets in SecretStorage, metadata in Mementos, and the editor's own fetch, browser and clipboard.

import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { systemUserName } from "../../platform/accounts/system-user-name.ts";
import type { EditorAddress, Fetch, PlatformHost, Prompter, StateStore } from "../../platform/host.ts";
import { lookUp } from "../../platform/network/look-up.ts";
import { trustingFetch } from "../../platform/requests/trusting-fetch.ts";
import { nextStepText } from "../shown/next-steps.ts";
import { prompter } from "../shown/questions.ts";
import { openWebPage } from "../shown/web-page.ts";
import type { EditorCallbacks } from "./editor-callbacks.ts";
import { trustedCertificates, userName } from "./settings.ts";

const stateStore = (memento: vscode.Memento): StateStore => ({
  get: (key) => memento.get(key),
  set: async (key, value) => memento.update(key, value),
});

/** `progress` receives the current step of a long task. */
export function makeHost(
  context: vscode.ExtensionContext,
  callbacks: EditorCallbacks,
  log: (message: string) => void,
  progress: (message: string) => void,
): PlatformHost {
  return {
    secrets: {
      get: async (key) => context.secrets.get(key),
      set: async (key, value) => context.secrets.store(key, value),
      delete: async (key) => context.secrets.delete(key),
    },
    globalState: stateStore(context.globalState),
    workspaceState: stateStore(context.workspaceState),
    home: "editor",
    words: nextStepText,
    prompter: tellingOf(prompter, progress),
    openBrowser: openWebPage,
    externalAddress,
    // In a browser the editor's own address has a new ID each time, which no provider can have registered.
    ...(vscode.env.uiKind === vscode.UIKind.Web ? {} : { editorAddress: editorAddress(context.extension.id, callbacks) }),
    fetch: hostFetch,
    lookUp,
    copy: async (text) => vscode.env.clipboard.writeText(text),
    userName: () => userName() ?? systemUserName(),
    log,
    progress,
    now: Date.now,
    storageFolder: context.globalStorageUri.fsPath,
    // A window with neither a workspace file nor a folder has no workspace.
    ...defined({ workspace: (vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri)?.toString() }),
  };
}

/** A question ends the step before it, so the progress no longer names that step. */
const tellingOf = ({ input, pick }: Prompter, progress: (message: string) => void): Prompter => ({
  input(options) {
    progress("");
    return input(options);
  },
  pick(options) {
    progress(options.progress ?? "");
    return pick(options);
  },
});

let trusting: { readonly files: string; readonly fetch: Promise<Fetch> } | undefined;

/** Uses the editor's own fetch, with its proxies and the system's certificates; another fetch if the settings name certificates. */
const hostFetch: Fetch = async (url, init) => {
  const files = trustedCertificates();
  if (files.length === 0) return fetch(url, init);
  const key = JSON.stringify(files);
  if (trusting?.files !== key) trusting = { files: key, fetch: trustingFetch(files) };
  return (await trusting.fetch)(url, init);
};

/** In remote and web windows the browser is on another machine: the editor forwards the port and returns the external address. */
async function externalAddress(address: string): Promise<string> {
  if (vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop) return address;
  const { scheme, authority, path, query } = await vscode.env.asExternalUri(vscode.Uri.parse(address));
  return `${scheme}://${authority}${path}${query === "" ? "" : `?${query}`}`;
}

/** Returns the address that the editor was opened with, as the provider wrote it. */
export function openedAddress({ scheme, authority, path, query }: vscode.Uri): string {
  // The editor passes the query decoded. A + is a plus there, and the parts are encoded again for normal parsing.
  const pairs = query.split("&").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  });
  return `${scheme}://${authority}${path}?${new URLSearchParams(pairs)}`;
}

function editorAddress(extensionId: string, { onOpened }: EditorCallbacks): EditorAddress {
  return {
    // Without asExternalUri, which would add the window's number.
    address: async () => `${vscode.env.uriScheme}://${extensionId}/oauth`,
    onOpened,
  };
}
