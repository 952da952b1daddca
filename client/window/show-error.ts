// Shows one clear message for each failure: what happened, what to do, and a button that opens its origin.
import * as vscode from "vscode";
import { wholeMessage } from "../../platform/errors.ts";
import { isSameFile } from "../../platform/files/file-names.ts";
import type { ErrorReport, SimpleRemedy, SourceLocation } from "../../protocol/run.ts";
import { showDocument } from "../shown/items.ts";
import { type Log, showError } from "../shown/messages.ts";
import { shownReport } from "../shown/next-steps.ts";
import { openRulePage, RULE_PAGES } from "../shown/rule-pages.ts";
import type { LanguageServer } from "./language-client.ts";

/** `entry`: the pack of the error, so that a field of its configuration can be opened. */
export type ErrorReporter = (error: unknown, entry?: string, more?: Actions) => Promise<void>;

/** Button → its action. */
export type Actions = Record<string, () => unknown>;

/** `addressToRegister` returns the redirect address that the provider must know. `apply` applies a remedy to a pack. */
export function createErrorReporter(
  server: LanguageServer,
  output: Log,
  addressToRegister: () => Promise<string>,
  apply: (entry: string, remedy: SimpleRemedy) => Promise<void>,
): ErrorReporter {
  const copyRedirect: Actions = { ["Copy redirect address"]: async () => vscode.env.clipboard.writeText(await addressToRegister()) };
  const show: ErrorReporter = async (error, entry, more = {}) => {
    const report = shownReport(error);
    output.error(`${report.code}: ${wholeMessage(report)}`);
    const actions: Actions = {
      ...more,
      ...(entry === undefined
        ? {}
        : Object.fromEntries(
            report.remedies?.flatMap((remedy) =>
              remedy.kind === "grantAccess"
                ? []
                : [[remedy.label, () => apply(entry, remedy).catch((reason: unknown) => show(reason, entry))] as const],
            ) ?? [],
          )),
      ...sourceActions(server, report, entry),
      ...(report.code === "credentials-refused" ? credentialActions(report, entry) : REMEDIES[report.code]),
      ...(/redirect address/.test(wholeMessage(report)) ? copyRedirect : {}),
      ...(report.diagnosis === undefined ? {} : { ["Explain"]: () => openDiagnosis(report.diagnosis ?? "") }),
      ["Show log"]: () => output.show(),
    };
    const choice = await showError(wholeMessage(report), ...Object.keys(actions));
    if (choice !== undefined) await actions[choice]?.();
  };
  return show;
}

function sourceActions(server: LanguageServer, { stack, configPath }: ErrorReport, entry: string | undefined): Actions {
  const location = stack?.find((frame) => frame.location !== undefined && !frame.location.path.includes("node_modules"))?.location;
  return {
    ...(location === undefined ? {} : { ["Open source"]: () => openLocation(location) }),
    ...(configPath === undefined || entry === undefined
      ? {}
      : { ["Open configuration"]: () => openConfiguration(server, entry, configPath) }),
  };
}

/** Returns the button for the setter of the error. The command asks for the pack if the entry is unknown. */
function credentialActions({ configPath }: ErrorReport, entry: string | undefined): Actions {
  const scope = configPath?.startsWith("system") === true ? "system" : "user";
  const argument = entry === undefined ? undefined : { entry, scope };
  return { ["Add OAuth credentials"]: () => vscode.commands.executeCommand("packAuth.addOAuthCredentials", argument) };
}

const openSettings = (filter: string) => () => vscode.commands.executeCommand("workbench.action.openSettings", filter);

/** Error code → buttons that help. */
const REMEDIES: Readonly<Record<string, Actions>> = {
  "redirect-port-busy": { ["Change the port"]: openSettings("packAuth.redirect") },
  "no-usable-node": { ["Choose a Node"]: openSettings("packAuth.nodePath") },
  "sandbox-layer-missing": { ["Choose a Node"]: openSettings("packAuth.nodePath") },
  "time-limit": { ["Change the time limit"]: openSettings("packAuth.timeLimit") },
};

/** Shows the page of a diagnosis. */
export const openDiagnosis = async (id: string): Promise<void> => {
  await openRulePage(`${RULE_PAGES}${id}.md`);
};

export async function openLocation(location: SourceLocation): Promise<void> {
  const at = new vscode.Position(location.line, location.character);
  // Reuses a document that is open under another name: two documents of one file could have different changes.
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "file" && isSameFile(uri.fsPath, location.path));
  await showDocument(open?.uri ?? vscode.Uri.file(location.path), new vscode.Range(at, at));
}

export async function openConfiguration(server: LanguageServer, entry: string, configPath: string): Promise<void> {
  const place = await server.locate({ entry: vscode.Uri.file(entry).toString(), configPath });
  const uri = place === undefined ? vscode.Uri.file(entry) : vscode.Uri.parse(place.uri);
  const range =
    place === undefined
      ? new vscode.Range(0, 0, 0, 0)
      : new vscode.Range(place.range.start.line, place.range.start.character, place.range.end.line, place.range.end.character);
  await showDocument(uri, range);
}
