// Who records the requests of a run whole, for a saved test: an interface, since saved tests are above runs.
import type { FetchRequest } from "../../protocol/pack-process.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import type { TraceEntry } from "./request-trace.ts";

export interface RequestRecorder {
  /** Requests keep the order in which they began. */
  begin(request: FetchRequest): RecordedRequest;
  /** An answer came from where nobody records. */
  missed(): void;
}

export interface RecordedRequest {
  /** Each hop, when it was answered or is given up. */
  hop(trace: RequestTrace["id"], hop: TraceEntry): void;
  end(): void;
}
