// The client ID and secret of one sign-in: the stored ones, or typed ones, asked for again where the provider refuses them. Invariants:
// nothing is stored before the sign-in came to its end; a stored secret goes to another token endpoint only after a question.
import { t } from "@vscode/l10n";
import { defined } from "../../protocol/defined.ts";
import { boundTo, inPlaceOf, isSameClient, mayGoTo, tokenAddress } from "../accounts/client-binding.ts";
import type { ClientCredentials } from "../accounts/credential.ts";
import { PackAuthError } from "../errors.ts";
import { askClientCredentials, type OAuthCredentialsOptions } from "./oauth-credentials.ts";

export interface SignInClient {
  /** Undefined where the person cancelled. */
  credentialsFor(tokenUrl: string): Promise<ClientCredentials | undefined>;
  /** Signs in; where the provider refuses the client, asks for another one and signs in again. `isSame`: as the one before. */
  withAnotherTry<T>(signIn: (isSame: boolean) => Promise<T>): Promise<T>;
  /** What there is without asking: what is to be stored, or is already. */
  stored(): Promise<ClientCredentials | undefined>;
  /** Stored with the rest: what the provider registered (RFC 7591), or what a file held. */
  keep(client: ClientCredentials): Promise<void>;
  /** One that the provider no longer knows. */
  forgetRegistration(client: ClientCredentials): Promise<void>;
  /** The redirect address that the browser came back to. */
  rememberRedirect(address: string): Promise<void>;
  /** Stores what the provider took, and where; nothing where it took none. */
  save(): Promise<void>;
}

export function signInClient(options: OAuthCredentialsOptions, key: string): SignInClient {
  const { accounts, scope, host } = options;
  let chosen: ClientCredentials | undefined;
  let used: { readonly client: ClientCredentials; readonly tokenUrl: string } | undefined;
  let worked = false;
  let redirect: string | undefined;
  let kept: ClientCredentials | undefined;

  /** auth-spec 5.5.4: once per pack. What the pack says of tokenUrl today need not be what the secret was entered for. */
  async function choose(tokenUrl: string): Promise<ClientCredentials | undefined> {
    const stored = chosen ?? (await accounts.clientCredentials(key, scope));
    // A registration is for the provider that gave it, and found anew by those who register.
    if (stored === undefined || stored.registration !== undefined) return askFor(tokenUrl);
    if (mayGoTo(stored, tokenUrl)) return stored;
    const address = tokenAddress(tokenUrl);
    const former = stored.tokenEndpoints ?? [];
    const choice = await host.prompter.pick<"other" | "send">({
      title: t`OAuth credentials of ${options.packName}`,
      placeholder: t`May the stored client secret go to ${address}?`,
      items: [
        {
          label: t`Enter another client ID and secret`,
          ...(former.length === 0 ? {} : { detail: t`The stored one was entered for ${former.join(t` and `)}.` }),
          value: "other",
        },
        { label: t`Send the stored ones there`, description: t`client ID ${stored.clientId}`, value: "send" },
      ],
      ...defined({ signal: options.signal }),
    });
    return choice === "other" ? askFor(tokenUrl) : choice === "send" ? boundTo(stored, tokenUrl) : undefined;
  }

  async function askFor(tokenUrl: string, refused?: ClientCredentials): Promise<ClientCredentials | undefined> {
    const typed = await askClientCredentials({
      ...options,
      ...(refused === undefined
        ? {}
        : { former: refused, problem: t`${new URL(tokenUrl).host} does not accept this client ID and secret.` }),
    });
    return typed === undefined ? undefined : boundTo(typed, tokenUrl);
  }

  return {
    async credentialsFor(tokenUrl) {
      const client = await choose(tokenUrl);
      if (client !== undefined) {
        chosen = client;
        used = { client, tokenUrl };
      }
      return client;
    },
    async withAnotherTry(signIn) {
      let isSame = true;
      for (;;) {
        try {
          const signedIn = await signIn(isSame);
          worked = signedIn !== undefined;
          return signedIn;
        } catch (error) {
          if (used === undefined || options.signal?.aborted || !(error instanceof PackAuthError && error.code === "credentials-refused"))
            throw error;
          const other = await askFor(used.tokenUrl, used.client);
          // What the provider said is worth more than that the question was put away.
          if (other === undefined) throw error;
          isSame = isSameClient(other, used.client);
          chosen = other;
        }
      }
    },
    stored: async () => kept ?? (await accounts.clientCredentials(key, scope)),
    async keep(client) {
      kept = client;
    },
    async forgetRegistration(client) {
      if (kept !== undefined && isSameClient(kept, client)) kept = undefined;
      await accounts.forgetRegistration(key, scope, client);
    },
    async rememberRedirect(address) {
      redirect = address;
    },
    async save() {
      // Only a comparison for the next time: no reason to lose the tokens that are here now.
      if (redirect !== undefined) await accounts.rememberRedirect(key, scope, redirect).catch(() => {});
      if (kept !== undefined) await accounts.saveClientCredentials(key, scope, kept);
      if (!worked || used === undefined) return;
      const { client, tokenUrl } = used;
      const stored = await accounts.clientCredentials(key, scope);
      if (isSameClient(client, stored)) await accounts.bindClientCredentials(key, scope, client, tokenUrl);
      else await accounts.saveClientCredentials(key, scope, inPlaceOf(boundTo(client, tokenUrl), stored));
    },
  };
}
