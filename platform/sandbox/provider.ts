// The sandbox's OAuth 2.0 provider for one configuration: oidc-provider, with a thin layer for what real providers vary in (where
// the client secret stands, plain PKCE, names and delimiters of scopes, the shape of the token response).
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Provider, { type Configuration } from "oidc-provider";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { ClientCredentials } from "../credential.ts";
import { approvalPage, escapeHtml, INTERACTION } from "./approval-page.ts";

export interface SandboxProvider {
  /** Answers the request if it belongs to the provider. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  accepts(accessToken: string): Promise<boolean>;
}

export interface ProviderOptions {
  readonly issuer: string;
  readonly packName: string;
  readonly auth: AuthenticationDefinition;
  readonly client: Required<ClientCredentials>;
  /** `/<host>/<path>` of authorizationUrl and tokenUrl. */
  readonly authorizationPath?: string;
  readonly tokenPath: string;
  readonly endpoint?: string;
  /** Seconds. */
  readonly tokenLifetime: number;
}

export function createProvider(options: ProviderOptions): SandboxProvider {
  const { auth } = options;
  const scopes = new Set(["openid", "offline_access", ...(auth.scopes ?? [])]);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const configuration: Configuration = {
    clients: [
      {
        client_id: options.client.clientId,
        client_secret: options.client.clientSecret,
        application_type: "native",
        redirect_uris: ["http://localhost:3000/oauth"],
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_post",
        id_token_signed_response_alg: "ES256",
        scope: [...scopes].join(" "),
      },
    ],
    scopes: [...scopes],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256", kid: "sandbox" }] as never },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    pkce: { required: () => auth.useProofKeyForCodeExchange === true },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: { enabled: false },
    },
    routes: {
      ...(options.authorizationPath === undefined ? {} : { authorization: options.authorizationPath }),
      token: options.tokenPath,
      revocation: "/_sandbox/revoke",
      jwks: "/_sandbox/jwks",
      userinfo: "/_sandbox/userinfo",
      end_session: "/_sandbox/end",
      pushed_authorization_request: "/_sandbox/par",
    },
    ttl: {
      AccessToken: options.tokenLifetime,
      ClientCredentials: options.tokenLifetime,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 3_600,
      Interaction: 3_600,
      AuthorizationCode: 60,
    },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context, interaction) => `${INTERACTION}/${interaction.uid}` },
    // Approving the page is the consent: the grant is made of what was asked for.
    async loadExistingGrant(context) {
      const { provider, session, client, params } = context.oidc;
      if (!session?.accountId || !client) return undefined;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope(String(params?.scope ?? ""));
      await grant.save();
      return grant;
    },
    renderError: (context, out) => {
      context.type = "html";
      context.body = `<!doctype html><title>Sandbox</title><h1>The sandbox refused</h1><p>${escapeHtml(String(out.error))}: ${escapeHtml(String(out.error_description ?? ""))}</p>`;
    },
  };
  const provider = new Provider(options.issuer, configuration);
  // Every loopback address is registered here (RFC 8252, section 7.3); no other is.
  (provider.Client.prototype as unknown as { redirectUriAllowed(uri: string): boolean }).redirectUriAllowed = (uri) =>
    URL.canParse(uri) && new URL(uri).protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(uri).hostname);
  const callback = provider.callback();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? "/", options.issuer);
    if (url.pathname === options.authorizationPath) {
      request.url = `${url.pathname}?${authorizationParameters(url.searchParams, auth)}`;
      await callback(request, response);
      return true;
    }
    if (url.pathname === options.tokenPath && request.method === "POST") {
      await adaptTokenRequest(request, auth);
      adaptTokenResponse(response, options);
      await callback(request, response);
      return true;
    }
    if (url.pathname.startsWith(INTERACTION)) {
      await interact(request, response);
      return true;
    }
    if (
      url.pathname.startsWith("/_sandbox/") ||
      (options.authorizationPath !== undefined && url.pathname.startsWith(`${options.authorizationPath}/`))
    ) {
      await callback(request, response);
      return true;
    }
    return false;
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const details = await provider.interactionDetails(request, response).catch(() => undefined);
    if (details === undefined) {
      response
        .writeHead(400, { "content-type": "text/html; charset=utf-8" })
        .end("<!doctype html><title>Sandbox</title><p>This sign-in is over. Start again in the editor.</p>");
      return;
    }
    if (request.method !== "POST") {
      const asked = String(details.params.scope ?? "")
        .split(" ")
        .filter(Boolean);
      response.writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      });
      response.end(approvalPage(options.packName, asked));
      return;
    }
    const body = new URLSearchParams(await readText(request));
    const result =
      body.get("decision") === "approve"
        ? { login: { accountId: "sandbox-user" }, consent: {} }
        : { error: "access_denied", error_description: "The sign-in was denied in the sandbox" };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  return {
    handle,
    async accepts(accessToken) {
      const found = (await provider.AccessToken.find(accessToken)) ?? (await provider.ClientCredentials.find(accessToken));
      return found?.isValid === true;
    },
  };
}

