// The platform's questions in VS Code's own quick inputs: masked fields, steps, a link, Escape for cancel.
import * as vscode from "vscode";
import type { Prompter } from "../platform/host.ts";

export const prompter: Prompter = {
  input(options) {
    const box = vscode.window.createInputBox();
    box.prompt = options.prompt;
    box.password = options.secret === true;
    if (options.placeholder !== undefined) box.placeholder = options.placeholder;
    if (options.value !== undefined) box.value = options.value;
    const { link } = options;
    if (link !== undefined && isWebPage(link.url)) {
      box.buttons = [{ iconPath: new vscode.ThemeIcon("link-external"), tooltip: `${link.label}: ${link.url}` }];
      box.onDidTriggerButton(() => void vscode.env.openExternal(vscode.Uri.parse(link.url)));
    }
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    return show(box, options, () => {
      const problem = options.validate?.(box.value);
      box.validationMessage = problem;
      return problem === undefined ? box.value : undefined;
    });
  },
  pick(options) {
    const list = vscode.window.createQuickPick<vscode.QuickPickItem & { value: (typeof options.items)[number]["value"] }>();
    list.placeholder = options.placeholder;
    list.matchOnDescription = true;
    list.items = options.items.map((item) => ({ ...item }));
    return show(list, options, () => list.selectedItems[0]?.value);
  },
};

/** The configuration names the link: nothing but a page of the web is opened from it. */
const isWebPage = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Shows an input until `accept` gives a value, or until it is hidden or aborted: then undefined. */
function show<T>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem & { value: T }>,
  options: { readonly title: string; readonly step?: number; readonly totalSteps?: number; readonly signal?: AbortSignal },
  accept: () => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    let answer: T | undefined;
    const hide = (): void => input.hide();
    input.title = options.title;
    input.ignoreFocusOut = true;
    input.step = options.step;
    input.totalSteps = options.totalSteps;
    input.onDidAccept(() => {
      answer = accept();
      if (answer !== undefined) input.hide();
    });
    input.onDidHide(() => {
      options.signal?.removeEventListener("abort", hide);
      input.dispose();
      resolve(answer);
    });
    if (options.signal?.aborted) {
      input.dispose();
      resolve(undefined);
      return;
    }
    options.signal?.addEventListener("abort", hide, { once: true });
    input.show();
  });
}
