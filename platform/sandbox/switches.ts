// What a sandbox can be made to do wrong, so that an author sees how the pack copes: providers differ, refuse and break.

import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { t } from "@vscode/l10n";
import { isRecord } from "../../protocol/is-record.ts";

/** What a server does with every request: as it should, or not. */
type Trouble = "none" | "slow" | "500" | "429";

/** What an API does besides: it asks for another scheme, for a scope, or gives half of its answer. */
type ApiTrouble = Trouble | "401" | "403" | "cut";

export interface SandboxSwitches {
  /** The provider denies each sign-in, without asking. */
  readonly deny: boolean;
  /** The provider refuses sign-ins with PKCE, as some old ones do. */
  readonly rejectPkce: boolean;
  /** Of several scopes that are asked for, the provider grants all but the last. */
  readonly grantFewer: boolean;
  /** The provider gives a new refresh token at each refresh, and the old one counts no more (RFC 9700, section 4.14.2). */
  readonly rotate: boolean;
  /** The only way in which the application may authenticate; "any" takes all (auth-spec 5.5.5). */
  readonly clientAuthentication: "any" | "form" | "basic" | "json";
  /** "nested": the token stands in an object `data`; "text": a form, told as plain text. */
  readonly tokenResponse: "json" | "nested" | "text";
  readonly token: Trouble;
  readonly api: ApiTrouble;
  /** How the MCP server answers: as JSON, or as a stream of one event. */
  readonly mcp: "json" | "stream";
}

export const SWITCHES_OFF: SandboxSwitches = {
  deny: false,
  rejectPkce: false,
  grantFewer: false,
  rotate: true,
  clientAuthentication: "any",
  tokenResponse: "json",
  token: "none",
  api: "none",
  mcp: "json",
};

/** Each switch with what it may be: for views, the command line, and for reading what comes over the wire. */
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

/** What is known of it; the rest as it was. */
export function readSwitches(value: unknown, before: SandboxSwitches): SandboxSwitches {
  const given = isRecord(value) ? value : {};
  const known = Object.entries(SWITCH_VALUES).filter(
    ([name, allowed]) => Object.hasOwn(given, name) && (allowed as readonly unknown[]).includes(given[name]),
  );
  return { ...before, ...Object.fromEntries(known.map(([name]) => [name, given[name]])) };
}

/** Milliseconds of a slow answer. */
const SLOW = 3_000;

/** Makes trouble; true where that was the answer. */
export async function makeTrouble(trouble: Trouble, response: ServerResponse): Promise<boolean> {
  if (trouble === "none") return false;
  if (trouble === "slow") {
    await wait(SLOW, undefined, { ref: false });
    return response.destroyed;
  }
  if (trouble === "429") {
    response
      .writeHead(429, { "content-type": "application/json", "retry-after": "30" })
      .end('{"error":"too_many_requests","message":"A sandbox switch refuses this request."}');
    return true;
  }
  response
    .writeHead(500, { "content-type": "text/html" })
    .end("<!doctype html><title>Error</title><h1>Internal Server Error</h1><p>A sandbox switch makes this request fail.</p>");
  return true;
}

/** The same of an API; `schemes`: those that the pack sends. */
export async function makeApiTrouble(trouble: ApiTrouble, response: ServerResponse, schemes: readonly string[]): Promise<boolean> {
  switch (trouble) {
    case "401": {
      const other = ["Bearer", "Token", "Key"].find((scheme) => !schemes.some((sent) => sent.toLowerCase() === scheme.toLowerCase()));
      return refuse(response, 401, `${other} realm="sandbox"`, "unauthorized");
    }
    case "403":
      return refuse(response, 403, 'Bearer realm="sandbox", error="insufficient_scope", scope="sandbox:more"', "insufficient_scope");
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

function refuse(response: ServerResponse, status: number, challenge: string, error: string): true {
  response
    .writeHead(status, { "content-type": "application/json", "www-authenticate": challenge })
    .end(JSON.stringify({ error, message: t`A sandbox switch refuses this request.` }));
  return true;
}
