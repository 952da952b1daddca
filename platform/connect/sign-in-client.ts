// The client ID and secret of one sign-in: stored, or typed and asked for again if the provider refuses them.
// Invariants: nothing is stored before the sign-in ends; a stored secret goes to another token endpoint only with the person's consent.
import { defined } from "../../base/defined.ts";
import { acceptedAt, boundTo, inPlaceOf, isSameClient, mayGoTo, tokenAddress } from "../accounts/client-binding.ts";
import { PackAuthError } from "../errors.ts";
import type { Back } from "../host.ts";
import type { AcceptedWith, ClientCredentials } from "../secrets/credential.ts";
import type { FlowClient } from "./flows/flow.ts";
import { BACK, orBack } from "./in-order.ts";
import { askClientCredentials, type ClientQuestion, type OAuthCredentialsOptions, type TypedClient } from "./oauth-credentials.ts";

interface TokenAttempt {
  readonly client: ClientCredentials;
  readonly tokenUrl: string;
}

/** `auth` is the configuration; absent if the pack has none, which ends the sign-in before a client is needed. */
type SignInClientOptions = Omit<OAuthCredentialsOptions, "type"> & { readonly auth?: AcceptedWith };

/** The client of one sign-in. */
export class SignInClient implements FlowClient {
  readonly #options: SignInClientOptions;
  /** The packKey of the pack. */
  readonly #key: string;
  /** Carries a typed client between the attempts of one sign-in. */
  readonly #typedClient: TypedClient;
  #chosen: ClientCredentials | undefined;
  #lastAttempt: TokenAttempt | undefined;
  /** Whether the client was just entered and nothing was sent since; `#typed` is the entered value. */
  #isJustEntered = false;
  #typed: ClientCredentials | undefined;
  /** Whether a sign-in succeeded. */
  #hasWorked = false;
  #redirect: string | undefined;
  #pendingClient: ClientCredentials | undefined;

  constructor(options: SignInClientOptions, key: string, typedClient: TypedClient = {}) {
    this.#options = options;
    this.#key = key;
    this.#typedClient = typedClient;
  }

  async credentialsFor(tokenUrl: string, back: Back | undefined): Promise<ClientCredentials | undefined> {
    const client = await this.#choose(tokenUrl, back);
    if (client !== undefined) {
      this.#chosen = client;
      this.#lastAttempt = { client, tokenUrl };
    }
    return client;
  }

  isJustEntered(): boolean {
    return this.#isJustEntered;
  }

