// The servers, and what of the sign-in each of them has.
import type { ClientWay } from "./server-process.ts";
import type { Configuration } from "./trial.ts";

export interface ServerFacts {
  readonly package: string;
  /** What a right configuration has besides the two addresses. */
  readonly configuration: Configuration;
  /** How it takes client ID and secret; none: it has public clients only. */
  readonly clientWays: readonly ClientWay[];
  /** What removing the account takes back (RFC 7009): the access token, or nothing but the answer. Absent where the server has no revocation. */
  readonly revokes?: "access token" | "no token";
}

export const SERVERS = {
  "node-oauth": {
    package: "@node-oauth/oauth2-server",
    configuration: { scopes: ["read", "write"] },
    clientWays: ["form", "basic"],
  },
  jmondi: {
    package: "@jmondi/oauth2-server",
    configuration: { scopes: ["read", "write"], scopeDelimiter: ",", useProofKeyForCodeExchange: true },
    clientWays: ["form", "basic"],
    revokes: "access token",
  },
  oauth2orize: {
    package: "oauth2orize",
    configuration: { scopes: ["read", "write"], scopeDelimiter: "," },
    clientWays: ["form", "basic"],
  },
  mcp: {
    package: "@modelcontextprotocol/sdk",
    configuration: { scopes: ["read", "write"], useProofKeyForCodeExchange: true },
    clientWays: ["form"],
    revokes: "access token",
  },
  "better-auth": {
    package: "@better-auth/oauth-provider",
    configuration: { scopes: ["read", "write", "offline_access"], useProofKeyForCodeExchange: true },
    clientWays: ["form", "basic"],
    revokes: "access token",
  },
  openauth: {
    package: "@openauthjs/openauth",
    configuration: {},
    clientWays: [],
  },
  "oauth2-mock-server": {
    package: "oauth2-mock-server",
    configuration: {},
    clientWays: ["form", "basic"],
    revokes: "no token",
  },
} as const satisfies Readonly<Record<string, ServerFacts>>;

export type ServerName = keyof typeof SERVERS;
