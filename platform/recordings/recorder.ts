// Records the requests and responses of a run in full, as the tracing of each hop reports them. The record stays in the host's memory. Its
// content is masked with all secrets of the run before it is returned.
import { defined } from "../../base/defined.ts";
import type { NextStep } from "../../protocol/next-step.ts";
import type { FetchRequest } from "../../protocol/pack-process.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import { SIGNATURE_HEADERS } from "../aws/sign-request.ts";
import { PackAuthError } from "../errors.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import { logicalText } from "../network/sandbox-address.ts";
import type { RequestRecorder } from "../requests/request-recorder.ts";
import type { TraceEntry } from "../requests/request-trace.ts";
import { MASK, type Redactor } from "../secrets/redact.ts";
import type { SentRequest } from "./match.ts";
import type { SavedBody, SavedRequest } from "./saved-test.ts";

/** Limits in bytes on one body and on all bodies. Larger bodies are not kept. */
const LARGEST_BODY = 5 * 1024 * 1024;
const LARGEST_RECORDING = 50 * 1024 * 1024;

export interface Recorder extends RequestRecorder {
  /** Whether all responses were recorded, not counting bodies that were too large. */
  readonly isComplete: boolean;
  /**
   * Returns the hop of a trace with the response's body. Returns undefined if it was not sent or not answered, or if the body is too large.
   */
  completedHop(trace: RequestTrace["id"]): CompletedHop | undefined;
  /** Returns the recorded requests, masked. Throws recording-refused for requests that cannot be replayed. */
  requests(sandboxOrigin: string | undefined, redactor: Redactor): readonly SavedRequest[];
}

type RecordedResponse = NonNullable<TraceEntry["response"]> & { readonly body: Uint8Array };
type CompletedHop = TraceEntry & { readonly response: RecordedResponse };

interface FetchRecord {
  readonly request: FetchRequest;
  hops: TraceEntry[];
  isOver: boolean;
}

export function createRecorder(): Recorder {
  const fetches: FetchRecord[] = [];
  const byTrace = new Map<RequestTrace["id"], TraceEntry>();
  let size = 0;
  let tooLarge: string | undefined;
  let isComplete = true;
  /** Returns the hop, without its bodies if they are too large. */
  function bounded(hop: TraceEntry): TraceEntry {
    const { request, response } = hop;
    const received = response?.body?.byteLength ?? 0;
    const sentBytes = request.body === undefined ? 0 : Buffer.byteLength(request.body);
    const isLarge = Math.max(received, sentBytes) > LARGEST_BODY;
    if (!isLarge && size + received + sentBytes <= LARGEST_RECORDING) {
      size += received + sentBytes;
      return hop;
    }
    tooLarge ??= isLarge
      ? `a body of ${request.method} ${new URL(request.url).host} is larger than 5 MB`
      : "all bodies together are larger than 50 MB";
    const { body: _, ...head } = request;
    const { body: __, ...responseHead } = response ?? {};
    return { ...hop, request: head, ...(response === undefined ? {} : { response: responseHead as typeof response }) };
  }
  return {
    begin(request) {
      const one: FetchRecord = { request, hops: [], isOver: false };
      fetches.push(one);
      return {
        hop(trace, whole) {
          const hop = bounded(whole);
          byTrace.set(trace, hop);
          // After a 401 the same request follows with another credential, or with none. Renewing the credential is not part of the test, so
          // the earlier hops are dropped.
          if (hop.redirectedFrom === undefined) one.hops = [];
          one.hops.push(hop);
        },
        end() {
          one.isOver = true;
        },
      };
    },
    missed() {
      isComplete = false;
    },
    get isComplete() {
      return isComplete;
    },
    completedHop(trace) {
      const hop = byTrace.get(trace);
      return hop !== undefined && hasResponse(hop) ? hop : undefined;
    },
    requests(sandboxOrigin, redactor) {
      if (tooLarge !== undefined) throw notSaved(redactor.redact(tooLarge), "Let the formula ask for less: a smaller page, fewer fields.");
      const unanswered = fetches.find(({ isOver }) => !isOver)?.request;
      if (unanswered !== undefined) throw noResponse(unanswered, redactor);
      return fetches.flatMap(({ request, hops }) =>
        hops
          // The URL policy also blocks the request in a replay.
          .filter(({ failure }) => failure !== "blocked")
          .map((hop) => savedRequest(hop, request.url, sandboxOrigin, redactor)),
      );
    },
  };
}

