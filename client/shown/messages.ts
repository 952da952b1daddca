// Notifications, progress, the status bar and the log. Every message goes through this file, because many contain text from outside.
import * as vscode from "vscode";
import { asEntry, asLine, asText } from "./foreign-text.ts";
import { isQuestionOpen, onDidChangeQuestions } from "./open-questions.ts";

type Show = typeof vscode.window.showInformationMessage;

/** Shows a message and returns the pressed button. */
type Say = (message: string, ...buttons: readonly string[]) => Promise<string | undefined>;

/** Characters that fit on one line of a notification. */
const LINE = 40;

const saying =
  (show: Show, options: vscode.MessageOptions): Say =>
  async (message, ...buttons) => {
    const text = asLine(message);
    const items = buttons.map((button): { title: string; button?: string } => ({ title: asLine(button), button }));
    // The editor truncates a notification without a button after its first line.
    if (items.length === 0 && text.length > LINE) items.push({ title: "OK" });
    return (await show(text, options, ...items))?.button;
  };

export const showInformation = saying(vscode.window.showInformationMessage, {});
export const showWarning = saying(vscode.window.showWarningMessage, {});
export const showError = saying(vscode.window.showErrorMessage, {});

/** Shows a message with buttons, and runs the action of the pressed one. */
export async function offer(show: Say, message: string, actions: Readonly<Record<string, () => unknown>>): Promise<void> {
  const pressed = await show(message, ...Object.keys(actions));
  if (pressed !== undefined) await actions[pressed]?.();
}

const askFirst = saying(vscode.window.showWarningMessage, { modal: true });
/** Asks a modal question. Returns whether the person pressed `button`, the one beside Cancel. */
export const confirm = async (message: string, button: string): Promise<boolean> => (await askFirst(message, button)) === button;

/** Asks a modal question with a text below it. Returns the pressed button; undefined if the person closed the question. */
export const askModal = (message: string, detail: string, ...buttons: readonly string[]): Promise<string | undefined> =>
  saying(vscode.window.showWarningMessage, { modal: true, detail: asText(detail) })(message, ...buttons);

/** Shows a message in the status bar for three seconds. */
export function showForMoment(message: string): void {
  vscode.window.setStatusBarMessage(asLine(message), 3_000);
}

/** Shows a button in the status bar that runs a command, until it is disposed. */
export function showStatusButton(label: string, command: string): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(command, vscode.StatusBarAlignment.Left);
  item.name = asLine(label);
  item.text = `$(close) ${asLine(label)}`;
  item.command = command;
  item.show();
  return item;
}

/** Milliseconds between two questions; a notification in between would only flash. */
const BETWEEN_QUESTIONS = 500;

/**
 * Shows the progress of `work` in a notification with *Cancel*, unless a question is open. `work` receives a function that reports the
 * current step, and a signal that *Cancel* aborts: that of `abort`.
 */
export async function showProgress<T>(
  title: string,
  work: (reportStep: (message: string) => void, signal: AbortSignal) => Promise<T>,
  abort = new AbortController(),
): Promise<T> {
  let message = "";
  let notification: ProgressNotification | undefined;
  let opening: NodeJS.Timeout | undefined;
  const open = (): void => {
    notification = openProgress(title, () => abort.abort());
    notification.update(message);
  };
  const close = (): void => {
    clearTimeout(opening);
    notification?.close();
    notification = undefined;
  };
  const listening = onDidChangeQuestions((isOpen) => {
    close();
    if (!isOpen) opening = setTimeout(open, BETWEEN_QUESTIONS);
  });
  if (!isQuestionOpen()) open();
  try {
    return await work((news) => {
      message = news;
      notification?.update(news);
    }, abort.signal);
  } finally {
    listening.dispose();
    close();
  }
}

/** As {@link showProgress}, for work that throws when the signal aborts. Returns undefined then. */
export const showCancellable = <T>(
  title: string,
  work: (reportStep: (message: string) => void, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> =>
  showProgress(title, async (reportStep, signal) => {
    try {
      const result = await work(reportStep, signal);
      return signal.aborted ? undefined : result;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });

interface ProgressNotification {
  update(message: string): void;
  close(): void;
}

function openProgress(title: string, cancel: () => void): ProgressNotification {
  let close = (): void => {};
  const whenClosed = new Promise<void>((resolve) => {
    close = resolve;
  });
  let report: vscode.Progress<{ message: string }> | undefined;
  let latest = "";
  const options = { location: vscode.ProgressLocation.Notification, title: asLine(title), cancellable: true };
  void vscode.window.withProgress(options, (progress, cancellation) => {
    cancellation.onCancellationRequested(cancel);
    report = progress;
    if (latest !== "") progress.report({ message: latest });
    return whenClosed;
  });
  return {
    update(message) {
      latest = asLine(message);
      report?.report({ message: latest });
    },
    close,
  };
}

export interface Log extends vscode.Disposable {
  info(message: string): void;
  error(message: string): void;
  show(): void;
}

export function openLog(name: string): Log {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  return {
    info: (message) => channel.info(asEntry(message)),
    error: (message) => channel.error(asEntry(message)),
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}
