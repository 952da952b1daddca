// The events of a run, for whoever observes it.
import type { ConsoleEntry, PlatformDifference, RequestTrace, SourceLocation } from "../../protocol/run.ts";
import type { RequestRecorder } from "../requests/request-recorder.ts";

/** A request that was answered, and the line of the pack that sent it. */
export interface ResponseTrace {
  readonly status: number;
  readonly method: string;
  /** Masked. */
  readonly url: string;
  readonly location?: SourceLocation;
}

/** A request as the pack sent it to the fetcher. */
export interface Sending {
  readonly id: number;
  readonly method: string;
  readonly url: string;
}

export interface RunObserver {
  /**
   * Reports that a request begins to wait for its response; `onSent` reports the end. `id` is the same in both, but is not the id of a
   * trace. Masked.
   */
  onSending(request: Sending): void;
  onSent(id: number): void;
  onRequest(trace: RequestTrace): void;
  onResponse(response: ResponseTrace): void;
  onConsole(entry: ConsoleEntry): void;
  /** Reports how many rows of a table were read so far. */
  onRows(count: number): void;
  onPlatformDifference(note: PlatformDifference): void;
  onRefreshFailed(error: unknown): void;
  /** Reports a field that the pack read in an echo of the sandbox; masked. */
  onEchoRead(request: RequestTrace["id"], field: string): void;
  /** Records requests and responses in full. */
  readonly recorder: RequestRecorder;
}

const ignore = (): void => {};

const SILENT: RunObserver = {
  onSending: ignore,
  onSent: ignore,
  onRequest: ignore,
  onResponse: ignore,
  onConsole: ignore,
  onRows: ignore,
  onPlatformDifference: ignore,
  onRefreshFailed: ignore,
  onEchoRead: ignore,
  recorder: { begin: () => ({ hop: ignore, end: ignore }), missed: ignore },
};

/** Returns an observer that ignores the events without a handler. */
export const observe = (handlers: Partial<RunObserver> = {}): RunObserver => ({ ...SILENT, ...handlers });
