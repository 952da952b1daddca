// Rows, lenses, titles and language statuses of the editor. Icons are separate fields, and never part of a text.
import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { asLine } from "./foreign-text.ts";

interface Row {
  readonly label: string;
  readonly description?: string;
  /** One line each. */
  readonly tooltip?: readonly string[];
  /** The text for screen readers; the label by default. */
  readonly spoken?: string;
  readonly icon?: string;
  /** The colour of the icon, as the ID of a theme colour. */
  readonly color?: string;
  /** Identifies the row when its label changes. */
  readonly id?: string;
  /** Selects the view's menus for the row; see package.json. */
  readonly context?: string;
  /** Undefined if the row has no children. */
  readonly isOpen?: boolean;
  readonly isChecked?: boolean;
  readonly click?: { readonly command: string; readonly argument: unknown };
}

const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;

export function treeItem(row: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(asLine(row.label), row.isOpen === undefined ? None : row.isOpen ? Expanded : Collapsed);
  if (row.description !== undefined) item.description = asLine(row.description);
  // A plain string, so that it is never Markdown.
  if (row.tooltip !== undefined) item.tooltip = row.tooltip.map(asLine).join("\n");
  if (row.spoken !== undefined) item.accessibilityInformation = { label: asLine(row.spoken) };
  if (row.icon !== undefined) {
    const color = row.color === undefined ? undefined : new vscode.ThemeColor(row.color);
    item.iconPath = new vscode.ThemeIcon(row.icon, color);
  }
  if (row.id !== undefined) item.id = row.id;
  if (row.context !== undefined) item.contextValue = row.context;
  if (row.isChecked !== undefined) item.checkboxState = row.isChecked ? Checked : Unchecked;
  if (row.click !== undefined) item.command = { command: row.click.command, title: asLine(row.label), arguments: [row.click.argument] };
  return item;
}

interface Lens {
  readonly icon: string;
  readonly title: string;
  /** Has no argument: the editor drops the arguments of lenses before the lenses disappear (lens-commands.ts). */
  readonly command: string;
  readonly tooltip?: string;
}

export interface LensAction extends Lens {
  readonly argument?: unknown;
}

/** Registers a command of a lens with its argument. */
export const registerLensCommand = (name: string, command: string, argument: unknown): vscode.Disposable =>
  vscode.commands.registerCommand(name, () => vscode.commands.executeCommand(command, argument));

export const codeLens = (range: vscode.Range, { icon, title, command, tooltip }: Lens): vscode.CodeLens =>
  new vscode.CodeLens(range, {
    title: `$(${icon}) ${asLine(title)}`,
    command,
    ...(tooltip === undefined ? {} : { tooltip: asLine(tooltip) }),
  });

export interface LanguageStatus {
  readonly name: string;
  readonly text: string;
  readonly detail: string;
  readonly isWarning: boolean;
  readonly action?: { readonly title: string; readonly tooltip: string; readonly command: string; readonly argument: unknown };
}

export function setLanguageStatus(item: vscode.LanguageStatusItem, { name, text, detail, isWarning, action }: LanguageStatus): void {
  item.name = asLine(name);
  item.text = asLine(text);
  item.detail = asLine(detail);
  item.severity = isWarning ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
  item.command =
    action === undefined
      ? undefined
      : { command: action.command, title: asLine(action.title), tooltip: asLine(action.tooltip), arguments: [action.argument] };
}

export const openWebviewPanel = (
  viewType: string,
  title: string,
  column: vscode.ViewColumn,
  options: vscode.WebviewPanelOptions & vscode.WebviewOptions,
): vscode.WebviewPanel => vscode.window.createWebviewPanel(viewType, asLine(title), column, options);

export const titleWebviewPanel = (panel: vscode.WebviewPanel, title: string): void => {
  panel.title = asLine(title);
};

/** Opens a document beside the panel and not over it. `selection` is the range that the author reads next. */
export const showDocument = (uri: vscode.Uri, selection?: vscode.Range): Thenable<vscode.TextEditor> =>
  vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One, ...defined({ selection }) });

/** Opens an unsaved document with the text, which the editor shows as it is. */
export const showNewDocument = async (content: string, language: string): Promise<vscode.TextEditor> =>
  showDocument((await vscode.workspace.openTextDocument({ content, language })).uri);

/** Opens a Markdown document, rendered, beside the source. Command links in it do nothing. */
export const showMarkdown = (uri: vscode.Uri): Thenable<unknown> => vscode.commands.executeCommand("markdown.showPreviewToSide", uri);

/** Opens a diff as {@link showDocument} opens a document. */
export const showDiff = (left: vscode.Uri, right: vscode.Uri, title: string): Thenable<unknown> =>
  vscode.commands.executeCommand("vscode.diff", left, right, asLine(title), { viewColumn: vscode.ViewColumn.One });

/** The debugger shows the name of a session, including icons. */
export const startDebugging = (
  folder: vscode.WorkspaceFolder | undefined,
  name: string,
  how: { readonly type: string; readonly request: string; readonly [setting: string]: unknown },
): Thenable<boolean> => vscode.debug.startDebugging(folder, { ...how, name: asLine(name) });

export const nameDebugSession = (session: vscode.DebugSession, name: string): void => {
  session.name = asLine(name);
};

/** Returns the address of a tab's document; an empty string if the tab shows no single text. */
const addressOf = ({ input }: vscode.Tab): string =>
  input instanceof vscode.TabInputText ? input.uri.toString() : input instanceof vscode.TabInputTextDiff ? input.modified.toString() : "";

/** Calls `listener` with the address of each document whose tab is closed; of a diff, that of its right side. */
export const onTabClosed = (listener: (address: string) => void): vscode.Disposable =>
  vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const tab of closed) listener(addressOf(tab));
  });

/** Closes the tabs of a document. */
export async function closeTabs(address: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(tabs.filter((tab) => addressOf(tab) === address));
}
