// The application's own client ID and secret, asked for once per pack and setter (auth-spec 5.5.4).
import type { AuthScope } from "../protocol/run.ts";
import type { Accounts } from "./accounts.ts";
import type { ClientCredentials } from "./credential.ts";
import { controlCharacterProblem } from "./flows/flow.ts";
import type { PlatformHost } from "./host.ts";
import { addressToRegister, DEFAULT_REDIRECT, type RedirectSettings } from "./oauth/receiver.ts";

export interface OAuthCredentialsOptions {
  readonly scope: AuthScope;
  readonly packName: string;
  readonly host: PlatformHost;
  readonly accounts: Accounts;
  readonly redirect?: RedirectSettings;
  readonly signal?: AbortSignal;
}

/** Asks for client ID and secret and stores them; undefined where the person cancelled (auth-spec 5.5.4). */
export async function addOAuthCredentials(options: OAuthCredentialsOptions, key: string): Promise<ClientCredentials | undefined> {
  const settings = options.redirect ?? DEFAULT_REDIRECT;
  const address = await addressToRegister(settings, options.host);
  const common = {
    title: `OAuth credentials of ${options.packName}`,
    totalSteps: 2,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  const clientId = await options.host.prompter.input({
    ...common,
    step: 1,
    prompt: `Client ID from the provider's developer settings. Register the redirect address ${address} there${settings.via !== "editor" && settings.port === 0 ? ", with any port" : ""}.`,
    placeholder: "Client ID",
    validate: (value) => (value.trim() === "" ? "Enter the client ID." : controlCharacterProblem(value.trim())),
  });
  if (clientId === undefined) return undefined;
  const clientSecret = await options.host.prompter.input({
    ...common,
    step: 2,
    prompt: "Client secret. Leave it empty for a public client.",
    placeholder: "Client secret",
    secret: true,
    validate: (value) => controlCharacterProblem(value.trim()),
  });
  if (clientSecret === undefined) return undefined;
  const credentials: ClientCredentials = {
    clientId: clientId.trim(),
    ...(clientSecret.trim() === "" ? {} : { clientSecret: clientSecret.trim() }),
  };
  await options.accounts.saveClientCredentials(key, options.scope, credentials);
  return credentials;
}
