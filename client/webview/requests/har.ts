// Converts the requests of a run to an HTTP Archive (HAR 1.2), which browsers' network panels open. It is masked like the traces.
import { defined } from "../../../base/defined.ts";
import { PRODUCT_VERSION } from "../../../base/product-version.ts";
import type { RequestTrace } from "../../../protocol/run.ts";
import { statusOf } from "./request-status.ts";

/** Returns the archive as JSON. A request without a response has status 0, and the reason as a comment. */
export function toHar(requests: readonly RequestTrace[]): string {
  return JSON.stringify(
    { log: { version: "1.2", creator: { name: "Pack Auth", version: PRODUCT_VERSION }, pages: [], entries: requests.map(entry) } },
    null,
    2,
  );
}

function entry(request: RequestTrace): unknown {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const body = request.requestBody;
  return {
    startedDateTime: new Date(request.startedAt).toISOString(),
    time: request.duration ?? 0,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(request.requestHeaders),
      queryString: [...(url?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: body === undefined ? 0 : new TextEncoder().encode(body).length,
      ...(body === undefined ? {} : { postData: { mimeType: header(request.requestHeaders, "content-type") || TEXT, text: body } }),
    },
    response: {
      status: request.status ?? 0,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(request.responseHeaders ?? {}),
      content: {
        size: request.size ?? 0,
        mimeType: header(request.responseHeaders ?? {}, "content-type"),
        ...defined({ text: request.responseBody }),
      },
      redirectURL: header(request.responseHeaders ?? {}, "location"),
      headersSize: -1,
      bodySize: request.size ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: request.duration ?? 0, receive: 0 },
    ...(request.failureReason === undefined ? {} : { comment: `${statusOf(request).text}: ${request.failureReason}` }),
  };
}

const pairs = (headers: Readonly<Record<string, string>>): unknown => Object.entries(headers).map(([name, value]) => ({ name, value }));

/** The type of a text that is sent without one (Fetch, "extract a body"). */
export const TEXT = "text/plain;charset=UTF-8";

export const header = (headers: Readonly<Record<string, string>>, headerName: string): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === headerName)?.[1] ?? "";