  /**
   * Signs in. If the provider refuses the client, asks for another one and signs in again.
   * `isSame` says whether it is the same client as before; it is undefined the first time.
   */
  async withAnotherTry<T>(signIn: (isSame: boolean | undefined) => Promise<T>): Promise<T> {
    let isSame: boolean | undefined;
    for (;;) {
      try {
        const signedIn = await signIn(isSame);
        this.#hasWorked = signedIn !== undefined;
        return signedIn;
      } catch (error) {
        const attempt = this.#lastAttempt;
        const isRefused = error instanceof PackAuthError && error.code === "credentials-refused";
        if (attempt === undefined || this.#options.signal?.aborted || !isRefused) throw error;
        // The question quotes the provider, whose words may say which of the two is wrong.
        const problem = error.message;
        const other = await this.#askFor(attempt.tokenUrl, { former: attempt.client, problem });
        this.#isJustEntered = false;
        // If the person cancels, the provider's error is more useful than a cancel.
        if (other === undefined) throw error;
        isSame = isSameClient(other, attempt.client);
        this.#chosen = other;
      }
    }
  }

  async stored(): Promise<ClientCredentials | undefined> {
    return this.#pendingClient ?? this.#savedClient();
  }

  async keep(client: ClientCredentials): Promise<void> {
    this.#pendingClient = client;
  }

  async forgetRegistration(client: ClientCredentials): Promise<void> {
    const { accounts, scope } = this.#options;
    if (this.#pendingClient !== undefined && isSameClient(this.#pendingClient, client)) this.#pendingClient = undefined;
    await accounts.forgetRegistration(this.#key, scope, client);
  }

  async rememberRedirect(address: string): Promise<void> {
    this.#redirect = address;
  }

  /** Stores the client that the provider accepted, and its token endpoint. Does nothing if no sign-in succeeded. */
  async save(): Promise<void> {
    const { accounts, scope, auth } = this.#options;
    // The redirect address is only for a later comparison, so a failure must not lose the tokens.
    if (this.#redirect !== undefined) await accounts.rememberRedirect(this.#key, scope, this.#redirect).catch(() => {});
    if (this.#pendingClient !== undefined) await accounts.saveClientCredentials(this.#key, scope, this.#pendingClient);
    if (!this.#hasWorked || this.#lastAttempt === undefined || auth === undefined) return;
    const { client, tokenUrl } = this.#lastAttempt;
    const stored = await this.#savedClient();
    if (isSameClient(client, stored)) await accounts.bindClientCredentials(this.#key, scope, client, tokenUrl, auth);
    else await accounts.saveClientCredentials(this.#key, scope, inPlaceOf(acceptedAt(client, tokenUrl, auth), stored));
  }

  #savedClient(): Promise<ClientCredentials | undefined> {
    return this.#options.accounts.clientCredentials(this.#key, this.#options.scope);
  }

  /** Asks once per pack (auth-spec 5.5.4). The pack's tokenUrl may have changed since the secret was entered. */
  async #choose(tokenUrl: string, back: Back | undefined): Promise<ClientCredentials | undefined> {
    // A person who comes back starts with the last prompt.
    let entered = this.#isJustEntered ? this.#typed : undefined;
    const savedClient = (this.#isJustEntered ? undefined : this.#chosen) ?? (await this.#savedClient());
    const stored = savedClient ?? (this.#isJustEntered ? undefined : this.#typedClient.current);
    this.#isJustEntered = false;
    // A registration belongs to the provider that issued it; flows that register look it up themselves.
    if (stored === undefined || stored.registration !== undefined) return this.#askFor(tokenUrl, defined({ back, entered }));
    if (mayGoTo(stored, tokenUrl)) {
      // The person can go back to a client that was typed, even without a new prompt.
      if (savedClient === undefined) {
        this.#isJustEntered = true;
        this.#typed = stored;
      }
      return stored;
    }
    for (;;) {
      const choice = entered === undefined ? await this.#askWhether(stored, tokenUrl, back) : "other";
      if (choice === undefined) return undefined;
      this.#isJustEntered = true;
      if (choice === "send") {
        this.#typed = undefined;
        return boundTo(stored, tokenUrl);
      }
      const other = await orBack((toChoice) => this.#askFor(tokenUrl, defined({ back: toChoice, entered })));
      if (other !== BACK) return other;
      entered = undefined;
    }
  }

  #askWhether(stored: ClientCredentials, tokenUrl: string, back: Back | undefined): Promise<"other" | "send" | undefined> {
    const { host, packName, signal } = this.#options;
    const address = tokenAddress(tokenUrl);
    const former = stored.tokenEndpoints ?? [];
    return host.prompter.pick({
      title: `OAuth credentials of ${packName}`,
      placeholder: `May the stored client secret go to ${address}?`,
      items: [
        {
          label: "Enter another client ID and secret",
          ...defined({ detail: former.length === 0 ? undefined : `The stored one was entered for ${former.join(" and ")}.` }),
          value: "other",
        },
        { label: "Send the stored ones there", description: `client ID ${stored.clientId}`, value: "send" },
      ],
      ...defined({ back, signal }),
    });
  }

  async #askFor(
    tokenUrl: string,
    more: Pick<ClientQuestion, "former" | "problem" | "back" | "entered">,
  ): Promise<ClientCredentials | undefined> {
    const { scope, host, accounts, packName, redirect, signal, auth } = this.#options;
    const type = auth?.type;
    this.#typed = await askClientCredentials({ scope, packName, host, accounts, ...defined({ redirect, signal, type }), ...more });
    this.#isJustEntered = this.#typed !== undefined;
    this.#typedClient.current = this.#typed && boundTo(this.#typed, tokenUrl);
    return this.#typedClient.current;
  }
}