/** The provider's own names for what the configuration calls otherwise; the approval page is always shown. */
function authorizationParameters(given: URLSearchParams, auth: AuthenticationDefinition): URLSearchParams {
  const parameters = new URLSearchParams(given);
  const scopeName = auth.scopeParamName ?? "scope";
  const scope = parameters.get(scopeName);
  if (scope !== null) {
    parameters.delete(scopeName);
    parameters.set("scope", scope.split(auth.scopeDelimiter ?? " ").join(" "));
  }
  if (parameters.get("code_challenge_method") === "plain") {
    // RFC 7636, section 4.2: a plain challenge is the verifier; its S256 form verifies the same verifier.
    parameters.set(
      "code_challenge",
      createHash("sha256")
        .update(parameters.get("code_challenge") ?? "")
        .digest("base64url"),
    );
    parameters.set("code_challenge_method", "S256");
  }
  parameters.delete("resource");
  parameters.delete("access_type");
  parameters.set("prompt", "login");
  return parameters;
}

/** Client ID and secret in HTTP Basic or a JSON body are read as well as in a form. */
async function adaptTokenRequest(request: IncomingMessage, auth: AuthenticationDefinition): Promise<void> {
  const text = await readText(request);
  const isJson = /json/i.test(request.headers["content-type"] ?? "");
  const body: Record<string, string> = isJson ? parseFlat(text) : Object.fromEntries(new URLSearchParams(text));
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (basic !== undefined) {
    const [id = "", secret = ""] = Buffer.from(basic, "base64")
      .toString()
      .split(":")
      .map((part) => decodeURIComponent(part.replaceAll("+", "%20")));
    body.client_id = id;
    body.client_secret = secret;
    delete request.headers.authorization;
  }
  const scopeName = auth.scopeParamName ?? "scope";
  const scope = body[scopeName];
  if (scope !== undefined) {
    delete body[scopeName];
    body.scope = scope.split(auth.scopeDelimiter ?? " ").join(" ");
  }
  delete body.resource;
  request.headers["content-type"] = "application/x-www-form-urlencoded";
  (request as IncomingMessage & { body: unknown }).body = body;
}

function parseFlat(text: string): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(text) as Record<string, unknown>).map(([key, value]) => [key, String(value)]));
  } catch {
    return {};
  }
}

/** Shapes the answer as the configuration expects it: nested, and with the endpoint. */
function adaptTokenResponse(response: ServerResponse, options: ProviderOptions): void {
  const { nestedResponseKey, endpointKey } = options.auth;
  if (nestedResponseKey === undefined && endpointKey === undefined) return;
  const end = response.end.bind(response) as (chunk: unknown) => ServerResponse;
  response.end = ((chunk: unknown) => {
    if (response.statusCode !== 200 || chunk === undefined) return end(chunk);
    const answer = JSON.parse(String(chunk)) as Record<string, unknown>;
    const shaped = {
      ...(nestedResponseKey === undefined ? answer : { [nestedResponseKey]: answer }),
      ...(endpointKey === undefined ? {} : { [endpointKey]: options.endpoint }),
    };
    const text = JSON.stringify(shaped);
    response.setHeader("content-length", Buffer.byteLength(text));
    return end(text);
  }) as typeof response.end;
}

export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
