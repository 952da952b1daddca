// Creates the trace of a request that people see: one entry per hop, masked and cut before any listener receives it.
import { defined } from "../../base/defined.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import { decodeText, isReadAsUtf8 } from "../bodies/response-body.ts";
import { SHOWN_BODY } from "../bodies/shown-body.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import type { Echoed } from "../network/sandbox-headers.ts";
import type { Redactor } from "../secrets/redact.ts";
import { echoedAddress } from "./echoed-address.ts";
import { shownAddress, shownHeaders } from "./shown-address.ts";

/** Bytes of one character in any encoding, including shift sequences. */
const LONGEST_CHARACTER = 8;

type Shown = "redirectedFrom" | "throughProxy" | "disablesAuthentication" | "diagnosis" | "duration" | "failureReason" | "hint" | "failure";

/** A complete hop. */
export interface TraceEntry extends Pick<RequestTrace, Shown>, Pick<Partial<RequestTrace>, "nextStep" | "credentials" | "warnings"> {
  readonly request: OutgoingRequest;
  readonly startedAt: number;
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** Undefined if the body was not read completely. */
    readonly body?: Uint8Array;
    /** Whether the pack requested a binary response. */
    readonly binary: boolean;
  };
  /** What the sandbox sent in place of a response of the API. */
  readonly echoed?: Echoed;
}

export interface Tracer {
  /** Records a hop and returns its ID. */
  record(entry: TraceEntry): number;
}

/** Called once for each hop, with its masked and cut trace for people, and with the complete hop. */
export type OnTrace = (trace: RequestTrace, hop: TraceEntry) => void;

export function createTracer(redactor: Redactor, sandbox: boolean, onTrace: OnTrace): Tracer {
  let nextId = 1;
  return {
    record(hop) {
      const { request, credentials = [], warnings = [], response, echoed, ...rest } = hop;
      const id = nextId++;
      const requestBody =
        request.body === undefined
          ? undefined
          : typeof request.body === "string"
            ? redactor.redactStart(request.body, SHOWN_BODY)
            : `(${request.body.byteLength} bytes)`;
      onTrace(
        redactor.redactValue<RequestTrace>({
          ...rest,
          id,
          method: request.method,
          // The pack wrote the URL of its first request; a server wrote the others, so their parameters may be secret.
          url: rest.redirectedFrom === undefined ? request.url : shownAddress(request.url),
          requestHeaders: request.headers,
          credentials,
          warnings,
          ...defined({ requestBody, sandbox: sandbox || undefined }),
          ...(response === undefined ? {} : responsePart(response, redactor)),
          ...(echoed === undefined
            ? {}
            : {
                echoed: {
                  message: messageOf(echoed, `${request.method} ${echoedAddress(redactor.redact(request.url)).path}`),
                  ...defined({ isSample: echoed === "sample" || undefined, binary: response?.binary || undefined }),
                },
              }),
        }),
        hop,
      );
      return id;
    },
  };
}

const messageOf = (echoed: Echoed, request: string): string =>
  echoed === "sample" ? `Sample answer for ${request}, made from your code.` : `No answer for ${request}: echoed.`;

function responsePart(response: NonNullable<TraceEntry["response"]>, redactor: Redactor): Partial<RequestTrace> {
  const head = { status: response.status, responseHeaders: shownHeaders(response.headers) };
  if (response.body === undefined) return head;
  const contentType = response.headers["content-type"] ?? "";
  const isBinary = response.binary || /^(image|audio|video|font)\/|octet-stream|pdf|zip/i.test(contentType);
  return {
    ...head,
    size: response.body.byteLength,
    responseBody: isBinary
      ? `(${response.body.byteLength} bytes of ${contentType || "unknown type"})`
      : copyOf(redactor.redactStart(decodeText(beginningOf(response.body, contentType, redactor), contentType), SHOWN_BODY)),
  };
}

/** Returns a copy, because a substring keeps the whole text in memory, and traces are kept. */
const copyOf = (text: string): string => (text.length < SHOWN_BODY ? text : Buffer.from(text).toString());

/**
 * Returns the part of a body that is shown, with enough bytes after it for masking. The bytes are already masked if they are not decoded as
 * UTF-8.
 */
function beginningOf(body: Uint8Array, contentType: string, redactor: Redactor): Uint8Array {
  const beginning = body.subarray(0, (SHOWN_BODY + redactor.reach) * LONGEST_CHARACTER);
  return isReadAsUtf8(contentType) ? beginning : redactor.redactBytes(beginning);
}
