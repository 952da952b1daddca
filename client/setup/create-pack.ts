// `packAuth.createPack`: leads from an empty folder to a first result. It writes nothing before the last question is answered, and never
// overwrites a file.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as vscode from "vscode";
import {
  AGENT_GUIDES,
  NEW_FORMULA,
  NEW_PACK_TYPES,
  type NewPackType,
  newPack,
  packageName,
  packFolder,
} from "../../platform/pack-template.ts";
import { answersOf } from "../../platform/setup/prove.ts";
import { writeNewPack } from "../../platform/setup/write-new-pack.ts";
import { AUTH_TYPES, hasSignIn } from "../../spec/auth-types.ts";
import { EMPTY_PACK } from "../../spec/toolkit.ts";
import { chooseFolder, openFolders } from "../commands/choose-folder.ts";
import { connectAccount } from "../commands/connect-account.ts";
import { hasToolkit, installToolkit } from "../commands/install-toolkit.ts";
import type { FormulaPanels } from "../panel/formula-panel.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";
import { askFolder, pick, prompter } from "../shown/questions.ts";
import type { VirtualTexts } from "../shown/virtual-texts.ts";
import { setContext } from "../window/set-context.ts";
import { requireTrust } from "../window/trust.ts";
import { proposeSetup, writeProposal } from "./set-up.ts";

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

export async function createPack(services: Services, panels: FormulaPanels, setupTexts: VirtualTexts): Promise<void> {
  if (!(await requireTrust("Creating a pack"))) return;
  const folders = openFolders();
  const chosenFolder =
    folders.length === 0 ? await askFolder({ title: TITLE, label: "Create it here" }) : await chooseFolder(folders, TITLE);
  const folder = chosenFolder === undefined ? undefined : isFresh(chosenFolder) ? chosenFolder : await askName(chosenFolder);
  if (chosenFolder === undefined || folder === undefined) return;
  const type = await pick<NewPackType | "evidence">({
    title: TITLE,
    placeholder: "How do its users sign in?",
    items: [
      {
        label: "From what you have",
        description: "cURL command, API description, address, provider",
        detail: "Works the authentication out, and shows it before it is written.",
        value: "evidence",
      },
      ...NEW_PACK_TYPES.map((value) => ({ label: SIGN_INS[value], description: value, detail: AUTH_TYPES[value].sends, value })),
    ],
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
  // A window that restarts for the folder forgets the evidence; the pack's own lens asks for it then.
  const isOpen = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) !== undefined;
  const proposed = type === "evidence" && isOpen ? await proposeSetup(services) : undefined;
  if (type === "evidence" && isOpen && proposed === undefined) return;
  const name = packageName(basename(folder));
  const files = {
    ...(type === "evidence"
      ? packFolder(name, EMPTY_PACK, proposed === undefined ? [] : answersOf(proposed.proposal))
      : newPack(type, name)),
    ...(hasGuides ? readGuides(services.context) : {}),
  };
  const { entry } = writeNewPack(folder, chosenFolder, files);
  setContext("hasNewPack", true);
  const uri = vscode.Uri.file(entry);
  if (!isOpen) {
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
  if (type === "evidence") {
    if (proposed !== undefined) await writeProposal(services, panels, setupTexts, entry, proposed);
    return;
  }
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

/** Returns the text of each guide by its path in a pack. */
const readGuides = (context: vscode.ExtensionContext): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(AGENT_GUIDES).map(([path, name]) => [path, readFileSync(join(context.extensionPath, "media/agents", name), "utf8")]),
  );
