// What every sign-in flow is given and gives back; one file beside this for each kind.
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

/** The sandbox as a sign-in sees it: where it is, and the credentials that it takes. */
export interface SandboxSignIn {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly clientCredentials: ClientCredentials;
  /** What the sandbox's API accepts, for types without a browser. */
  readonly credential?: Credential;
  readonly endpoint?: string;
  /** Where it takes tokens back (RFC 7009). */
  readonly revocationUrl?: string;
}

/** The application's own client ID and secret. */
export interface FlowClient {
  /** Undefined where the person cancelled, or went back. What was asked just now is asked again. */
  credentialsFor(tokenUrl: string, back: Back | undefined): Promise<ClientCredentials | undefined>;
  /** Whether a person was asked for it just now, and nothing was sent since. */
  isJustEntered(): boolean;
  /** What there is without asking: what is to be stored, or is already. */
  stored(): Promise<ClientCredentials | undefined>;
  /** Stored with the rest: what the provider registered (RFC 7591), or what a file held. */
  keep(client: ClientCredentials): Promise<void>;
  /** One that the provider no longer knows. */
  forgetRegistration(client: ClientCredentials): Promise<void>;
  /** The redirect address that the browser came back to. */
  rememberRedirect(address: string): Promise<void>;
}

export interface FlowContext {
  readonly auth: AuthenticationDefinition;
  readonly scope: AuthScope;
  readonly packName: string;
  readonly host: PlatformHost;
  readonly redirect: RedirectSettings;
  /** What the published pack needs registered. */
  readonly published: PublishedRedirect;
  readonly signal?: AbortSignal;
  readonly sandbox?: SandboxSignIn;
  /** The endpoint that was entered before, where the configuration asks for one. */
  readonly endpoint?: string;
  /** Where the first question leads back to; absent once something was sent. */
  readonly back?: Back;
  /** What was answered before the person went back over the first question. */
  readonly entered: string[];
  readonly client: FlowClient;
  /** As the pack writes them: who issues their tokens can be asked of them, and of the domains (RFC 9728). */
  readonly mcpServers: readonly string[];
  /** That get the credentials. */
  readonly domains: readonly string[];
  /** Milliseconds until the provider's page is asked what it says; 5,000 by default. */
  readonly pageDelay?: number;
  /** PKCE although the configuration does not ask for it. */
  readonly forcePkce?: boolean;
  /** The client authentication method to begin with. */
  readonly remembered?: ClientMethod;
  /** The redirect address of the last sign-in that worked. */
  readonly lastRedirect?: string;
  /** Hears what the token endpoint answered. */
  record(exchange: TokenExchange): void;
  /** Hears where the authorization endpoint has moved to; undefined where it answered, and has not. */
  recordPage(movedTo: string | undefined): void;
  /** Keeps the method that the next sign-in begins with, after this one failed. */
  remember(method: ClientMethod): Promise<void>;
}

/** A flow; undefined where the person cancelled. */
export type Flow = (context: FlowContext) => Promise<SignedIn | undefined>;

export const titleOf = (context: Pick<FlowContext, "packName" | "sandbox">): string =>
  `Connect ${context.packName}${context.sandbox ? " with the sandbox" : ""}`;

export interface SecretQuestion extends Partial<Omit<Parameters<Prompter["input"]>[0], "validate">> {
  readonly prompt: string;
  /** An empty value is taken too. */
  readonly optional?: boolean;
  /** Taken as it is typed: see {@link valueProblem}. */
  readonly isPassword?: boolean;
  /** What else is wrong with a value that is there. */
  readonly check?: (value: string) => string | undefined;
}

/** Asks for the values of a credential; undefined where the person cancelled. */
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
    ...defined({ signal: context.signal }),
    validate: (value) => (optional && value.trim() === "" ? undefined : valueProblem(read(value), isPassword)) ?? check?.(read(value)),
    ...rest,
  });
  return reply === undefined ? undefined : read(reply);
}

/** The configuration's URL, with the account's endpoint before it where it is relative. */
export const absoluteUrl = (context: FlowContext, field: "authorizationUrl" | "tokenUrl"): string =>
  configuredUrl(context.auth, field, { configRoot: configRoot(context.scope), endpoint: context.endpoint });

/** The token endpoint as this sign-in uses it. */
export function tokenEndpoint(context: FlowContext, tokenUrl: string, client: ClientCredentials): TokenEndpoint {
  return {
    auth: context.auth,
    configRoot: configRoot(context.scope),
    tokenUrl,
    address: context.sandbox ? sandboxAddress(tokenUrl, context.sandbox.origin) : tokenUrl,
    client,
    fetch: context.host.fetch,
    now: context.host.now,
    // The sandbox's ways say nothing of the provider's.
    ...(context.sandbox ? {} : { remember: context.remember, record: context.record }),
    ...defined({ signal: context.signal, remembered: context.remembered }),
  };
}
