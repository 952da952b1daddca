// The client ID and secret of one sign-in: the stored ones, or typed ones, asked for again where the provider refuses them. Invariants:
// nothing is stored before the sign-in came to its end; a stored secret goes to another token endpoint only after a question.
import { defined } from "../../base/defined.ts";
import { boundTo, inPlaceOf, isSameClient, mayGoTo, tokenAddress } from "../accounts/client-binding.ts";
import { PackAuthError } from "../errors.ts";
import type { Back } from "../host.ts";
import type { ClientCredentials } from "../secrets/credential.ts";
import type { FlowClient } from "./flows/flow.ts";
import { BACK, orBack } from "./in-order.ts";
import { askClientCredentials, type ClientQuestion, type OAuthCredentialsOptions, type TypedClient } from "./oauth-credentials.ts";

export interface SignInClient extends FlowClient {
  /** Signs in; where the provider refuses the client, asks for another one and signs in again. `isSame`: as the one before; undefined the first time. */
  withAnotherTry<T>(signIn: (isSame: boolean | undefined) => Promise<T>): Promise<T>;
  /** Stores what the provider took, and where; nothing where it took none. */
  save(): Promise<void>;
}

/** `typedClient`: of the tries before this one, and for those after it. */
export function signInClient(options: OAuthCredentialsOptions, key: string, typedClient: TypedClient = {}): SignInClient {
  const { accounts, scope, host, packName, redirect: settings, signal, type } = options;
  let chosen: ClientCredentials | undefined;
  let lastAttempt: { readonly client: ClientCredentials; readonly tokenUrl: string } | undefined;
  /** Whether it was asked for just now, and nothing was sent since; and what was typed then. */
  let isJustEntered = false;
  let typed: ClientCredentials | undefined;
  let worked = false;
  let redirect: string | undefined;
  let pendingClient: ClientCredentials | undefined;

  /** auth-spec 5.5.4: once per pack. What the pack says of tokenUrl today need not be what the secret was entered for. */
  async function choose(tokenUrl: string, back: Back | undefined): Promise<ClientCredentials | undefined> {
    // Who comes back begins with the last of the questions.
    let entered = isJustEntered ? typed : undefined;
    const savedClient = (isJustEntered ? undefined : chosen) ?? (await accounts.clientCredentials(key, scope));
    const stored = savedClient ?? (isJustEntered ? undefined : typedClient.current);
    isJustEntered = false;
    // A registration is for the provider that gave it, and found anew by those who register.
    if (stored === undefined || stored.registration !== undefined) return askFor(tokenUrl, defined({ back, entered }));
    if (mayGoTo(stored, tokenUrl)) {
      // It can be gone back to, as right after it was typed.
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
          const problem = `${new URL(lastAttempt.tokenUrl).host} does not accept this client ID and secret.`;
          const other = await askFor(lastAttempt.tokenUrl, { former: lastAttempt.client, problem });
          isJustEntered = false;
          // What the provider said is worth more than that the question was put away.
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
      // Only a comparison for the next time: no reason to lose the tokens that are here now.
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
