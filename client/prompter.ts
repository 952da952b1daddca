// The platform's questions in VS Code's own quick inputs: masked fields, steps, a link, Escape for cancel.
import * as vscode from "vscode";
import type { Prompter } from "../platform/host.ts";

export const prompter: Prompter = {
  input(options) {
    return new Promise((resolve) => {
      const box = vscode.window.createInputBox();
      box.title = options.title;
      box.prompt = options.prompt;
      box.password = options.secret === true;
      box.ignoreFocusOut = true;
      if (options.step !== undefined) box.step = options.step;
      if (options.totalSteps !== undefined) box.totalSteps = options.totalSteps;
      if (options.placeholder !== undefined) box.placeholder = options.placeholder;
      if (options.value !== undefined) box.value = options.value;
      const { link } = options;
      if (link !== undefined) box.buttons = [{ iconPath: new vscode.ThemeIcon("link-external"), tooltip: link.label }];
      let answer: string | undefined;
      const abort = (): void => box.hide();
      box.onDidTriggerButton(() => link && void vscode.env.openExternal(vscode.Uri.parse(link.url)));
      box.onDidChangeValue(() => {
        box.validationMessage = undefined;
      });
      box.onDidAccept(() => {
        const problem = options.validate?.(box.value);
        if (problem !== undefined) {
          box.validationMessage = problem;
          return;
        }
        answer = box.value;
        box.hide();
      });
      box.onDidHide(() => {
        options.signal?.removeEventListener("abort", abort);
        box.dispose();
        resolve(answer);
      });
      options.signal?.addEventListener("abort", abort, { once: true });
      box.show();
    });
  },
  pick(options) {
    return new Promise((resolve) => {
      const list = vscode.window.createQuickPick<vscode.QuickPickItem & { value: (typeof options.items)[number]["value"] }>();
      list.title = options.title;
      list.placeholder = options.placeholder;
      list.ignoreFocusOut = true;
      list.matchOnDescription = true;
      list.items = options.items.map((item) => ({ ...item }));
      if (options.step !== undefined) list.step = options.step;
      if (options.totalSteps !== undefined) list.totalSteps = options.totalSteps;
      let answer: (typeof options.items)[number]["value"] | undefined;
      const abort = (): void => list.hide();
      list.onDidAccept(() => {
        answer = list.selectedItems[0]?.value;
        list.hide();
      });
      list.onDidHide(() => {
        options.signal?.removeEventListener("abort", abort);
        list.dispose();
        resolve(answer);
      });
      options.signal?.addEventListener("abort", abort, { once: true });
      list.show();
    });
  },
};
