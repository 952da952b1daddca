// Packs in the sandbox without their code, because registration, sign-in and API requests need only a definition.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxAddress } from "../../platform/network/sandbox-address.ts";
import type { Sandbox } from "../../platform/sandbox/launch.ts";
import type { RegisterResponse, SandboxCredentials } from "../../platform/sandbox/protocol.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { browse } from "./browser.ts";

export type Auth = Partial<AuthenticationDefinition> & { readonly type: string };

export const auth = (own: Auth): AuthenticationDefinition => ({ hasGetConnectionName: false, postSetup: [], ...own });

export const definition = (user: Auth | undefined, more: Partial<PackDefinition> = {}): PackDefinition => ({
  networkDomains: ["shop.example"],
  formulas: [],
  syncTables: [],
  ...(user === undefined ? {} : { userAuthentication: auth(user) }),
  ...more,
});

/** The URLs of {@link oauth2}, and a URL of its API. */
export const AUTHORIZE = "https://login.shop.example/oauth/authorize";
export const TOKEN = "https://login.shop.example/oauth/token";
export const API = "https://api.shop.example/orders";

export const oauth2 = (own: Partial<AuthenticationDefinition> = {}): Auth => ({
  type: "OAuth2",
  authorizationUrl: AUTHORIZE,
  tokenUrl: TOKEN,
  scopes: ["orders:read", "orders:write"],
  ...own,
});

export interface TestPack extends RegisterResponse {
  readonly entry: string;
  readonly user: SandboxCredentials;
  /** Requests a logical URL from the API. */
  api(url: string, init?: RequestInit): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }>;
}

let entries = 0;
const folders: string[] = [];

/** Writes sandbox.json to a new folder, which {@link removeStubsFiles} in `after` removes. */
export function writeStubsFile(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-answers-"));
  folders.push(folder);
  const file = join(folder, "sandbox.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

export function removeStubsFiles(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

/** Registers a new pack for each call, unless `entry` names one. */
export async function registered(
  sandbox: Pick<Sandbox, "register">,
  shape: PackDefinition,
  options: { stubs?: unknown; entry?: string } = {},
): Promise<TestPack> {
  const entry = options.entry ?? `/packs/${++entries}/pack.ts`;
  const file = options.stubs === undefined ? {} : { stubsFile: writeStubsFile(options.stubs) };
  const response = await sandbox.register({ entry, name: "shop", definition: shape, ...file });
  return {
    ...response,
    entry,
    user: response.user ?? { clientCredentials: { clientId: "" } },
    async api(url, init) {
      const apiResponse = await fetch(sandboxAddress(url, response.origin), { redirect: "manual", ...init });
      const text = await apiResponse.text();
      const isJson = apiResponse.headers.get("content-type")?.startsWith("application/json") === true && text !== "";
      return { status: apiResponse.status, headers: apiResponse.headers, body: isJson ? JSON.parse(text) : text };
    },
  };
}

/** The application's side of a sign-in: a server for the browser's return. */
export async function callbackServer(): Promise<{ readonly port: number; close(): void }> {
  const server: Server = createServer((_request, response) => response.end("back"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

export interface Attempt {
  readonly redirectUri: string;
  readonly verifier: string;
  readonly state: string;
}

/**
 * Returns a new authorization request (RFC 6749, section 4.1.1), with PKCE S256 unless `parameters` differ; undefined removes a parameter.
 */
export function authorizationUrl(
  pack: TestPack,
  url: string,
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): { readonly url: string; readonly attempt: Attempt } {
  const attempt = { redirectUri, verifier: randomBytes(32).toString("base64url"), state: randomBytes(8).toString("hex") };
  const all: Record<string, string | undefined> = {
    response_type: "code",
    client_id: pack.user.clientCredentials.clientId,
    redirect_uri: redirectUri,
    state: attempt.state,
    scope: "orders:read",
    code_challenge: createHash("sha256").update(attempt.verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...parameters,
  };
  const target = new URL(sandboxAddress(url, pack.origin));
  for (const [name, value] of Object.entries(all)) if (value !== undefined) target.searchParams.set(name, value);
  return { url: target.href, attempt };
}

/** Signs in through the pages, and returns the parameters of the authorization response. */
export async function approve(start: string, decision: "approve" | "deny" = "approve"): Promise<URLSearchParams> {
  const page = await browse(start, decision);
  assert.equal(page.text, "back", page.text);
  return new URL(page.url).searchParams;
}

export type TokenBody = Readonly<Record<string, string | undefined>>;

/** Sends a token request with a form body, which contains client ID and secret unless `body` differs. */
export function requestToken(pack: TestPack, url: string, body: TokenBody, init: RequestInit = {}) {
  const { clientId, clientSecret } = pack.user.clientCredentials;
  const all = Object.entries({ client_id: clientId, client_secret: clientSecret, ...body });
  const form = new URLSearchParams(all.filter((pair): pair is [string, string] => pair[1] !== undefined));
  return pack.api(url, { method: "POST", body: form, ...init });
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly scope?: string;
}

/** Returns the options of an API request with the token. */
export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** Returns the error code of a refused token request (RFC 6749, section 5.2). */
export const errorOf = (response: { readonly body: unknown }): string => (response.body as { error: string }).error;

/** Does a whole sign-in: pages, code, token response. */
export async function signIn(pack: TestPack, shape: Auth): Promise<Tokens> {
  const callback = await callbackServer();
  try {
    const authorization = authorizationUrl(pack, String(shape.authorizationUrl), `http://127.0.0.1:${callback.port}/oauth`);
    const response = await approve(authorization.url);
    const tokenResponse = await requestToken(pack, String(shape.tokenUrl), {
      grant_type: "authorization_code",
      code: response.get("code") ?? "",
      redirect_uri: authorization.attempt.redirectUri,
      code_verifier: authorization.attempt.verifier,
    });
    assert.equal(tokenResponse.status, 200, JSON.stringify(tokenResponse.body));
    return tokenResponse.body as Tokens;
  } finally {
    callback.close();
  }
}
