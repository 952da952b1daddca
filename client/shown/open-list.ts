// A list that opens before its items are known. Text that the person types in the meantime stays, and filters the items.
import * as vscode from "vscode";
import { asLine } from "./foreign-text.ts";
import { type Question, rowOf } from "./questions.ts";

interface OpenList {
  /**
   * Returns one of the items; undefined if the person cancelled, now or earlier. A question with another placeholder starts without the
   * text that was typed for the first one.
   */
  ask<T>(question: Question<T>): Promise<T | undefined>;
  readonly isClosed: boolean;
  close(): void;
}

export function openList(placeholder: string): OpenList {
  const list = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: unknown }>();
  let isClosed = false;
  let resolveChoice: ((value: unknown) => void) | undefined;
  const wait = (typed: string): void => {
    list.placeholder = asLine(placeholder);
    list.items = [];
    list.value = typed;
    list.busy = true;
  };
  list.matchOnDescription = true;
  list.ignoreFocusOut = true;
  list.onDidAccept(() => {
    const [selected] = list.selectedItems;
    if (selected !== undefined) resolveChoice?.(selected.value);
  });
  list.onDidHide(() => {
    isClosed = true;
    resolveChoice?.(undefined);
    list.dispose();
  });
  wait("");
  list.show();
  return {
    async ask<T>(question: Question<T>) {
      if (isClosed) return undefined;
      const typed = list.value;
      if (question.placeholder !== placeholder) list.value = "";
      list.placeholder = asLine(question.placeholder);
      list.items = question.items.map(rowOf);
      list.busy = false;
      const value = await new Promise<unknown>((resolve) => {
        resolveChoice = resolve;
      });
      resolveChoice = undefined;
      if (!isClosed) wait(question.placeholder === placeholder ? "" : typed);
      return value as T | undefined;
    },
    get isClosed() {
      return isClosed;
    },
    close: () => list.hide(),
  };
}
