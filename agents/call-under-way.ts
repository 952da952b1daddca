// A call that outlives the patience of the client: it answers that it is still under way, and the next call of the same tool with the same
// arguments gets its result. Otherwise a client that gives up after a minute would leave the person's answer to nobody.
import { PackAuthError } from "../platform/errors.ts";

/** Who waits for the call; see ToolCall. */
interface Caller {
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export class CallUnderWay {
  readonly #controller = new AbortController();
  readonly #result: Promise<unknown>;
  /** Where steps are reported; undefined while no client waits. */
  #progress: Caller["progress"] | undefined;

  constructor(work: (call: Caller) => Promise<unknown>) {
    // The work begins once somebody hears of its steps.
    this.#result = Promise.resolve().then(() =>
      work({ signal: this.#controller.signal, progress: (message) => this.#progress?.(message) }),
    );
    // Nobody may wait when it fails.
    this.#result.catch(() => {});
  }

  /** Resolves to the result, or to undefined after `patience` milliseconds. An abort of the client ends the work. */
  async next({ signal, progress }: Caller, patience: number | undefined): Promise<unknown> {
    const stop = (): void => this.#controller.abort(signal.reason);
    let timer: NodeJS.Timeout | undefined;
    this.#progress = progress;
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const late = new Promise<undefined>((resolve) => {
      if (patience !== undefined) timer = setTimeout(() => resolve(undefined), patience);
    });
    try {
      return await Promise.race([this.#result, late]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      this.#progress = undefined;
    }
  }
}

/** `isAsking`: whether the person has a question open. */
export const underWay = (isAsking: boolean): PackAuthError =>
  new PackAuthError("still-under-way", isAsking ? "The person has not answered yet." : "The call has not ended yet.", {
    hint: "Call the tool again with the same arguments. It goes on meanwhile, and that call gets the result.",
  });
