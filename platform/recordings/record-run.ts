// A run with its record: everything that was sent and that came. The report shows the beginnings of it; a test, a schema and an answer of the
// sandbox are made of the whole. Invariant: it lives in the host's memory, and what it gives is masked.
import { isRecord } from "../../base/is-record.ts";
import type { McpTarget } from "../../protocol/mcp.ts";
import type { ParameterValue, RequestTrace, RunReport, RunTarget } from "../../protocol/run.ts";
import { maskedBody } from "../bodies/masked-body.ts";
import { isCut, readShown } from "../bodies/shown-body.ts";
import type { Pack } from "../process/pack.ts";
import { resolveDates } from "../runs/date-range.ts";
import { ownTimezone } from "../runs/read-date.ts";
import { run } from "../runs/run.ts";
import type { RunOptions } from "../runs/run-options.ts";
import type { Credential } from "../secrets/credential.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";
import { createRecorder, type Recorder } from "./recorder.ts";

export interface RunRecord<Target extends RunTarget | McpTarget = RunTarget> {
  readonly pack: Pack;
  readonly target: Target;
  readonly parameters: readonly ParameterValue[];
  readonly timezone: string;
  readonly options: RunOptions;
  readonly report: RunReport;
  readonly recorder: Recorder;
  /** Knows every secret that the run met. */
  readonly redactor: Redactor;
  /** What the account had when the run began. */
  readonly credential: Credential | undefined;
}

export async function recordRun<Target extends RunTarget | McpTarget>(
  pack: Pack,
  target: Target,
  rawParameters: readonly ParameterValue[],
  options: RunOptions,
): Promise<RunRecord<Target>> {
  const timezone = options.timezone ?? ownTimezone;
  // Today's "last 30 days" are others than tomorrow's.
  const parameters = rawParameters.map((value) => resolveDates(value, timezone));
  const redactor = options.redactor ?? createRedactor();
  const recorder = createRecorder();
  const credential = options.account?.credential;
  const report = await run(pack, target, parameters, { ...options, timezone, redactor, recorder });
  return { pack, target, parameters, timezone, options, report, recorder, redactor, credential };
}

type Whole = Pick<RunRecord<RunTarget | McpTarget>, "report" | "recorder" | "redactor">;

/** The whole answer that a trace shows the beginning of, masked: what its JSON says, or its text. Undefined where it was not kept. */
export async function readWholeResponse({ id, method, url }: RequestTrace, { report, recorder, redactor }: Whole): Promise<unknown> {
  // One that was not sent again has the answer of the one that was.
  const same = report.requests.filter((other) => other.id === id || (other.method === method && other.url === url));
  const hop = recorder.completedHop(id) ?? same.map((other) => recorder.completedHop(other.id)).find((match) => match !== undefined);
  if (hop === undefined) return undefined;
  const { body, headers } = hop.response;
  const masked = await maskedBody(body, headers["content-type"] ?? "", { binary: false, parsed: true }, redactor);
  if ("unparsed" in masked) return readShown(masked.unparsed, false) ?? masked.unparsed;
  return "json" in masked ? masked.json : "text" in masked ? masked.text : undefined;
}

/**
 * The answers to all requests that ask for the same, such as the pages of a table, or tasks by their ids. Without a record: what the trace
 * shows of its own.
 */
export async function readSimilarResponses(trace: RequestTrace, record: Whole | undefined): Promise<readonly unknown[]> {
  const kind = kindOf(trace);
  const isAlike = (other: RequestTrace): boolean =>
    other.id === trace.id || (other.status !== undefined && other.status >= 200 && other.status < 300 && kindOf(other) === kind);
  const responses: unknown[] = [];
  for (const each of record?.report.requests.filter(isAlike) ?? []) {
    const response = await readWholeResponse(each, record as Whole);
    if (response !== undefined) responses.push(response);
  }
  return responses.length > 0 ? responses : [readShown(trace.responseBody ?? "", isCut(trace))];
}

/** What a request asks for, whatever its query: a segment of the path with a digit is an id, and what a body asks for is its query. */
function kindOf({ method, message, url, requestBody }: RequestTrace): string {
  const [address = ""] = url.split(/[?#]/);
  const path = address.replaceAll(/(?<=\/)[^/]*\d[^/]*/g, "*");
  const body = requestBody === undefined ? undefined : readShown(requestBody, true);
  const bodyKind = isRecord(body) ? [Object.keys(body).sort(), body.query, body.operationName] : [];
  return JSON.stringify([method, message, path, bodyKind]);
}
