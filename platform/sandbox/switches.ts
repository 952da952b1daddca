// The faults that a sandbox can simulate, so that an author sees how the pack handles them.

import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { isRecord } from "../../base/is-record.ts";

/** What a server does with every request: "none" for no fault, or the fault. */
type Trouble = "none" | "slow" | "500" | "429";

/** The additional faults of an API: another authentication scheme, a missing scope, or a response that is cut in half. */
type ApiTrouble = Trouble | "401" | "403" | "cut";

export interface SandboxSwitches {
  /** The provider denies each sign-in without asking the user. */
  readonly deny: boolean;
  /** The provider refuses sign-ins with PKCE, as some old providers do. */
  readonly rejectPkce: boolean;
  /** If several scopes are requested, the provider grants all but the last. */
  readonly grantFewer: boolean;
  /** The provider issues a new refresh token at each refresh, and the old one becomes invalid (RFC 9700, section 4.14.2). */
  readonly rotate: boolean;
  /** The only way in which the client may authenticate; "any" accepts all ways (auth-spec 5.5.5). */
  readonly clientAuthentication: "any" | "form" | "basic" | "json";
  /** "nested": the response is in an object `data`. "text": the response is form-encoded, with content type text/plain. */
  readonly tokenResponse: "json" | "nested" | "text";
  readonly token: Trouble;
  readonly api: ApiTrouble;
  /** How the MCP server responds: with JSON, or with a stream of one event. */
  readonly mcp: "json" | "stream";
}

/** The values of each switch, the default first. They are used by views, by the command line, and to validate requests. */
export const SWITCH_VALUES: { readonly [K in keyof SandboxSwitches]: readonly SandboxSwitches[K][] } = {
  deny: [false, true],
  rejectPkce: [false, true],
  grantFewer: [false, true],
  rotate: [true, false],
  clientAuthentication: ["any", "form", "basic", "json"],
  tokenResponse: ["json", "nested", "text"],
  token: ["none", "slow", "500", "429"],
  api: ["none", "slow", "500", "429", "401", "403", "cut"],
  mcp: ["json", "stream"],
};

export const SWITCHES_OFF = Object.fromEntries(
  Object.entries(SWITCH_VALUES).map(([name, [first]]) => [name, first]),
) as unknown as SandboxSwitches;

/** Returns `before` with the valid switches of `value`. */
export function readSwitches(value: unknown, before: SandboxSwitches): SandboxSwitches {
  const allowed = new Map<string, readonly unknown[]>(Object.entries(SWITCH_VALUES));
  const validEntries = Object.entries(isRecord(value) ? value : {}).filter(([name, switchValue]) =>
    allowed.get(name)?.includes(switchValue),
  );
  return { ...before, ...Object.fromEntries(validEntries) };
}

/** Delay of a slow response in milliseconds. */
const SLOW = 3_000;

/** Applies the fault to the response. Returns true if nothing more is to be sent. */
export async function makeTrouble(trouble: Trouble, response: ServerResponse): Promise<boolean> {
  if (trouble === "none") return false;
  if (trouble === "slow") {
    await wait(SLOW, undefined, { ref: false });
    return response.destroyed;
  }
  if (trouble === "429") return refuse(response, 429, "too_many_requests", { "retry-after": "30" });
  response
    .writeHead(500, { "content-type": "text/html" })
    .end("<!doctype html><title>Error</title><h1>Internal Server Error</h1><p>A sandbox switch makes this request fail.</p>");
  return true;
}

/** Applies the fault of an API. `authorization` is the header that the pack sent. Returns true if nothing more is to be sent. */
export async function makeApiTrouble(trouble: ApiTrouble, response: ServerResponse, authorization = ""): Promise<boolean> {
  switch (trouble) {
    case "401":
      return refuse(response, 401, "unauthorized", {
        "www-authenticate": `${/^bearer(?: |$)/i.test(authorization) ? "Token" : "Bearer"} realm="sandbox"`,
      });
    case "403":
      return refuse(response, 403, "insufficient_scope", {
        "www-authenticate": 'Bearer realm="sandbox", error="insufficient_scope", scope="sandbox:more"',
      });
    case "cut": {
      const end = response.end.bind(response) as (chunk?: unknown) => ServerResponse;
      response.end = ((chunk?: unknown) =>
        end(typeof chunk === "string" ? chunk.slice(0, chunk.length / 2) : chunk)) as typeof response.end;
      return false;
    }
    default:
      return makeTrouble(trouble, response);
  }
}

function refuse(response: ServerResponse, status: number, error: string, headers: Readonly<Record<string, string>>): true {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ error, message: "A sandbox switch refuses this request." }));
  return true;
}
