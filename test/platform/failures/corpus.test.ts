// Explains failures that were reported in public, or that providers document. Each case names its source.
// The cases were collected by somebody who did not know the words of the diagnoses, which were improved by them afterwards.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nextStepText } from "../../../cli/terminal/next-steps.ts";
import { explain } from "../../../platform/diagnosis/explain.ts";
import type { AccountFacts, Failure } from "../../../platform/diagnosis/failure.ts";
import type { OAuthPhase } from "../../../platform/diagnosis/oauth-codes.ts";
import { explanationText, quoteError } from "../../../platform/diagnosis/words.ts";
import { PackAuthError, wholeMessage } from "../../../platform/errors.ts";
import { refusalOnPage } from "../../../platform/oauth/authorization-page.ts";
import { registerClient } from "../../../platform/oauth/registration.ts";
import { type Grant, requestToken } from "../../../platform/oauth/token-request.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { isOAuthType } from "../../../spec/auth-types.ts";
import { auth as definition } from "../../support/broker.ts";
import { ACCOUNT, credentialsIn, MCP } from "../../support/diagnosis-example.ts";
import { unquotedWords } from "../../support/own-words.ts";
import { root } from "../../support/packs.ts";

interface Case {
  readonly title: string;
  readonly source: string;
  readonly phase: OAuthPhase | "mcp";
  readonly authentication: Partial<AuthenticationDefinition> & { readonly type: string };
  readonly request?: { readonly method: string; readonly url: string; readonly headers?: Readonly<Record<string, string>> };
  readonly response: {
    readonly callback?: string;
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly facts?: {
    readonly tokenAge?: number;
    readonly expiresIn?: number;
    readonly hasRefreshToken?: boolean;
    readonly acceptedBefore?: boolean;
    readonly client?: "confidential" | "public" | "registered";
  };
  /** Why the explanation cannot name what is expected. It still must not blame what is right. */
  readonly shortfall?: string;
  readonly expected: { readonly names: readonly string[]; readonly never: readonly string[]; readonly field: string | null };
}

const folder = join(root, "test/platform/failures/cases");
const REDIRECT = "http://localhost:3000/oauth";

/** What a person reads, and the field that it leads to. */
interface ShownFailure {
  readonly text: string;
  readonly field: string | undefined;
}

const GRANTS: Readonly<Record<"code" | "refresh" | "client-credentials", Grant>> = {
  code: { kind: "code", callback: new URLSearchParams("code=c0de-of-the-case&state=s"), state: "s", redirectUri: REDIRECT },
  refresh: { kind: "refresh", refreshToken: "the-refresh-token" },
  "client-credentials": { kind: "client-credentials" },
};

function responseOf({ status = 200, headers = {}, body = "" }: Case["response"]): Response {
  const plain = Object.entries(headers).filter(([name]) => !/^(content-encoding|transfer-encoding|content-length)$/i.test(name));
  return new Response([204, 304].includes(status) ? null : body, { status, headers: plain });
}

const fieldOf = (configPath: string | undefined): string | undefined => configPath?.split(".")[1];

async function explained(each: Case): Promise<ShownFailure> {
  const { phase, authentication, response } = each;
  const auth = definition(authentication.type, authentication);
  const client = each.facts?.client ?? "confidential";
  const fetch = async (): Promise<Response> => responseOf(response);
  switch (phase) {
    case "code":
    case "refresh":
    case "client-credentials": {
      const tokenUrl = auth.tokenUrl ?? "https://id.acme.example/token";
      const endpoint = {
        auth,
        configRoot: "userAuthentication",
        tokenUrl,
        address: tokenUrl,
        client: {
          clientId: "the-client-id",
          ...(client === "public" ? {} : { clientSecret: "the-client-secret" }),
          ...(client === "registered" ? { registration: { issuer: new URL(tokenUrl).origin, redirectUri: REDIRECT } } : {}),
        },
        fetch,
        now: Date.now,
      };
      return fromError(await requestToken(endpoint, GRANTS[phase]).catch((error: unknown) => error));
    }
    case "registration": {
      const server = { issuer: "https://id.acme.example", registrationUrl: "https://id.acme.example/register", namesIssuer: false };
      const request = { server, redirectUri: REDIRECT, packName: "Acme", auth, configRoot: "userAuthentication" };
      return fromError(await registerClient(request, { fetch }).catch((error: unknown) => error));
    }
    case "authorization": {
      const query = new URLSearchParams(response.callback ?? "");
      const description = query.get("error_description");
      const page =
        response.callback === undefined
          ? await refusalOnPage("https://id.acme.example/authorize", { fetch })
          : { code: query.get("error") ?? "", ...(description === null ? {} : { description }) };
      if (page === undefined) return { text: "", field: undefined };
      const explanation = fromFailure({
        phase,
        auth,
        providerError: { code: page.code, ...(page.description === undefined ? {} : { description: page.description }) },
        signIn: {
          client,
          address: auth.authorizationUrl ?? "https://id.acme.example/authorize",
          redirectUri: REDIRECT,
          ...("isOnPage" in page && page.isOnPage ? { isOnPage: true } : {}),
        },
      });
      // The message of a sign-in quotes the provider.
      return { ...explanation, text: `${explanation.text} ${quoteError(page.code, page.description)}` };
    }
    default: {
      const { method = "GET", url = "https://api.acme.example/", headers = {} } = each.request ?? {};
      const exchange = {
        method,
        url,
        requestHeaders: headers,
        credentials: credentialsIn(headers, url, auth),
        status: response.status ?? 0,
        responseHeaders: response.headers ?? {},
        responseBody: response.body ?? "",
      };
      const base = { phase: "resource", auth, exchange, account: accountOf(each, auth) } as const;
      if (phase !== "mcp") return fromFailure(base);
      const isAnonymous = exchange.credentials.length === 0;
      return fromFailure({
        ...base,
        mcp: { ...MCP, isAnonymous, isOfSession: "mcp-session-id" in headers, ...rpcErrorIn(exchange.responseBody) },
      });
    }
  }
}

function rpcErrorIn(body: string): { readonly rpcError?: { readonly code: number; readonly message: string } } {
  try {
    const { error } = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body) as {
      readonly error?: { readonly code: number; readonly message: string };
    };
    return typeof error?.message === "string" ? { rpcError: error } : {};
  } catch {
    return {};
  }
}

