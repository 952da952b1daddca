// The masked facts of a failure, from which every diagnosis is made.
// Invariant: nothing here contains a credential. Whoever collects the facts masks them first, and cuts them after that.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import type { NetworkFailure } from "../network/network-failure.ts";
import type { OAuthPhase } from "./oauth-codes.ts";

export interface Failure {
  /** The step that failed: a step of the sign-in, or `resource` for a request to the API or to an MCP server. */
  readonly phase: OAuthPhase;
  /** The configuration in force; {@link NO_AUTHENTICATION} if the pack has none. */
  readonly auth: AuthenticationDefinition;
  /** The last request and its response. Absent if the browser brought the error, or if the pack failed without a request. */
  readonly exchange?: Exchange;
  /** The error in the words of the provider or API, if it named one. */
  readonly providerError?: ProviderError;
  /** Why a request got no response. */
  readonly network?: NetworkFailure;
  readonly signIn?: SignInFacts;
  readonly tokenResponse?: TokenResponseFacts;
  readonly account?: AccountFacts;
  readonly run?: RunFacts;
  readonly mcp?: McpFacts;
}

/** A request and its response, as the list of requests shows them. */
export type Exchange = Pick<
  RequestTrace,
  | "method"
  | "url"
  | "requestHeaders"
  | "credentials"
  | "status"
  | "responseHeaders"
  | "responseBody"
  | "size"
  | "redirectedFrom"
  | "disablesAuthentication"
>;

/** The configuration of a pack without authentication. */
export const NO_AUTHENTICATION: AuthenticationDefinition = { type: "None", hasGetConnectionName: false, postSetup: [] };

/** An OAuth error (RFC 6749, sections 4.1.2.1 and 5.2), or what a provider sends in its place. */
export interface ProviderError {
  /** The provider's `error`; `http_404` if it responded with that status and no error. */
  readonly code: string;
  readonly description?: string;
}

export interface SignInFacts {
  /** The kind of client: with a secret, without a secret, or registered dynamically (RFC 7591). */
  readonly client: "confidential" | "public" | "registered";
  /** The token endpoint, the authorization page or the registration endpoint, whichever failed. */
  readonly address: string;
  /** The redirect address of this sign-in. */
  readonly redirectUri?: string;
  /** True if the page in the browser shows the error, and the provider did not send it to the redirect address. */
  readonly isOnPage?: boolean;
  /** What the provider's metadata lists, if discovery found it. Metadata need not be complete (RFC 8414, section 2). */
  readonly metadata?: ProviderMetadata;
  /** Parameters that came with the code and that name an address on another host than tokenUrl's. */
  readonly otherHost?: { readonly parameter: string; readonly origin: string };
  /** The methods of client authentication, if one that was refused seems to have used up the code. */
  readonly usedUpBy?: UsedUpCode;
  /** Metadata that was not used because it names other addresses: a sentence that says which. */
  readonly otherMetadata?: string;
}

export interface UsedUpCode {
  readonly refusedMethod: string;
  /** The provider's error to that method. */
  readonly refusal: string;
  /** The method whose error was about the code. */
  readonly lastMethod: string;
  /** The value of credentialsLocation that begins with the last method, unless the field is set already. */
  readonly location?: string;
}

export interface ProviderMetadata {
  readonly scopes: readonly string[];
  readonly challengeMethods: readonly string[];
}

/** A token endpoint's response that is no OAuth error and contains no usable token. */
export interface TokenResponseFacts {
  /** The target of a redirect that was not followed, or null if it names none. */
  readonly redirect?: string | null;
  /** True if the response, or a token in it, is too long to be used. */
  readonly isTooLarge: boolean;
  /** The member whose object contains an access_token. */
  readonly tokenIn?: string;
  readonly hasTopLevelToken: boolean;
  /** True if there is an access_token, and it is not a string. */
  readonly hasOddToken: boolean;
  /** The names of members that may be shown. */
  readonly members: readonly string[];
}

export interface AccountFacts {
  /** True if the token was issued or renewed for this very request, or seconds ago. */
  readonly isFresh: boolean;
  /** The token_type of the token response, if it is not Bearer. */
  readonly tokenType?: string;
  /** True if the access token has expired and cannot be refreshed. */
  readonly hasRunOut: boolean;
  /** True if a refresh token is stored, and the sandbox does not answer. */
  readonly isRenewable: boolean;
  /** True if the token was renewed before the run because it was about to expire. */
  readonly wasRenewedEarly: boolean;
  /** True if the same host accepted the same credential earlier in this run. */
  readonly wasAccepted: boolean;
}

export interface RunFacts {
  /** Scopes that the account lacks and that `asker` needs. */
  readonly lackingScopes: readonly string[];
  /** The formula or table that needs them, or “the pack”. */
  readonly asker: string;
  /** The ID and the scopes of a stored account, which a person can grant more access. */
  readonly account?: { readonly id: string; readonly grantedScopes: readonly string[] };
  /** The host of the last blocked request, if declaring its domain would permit the request. */
  readonly undeclaredHost?: string;
  /** A request that had no response when the time was over. */
  readonly unansweredRequest?: string;
  /** The name of the error that the pack threw, such as StatusCodeError. */
  readonly errorName: string;
}

export interface McpFacts {
  readonly serverName: string;
  /** The status of a JSON-RPC error, and its message. */
  readonly rpcError?: { readonly code: number; readonly message: string };
  readonly reason?: "invalid-result" | "input-required";
  /** Whether the server answers a GET as HTTP+SSE does, the transport before Streamable HTTP. */
  readonly isHttpSse: boolean;
  /** Whether the failed request belonged to a session. */
  readonly isOfSession: boolean;
  /** Whether the run used no account. */
  readonly isAnonymous: boolean;
}
