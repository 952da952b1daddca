// What people see of a request: one entry per hop, masked and cut before anyone gets it.
import { defined } from "../../base/defined.ts";
import type { AppliedCredential, RequestTrace } from "../../protocol/run.ts";
import { decodeText, isReadAsUtf8 } from "../bodies/response-body.ts";
import { SHOWN_BODY } from "../bodies/shown-body.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import type { Echoed } from "../network/sandbox-headers.ts";
import type { Redactor } from "../secrets/redact.ts";
import { echoedAddress } from "./echoed-address.ts";
import { shownAddress, shownHeaders } from "./shown-address.ts";

/** Bytes of one character, in any encoding, with what switches between its parts. */
const LONGEST_CHARACTER = 8;

export interface TraceEntry {
  readonly request: OutgoingRequest;
  readonly startedAt: number;
  readonly redirectedFrom?: number;
  readonly credentials?: readonly AppliedCredential[];
  readonly warnings?: readonly string[];
  readonly throughProxy?: boolean;
  readonly blames?: string;
  readonly duration?: number;
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** Undefined where it was not read to its end. */
    readonly body?: Uint8Array;
    /** Whether the pack asked for bytes. */
    readonly binary: boolean;
  };
  readonly failureReason?: string;
  readonly hint?: string;
  /** What the sandbox sent in place of an answer. */
  readonly echoed?: Echoed;
  readonly failure?: NonNullable<RequestTrace["failure"]>;
}

export interface Tracer {
  /** Gives its id. */
  record(entry: TraceEntry): number;
}

/** Told of each hop once: masked and cut for people, and whole as it was. */
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
          // The pack wrote the address of its first request itself, and a server that of the others.
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

/** Of its own: a part of a text keeps the whole of it in memory, and traces are kept. */
const copyOf = (text: string): string => (text.length < SHOWN_BODY ? text : Buffer.from(text).toString());

/** As much of a body as is shown, and its end behind it; masked already where its characters will not be those of its bytes. */
function beginningOf(body: Uint8Array, contentType: string, redactor: Redactor): Uint8Array {
  const beginning = body.subarray(0, (SHOWN_BODY + redactor.reach) * LONGEST_CHARACTER);
  return isReadAsUtf8(contentType) ? beginning : redactor.redactBytes(beginning);
}
