// Asks for the application's own client ID and secret, once per pack and setter (auth-spec 5.5.4).
import { defined } from "../../base/defined.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { asksProvider } from "../../spec/auth-types.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { enteredFor, inPlaceOf } from "../accounts/client-binding.ts";
import { pastedProblem } from "../accounts/pasted-value.ts";
import type { Back, PlatformHost } from "../host.ts";
import { addressToRegister, DEFAULT_REDIRECT, type RedirectSettings } from "../oauth/receiver.ts";
import type { ClientCredentials } from "../secrets/credential.ts";
import { inOrder } from "./in-order.ts";

export interface OAuthCredentialsOptions {
  readonly scope: AuthScope;
  readonly packName: string;
  readonly host: PlatformHost;
  readonly accounts: Accounts;
  readonly redirect?: RedirectSettings;
  readonly signal?: AbortSignal;
  /** The authentication type, if known. With client credentials (RFC 6749, section 4.4) there is no redirect address to register. */
  readonly type?: string;
}

/** The client ID and secret that a person typed at a failed sign-in, for another try. Invariant: they stay in memory. */
export interface TypedClient {
  current?: ClientCredentials | undefined;
}

export interface ClientQuestion extends OAuthCredentialsOptions {
  /** The previous client, whose client ID is proposed. */
  readonly former?: ClientCredentials;
  /** Why the client is asked for again. */
  readonly problem?: string;
  /** Called when the person goes back from the first prompt. */
  readonly back?: Back;
  /** The values just entered, if the person came back to the last prompt. */
  readonly entered?: ClientCredentials;
}

/** Asks for client ID and secret, and stores nothing. Returns undefined if the person cancels. */
export async function askClientCredentials(question: ClientQuestion): Promise<ClientCredentials | undefined> {
  const settings = question.redirect ?? DEFAULT_REDIRECT;
  const isInBrowser = question.type === undefined || asksProvider(question.type);
  const address = isInBrowser ? await addressToRegister(settings, question.host) : undefined;
  const anyPort = settings.via !== "editor" && settings.port === 0 ? ", with any port" : "";
  const register = address === undefined ? "" : ` Register the redirect address ${address} there${anyPort}.`;
  const common = {
    title: `OAuth credentials of ${question.packName}`,
    totalSteps: 2,
    ...defined({ signal: question.signal }),
  };
  const { prompter } = question.host;
  const { entered } = question;
  const replies = await inOrder(
    [
      (value, back) =>
        prompter.input({
          ...common,
          step: 1,
          prompt: `${question.problem === undefined ? "" : `${question.problem} `}Client ID from the provider's developer settings.${register}`,
          placeholder: "Client ID",
          ...defined({
            copy: address === undefined ? undefined : { label: "Copy the redirect address", text: address },
            value: value ?? question.former?.clientId,
            back,
          }),
          validate: (value) => (value.trim() === "" ? "Enter the client ID." : pastedProblem(value.trim())),
        }),
      (value, back) =>
        prompter.input({
          ...common,
          step: 2,
          prompt: "Client secret. Leave it empty for a public client.",
          placeholder: "Client secret",
          secret: true,
          ...defined({ value, back }),
          validate: (value) => pastedProblem(value.trim()),
        }),
    ],
    question.back,
    entered === undefined ? [] : [entered.clientId, entered.clientSecret ?? ""],
    entered === undefined ? 0 : 1,
  );
  if (replies === undefined) return undefined;
  const [clientId = "", clientSecret = ""] = replies;
  return { clientId: clientId.trim(), ...(clientSecret.trim() === "" ? {} : { clientSecret: clientSecret.trim() }) };
}

/**
 * Asks for client ID and secret and stores them without trying them. Returns undefined if the person cancels.
 * `tokenUrl` is the configuration's, if known.
 */
export async function addOAuthCredentials(
  options: OAuthCredentialsOptions & { readonly tokenUrl?: string },
  key: string,
): Promise<ClientCredentials | undefined> {
  const former = await options.accounts.clientCredentials(key, options.scope);
  const typed = await askClientCredentials({ ...options, ...defined({ former }) });
  if (typed === undefined) return undefined;
  const { tokenUrl } = options;
  const credentials = inPlaceOf(enteredFor(typed, defined({ tokenUrl })), former);
  await options.accounts.saveClientCredentials(key, options.scope, credentials);
  return credentials;
}
