// What every sign-in flow is given and gives back; one file beside this for each kind.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import type { ClientCredentials, Credential } from "../credential.ts";
import { PackAuthError } from "../errors.ts";
import type { PlatformHost, Prompter } from "../host.ts";
import type { RedirectSettings } from "../oauth/loopback-listener.ts";
import type { ClientMethod } from "../oauth/token-request.ts";

/** The sandbox as a sign-in sees it: where it is, and the credentials that it takes. */
export interface SandboxSignIn {
  /** `http://127.0.0.1:<port>`: for requests of the host. */
  readonly origin: string;
  /** `http://provider.localhost:<port>`: for pages in the browser. */
  readonly browserOrigin: string;
  readonly clientCredentials: ClientCredentials;
  /** What the sandbox's API accepts, for types without a browser. */
  readonly credential?: Credential;
  readonly endpoint?: string;
}

export interface FlowContext {
  readonly auth: AuthenticationDefinition;
  readonly scope: AuthScope;
  readonly packName: string;
  readonly host: PlatformHost;
  readonly redirect: RedirectSettings;
  readonly signal?: AbortSignal;
  readonly sandbox?: SandboxSignIn;
  /** The endpoint that was entered before, where the configuration asks for one. */
  readonly endpoint?: string;
  /** The application's own credentials; asked for and stored where there are none. Undefined: cancelled. */
  clientCredentials(): Promise<ClientCredentials | undefined>;
  /** The client authentication method that worked last time. */
  readonly remembered?: ClientMethod;
}

export interface SignedIn {
  readonly credential: Credential;
  /** From the token exchange, by endpointKey. */
  readonly endpoint?: string;
  readonly scopesRequested?: readonly string[];
  readonly scopesGranted?: readonly string[];
  readonly clientMethod?: ClientMethod;
}

/** A flow; undefined where the person cancelled. */
export type Flow = (context: FlowContext) => Promise<SignedIn | undefined>;

export const configRoot = (scope: AuthScope): string => `${scope}Authentication`;

export const titleOf = (context: FlowContext): string => `Connect ${context.packName}${context.sandbox ? " with the sandbox" : ""}`;

/** Asks for one secret value; blanks at the ends, which come with copying, are taken off. */
export async function askSecret(
  context: FlowContext,
  options: Pick<Parameters<Prompter["input"]>[0], "prompt"> & Partial<Parameters<Prompter["input"]>[0]> & { readonly optional?: boolean },
): Promise<string | undefined> {
  const { optional, ...rest } = options;
  const answer = await context.host.prompter.input({
    title: titleOf(context),
    secret: true,
    ...(context.auth.instructionsUrl === undefined ? {} : { link: { label: "Where to find it", url: context.auth.instructionsUrl } }),
    ...(context.signal === undefined ? {} : { signal: context.signal }),
    validate: (value) => checkSecret(value, optional === true),
    ...rest,
  });
  return answer?.trim();
}

function checkSecret(value: string, optional: boolean): string | undefined {
  if (value.trim() === "") return optional ? undefined : "Enter a value.";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(value.trim())) return "The value holds a line break or control character: copy it again.";
  return undefined;
}

/** The URL of the configuration with the account's endpoint before it, where it is relative. */
export function absoluteUrl(context: FlowContext, field: "authorizationUrl" | "tokenUrl"): string {
  const value = context.auth[field];
  const configPath = `${configRoot(context.scope)}.${field}`;
  if (value === undefined || value.trim() === "") {
    throw new PackAuthError("configuration-invalid", `The authentication has no ${field}.`, {
      configPath,
      hint: `Add ${field} to the configuration.`,
    });
  }
  const text = /^\/(?!\/)/.test(value) && context.endpoint !== undefined ? `${context.endpoint.replace(/\/+$/, "")}${value}` : value;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new PackAuthError("configuration-invalid", `${field} is no URL: ${value}`, { configPath, hint: "Give an absolute https URL." });
  }
  const url = new URL(text);
  if (url.protocol === "http:" && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) {
    throw new PackAuthError("configuration-invalid", `${field} is not https, and a secret would travel in the open.`, {
      configPath,
      hint: "Use https.",
    });
  }
  return url.href;
}
