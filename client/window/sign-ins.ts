// The sign-ins of this window. A sign-in waits for the browser for minutes, while the author does something else and its notification goes:
// a button in the status bar and a command cancel it, and a new sign-in for the same pack replaces it.
import type * as vscode from "vscode";
import { showForMoment, showStatusButton } from "../shown/messages.ts";
import { pick } from "../shown/questions.ts";
import { setContext } from "./set-context.ts";

interface SignIn {
  readonly title: string;
  readonly abort: AbortController;
  /** Resolves when everything that the sign-in opened is closed. Never rejects. */
  readonly ended: Promise<void>;
}

const CANCEL_SIGN_IN = "packAuth.cancelSignIn";

export class SignIns implements vscode.Disposable {
  readonly #byKey = new Map<string, SignIn>();
  #button: vscode.Disposable | undefined;

  /** Cancels the sign-in with the same key, if any, and does the work of another when that has ended. The work ends soon after `abort`. */
  async replace<T>(key: string, title: string, work: (abort: AbortController) => Promise<T>): Promise<T> {
    for (let former = this.#byKey.get(key); former !== undefined; former = this.#byKey.get(key)) {
      former.abort.abort();
      await former.ended;
    }
    const abort = new AbortController();
    const result = work(abort);
    const ended = result.then(
      () => {},
      () => {},
    );
    this.#byKey.set(key, { title, abort, ended });
    this.#show();
    try {
      return await result;
    } finally {
      this.#byKey.delete(key);
      this.#show();
    }
  }

  /** Cancels the sign-in, or the one that the person chooses of several. */
  async cancel(): Promise<void> {
    const signIns = [...this.#byKey.values()];
    const [only] = signIns;
    const chosen =
      signIns.length < 2
        ? only
        : await pick({
            placeholder: "Which sign-in do you want to cancel?",
            items: signIns.map((signIn) => ({ label: signIn.title, value: signIn })),
          });
    if (chosen === undefined) return;
    chosen.abort.abort();
    await chosen.ended;
    showForMoment(`Cancelled: ${chosen.title}`);
  }

  dispose(): void {
    for (const { abort } of this.#byKey.values()) abort.abort();
    this.#button?.dispose();
  }

  #show(): void {
    const signIns = [...this.#byKey.values()];
    const [first] = signIns;
    setContext("isSigningIn", first !== undefined);
    this.#button?.dispose();
    this.#button =
      first === undefined
        ? undefined
        : showStatusButton(signIns.length === 1 ? `Cancel: ${first.title}` : `Cancel one of ${signIns.length} sign-ins`, CANCEL_SIGN_IN);
  }
}
