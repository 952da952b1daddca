// What has happened in a run so far, for its report. Every event is passed on to the run's own observer.
import { isOfMcp, type McpTarget } from "../../protocol/mcp.ts";
import type { ConsoleEntry, PlatformDifference, RequestTrace, RunTarget } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import type { Redactor } from "../secrets/redact.ts";
import { createPlatformDifferences, responseNotes } from "./platform-differences.ts";
import type { ResponseTrace, RunObserver } from "./run-observer.ts";

/** The number of requests whose headers and bodies are kept. Further requests are kept without them. */
const MOST_FULL_TRACES = 500;
const MOST_ECHO_READS = 50;

export class Observations {
  readonly requests: RequestTrace[] = [];
  readonly console: ConsoleEntry[] = [];
  readonly responses: ResponseTrace[] = [];
  /** Why the token could not be refreshed. */
  refreshFailure: PackAuthError | undefined;
  readonly observer: RunObserver;
  /** Requests that were sent and are not answered yet, by number. */
  readonly #unanswered = new Map<number, string>();
  readonly #echoReads = new Map<number, string[]>();
  readonly #platformDifferences;

  constructor(target: RunTarget | McpTarget, redactor: Redactor, next: RunObserver) {
    this.#platformDifferences = createPlatformDifferences(next.onPlatformDifference);
    const onPlatformDifference = (note: PlatformDifference): void => this.#platformDifferences.add(redactor.redactValue(note));
    this.observer = {
      ...next,
      onPlatformDifference,
      onRequest: (trace) => {
        const boundedTrace = this.requests.length < MOST_FULL_TRACES ? trace : withoutBodies(trace);
        this.requests.push(boundedTrace);
        if (boundedTrace.echoed !== undefined) this.#echoReads.set(boundedTrace.id, []);
        next.onRequest(boundedTrace);
      },
      onSending: (sending) => {
        this.#unanswered.set(sending.id, `${sending.method} ${sending.url}`);
        next.onSending(sending);
      },
      onSent: (id) => {
        this.#unanswered.delete(id);
        next.onSent(id);
      },
      onConsole: (entry) => {
        this.console.push(entry);
        next.onConsole(entry);
      },
      onRefreshFailed: (error) => {
        if (error instanceof PackAuthError) this.refreshFailure = error;
      },
      onResponse: (response) => {
        this.responses.push(response);
        if (!isOfMcp(target)) for (const note of responseNotes(response)) onPlatformDifference(note);
      },
      onEchoRead: (request, field) => {
        const reads = this.#echoReads.get(request);
        if (reads !== undefined && reads.length < MOST_ECHO_READS) reads.push(field);
      },
    };
  }

  get unanswered(): readonly string[] {
    return [...this.#unanswered.values()];
  }

  get platformDifferences(): readonly PlatformDifference[] {
    return this.#platformDifferences.list();
  }

  /** Returns the requests, each with the fields that the pack read in its echo. */
  requestsWithReads(): readonly RequestTrace[] {
    return this.requests.map((trace) => {
      const fields = this.#echoReads.get(trace.id) ?? [];
      return trace.echoed === undefined || fields.length === 0 ? trace : { ...trace, echoed: { ...trace.echoed, fields } };
    });
  }
}

function withoutBodies({
  requestBody: _request,
  responseBody: _response,
  responseHeaders: _headers,
  ...trace
}: RequestTrace): RequestTrace {
  return trace;
}
