// The client ID and secret of one sign-in: stored, or typed and asked for again if the provider refuses them.
// Invariants: nothing is stored before the sign-in ends; a stored secret goes to another token endpoint only with the person's consent.
import { defined } from "../../base/defined.ts";
import { boundTo, inPlaceOf, isSameClient, mayGoTo, tokenAddress } from "../accounts/client-binding.ts";
import { PackAuthError } from "../errors.ts";
import type { Back } from "../host.ts";
import type { ClientCredentials } from "../secrets/credential.ts";
import type { FlowClient } from "./flows/flow.ts";
import { BACK, orBack } from "./in-order.ts";
import { askClientCredentials, type ClientQuestion, type OAuthCredentialsOptions, type TypedClient } from "./oauth-credentials.ts";

export interface SignInClient extends FlowClient {
  /**
   * Signs in. If the provider refuses the client, asks for another one and signs in again.
   * `isSame` says whether it is the same client as before; it is undefined the first time.
   */
  withAnotherTry<T>(signIn: (isSame: boolean | undefined) => Promise<T>): Promise<T>;
  /** Stores the client that the provider accepted, and its token endpoint. Does nothing if no sign-in succeeded. */
  save(): Promise<void>;
}

/** Returns the client of one sign-in. `typedClient` carries a typed client between the attempts of one sign-in. */
export function signInClient(options: OAuthCredentialsOptions, key: string, typedClient: TypedClient = {}): SignInClient {
  const { accounts, scope, host, packName, redirect: settings, signal, type } = options;
  let chosen: ClientCredentials | undefined;
  let lastAttempt: { readonly client: ClientCredentials; readonly tokenUrl: string } | undefined;
  /** Whether the client was just entered and nothing was sent since; `typed` is the entered value. */
  let isJustEntered = false;
  let typed: ClientCredentials | undefined;
  let worked = false;
  let redirect: string | undefined;
  let pendingClient: ClientCredentials | undefined;

  /** Asks once per pack (auth-spec 5.5.4). The pack's tokenUrl may have changed since the secret was entered. */
  async function choose(tokenUrl: string, back: Back | undefined): Promise<ClientCredentials | undefined> {
    // A person who comes back starts with the last prompt.
    let entered = isJustEntered ? typed : undefined;
    const savedClient = (isJustEntered ? undefined : chosen) ?? (await accounts.clientCredentials(key, scope));
    const stored = savedClient ?? (isJustEntered ? undefined : typedClient.current);
    isJustEntered = false;
    // A registration belongs to the provider that issued it; flows that register look it up themselves.
    if (stored === undefined || stored.registration !== undefined) return askFor(tokenUrl, defined({ back, entered }));
    if (mayGoTo(stored, tokenUrl)) {
      // The person can go back to a client that was typed, even without a new prompt.
      if (savedClient === undefined) [isJustEntered, typed] = [true, stored];
      return stored;
    }
    for (;;) {
      const choice = entered === undefined ? await askWhether(stored, tokenUrl, back) : "other";
      if (choice === undefined) return undefined;
      isJustEntered = true;
      if (choice === "send") {
        typed = undefined;
        return boundTo(stored, tokenUrl);
      }
      const other = await orBack((toChoice) => askFor(tokenUrl, defined({ back: toChoice, entered })));
      if (other !== BACK) return other;
      entered = undefined;
    }
  }

  function askWhether(stored: ClientCredentials, tokenUrl: string, back: Back | undefined): Promise<"other" | "send" | undefined> {
    const address = tokenAddress(tokenUrl);
    const former = stored.tokenEndpoints ?? [];
    return host.prompter.pick({
      title: `OAuth credentials of ${options.packName}`,
      placeholder: `May the stored client secret go to ${address}?`,
      items: [
        {
          label: "Enter another client ID and secret",
          ...defined({ detail: former.length === 0 ? undefined : `The stored one was entered for ${former.join(" and ")}.` }),
          value: "other",
        },
        { label: "Send the stored ones there", description: `client ID ${stored.clientId}`, value: "send" },
      ],
      ...defined({ back, signal: options.signal }),
    });
  }

  async function askFor(
    tokenUrl: string,
    more: Pick<ClientQuestion, "former" | "problem" | "back" | "entered">,
  ): Promise<ClientCredentials | undefined> {
    typed = await askClientCredentials({ scope, packName, host, accounts, ...defined({ redirect: settings, signal, type }), ...more });
    isJustEntered = typed !== undefined;
    typedClient.current = typed && boundTo(typed, tokenUrl);
    return typedClient.current;
  }

  return {
    async credentialsFor(tokenUrl, back) {
      const client = await choose(tokenUrl, back);
      if (client !== undefined) {
        chosen = client;
        lastAttempt = { client, tokenUrl };
      }
      return client;
    },
    isJustEntered: () => isJustEntered,
    async withAnotherTry(signIn) {
      let isSame: boolean | undefined;
      for (;;) {
        try {
          const signedIn = await signIn(isSame);
          worked = signedIn !== undefined;
          return signedIn;
        } catch (error) {
          if (
            lastAttempt === undefined ||
            options.signal?.aborted ||
            !(error instanceof PackAuthError && error.code === "credentials-refused")
          )
            throw error;
          // The question quotes the provider, whose words may say which of the two is wrong.
          const problem = error.message;
          const other = await askFor(lastAttempt.tokenUrl, { former: lastAttempt.client, problem });
          isJustEntered = false;
          // If the person cancels, the provider's error is more useful than a cancel.
          if (other === undefined) throw error;
          isSame = isSameClient(other, lastAttempt.client);
          chosen = other;
        }
      }
    },
    stored: async () => pendingClient ?? (await accounts.clientCredentials(key, scope)),
    async keep(client) {
      pendingClient = client;
    },
    async forgetRegistration(client) {
      if (pendingClient !== undefined && isSameClient(pendingClient, client)) pendingClient = undefined;
      await accounts.forgetRegistration(key, scope, client);
    },
    async rememberRedirect(address) {
      redirect = address;
    },
    async save() {
      // The redirect address is only for a later comparison, so a failure must not lose the tokens.
      if (redirect !== undefined) await accounts.rememberRedirect(key, scope, redirect).catch(() => {});
      if (pendingClient !== undefined) await accounts.saveClientCredentials(key, scope, pendingClient);
      if (!worked || lastAttempt === undefined) return;
      const { client, tokenUrl } = lastAttempt;
      const stored = await accounts.clientCredentials(key, scope);
      if (isSameClient(client, stored)) await accounts.bindClientCredentials(key, scope, client, tokenUrl);
      else await accounts.saveClientCredentials(key, scope, inPlaceOf(boundTo(client, tokenUrl), stored));
    },
  };
}
