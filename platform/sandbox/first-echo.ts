// Finds the first request of an execution for which the sandbox had no answer, and what is known of the missing answer.
import type { RequestTrace } from "../../protocol/run.ts";
import { observe, type RunObserver } from "../runs/run-observer.ts";
import type { ExpectedResult } from "./propose-stub.ts";

export interface Echo {
  readonly request: RequestTrace;
  readonly expected: ExpectedResult;
}

/**
 * Returns an observer that passes each request on to `onRequest`. `echo` returns the first echoed request; its argument is the error with
 * which the execution failed.
 */
export function watchForEcho(onRequest: RunObserver["onRequest"] = () => {}): {
  readonly observer: RunObserver;
  echo(error?: unknown): Echo | undefined;
} {
  let first: RequestTrace | undefined;
  const fields: string[] = [];
  return {
    observer: observe({
      onRequest(trace) {
        if (trace.echoed !== undefined) first ??= trace;
        onRequest(trace);
      },
      onEchoRead(request, field) {
        if (request === first?.id) fields.push(field);
      },
    }),
    echo: (error) =>
      first?.echoed === undefined
        ? undefined
        : { request: { ...first, echoed: { ...first.echoed, fields } }, expected: error instanceof Error ? { error: error.message } : {} },
  };
}
