// Asks questions with VS Code's own quick inputs: masked fields, steps, a link, and Escape to cancel.
import * as vscode from "vscode";
import type { Back, Prompter } from "../../platform/host.ts";
import { asLine, isWebPage } from "./foreign-text.ts";
import { showForMoment } from "./messages.ts";
import { openQuestion } from "./open-questions.ts";
import { openWebPage } from "./web-page.ts";

interface Head {
  readonly title?: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly back?: Back;
  readonly signal?: AbortSignal;
}

export interface Choice<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** The name of one of the editor's icons. */
  readonly icon?: string;
  /** Whether the item is selected initially. */
  readonly active?: boolean;
  readonly value: T;
}

export interface Question<T> {
  readonly placeholder: string;
  readonly items: readonly Choice<T>[];
}

/** Returns the row of a list. */
export const rowOf = <T>({ label, description, detail, icon, value }: Choice<T>): vscode.QuickPickItem & { readonly value: T } => ({
  label: asLine(label),
  ...(description === undefined ? {} : { description: asLine(description) }),
  ...(detail === undefined ? {} : { detail: asLine(detail) }),
  ...(icon === undefined ? {} : { iconPath: new vscode.ThemeIcon(icon) }),
  value,
});

/** Returns one of the items; undefined if the person cancelled. */
export function pick<T>(options: Head & Question<T>): Promise<T | undefined> {
  const list = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: T }>();
  list.placeholder = asLine(options.placeholder);
  list.matchOnDescription = true;
  list.items = options.items.map(rowOf);
  // Without an active item the editor selects the first: with an empty list, Enter would do nothing.
  const active = list.items.filter((_, index) => options.items[index]?.active === true);
  if (active.length > 0) list.activeItems = active;
  return show(list, options, () => list.selectedItems[0]?.value);
}

/** Returns the path of a folder on this machine; undefined if the person cancelled. */
export async function askFolder({ title, label }: { readonly title: string; readonly label: string }): Promise<string | undefined> {
  const folders = await vscode.window.showOpenDialog({
    title: asLine(title),
    openLabel: asLine(label),
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return folders?.[0]?.fsPath;
}

/** Returns the path of a file on this machine; undefined if the person cancelled. `endings` are offered first, under the name. */
export async function askFile({
  title,
  label,
  name,
  endings,
}: {
  readonly title: string;
  readonly label: string;
  readonly name: string;
  readonly endings: readonly string[];
}): Promise<string | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: asLine(title),
    openLabel: asLine(label),
    filters: { [asLine(name)]: [...endings], "All files": ["*"] },
  });
  return files?.[0]?.fsPath;
}

export const prompter: Prompter = {
  input(options) {
    const box = vscode.window.createInputBox();
    box.prompt = asLine(options.prompt);
    box.password = options.secret === true;
    if (options.placeholder !== undefined) box.placeholder = asLine(options.placeholder);
    // An edited value is not rendered as markup, and must come back unchanged.
    if (options.value !== undefined) box.value = options.value;
    const { link, copy } = options;
    const buttons = new Map<vscode.QuickInputButton, () => void>();
    if (copy !== undefined)
      buttons.set({ iconPath: new vscode.ThemeIcon("copy"), tooltip: asLine(`${copy.label}: ${copy.text}`) }, () => {
        void vscode.env.clipboard.writeText(copy.text);
        showForMoment(`Copied ${copy.text}`);
      });
    if (link !== undefined && isWebPage(link.url))
      buttons.set({ iconPath: new vscode.ThemeIcon("link-external"), tooltip: asLine(`${link.label}: ${link.url}`) }, () => {
        void openWebPage(link.url);
      });
    box.buttons = [...buttons.keys()];
    box.onDidTriggerButton((button) => buttons.get(button)?.());
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    return show(box, options, () => {
      const problem = options.validate?.(box.value);
      box.validationMessage = problem === undefined ? undefined : asLine(problem);
      return problem === undefined ? box.value : undefined;
    });
  },
  pick,
};

/** Shows an input until `accept` returns a value. Returns undefined if the input is hidden or aborted first. */
function show<T>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem & { value: T }>,
  options: Head,
  accept: () => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    let reply: T | undefined;
    const hide = (): void => input.hide();
    if (options.title !== undefined) input.title = asLine(options.title);
    input.ignoreFocusOut = true;
    input.step = options.step;
    input.totalSteps = options.totalSteps;
    input.onDidAccept(() => {
      reply = accept();
      if (reply !== undefined) input.hide();
    });
    const { back } = options;
    if (back !== undefined) {
      input.buttons = [vscode.QuickInputButtons.Back, ...input.buttons];
      input.onDidTriggerButton((button) => {
        if (button !== vscode.QuickInputButtons.Back) return;
        back();
        input.hide();
      });
    }
    const questionClosed = openQuestion();
    input.onDidHide(() => {
      questionClosed();
      options.signal?.removeEventListener("abort", hide);
      input.dispose();
      resolve(reply);
    });
    if (options.signal?.aborted) {
      questionClosed();
      input.dispose();
      resolve(undefined);
      return;
    }
    options.signal?.addEventListener("abort", hide, { once: true });
    input.show();
  });
}
