// What a run sends and gets, whole, for a test. Everything stays in the host's memory until the run is over, and is masked with all secrets
// that it met by then.
import { defined } from "../../protocol/defined.ts";
import type { FetchRequest } from "../../protocol/pack-process.ts";
import { SIGNATURE_HEADERS } from "../aws/sign-request.ts";
import { readBody } from "../bodies/response-body.ts";
import { PackAuthError } from "../errors.ts";
import { logicalText } from "../requests/sandbox-address.ts";
import { type Carried, type Intercept, plainHeaders } from "../requests/send-once.ts";
import { MASK, type Redactor } from "../secrets/redact.ts";
import type { SavedBody, SavedRequest } from "./saved-test.ts";

/** Bytes of one body, and of all. */
const LARGEST_BODY = 5 * 1024 * 1024;
const LARGEST_RECORDING = 50 * 1024 * 1024;

interface Hop {
  readonly carried: Carried;
  readonly asked: string | undefined;
  answer?: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly bytes: Uint8Array };
}

export interface Recorder {
  intercept(request: FetchRequest): Intercept;
  /** Masked, in the order in which they began. Throws recording-refused for what cannot be replayed. */
  requests(redactor: Redactor): readonly SavedRequest[];
}

export function createRecorder(sandboxOrigin: string | undefined): Recorder {
  const asked: Hop[][] = [];
  let recorded = 0;
  let tooLarge: PackAuthError | undefined;
  return {
    intercept(request) {
      const hops: Hop[] = [];
      asked.push(hops);
      return async (carried, send) => {
        // After a 401 comes the same request with another credential, or none: renewing it is the account's affair, and no test has that.
        if (hops.at(-1)?.answer?.status === 401) hops.length = 0;
        const hop: Hop = { carried, asked: hops.length === 0 ? request.url : undefined };
        hops.push(hop);
        const response = await send();
        const bytes = await readBody(response);
        const sent = carried.request.body === undefined ? 0 : Buffer.byteLength(carried.request.body);
        recorded += bytes.byteLength + sent;
        if (Math.max(bytes.byteLength, sent) > LARGEST_BODY)
          tooLarge ??= refused(`a body of ${carried.request.method} ${carried.shownHost} is larger than 5 MB`);
        else if (recorded > LARGEST_RECORDING) tooLarge ??= refused("all bodies together are larger than 50 MB");
        const { status } = response;
        if (tooLarge === undefined) hop.answer = { status, headers: plainHeaders(response.headers), bytes };
        return new Response(bodyFor(status, bytes), { status, headers: response.headers });
      };
    },
    requests(redactor) {
      if (tooLarge !== undefined) throw tooLarge;
      return asked.flat().map((hop) => savedRequest(hop, sandboxOrigin, redactor));
    },
  };
}

const refused = (why: string): PackAuthError =>
  new PackAuthError("recording-refused", `The run was not saved as a test: ${why}.`, {
    hint: "Let the formula ask for less: a smaller page, fewer fields.",
  });

/** Responses of these have no body (Fetch standard, null body status). */
export const bodyFor = (status: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> | null =>
  [204, 205, 304].includes(status) ? null : (bytes as Uint8Array<ArrayBuffer>);

function savedRequest({ carried, asked, answer }: Hop, sandboxOrigin: string | undefined, redactor: Redactor): SavedRequest {
  const { method } = carried.request;
  if (answer === undefined)
    throw new PackAuthError("recording-refused", `The run was not saved as a test: ${method} ${carried.shownHost} got no answer.`, {
      hint: "Run it again once that host answers.",
    });
  const { status, headers, bytes } = answer;
  const location =
    headers.location === undefined || sandboxOrigin === undefined ? headers.location : logicalText(headers.location, sandboxOrigin);
  const sent = asSent(carried, redactor);
  // Of the connection (RFC 9110, section 7.6.1).
  const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...own } = headers;
  return {
    ...sent,
    ...(asked === undefined || asked === sent.url ? {} : { asked: redactor.redact(withoutTokens(asked)) }),
    ...(asked === undefined ? { redirected: true as const } : {}),
    credentials: carried.applied.map(({ carrier }) => carrier),
    ...(carried.binary ? { binary: true as const } : {}),
    response: {
      status,
      headers: redactor.redactValue({ ...own, ...defined({ location }) }),
      ...savedBody(bytes, headers["content-type"] ?? "", carried.binary, redactor),
    },
  };
}

/** A placeholder without the invocation's own token, which is another each time. */
const withoutTokens = (url: string): string =>
  url.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=\}\}|%7D%7D)/gi, "TOKEN");

/** A hop as it went out, masked: what carried the credential can still be read off it. */
export function asSent({ request }: Carried, redactor: Redactor): Pick<SavedRequest, "method" | "url" | "headers" | "body"> {
  const { method, url, body } = request;
  const headers = withoutOwnCredential(redactor.redactValue(withoutSignature(request.headers)));
  return {
    method,
    url: redactor.redact(url),
    headers,
    ...(body === undefined ? {} : { body: savedBody(body, headers["content-type"] ?? "", typeof body !== "string", redactor) }),
  };
}

/** A signature is one of its moment; that there is one stays. */
function withoutSignature(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [scheme] = headers.authorization?.split(" ") ?? [];
  if (!scheme?.startsWith("AWS4-")) return headers;
  const own = Object.entries(headers).filter(([name]) => !SIGNATURE_HEADERS.some((signed) => signed === name));
  return { ...Object.fromEntries(own), authorization: `${scheme} ${MASK}` };
}

/** A credential that the pack made itself, such as a JWT, is nobody's to keep either, and often another each time. */
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
  // Bytes that are no UTF-8, or that the pack looks at as such, stay bytes.
  if (binary || !Buffer.from(text).equals(bytes) || /charset=(?!"?utf-?8)/i.test(contentType))
    return { base64: Buffer.from(redactor.redactBytes(bytes)).toString("base64") };
  try {
    const json: unknown = JSON.parse(text);
    if (json !== null && typeof json === "object") return { json: redactor.redactValue(json) };
  } catch {
    // It is text.
  }
  return { text: redactor.redact(text) };
}
