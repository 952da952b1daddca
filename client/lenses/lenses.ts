// Code lenses: the sign-in button and the accounts above each setter, Run above each formula and sync table, Try server above an MCP
// server.

import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { isSameFile } from "../../platform/files/file-names.ts";
import { packAccounts } from "../../platform/team/team-account.ts";
import type { PackOutline } from "../../protocol/editor.ts";
import { accountState } from "../accounts/account-state.ts";
import type { Services } from "../services.ts";
import { codeLens, type LensAction, registerLensCommand } from "../shown/items.ts";
import { PACK_FILES } from "../window/pack-languages.ts";
import { createLensCommands } from "./lens-commands.ts";
import { setterActions } from "./setter-actions.ts";
import { createShownLenses } from "./shown-lenses.ts";

export function createLenses(services: Services): vscode.Disposable {
  const changeEmitter = new vscode.EventEmitter<void>();
  const commands = createLensCommands(registerLensCommand);
  const lensesOf = async (document: vscode.TextDocument): Promise<readonly PlacedLens[]> => {
    const outline = await services.server.outline(document.uri.toString());
    if (outline === undefined) return [];
    services.packs.prepare(entryOf(outline));
    const here = (place: { readonly uri: string }): boolean => isSameFile(vscode.Uri.parse(place.uri).fsPath, document.uri.fsPath);
    const setters = await Promise.all(outline.authentications.filter(here).map((auth) => setterLenses(services, outline, auth)));
    return [
      ...setters.flat(),
      ...outline.runnables.filter(here).flatMap((runnable) => runLenses(outline, runnable)),
      ...outline.mcpServers.filter(here).map(serverLens),
      ...outline.packCalls.filter(here).flatMap(({ range }) => packLenses(outline, range)),
    ];
  };
  const shownLenses = createShownLenses<vscode.TextDocument>(
    async (document) => (await lensesOf(document)).map(({ action }) => action),
    () => changeEmitter.fire(),
  );
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changeEmitter.event,
    async provideCodeLenses(document, token) {
      const lenses = await lensesOf(document);
      if (token.isCancellationRequested) return [];
      shownLenses.gave(
        document,
        lenses.map(({ action }) => action),
      );
      return lenses.map(({ range, action: { argument, command, ...action } }) =>
        codeLens(range, { ...action, command: argument === undefined ? command : commands.nameOf(command, argument) }),
      );
    },
  };
  return vscode.Disposable.from(
    vscode.languages.registerCodeLensProvider(PACK_FILES, provider),
    new vscode.Disposable(services.accounts.onDidChange(shownLenses.look)),
    services.server.onOutlineChanged(shownLenses.look),
    services.packs.onDidOpen(shownLenses.look),
    // In an untrusted workspace the tooltips explain that the buttons need trust.
    vscode.workspace.onDidGrantWorkspaceTrust(shownLenses.look),
    vscode.workspace.onDidCloseTextDocument(shownLenses.forget),
    changeEmitter,
    commands,
  );
}

/** A lens with its place. */
interface PlacedLens {
  readonly range: vscode.Range;
  readonly action: LensAction;
}

const entryOf = (outline: PackOutline): string => vscode.Uri.parse(outline.entry).fsPath;

async function setterLenses(
  services: Services,
  outline: PackOutline,
  auth: PackOutline["authentications"][number],
): Promise<readonly PlacedLens[]> {
  const entry = entryOf(outline);
  const accounts = (await packAccounts(services.accounts, entry)).filter((account) => account.scope === auth.scope);
  const packDefinition = services.packs.definition(entry);
  const definition = packDefinition?.[`${auth.scope}Authentication`];
  const actions = setterActions({
    entry,
    scope: auth.scope,
    ...defined({ type: auth.type }),
    accounts: await Promise.all(
      accounts.map(async (account) => ({ account, state: await accountState(services, account, entry, auth.type) })),
    ),
    // A client that registers itself needs no credentials. This is known once the pack was opened.
    hasClientCredentials:
      definition?.useDynamicClientRegistration === true ||
      (await services.accounts.clientCredentials(packKey(entry), auth.scope)) !== undefined,
  });
  return actions.map((action) => lens(auth.range, action));
}

function runLenses(outline: PackOutline, { kind, name, range }: PackOutline["runnables"][number]): readonly PlacedLens[] {
  const argument = { entry: entryOf(outline), kind, name };
  return [
    lens(range, { icon: "play", title: "Run", command: "packAuth.runFormula", argument, tooltip: `Run ${name}` }),
    lens(range, { icon: "debug-alt", title: "Debug", command: "packAuth.debugFormula", argument, tooltip: `Debug ${name}` }),
  ];
}

const serverLens = ({ uri, name, range }: PackOutline["mcpServers"][number]): PlacedLens =>
  lens(range, {
    icon: "plug",
    title: "Try server",
    command: "packAuth.tryServer",
    argument: { uri, server: name },
    tooltip: `List the tools of ${name}, and run them`,
  });

const packLenses = (outline: PackOutline, range: PackOutline["packCalls"][number]["range"]): readonly PlacedLens[] => [
  ...(outline.hasNoAuthentication ? [setUpLens(entryOf(outline), range)] : []),
  lens(range, {
    icon: "checklist",
    title: "Ready for upload?",
    command: "packAuth.preflight",
    argument: { entry: entryOf(outline) },
    tooltip: "See what the platform will reject, what needs approval, and what was never tried",
  }),
];

const setUpLens = (entry: string, range: PackOutline["runnables"][number]["range"]): PlacedLens =>
  lens(range, {
    icon: "key",
    title: "Set up authentication from…",
    command: "packAuth.setUpAuthentication",
    argument: { entry },
    tooltip: "Set it up from a cURL command, an API description, an address or a provider",
  });

function lens({ start, end }: PackOutline["runnables"][number]["range"], action: LensAction): PlacedLens {
  const { command, argument, tooltip } = action;
  const needsTrust = !vscode.workspace.isTrusted && argument !== undefined && command !== "packAuth.addOAuthCredentials";
  const text = needsTrust ? [tooltip, "Needs a trusted workspace: it runs the pack's code"].filter(Boolean).join(". ") : tooltip;
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  return { range, action: { ...action, ...defined({ tooltip: text }) } };
}
