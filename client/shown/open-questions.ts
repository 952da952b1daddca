// Tracks whether a question is open. The progress of its task is then hidden, because the question already shows the current step.
import * as vscode from "vscode";

let count = 0;
const emitter = new vscode.EventEmitter<boolean>();

export const isQuestionOpen = (): boolean => count > 0;

/** Fires with true when the first question opens, and with false when the last one closes. */
export const onDidChangeQuestions = emitter.event;

/** Counts a question as open until the returned function is called. */
export function openQuestion(): () => void {
  if (++count === 1) emitter.fire(true);
  return () => {
    if (--count === 0) emitter.fire(false);
  };
}
