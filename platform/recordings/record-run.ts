// A run with its record of all requests and responses. The report shows only their beginnings; tests, schemas and answers of the sandbox
// need them in full. Invariant: the record stays in the host's memory, and whatever it returns is masked.
import { isRecord } from "../../base/is-record.ts";
import type { McpTarget } from "../../protocol/mcp.ts";
import type { RequestTrace, RunReport, RunTarget } from "../../protocol/run.ts";
import { maskedBody } from "../bodies/masked-body.ts";
import { isCut, readShown } from "../bodies/shown-body.ts";
import { resolveDates } from "../runs/date-range.ts";
import { run } from "../runs/run.ts";
import type { RunInput } from "../runs/run-input.ts";
import type { RunObserver } from "../runs/run-observer.ts";
import type { RunWorld } from "../runs/run-world.ts";
import type { Credential } from "../secrets/credential.ts";
import { createRecorder, type Recorder } from "./recorder.ts";

export interface RunRecord<Target extends RunTarget | McpTarget = RunTarget> {
  /** What was run. Live ranges of dates are resolved. */
  readonly input: RunInput<Target>;
  /** Its redactor knows every secret of the run. */
  readonly world: RunWorld;
  readonly report: RunReport;
  readonly recorder: Recorder;
  /** The account's credential at the beginning of the run. */
  readonly credential: Credential | undefined;
}

export async function recordRun<Target extends RunTarget | McpTarget>(
  liveInput: RunInput<Target>,
  world: RunWorld,
  observer: RunObserver,
): Promise<RunRecord<Target>> {
  // Live ranges are resolved now: "last 30 days" is another range tomorrow.
  const input = { ...liveInput, parameters: liveInput.parameters.map((value) => resolveDates(value, liveInput.timezone)) };
  const recorder = createRecorder();
  const credential = world.account?.credential;
  const report = await run(input, world, { ...observer, recorder });
  return { input, world, report, recorder, credential };
}

type Whole = Pick<RunRecord<RunTarget | McpTarget>, "report" | "recorder" | "world">;

/** Returns the whole response body of a trace, masked: its parsed JSON or its text. Returns undefined if the body was not kept. */
export async function readWholeResponse({ id, method, url }: RequestTrace, { report, recorder, world }: Whole): Promise<unknown> {
  // A request that was merged or cached has the response of the request that was sent.
  const same = report.requests.filter((other) => other.id === id || (other.method === method && other.url === url));
  const hop = recorder.completedHop(id) ?? same.map((other) => recorder.completedHop(other.id)).find((match) => match !== undefined);
  if (hop === undefined) return undefined;
  const { body, headers } = hop.response;
  const masked = await maskedBody(body, headers["content-type"] ?? "", { binary: false, parsed: true }, world.redactor);
  if ("unparsed" in masked) return readShown(masked.unparsed, false) ?? masked.unparsed;
  return "json" in masked ? masked.json : "text" in masked ? masked.text : undefined;
}

/**
 * Returns the responses to all similar requests, such as the pages of a table or tasks by their ids. Without a record it returns the body
 * that the trace shows.
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

/**
 * Returns a key that similar requests share, independent of the query. A path segment with a digit is considered an id. The body's member
 * names, query and operationName are included.
 */
export function kindOf({ method, message, url, requestBody }: Pick<RequestTrace, "method" | "message" | "url" | "requestBody">): string {
  const [address = ""] = url.split(/[?#]/);
  const path = address.replaceAll(/(?<=\/)[^/]*\d[^/]*/g, "*");
  const body = requestBody === undefined ? undefined : readShown(requestBody, true);
  const bodyKind = isRecord(body) ? [Object.keys(body).sort(), body.query, body.operationName] : [];
  return JSON.stringify([method, message, path, bodyKind]);
}