function accountOf({ facts = {} }: Case, { type }: AuthenticationDefinition): AccountFacts {
  const { tokenAge, expiresIn, hasRefreshToken = false, acceptedBefore = false } = facts;
  return {
    ...ACCOUNT,
    isFresh: isOAuthType(type) && tokenAge !== undefined && tokenAge < 60,
    hasRunOut: expiresIn !== undefined && expiresIn <= 0 && !hasRefreshToken,
    isRenewable: hasRefreshToken,
    // A run knows what it did itself, and not what happened hours ago.
    wasAccepted: acceptedBefore && (expiresIn ?? 1) > 0 && (tokenAge ?? 0) < 3_600,
  };
}

function fromFailure(failure: Failure): ShownFailure {
  const explanation = explain(failure);
  if (explanation === undefined) return { text: "", field: undefined };
  const { nextStep, field } = explanation;
  return { text: `${explanationText(explanation)} ${nextStep === undefined ? "" : nextStepText(nextStep)}`, field };
}

function fromError(error: unknown): ShownFailure {
  assert.ok(error instanceof PackAuthError, `the exchange fails: ${String(error)}`);
  return { text: wholeMessage(error, nextStepText), field: fieldOf(error.configPath) };
}

describe("Reported failures", () => {
  for (const file of readdirSync(folder).sort())
    for (const each of JSON.parse(readFileSync(join(folder, file), "utf8")) as readonly Case[])
      it(`${file.replace(/\.json$/, "")}: ${each.title}`, async () => {
        const { text, field } = await explained(each);
        if (each.shortfall === undefined) for (const pattern of each.expected.names) assert.match(text, new RegExp(pattern, "i"));
        for (const pattern of each.expected.never) assert.doesNotMatch(text, new RegExp(pattern, "i"));
        if (each.shortfall === undefined) assert.equal(field ?? null, each.expected.field, text);
        assert.equal(unquotedWords(text, JSON.stringify(each.response), JSON.stringify(each.authentication)), undefined, text);
      });
});
