// What a person can do with an entry of the production logs: open its place, explain it, and try the formula here. Nothing is sent to the
// platform.
import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { explainLog } from "../../platform/production/explain-log.ts";
import { formulaMissing, placeOfEntry, stackLocator } from "../../platform/production/place-of-entry.ts";
import { sandboxSwitchOf } from "../../platform/production/sandbox-switch-of.ts";
import type { LogEntry } from "../../platform/public-api/public-api.ts";
import { publishedPack } from "../../platform/public-api/published-pack.ts";
import type { SandboxSwitches } from "../../platform/sandbox/switches.ts";
import type { RunnableArgument } from "../../protocol/panel.ts";
import type { AuthScope, SourceLocation } from "../../protocol/run.ts";
import { accountState } from "../accounts/account-state.ts";
import { rememberAccount } from "../accounts/last-account.ts";
import { applyRemedy } from "../commands/apply-remedy.ts";
import { connectSandbox } from "../commands/connect-account.ts";
import { accountRequirement } from "../panel/choose-account.ts";
import type { FormulaPanels } from "../panel/formula-panel.ts";
import type { Services } from "../services.ts";
import { offer, showForMoment, showInformation } from "../shown/messages.ts";
import { openConfiguration, openDiagnosis, openLocation } from "../window/show-error.ts";
import { requireTrust } from "../window/trust.ts";
import { uploadsFolder } from "../window/uploads-folder.ts";
import { switchesText } from "./sandbox-view.ts";

/** An entry of the view, with its pack. */
export interface LogNode {
  /** Path of the pack's entry file. */
  readonly entry: string;
  readonly log: LogEntry;
}

type LogAction = (services: Services, panels: FormulaPanels, node: LogNode) => Promise<void>;

/** Opens the line that threw, else the formula, and says if that is not exactly the place. */
const openPlace: LogAction = async ({ server, host }, _panels, { entry, log }) => {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(entry))?.uri.fsPath;
  const { location, remark } = await placeOfEntry(log, {
    locateStack: stackLocator(uploadsFolder(host()), publishedPack(entry), { entry, ...defined({ folder }) }),
    async locateFormula(name): Promise<SourceLocation | undefined> {
      const outline = await server.outline(vscode.Uri.file(entry).toString());
      const runnable = outline?.runnables.find((each) => each.name === name);
      return runnable && { path: vscode.Uri.parse(runnable.uri).fsPath, ...runnable.range.start };
    },
  });
  if (location !== undefined) await openLocation(location);
  if (remark !== undefined) void showInformation(remark);
};

/** Says why it failed, by the diagnoses of sign-ins and runs. */
const explain: LogAction = async (services, _panels, { entry, log }) => {
  if (!(await requireTrust("Explaining an entry"))) return;
  const { definition } = await services.packs.saveAndOpen(entry);
  const explanation = explainLog(log, definition);
  if (explanation === undefined) {
    void showInformation("The entry names no failure that Pack Auth can explain. Its tooltip has the whole text.");
    return;
  }
  const { text, diagnosis, configPath } = explanation;
  void offer(showInformation, text, {
    ...(configPath === undefined ? {} : { "Open configuration": () => openConfiguration(services.server, entry, configPath) }),
    ...(diagnosis === undefined ? {} : { Explain: () => openDiagnosis(diagnosis) }),
  });
};

/** Opens the form of the entry's formula. The log has no parameters, so the form keeps its own values. */
const tryHere: LogAction = async (services, panels, node) => {
  if (!(await requireTrust("Trying a formula"))) return;
  const target = await targetOf(services, node);
  if (target === undefined) return showNoFormula(node);
  panels.show(target);
  showForMoment("The form has its own values. The log has no parameters.");
};

/** Makes the sandbox fail as the entry says, and runs the formula, or signs in if a sign-in failed. */
const asBadDay: LogAction = async (services, panels, node) => {
  const switches = sandboxSwitchOf(node.log);
  if (switches === undefined) {
    void showInformation("No switch of the sandbox does what this entry says. Choose one that is similar in the view Sandbox.");
    return;
  }
  if (!(await requireTrust("Running a formula"))) return;
  const { entry, log } = node;
  const pack = await services.packs.saveAndOpen(entry);
  const { definition } = pack;
  if (log.type === "auth") {
    const scope = definition.userAuthentication === undefined ? "system" : "user";
    await services.packs.sandbox(pack, scope);
    await setSwitches(services, entry, switches);
    await connectSandbox(services, { entry, scope });
    return;
  }
  const target = await targetOf(services, node);
  if (target === undefined) return showNoFormula(node);
  const all = [...definition.formulas, ...definition.syncTables];
  const requirement = all.find(({ name }) => name === target.name)?.connectionRequirement ?? "required";
  const usesUser = accountRequirement(definition, requirement) !== "none";
  if (!usesUser && definition.systemAuthentication === undefined) {
    void showInformation(`Use pack-auth drill for ${target.name}. It uses no account, so the panel sends its requests to the real API.`);
    return;
  }
  const account = await sandboxAccount(services, entry, usesUser ? "user" : "system");
  if (account === undefined) return;
  await setSwitches(services, entry, switches);
  await rememberAccount(services, account);
  panels.start(target, "run", account);
};

/** Returns undefined if the person cancelled, or if a real system account is in the way, which a message then reports. */
async function sandboxAccount(services: Services, entry: string, scope: AuthScope): Promise<Account | undefined> {
  const accounts = (await services.accounts.list(packKey(entry))).filter((account) => account.scope === scope);
  const existing = accounts.find(({ sandboxOrigin }) => sandboxOrigin !== undefined);
  if (scope === "system" && existing === undefined && accounts.length > 0) {
    void showInformation("Remove the pack's system account, or sign in to it with the sandbox. Every run uses it, and it is a real one.");
    return undefined;
  }
  if (existing === undefined) return connectSandbox(services, { entry, scope });
  const { state } = await accountState(services, existing, entry);
  return state === "ready" ? existing : connectSandbox(services, { entry, scope, account: existing });
}

async function setSwitches(services: Services, entry: string, switches: Partial<SandboxSwitches>): Promise<void> {
  await services.packs.sandboxes.change({ entry, switches });
  const label = "Reset the switch";
  void offer(showInformation, `The sandbox of ${packName(entry)} now fails as the log says. ${switchesText(switches)}.`, {
    [label]: () => applyRemedy(services, entry, { kind: "resetSwitches", switches: Object.keys(switches), label }),
    "Show the sandbox": () => vscode.commands.executeCommand("packAuth.sandbox.focus"),
  });
}

/** Returns undefined if the source has no formula or sync table of the entry's name. */
async function targetOf({ packs }: Services, { entry, log }: LogNode): Promise<RunnableArgument | undefined> {
  const { formulas, syncTables } = (await packs.saveAndOpen(entry)).definition;
  const name = log.formulaName;
  const isFormula = formulas.some((formula) => formula.name === name);
  const isTable = syncTables.some((table) => table.name === name);
  if (isTable && (log.isSyncTable === true || !isFormula)) return { entry, kind: "syncTable", name };
  return isFormula ? { entry, kind: "formula", name } : undefined;
}

const showNoFormula = ({ log }: LogNode): void =>
  void showInformation(log.formulaName === "" ? "The entry names no formula." : formulaMissing(log));

/** Command → its action. The editor passes the row. */
export const LOG_ACTIONS = {
  "packAuth.platform.open": openPlace,
  "packAuth.platform.explain": explain,
  "packAuth.platform.tryHere": tryHere,
  "packAuth.platform.asBadDay": asBadDay,
} satisfies Record<string, LogAction>;
