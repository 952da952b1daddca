// Records the complete requests of a run for a saved test. This is an interface, because saved tests are a layer above runs.
import type { FetchRequest } from "../../protocol/pack-process.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import type { TraceEntry } from "./request-trace.ts";

export interface RequestRecorder {
  /** Starts recording a request; requests keep the order in which they began. */
  begin(request: FetchRequest): RecordedRequest;
  /** Reports a response that could not be recorded. */
  missed(): void;
}

export interface RecordedRequest {
  /** Records each hop when it gets its response or fails. */
  hop(trace: RequestTrace["id"], hop: TraceEntry): void;
  end(): void;
}
