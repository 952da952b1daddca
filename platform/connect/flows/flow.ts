// The input and output of every sign-in flow. Each flow has its own file in this folder.
import { defined } from "../../../base/defined.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import type { AuthScope } from "../../../protocol/run.ts";
import { configRoot } from "../../../spec/auth-types.ts";
import type { PublishedRedirect } from "../../../spec/published-redirect.ts";
import { pastedText, valueProblem } from "../../accounts/pasted-value.ts";
import type { SignedIn } from "../../accounts/signed-in.ts";
import type { Back, PlatformHost, Prompter } from "../../host.ts";
import { sandboxAddress } from "../../network/sandbox-address.ts";
import { configuredUrl } from "../../oauth/configured-url.ts";
import type { RedirectSettings } from "../../oauth/receiver.ts";
import type { TokenEndpoint, TokenExchange } from "../../oauth/token-request.ts";
import type { ClientCredentials, ClientMethod, Credential } from "../../secrets/credential.ts";
import { inOrder } from "../in-order.ts";

/** The sandbox as a sign-in uses it: its address, and the credentials that it accepts. */
export interface SandboxSignIn {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly clientCredentials: ClientCredentials;
  /** The credential that the sandbox's API accepts, for types without a browser. */
  readonly credential?: Credential;
  readonly endpoint?: string;
  /** The sandbox's revocation endpoint (RFC 7009). */
  readonly revocationUrl?: string;
  /**
   * Tells the sandbox the addresses under which the browser reaches it and the redirect listener. Absent if the host forwards no addresses.
   */
  readonly addAddresses?: (addresses: readonly string[]) => Promise<void>;
}

/** The application's own client ID and secret. */
export interface FlowClient {
  /** Returns the client, or undefined if the person cancelled or went back. Credentials that were just entered are asked for again. */
  credentialsFor(tokenUrl: string, back: Back | undefined): Promise<ClientCredentials | undefined>;
  /** Returns whether a person has just entered the client, and nothing has been sent since. */
  isJustEntered(): boolean;
  /** Returns the client to be stored, or the stored one, without a prompt. */
  stored(): Promise<ClientCredentials | undefined>;
  /** Stores the client when the sign-in is saved: one that the provider registered (RFC 7591), or one from a file. */
  keep(client: ClientCredentials): Promise<void>;
  /** Deletes a registration that the provider no longer knows. */
  forgetRegistration(client: ClientCredentials): Promise<void>;
  /** Saves the redirect address that the browser came back to. */
  rememberRedirect(address: string): Promise<void>;
}

export interface FlowContext {
  readonly auth: AuthenticationDefinition;
  readonly scope: AuthScope;
  readonly packName: string;
  readonly host: PlatformHost;
  /** The time zone of getConnectionName and getOptions. */
  readonly timezone: string;
  readonly redirect: RedirectSettings;
  /** The redirect address that the published pack needs registered. */
  readonly published: PublishedRedirect;
  readonly signal: AbortSignal;
  readonly sandbox?: SandboxSignIn;
  /** The endpoint that the person entered, if the configuration requires one. */
  readonly endpoint?: string;
  /**
   * Called when the person goes back from the first prompt; absent once a request was sent. Nothing of the sign-in stays then, as after a
   * cancel.
   */
  readonly back?: Back;
  /** The values that the person entered before going back from the first prompt. */
  readonly entered: string[];
  readonly client: FlowClient;
  /** The MCP servers as the pack declares them. They and the domains can be asked for the issuer of their tokens (RFC 9728). */
  readonly mcpServers: readonly string[];
  /** The domains that receive the credentials. */
  readonly domains: readonly string[];
  /** Milliseconds that the browser gets before the provider's page is requested for an error. */
  readonly pageDelay: number;
  /** Whether to use PKCE although the configuration does not. */
  readonly forcePkce: boolean;
  /** The client authentication method to try first. */
  readonly remembered?: ClientMethod;
  /** The redirect address of the last successful sign-in. */
  readonly lastRedirect?: string;
  /** Receives a summary of each response of the token endpoint. */
  record(exchange: TokenExchange): void;
  /** Receives the new address of the authorization endpoint; undefined if it responded and has not moved. */
  recordPage(movedTo: string | undefined): void;
  /** Saves the method that the next sign-in tries first, after this one failed. */
  remember(method: ClientMethod): Promise<void>;
}

/** A sign-in flow. Returns undefined if the person cancels. */
export type Flow = (context: FlowContext) => Promise<SignedIn | undefined>;

export const titleOf = (context: Pick<FlowContext, "packName" | "sandbox">): string =>
  `Connect ${context.packName}${context.sandbox ? " with the sandbox" : ""}`;

export interface SecretQuestion extends Partial<Omit<Parameters<Prompter["input"]>[0], "validate">> {
  readonly prompt: string;
  /** Whether an empty value is accepted. */
  readonly optional?: boolean;
  /** Whether the value is used exactly as typed: see {@link valueProblem}. */
  readonly isPassword?: boolean;
  /** Returns another problem of a non-empty value, or undefined. */
  readonly check?: (value: string) => string | undefined;
}

/** Asks for the values of a credential. Returns undefined if the person cancels. */
export function askSecrets(context: FlowContext, questions: readonly SecretQuestion[]): Promise<readonly string[] | undefined> {
  const totalSteps = questions.length;
  return inOrder(
    questions.map((question, index) => (value, back) => {
      const place = totalSteps === 1 ? {} : { step: index + 1, totalSteps };
      return askSecret(context, { ...question, ...place, ...defined({ value, back }) });
    }),
    context.back,
    context.entered,
  );
}

async function askSecret(context: FlowContext, question: SecretQuestion): Promise<string | undefined> {
  const { optional = false, isPassword = false, check, ...rest } = question;
  const read = (value: string): string => pastedText(value, isPassword);
  const { instructionsUrl } = context.auth;
  const reply = await context.host.prompter.input({
    title: titleOf(context),
    secret: true,
    ...(instructionsUrl === undefined ? {} : { link: { label: "Where to find it", url: instructionsUrl } }),
    signal: context.signal,
    validate: (value) => (optional && value.trim() === "" ? undefined : valueProblem(read(value), isPassword)) ?? check?.(read(value)),
    ...rest,
  });
  return reply === undefined ? undefined : read(reply);
}

/** Returns the configuration's URL; a relative one is appended to the account's endpoint. */
export const absoluteUrl = (context: FlowContext, field: "authorizationUrl" | "tokenUrl"): string =>
  configuredUrl(context.auth, field, { configRoot: configRoot(context.scope), endpoint: context.endpoint });

/** Returns the token endpoint for this sign-in. */
export function tokenEndpoint(context: FlowContext, tokenUrl: string, client: ClientCredentials): TokenEndpoint {
  return {
    auth: context.auth,
    configRoot: configRoot(context.scope),
    tokenUrl,
    address: context.sandbox ? sandboxAddress(tokenUrl, context.sandbox.origin) : tokenUrl,
    client,
    fetch: context.host.fetch,
    now: context.host.now,
    // What the sandbox accepts says nothing about the provider.
    ...(context.sandbox ? {} : { remember: context.remember, record: context.record }),
    signal: context.signal,
    ...defined({ remembered: context.remembered }),
  };
}
