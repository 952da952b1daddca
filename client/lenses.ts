// Code lenses: over each setter the sign-in button and the accounts, over each formula and sync table Run.
import * as vscode from "vscode";
import { packKey } from "../platform/accounts.ts";
import type { PackOutline } from "../protocol/editor.ts";
import type { Services } from "./services.ts";

export function createLenses(services: Services): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      const outline = await services.server.outline(document.uri.toString());
      if (outline === undefined) return [];
      const here = document.uri.toString();
      const setters = await Promise.all(
        outline.authentications.filter((auth) => sameUri(auth.uri, here)).map((auth) => setterLenses(services, outline, auth)),
      );
      const runs = outline.runnables
        .filter((runnable) => sameUri(runnable.uri, here))
        .map((runnable) =>
          lens(
            runnable.range,
            "$(play) Run",
            "packAuth.runFormula",
            { entry: vscode.Uri.parse(outline.entry).fsPath, kind: runnable.kind, name: runnable.name },
            `Run ${runnable.name}`,
          ),
        );
      return [...setters.flat(), ...runs];
    },
  };
  const stop = services.accounts.onDidChange(() => changed.fire());
  services.server.onOutlineChanged(() => changed.fire());
  const selector = ["typescript", "javascript", "typescriptreact", "javascriptreact"].map((language) => ({ scheme: "file", language }));
  return vscode.Disposable.from(vscode.languages.registerCodeLensProvider(selector, provider), changed, { dispose: stop });
}

const sameUri = (a: string, b: string): boolean => vscode.Uri.parse(a).fsPath === vscode.Uri.parse(b).fsPath;

type Setter = PackOutline["authentications"][number];

async function setterLenses(services: Services, outline: PackOutline, auth: Setter): Promise<vscode.CodeLens[]> {
  if (auth.type === "None") return [];
  const entry = vscode.Uri.parse(outline.entry).fsPath;
  const accounts = services.accounts.list(packKey(entry)).filter((account) => account.scope === auth.scope);
  const states = await Promise.all(accounts.map(async (account) => ({ account, state: await services.accounts.stateOf(account) })));
  const argument = { entry, scope: auth.scope };
  const lost = states.find(
    ({ account, state }) => state.state === "signInAgain" || (auth.type !== undefined && account.type !== auth.type),
  );
  const lenses: vscode.CodeLens[] = [];
  if (auth.scope === "system")
    lenses.push(lens(auth.range, "$(key) Add system authentication", "packAuth.addSystemAuthentication", argument));
  else if (lost !== undefined)
    lenses.push(lens(auth.range, "$(plug) Sign in again", "packAuth.connectTestAccount", { ...argument, account: lost.account }));
  if (auth.scope === "user" && (lost === undefined || accounts.length > 1))
    lenses.push(lens(auth.range, "$(plug) Connect test account", "packAuth.connectTestAccount", argument));
  if (auth.type?.startsWith("OAuth2") && (await services.accounts.clientCredentials(packKey(entry), auth.scope)) === undefined) {
    lenses.push(lens(auth.range, "$(key) Add OAuth credentials", "packAuth.addOAuthCredentials", argument));
  }
  for (const { account } of states)
    lenses.push(
      lens(
        auth.range,
        `$(account) ${account.label}${account.sandboxOrigin === undefined ? "" : " (sandbox)"}`,
        "packAuth.accounts.focus",
        undefined,
        "Show the accounts",
      ),
    );
  return lenses;
}

function lens(range: Setter["range"], title: string, command: string, argument?: unknown, tooltip?: string): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character), {
    title,
    command,
    ...(argument === undefined ? {} : { arguments: [argument] }),
    ...(tooltip === undefined ? {} : { tooltip }),
  });
}
