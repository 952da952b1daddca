// The view *On the platform*: packs, below each its connections, and below each the log entries of the published pack. It only reads.
import * as vscode from "vscode";
import { packName } from "../../platform/bundle/entry-file.ts";
import { wholeMessage } from "../../platform/errors.ts";
import { filterParts } from "../../platform/production/log-filter.ts";
import { type ConnectionLogs, groupByConnection, logKey } from "../../platform/production/logs.ts";
import { choosePack, type PackArgument } from "../commands/choose-pack.ts";
import type { FormulaPanels } from "../panel/formula-panel.ts";
import { askFilter } from "../production/ask-filter.ts";
import { type PackLogs, ProductionLogs } from "../production/production-logs.ts";
import type { Services } from "../services.ts";
import { treeItem } from "../shown/items.ts";
import { nextStepText } from "../shown/next-steps.ts";
import { pick } from "../shown/questions.ts";
import { LOG_ACTIONS, type LogNode } from "./log-actions.ts";
import { connectionRow, entryRow, packDescription } from "./log-text.ts";

type Node =
  | { readonly kind: "pack"; readonly logs: PackLogs }
  | { readonly kind: "connection"; readonly logs: PackLogs; readonly connection: ConnectionLogs }
  | (LogNode & { readonly kind: "entry"; readonly id: string })
  | { readonly kind: "more"; readonly logs: PackLogs }
  | { readonly kind: "remark"; readonly id: string; readonly text: string; readonly icon: string };

export interface PlatformView extends vscode.Disposable {
  /** Reads the logs of a pack, and shows them. */
  show(argument: PackArgument | undefined): Promise<void>;
  /** Asks for another doc or agent, and shows its logs. */
  chooseSource(argument: PackArgument | undefined): Promise<void>;
}

export function createPlatformView(services: Services, panels: FormulaPanels): PlatformView {
  const production = new ProductionLogs(services);
  const changeEmitter = new vscode.EventEmitter<undefined>();
  const provider: vscode.TreeDataProvider<Node> = {
    onDidChangeTreeData: changeEmitter.event,
    getChildren: (node) =>
      node === undefined
        ? production.list().map((logs) => ({ kind: "pack", logs }))
        : node.kind === "pack"
          ? rowsOfPack(node.logs)
          : node.kind === "connection"
            ? node.connection.entries.map((log, index) => ({
                kind: "entry",
                entry: node.logs.entry,
                log,
                id: `${node.logs.entry}\n${node.connection.id}\n${logKey(log) ?? index}`,
              }))
            : [],
    getTreeItem: itemOf,
  };
  const view = vscode.window.createTreeView("packAuth.platform", { treeDataProvider: provider, showCollapseAll: true });

  const inLogs = async (node: Node | undefined, work: (logs: PackLogs) => Promise<void>): Promise<void> => {
    const logs = node !== undefined && "logs" in node ? node.logs : await pickLogs(production.list());
    if (logs !== undefined) await work(logs).catch((error: unknown) => services.showError(error, logs.entry));
  };
  const inPack = async (argument: PackArgument | undefined, work: (entry: string) => Promise<void>): Promise<void> => {
    const entry = await choosePack(services, argument);
    if (entry !== undefined) await work(entry).catch((error: unknown) => services.showError(error, entry));
  };
  const listening = vscode.Disposable.from(
    view,
    changeEmitter,
    production,
    production.onDidChange(() => changeEmitter.fire(undefined)),
    vscode.commands.registerCommand("packAuth.platform.refresh", (node?: Node) => inLogs(node, ({ entry }) => production.read(entry))),
    vscode.commands.registerCommand("packAuth.platform.more", (node?: Node) => inLogs(node, (logs) => production.more(logs))),
    vscode.commands.registerCommand("packAuth.platform.filter", (node?: Node) =>
      inLogs(node, async (logs) => {
        const filter = await askFilter(logs.filter, logs.entries);
        if (filter !== undefined) await production.read(logs.entry, filter);
      }),
    ),
    ...Object.entries(LOG_ACTIONS).map(([command, act]) =>
      vscode.commands.registerCommand(command, async (node?: Node) => {
        const row = node ?? view.selection[0];
        if (row?.kind === "entry") await act(services, panels, row).catch((error: unknown) => services.showError(error, row.entry));
      }),
    ),
  );
  return {
    show: (argument) =>
      inPack(argument, async (entry) => {
        await production.read(entry);
        await vscode.commands.executeCommand("packAuth.platform.focus");
      }),
    chooseSource: (argument) =>
      inPack(argument, async (entry) => {
        await production.chooseSource(entry);
        await vscode.commands.executeCommand("packAuth.platform.focus");
      }),
    dispose: () => listening.dispose(),
  };
}

function rowsOfPack(logs: PackLogs): Node[] {
  const { entry, entries, reader, filter } = logs;
  const connections = groupByConnection(entries).map((connection): Node => ({ kind: "connection", logs, connection }));
  const remark = (text: string, icon: string): Node => ({ kind: "remark", id: `${entry}\n${icon}`, text, icon });
  const { problem } = reader;
  const none =
    filterParts(filter).length > 0 ? "No entry passes the filter." : "No entries. The platform logs what the pack does in this doc.";
  return [
    ...connections,
    ...(entries.length === 0 && !reader.hasMore ? [remark(none, "info")] : []),
    ...(reader.hasMore ? [{ kind: "more", logs } satisfies Node] : []),
    ...(problem === undefined ? [] : [remark(wholeMessage(problem, nextStepText), "warning")]),
  ];
}

const inTime = (at: string): string => {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toLocaleString();
};

function itemOf(node: Node): vscode.TreeItem {
  switch (node.kind) {
    case "pack": {
      const { entry, source, filter } = node.logs;
      const description = packDescription(source, filter);
      const label = packName(entry);
      return treeItem({
        label,
        description,
        spoken: `${label}, ${description}`,
        icon: "package",
        id: entry,
        context: "pack",
        isOpen: true,
      });
    }
    case "connection":
      return treeItem({
        ...connectionRow(node.connection),
        id: `${node.logs.entry}\n${node.connection.id}`,
        context: "connection",
        isOpen: true,
      });
    case "entry": {
      const row = entryRow(node.log, inTime);
      return treeItem({
        ...row,
        id: node.id,
        ...(row.icon === "error" ? { color: "list.errorForeground" } : {}),
        click: { command: "packAuth.platform.open", argument: node },
      });
    }
    case "more":
      return treeItem({
        label: "Load more",
        icon: "fold-down",
        id: `${node.logs.entry}\nmore`,
        context: "more",
        click: { command: "packAuth.platform.more", argument: node },
      });
    case "remark":
      return treeItem({ label: node.text, tooltip: [node.text], icon: node.icon, id: node.id });
  }
}

/** The palette and the title of the view pass no row. */
async function pickLogs(all: readonly PackLogs[]): Promise<PackLogs | undefined> {
  if (all.length === 0) await vscode.commands.executeCommand("packAuth.showProductionLogs");
  if (all.length <= 1) return all[0];
  return pick({
    placeholder: "Which pack's logs?",
    items: all.map((logs) => ({ label: packName(logs.entry), description: vscode.workspace.asRelativePath(logs.entry), value: logs })),
  });
}
