// `packAuth.createPack`: leads from an empty folder to a first result. It writes nothing before the last question is answered, and never
// overwrites a file.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import { errorMessage } from "../../base/error-message.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { makeFolder } from "../../platform/files/make-folder.ts";
import { AGENT_GUIDES, NEW_FORMULA, NEW_PACK_TYPES, type NewPackType, newPack } from "../../platform/pack-template.ts";
import { AUTH_TYPES, hasSignIn } from "../../spec/auth-types.ts";
import { setContext } from "../context-keys.ts";
import type { FormulaPanels } from "../panel/formula-panel.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";
import { askFolder, pick, prompter } from "../shown/questions.ts";
import { requireTrust } from "../trust.ts";
import { chooseFolder, openFolders } from "./choose-folder.ts";
import { connectAccount } from "./connect-account.ts";
import { hasToolkit, installToolkit } from "./install-toolkit.ts";

const TITLE = "Create a pack";

/** Labels for what the users of a pack need to sign in. */
const SIGN_INS: Readonly<Record<NewPackType, string>> = {
  HeaderBearerToken: "An API token",
  OAuth2: "A sign-in in the browser (OAuth)",
  CustomHeaderToken: "An API key in a header",
  QueryParamToken: "An API key in the URL",
  WebBasic: "A user name and a password",
  Custom: "Several values, which the pack places itself",
  MultiHeaderToken: "Several keys in headers",
  MultiQueryParamToken: "Several keys in the URL",
  OAuth2ClientCredentials: "A client ID and a client secret (OAuth)",
  AWSAccessKey: "An AWS access key",
  AWSAssumeRole: "An AWS role",
  None: "Nothing: the API is public",
};

export async function createPack(services: Services, panels: FormulaPanels): Promise<void> {
  if (!(await requireTrust("Creating a pack"))) return;
  const folders = openFolders();
  const chosenFolder =
    folders.length === 0 ? await askFolder({ title: TITLE, label: "Create it here" }) : await chooseFolder(folders, TITLE);
  const folder = chosenFolder === undefined ? undefined : isFresh(chosenFolder) ? chosenFolder : await askName(chosenFolder);
  if (chosenFolder === undefined || folder === undefined) return;
  const type = await pick({
    title: TITLE,
    placeholder: "How do its users sign in?",
    items: NEW_PACK_TYPES.map((value) => ({ label: SIGN_INS[value], description: value, detail: AUTH_TYPES[value].sends, value })),
  });
  if (type === undefined) return;
  const hasGuides = await pick({
    title: TITLE,
    placeholder: "Do coding agents work on it?",
    items: [
      { label: "No", value: false },
      { label: "Yes", description: Object.keys(AGENT_GUIDES).join(", "), detail: "Adds a guide and a skill for agents.", value: true },
    ],
  });
  if (hasGuides === undefined) return;
  const files = { ...newPack(type, packageName(folder)), ...(hasGuides ? readGuides(services.context) : {}) };
  const entry = writePack(folder, chosenFolder, files);
  setContext("hasNewPack", true);
  const uri = vscode.Uri.file(entry);
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined) {
    // The window restarts with the folder, and its view shows the next step.
    await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(folder));
    return;
  }
  // The SDK is installed before the source opens, because TypeScript would not find its types otherwise.
  const isAbove = hasToolkit(entry);
  const isInstalled = isAbove || (await installToolkit(services, { uri: uri.toString() }));
  if (isAbove) void showInformation("The pack uses the Packs SDK of a parent folder. Its own folder needs no copy.");
  await vscode.window.showTextDocument(uri, { preview: false });
  if (!isInstalled) return;
  if (hasSignIn(type) && (await connectAccount(services, { entry, scope: "user" })) === undefined) return;
  panels.start({ entry, kind: "formula", name: NEW_FORMULA }, "run");
}

/** Returns whether the folder contains only files that every repository begins with. */
const isFresh = (folder: string): boolean => readdirSync(folder).every((name) => /^(?:\..*|readme.*|licen[cs]e.*)$/i.test(name));

/** Returns the path of a new folder; undefined if the person cancelled. */
async function askName(folder: string): Promise<string | undefined> {
  const name = await prompter.input({
    title: TITLE,
    prompt: `Enter a name for the new folder in ${basename(folder)}.`,
    value: "my-pack",
    validate(text) {
      if (!/^[\w-][\w.-]*$/.test(text)) return "Use letters, digits, - and _.";
      return existsSync(join(folder, text)) ? "Choose another name: this one exists already." : undefined;
    },
  });
  return name === undefined ? undefined : join(folder, name);
}

const packageName = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "pack";

/** Returns the text of each guide by its path in a pack. */
const readGuides = (context: vscode.ExtensionContext): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(AGENT_GUIDES).map(([path, name]) => [path, readFileSync(join(context.extensionPath, "media/agents", name), "utf8")]),
  );

/** Returns the path of the entry. A guide that is there stays. Throws storage-failed. */
function writePack(folder: string, chosenFolder: string, files: Readonly<Record<string, string>>): string {
  try {
    makeFolder(folder, 0o777);
    for (const [file, text] of Object.entries(files)) {
      const path = join(folder, file);
      if (existsAbove(file, folder, chosenFolder) || (file in AGENT_GUIDES && existsSync(path))) continue;
      makeFolder(dirname(path), 0o777);
      writeFileSync(path, text, { flag: "wx" });
    }
  } catch (cause) {
    throw new PackAuthError("storage-failed", `The pack could not be written: ${errorMessage(cause)}`, {
      hint: "Choose a folder that you may write to.",
      cause,
    });
  }
  return join(folder, "pack.ts");
}

/** Returns whether a parent folder has the file: a manifest and compiler settings also apply to the folders below them. */
function existsAbove(file: string, folder: string, chosenFolder: string): boolean {
  if (file !== "package.json" && file !== "tsconfig.json") return false;
  for (let at = folder; at !== chosenFolder; at = dirname(at)) if (existsSync(join(at, file))) return true;
  return existsSync(join(chosenFolder, file));
}
