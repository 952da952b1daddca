// Makes the facts of a failure from an example of a diagnosis, or from a case of the corpus.
import type { DiagnosisExample } from "../../platform/diagnosis/diagnosis.ts";
import type { AccountFacts, Exchange, Failure, McpFacts, ProviderError, RunFacts, SignInFacts } from "../../platform/diagnosis/failure.ts";
import { normaliseTokenResponse } from "../../platform/oauth/token-response.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { AppliedCredential } from "../../protocol/run.ts";
import { auth as definition } from "./broker.ts";

/** The facts of an account of which nothing is known. */
export const ACCOUNT: AccountFacts = {
  isFresh: false,
  hasRunOut: false,
  isRenewable: false,
  wasRenewedEarly: false,
  wasAccepted: false,
};

export const MCP: McpFacts = { serverName: "Acme", isHttpSse: false, isOfSession: false, isAnonymous: false };

const RUN: RunFacts = { lackingScopes: [], asker: "the pack", errorName: "Error" };

/** Returns the headers of lines such as `name: value`, in lower case. */
const headersOf = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));

/** Parses a request line and headers, a blank line, a status and headers, a blank line, and a body. */
export function parseExchange(text: string, auth: AuthenticationDefinition): Exchange {
  const [head = "", response, ...body] = text.split(/\n[ \t]*\n/);
  const [requestLine = "", ...requestHeaders] = head.split("\n");
  const [method = "", url = ""] = requestLine.split(" ");
  const [status, ...responseHeaders] = response?.trim().split("\n") ?? [];
  const sent = headersOf(requestHeaders);
  return {
    method,
    url,
    requestHeaders: sent,
    credentials: credentialsIn(sent, url, auth),
    ...(status === undefined
      ? {}
      : { status: Number(status), responseHeaders: headersOf(responseHeaders), responseBody: body.join("\n\n") }),
  };
}

/** Returns where the request carries a credential. */
export function credentialsIn(
  headers: Readonly<Record<string, string>>,
  url: string,
  { headerName, headers: named = [], paramName, params = [], tokenQueryParam }: AuthenticationDefinition,
): readonly AppliedCredential[] {
  const { host, searchParams } = new URL(url);
  const authorization = headers.authorization;
  const repeats = authorization === undefined ? undefined : /^(bearer|token)\s+\1\s/i.exec(authorization)?.[1];
  const carriers = ["authorization", headerName, ...named.map(({ name }) => name)].filter(
    (name) => name !== undefined && headers[name.toLowerCase()] !== undefined,
  );
  const queries = [paramName, ...params.map(({ name }) => name), tokenQueryParam].filter(
    (name) => name !== undefined && searchParams.has(name),
  );
  return [...new Set([...carriers, ...queries.map((name) => `?${String(name)}`)])].map((carrier) => ({
    carrier: String(carrier),
    host,
    ...(carrier === "authorization" && repeats !== undefined ? { repeats } : {}),
  }));
}

/** Returns the error of a token, registration or revocation endpoint's response, read as the product reads it. */
export async function providerErrorIn({
  status = 0,
  responseHeaders = {},
  responseBody = "",
}: Exchange): Promise<ProviderError | undefined> {
  const hasBody = status !== 204 && status !== 304;
  const normalised = await normaliseTokenResponse(
    new Response(hasBody ? responseBody : null, { status, headers: responseHeaders }),
    {},
    false,
  );
  const { error, error_description: description } = (await normalised.response.json()) as { error?: string; error_description?: string };
  return error === undefined ? undefined : { code: error, ...(description === undefined ? {} : { description }) };
}

export async function failureOfExample(example: DiagnosisExample): Promise<Failure> {
  const { phase = "resource", exchange: text } = example;
  const auth = definition(example.auth?.type ?? "OAuth2", example.auth ?? {});
  const signIn: SignInFacts = { client: "confidential", address: "https://id.acme.example/token", ...example.signIn };
  const isCallback = phase === "authorization";
  const query = new URLSearchParams(isCallback ? text : "");
  const parsed = text === undefined || isCallback ? undefined : parseExchange(text, auth);
  const exchange = parsed && { ...parsed, ...(example.disablesAuthentication ? { disablesAuthentication: true as const } : {}) };
  const description = query.get("error_description");
  const providerError = isCallback
    ? { code: query.get("error") ?? "", ...(description === null ? {} : { description }) }
    : phase === "resource" || exchange?.status === undefined || example.tokenResponse !== undefined
      ? undefined
      : await providerErrorIn(exchange);
  return {
    phase,
    auth,
    ...(exchange === undefined ? {} : { exchange }),
    ...(providerError === undefined ? {} : { providerError }),
    ...(example.network === undefined ? {} : { network: example.network }),
    ...(phase === "resource" ? {} : { signIn }),
    ...(example.tokenResponse === undefined
      ? {}
      : { tokenResponse: { isTooLarge: false, hasTopLevelToken: false, hasOddToken: false, members: [], ...example.tokenResponse } }),
    ...(example.account === undefined ? {} : { account: { ...ACCOUNT, ...example.account } }),
    ...(example.run === undefined ? {} : { run: { ...RUN, ...example.run } }),
    ...(example.mcp === undefined ? {} : { mcp: { ...MCP, ...example.mcp } }),
  };
}
