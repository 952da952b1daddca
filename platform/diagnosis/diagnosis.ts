// The form of a diagnosis: one record that recognizes a failure by its facts, and says why it happened and what to change.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { NextStep } from "../../protocol/next-step.ts";
import type { Remedy } from "../../protocol/run.ts";
import type { CodeAbout } from "../../spec/evidence-codes.ts";
import type { NetworkFailure } from "../network/network-failure.ts";
import type { AccountFacts, Failure, McpFacts, RunFacts, SignInFacts, TokenResponseFacts } from "./failure.ts";
import type { OAuthPhase } from "./oauth-codes.ts";

export interface Diagnosis<Id extends string = string> {
  /** The name of the diagnosis's file, of its page, and the argument of `pack-auth explain`. */
  readonly id: Id;
  /** Markdown: what happened, why, and what to change. The first sentence is the summary in lists. */
  readonly docs: string;
  /** The specification, or the observation, behind the diagnosis. It is for maintainers; users do not see it. */
  readonly source: string;
  readonly examples: readonly DiagnosisExample[];
  /** True if the diagnosis says no more than the response itself, so that the list of requests need not repeat it. */
  readonly isGeneral?: true;
  /** Returns the explanation, or undefined if the failure is another one. */
  when(failure: Failure): Cause | undefined;
}

/** Why a failure happened. Invariant: if there is a field, `reason` names it, so that the first sentence of every message does. */
export interface Cause {
  /** A clause that follows the word “because” and begins a sentence as well. */
  readonly reason: string;
  /** What to do: whole sentences. */
  readonly advice: string;
  /** What to do next, in words of the host, which follow the advice. */
  readonly nextStep?: NextStep | undefined;
  /** The field of the configuration to change; absent if none is to blame. */
  readonly field?: string | undefined;
  /** True if the client ID or secret is to blame, so that the person may enter new ones. */
  readonly blamesClient?: true;
  /** True if the cause is unspecific, so that another attempt's error may explain more. */
  readonly isVague?: true;
  /** What the failure proves about the configuration, for a diagnostic in the source. */
  readonly evidence?: { readonly code: CodeAbout<"credential">; readonly name: string } | undefined;
  readonly remedies?: readonly Remedy[];
}

/**
 * An example, run by a test: the facts, and what the explanation says of them. With `silent`, another diagnosis explains the failure, or
 * none does.
 */
export type DiagnosisExample = ExampleFacts &
  ({ readonly says: string; readonly field?: string; readonly silent?: never } | { readonly silent: true; readonly says?: never });

interface ExampleFacts {
  /** `resource` by default. */
  readonly phase?: OAuthPhase;
  readonly auth?: Partial<AuthenticationDefinition>;
  /**
   * A request line and headers, a blank line, a status and headers, a blank line, a body. What begins with a status is the response to the
   * usual request of the phase; the body may follow the status on its line. For the authorization page it is the callback's query alone.
   */
  readonly exchange?: string;
  readonly disablesAuthentication?: true;
  readonly network?: NetworkFailure;
  readonly signIn?: Partial<SignInFacts>;
  readonly tokenResponse?: Partial<TokenResponseFacts>;
  readonly account?: Partial<AccountFacts>;
  readonly run?: Partial<RunFacts>;
  readonly mcp?: Partial<McpFacts>;
}

/** Instead of `when`: which failures fit, and the explanation if it is the same for all of them. */
interface FixedCause {
  fits(failure: Failure): boolean;
  readonly cause: Cause;
}

type DiagnosisDefinition<Id extends string> = Omit<Diagnosis<Id>, "when"> & (Pick<Diagnosis<Id>, "when"> | FixedCause);

export const diagnosis = <const Id extends string>(definition: DiagnosisDefinition<Id>): Diagnosis<Id> => ({
  when: "when" in definition ? definition.when : (failure) => (definition.fits(failure) ? definition.cause : undefined),
  ...definition,
  examples: definition.examples.map((example) =>
    example.exchange === undefined ? example : { ...example, exchange: withRequest(example, example.exchange) },
  ),
});

const TOKEN_REQUEST = "POST https://id.acme.example/token";

/** The usual request of each phase, and of an MCP server. */
const REQUESTS: Record<Exclude<OAuthPhase, "authorization"> | "mcp", string> = {
  code: TOKEN_REQUEST,
  refresh: TOKEN_REQUEST,
  "client-credentials": TOKEN_REQUEST,
  revocation: "POST https://id.acme.example/revoke",
  registration: "POST https://id.acme.example/register",
  resource: "GET https://api.acme.example/me\nauthorization: Bearer ••••",
  mcp: "POST https://mcp.acme.example/mcp",
};

/** Returns a whole exchange, of one that may be the response alone. */
function withRequest({ phase = "resource", mcp }: ExampleFacts, exchange: string): string {
  if (phase === "authorization" || !/^\d/.test(exchange)) return exchange;
  return `${REQUESTS[mcp === undefined ? phase : "mcp"]}\n\n${exchange.replace(/^(\d+) /, "$1\n\n")}`;
}

/** Returns an exchange without the indentation of the source. */
export function http(strings: TemplateStringsArray, ...values: readonly string[]): string {
  const lines = String.raw({ raw: strings.raw }, ...values)
    .replace(/^\n/, "")
    .trimEnd()
    .split("\n");
  const indentation = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indentation)).join("\n");
}
