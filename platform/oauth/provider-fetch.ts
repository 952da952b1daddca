// Sends requests to a provider's addresses other than the token endpoint: discovery, registration and revocation. It requires https,
// refuses redirects, reads at most one megabyte, and enforces a deadline.

import * as oauth from "oauth4webapi";
import { defined } from "../../base/defined.ts";
import { readBody } from "../bodies/response-body.ts";
import { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { abortable, withinTime } from "../network/abortable.ts";
import { logicalText, sandboxAddress } from "../network/sandbox-address.ts";

export interface Reach {
  readonly fetch: Fetch;
  readonly signal?: AbortSignal;
  /** Milliseconds for one request; 10,000 by default. */
  readonly timeout?: number;
  /** Receives why a discovery response was unusable, except if it only says that there is no metadata. */
  onProblem?(address: string, error: unknown): void;
}

/** Returns a Reach that sends every request to the sandbox in place of the internet; the responses name logical addresses. */
export const sandboxReach = (reach: Reach, sandboxOrigin: string): Reach => ({
  ...reach,
  fetch: async (url, init) => {
    const { status, headers, body } = await reach.fetch(sandboxAddress(url, sandboxOrigin), init);
    const text = body === null ? null : logicalText(await new Response(body).text(), sandboxOrigin);
    const logical = [...headers].map(([name, value]) => [name, logicalText(value, sandboxOrigin)] as [string, string]);
    return new Response(text, { status, headers: logical.filter(([name]) => name !== "content-length") });
  },
});

const DEADLINE = 10_000;
const LARGEST = 1024 * 1024;

/** Returns the signal of one request: the caller's, with the deadline. */
export const signalOf = ({ signal, timeout = DEADLINE }: Reach): AbortSignal => withinTime(timeout, signal);

/** Returns the options of oauth4webapi for a request to one of these addresses. */
export function providerOptions(address: string, reach: Reach) {
  const signal = signalOf(reach);
  return {
    [oauth.allowInsecureRequests]: address.startsWith("http:"),
    signal,
    [oauth.customFetch]: async (
      url: string,
      init: oauth.CustomFetchOptions<string, string | URLSearchParams | undefined>,
    ): Promise<Response> => {
      const pendingResponse = reach.fetch(url, {
        method: init.method,
        headers: init.headers,
        ...defined({ body: init.body?.toString() }),
        redirect: "manual",
        credentials: "omit",
        signal,
      });
      const response = await abortable(pendingResponse, signal);
      if (response.status >= 300 && response.status < 400) {
        throw new PackAuthError("network-error", `${new URL(url).host} answers with a redirect (${response.status}); it was not followed.`);
      }
      return new Response(await abortable(readText(response), signal), { status: response.status || 500, headers: response.headers });
    },
  };
}

/** Returns null for an empty body, as required for statuses such as 204. */
async function readText(response: Response): Promise<string | null> {
  const bytes = await readBody(
    response,
    LARGEST,
    () => new PackAuthError("response-too-large", "The answer is larger than 1 MB; it was not read."),
  );
  return bytes.byteLength === 0 ? null : Buffer.from(bytes).toString("utf8");
}