const hasResponse = (hop: TraceEntry): hop is CompletedHop => hop.failure === undefined && hop.response?.body !== undefined;

export const notSaved = (why: string, hint: string | undefined, nextStep?: NextStep): PackAuthError =>
  new PackAuthError("recording-refused", `The run was not saved as a test: ${why}.`, { hint, nextStep });

const noResponse = ({ method, url }: Pick<OutgoingRequest, "method" | "url">, redactor: Redactor): PackAuthError =>
  notSaved(`${method} ${redactor.redact(withoutTokens(url))} got no answer`, "Run it again once that host answers.");

function savedRequest(hop: TraceEntry, originalUrl: string, sandboxOrigin: string | undefined, redactor: Redactor): SavedRequest {
  const { request, credentials = [] } = hop;
  if (!hasResponse(hop)) throw noResponse(request, redactor);
  const { status, headers, body, binary } = hop.response;
  const isFirst = hop.redirectedFrom === undefined;
  const location = headers.location === undefined ? undefined : logicalText(headers.location, sandboxOrigin);
  const sentRequest = asSent(request, redactor);
  // These headers belong to the connection (RFC 9110, section 7.6.1).
  const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...own } = headers;
  return {
    ...sentRequest,
    ...defined({
      asked: isFirst && originalUrl !== sentRequest.url ? redactor.redact(withoutTokens(originalUrl)) : undefined,
      redirected: isFirst ? undefined : (true as const),
      binary: binary ? (true as const) : undefined,
    }),
    credentials: credentials.map(({ carrier }) => carrier),
    response: {
      status,
      headers: redactor.redactValue({ ...own, ...defined({ location }) }),
      ...savedBody(body, headers["content-type"] ?? "", binary, redactor),
    },
  };
}

/** Replaces the invocation token in placeholders, because it is different each time. */
const withoutTokens = (url: string): string =>
  url.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=\}\}|%7D%7D)/gi, "TOKEN");

/** Returns a hop as it was sent, masked. It still shows which header or parameter carried the credential. */
export function asSent({ method, url, headers: rawHeaders, body }: OutgoingRequest, redactor: Redactor): SentRequest {
  const headers = withoutOwnCredential(redactor.redactValue(withoutSignature(rawHeaders)));
  return {
    method,
    url: redactor.redact(url),
    headers,
    ...(body === undefined ? {} : { body: savedBody(body, headers["content-type"] ?? "", typeof body !== "string", redactor) }),
  };
}

/** Removes a signature, which depends on the time. The scheme stays. */
function withoutSignature(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [scheme] = headers.authorization?.split(" ") ?? [];
  if (!scheme?.startsWith("AWS4-")) return headers;
  const own = Object.entries(headers).filter(([name]) => !SIGNATURE_HEADERS.some((signed) => signed === name));
  return { ...Object.fromEntries(own), authorization: `${scheme} ${MASK}` };
}

/** Masks a credential that the pack made itself, such as a JWT. It is a secret too, and often different each time. */
function withoutOwnCredential(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { authorization } = headers;
  if (authorization === undefined || authorization.includes(MASK)) return headers;
  const [scheme, value] = authorization.split(" ", 2);
  return { ...headers, authorization: value === undefined ? MASK : `${scheme} ${MASK}` };
}

function savedBody(body: string | Uint8Array, contentType: string, binary: boolean, redactor: Redactor): SavedBody {
  const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.length === 0) return {};
  const text = bytes.toString();
  // A body that is not UTF-8, or that the pack reads as bytes, is saved as bytes.
  if (binary || !Buffer.from(text).equals(bytes) || /charset=(?!"?utf-?8)/i.test(contentType))
    return { base64: Buffer.from(redactor.redactBytes(bytes)).toString("base64") };
  try {
    const json: unknown = JSON.parse(text);
    if (json !== null && typeof json === "object") return { json: redactor.redactValue(json) };
  } catch {
    // The body is not JSON, so it is saved as text.
  }
  return { text: redactor.redact(text) };
}
