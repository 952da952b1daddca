// A list that is on the screen before what stands in it is known: what is typed meanwhile stays, and narrows it when it comes.
import * as vscode from "vscode";
import { asLine } from "./foreign-text.ts";
import { type Question, rowOf } from "./questions.ts";

interface OpenList {
  /**
   * One of the items; undefined where the person cancelled, before or now. Another question than the one that the list was opened with
   * begins without what was typed for that one.
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
