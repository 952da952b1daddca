// Stores the application's credentials at the provider, once per pack and setter (auth-spec 5.5.4). It also stores the client
// authentication that works, and the registered redirect address.
import { isRecord } from "../../base/is-record.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import type { PlatformHost, StateStore } from "../host.ts";
import { type AcceptedWith, CLIENT_METHODS, type ClientCredentials, type ClientMethod } from "../secrets/credential.ts";
import type { AccountChanges } from "./account-changes.ts";
import { acceptedAt, hasWorkedWith, isSameClient, mayGoTo } from "./client-binding.ts";

const METHODS = "packAuth.clientMethods";
const REDIRECTS = "packAuth.redirects";
const secretKey = (pack: string, scope: AuthScope): string => `packAuth.client.${pack}.${scope}`;
const stateKey = (pack: string, scope: AuthScope): string => `${pack}.${scope}`;
const NOT_SAVED = "The client ID and secret could not be saved.";

export class ClientStore {
  readonly #host: Pick<PlatformHost, "secrets" | "globalState">;
  readonly #changes: AccountChanges;

  constructor(host: Pick<PlatformHost, "secrets" | "globalState">, changes: AccountChanges) {
    this.#host = host;
    this.#changes = changes;
  }

  async clientCredentials(pack: string, scope: AuthScope): Promise<ClientCredentials | undefined> {
    const record = (await readSecret(this.#host.secrets, secretKey(pack, scope))) as ClientCredentials | null | undefined;
    return typeof record?.clientId === "string" ? record : undefined;
  }

  /** Returns whether the secret store has a client that it cannot decrypt, for example because the passphrase differs. */
  async hasSealedClient(pack: string, scope: AuthScope): Promise<boolean> {
    return (await this.#host.secrets.sealed?.(secretKey(pack, scope))) !== undefined;
  }

  saveClientCredentials(pack: string, scope: AuthScope, credentials: ClientCredentials): Promise<void> {
    const { globalState, secrets } = this.#host;
    return this.#changes.run(NOT_SAVED, async () => {
      // The stored method may not work with the new credentials.
      const { [stateKey(pack, scope)]: former, ...remainingMethods } = recordIn(globalState, METHODS);
      if (former !== undefined) await globalState.set(METHODS, remainingMethods);
      await secrets.set(secretKey(pack, scope), JSON.stringify(credentials));
    });
  }

  /** Stores that this token endpoint accepted the client with this configuration. Does nothing if another client is stored by now. */
  async bindClientCredentials(
    pack: string,
    scope: AuthScope,
    client: ClientCredentials,
    tokenUrl: string,
    auth: AcceptedWith,
  ): Promise<void> {
    const stored = await this.clientCredentials(pack, scope);
    if (stored === undefined || !isSameClient(stored, client)) return;
    if (hasWorkedWith(stored, auth) && stored.tokenEndpoints !== undefined && mayGoTo(stored, tokenUrl)) return;
    const accepted = acceptedAt(stored, tokenUrl, auth);
    await this.#changes.run(NOT_SAVED, () => this.#host.secrets.set(secretKey(pack, scope), JSON.stringify(accepted)));
  }

  removeClientCredentials(pack: string, scope: AuthScope): Promise<void> {
    return this.#changes.run("The client ID and secret could not be removed.", () => this.#host.secrets.delete(secretKey(pack, scope)));
  }

  /**
   * Deletes the stored registration if it is this one, or any if `client` is absent, so that the next sign-in registers again (RFC 7591). A
   * client that a person typed stays.
   */
  async forgetRegistration(pack: string, scope: AuthScope, client?: ClientCredentials): Promise<void> {
    const stored = await this.clientCredentials(pack, scope);
    if (stored?.registration === undefined || (client !== undefined && !isSameClient(client, stored))) return;
    await this.removeClientCredentials(pack, scope);
  }

  /** Returns the client authentication method that the pack's next sign-in tries first. */
  clientMethod(pack: string, scope: AuthScope): ClientMethod | undefined {
    const stored = this.#recall(METHODS, pack, scope);
    return CLIENT_METHODS.find((method) => method === stored);
  }

  rememberClientMethod(pack: string, scope: AuthScope, method: ClientMethod): Promise<void> {
    return this.#remember(METHODS, pack, scope, method);
  }

  /** Returns the redirect address of the last sign-in whose browser came back. */
  lastRedirect(pack: string, scope: AuthScope): string | undefined {
    const address = this.#recall(REDIRECTS, pack, scope);
    return typeof address === "string" ? address : undefined;
  }

  rememberRedirect(pack: string, scope: AuthScope, address: string): Promise<void> {
    return this.#remember(REDIRECTS, pack, scope, address);
  }

  /** Copies the client to another pack that has none. Runs as part of the caller's change. */
  protected async copyClient(from: string, to: string, scope: AuthScope): Promise<void> {
    const credentials = await this.clientCredentials(from, scope);
    if (credentials !== undefined && (await this.clientCredentials(to, scope)) === undefined)
      await this.#host.secrets.set(secretKey(to, scope), JSON.stringify(credentials));
  }

  #recall(name: string, pack: string, scope: AuthScope): unknown {
    return recordIn(this.#host.globalState, name)[stateKey(pack, scope)];
  }

  #remember(name: string, pack: string, scope: AuthScope, value: string): Promise<void> {
    const { globalState } = this.#host;
    return this.#changes.run("What Pack Auth found out about the provider could not be saved.", () =>
      globalState.set(name, { ...recordIn(globalState, name), [stateKey(pack, scope)]: value }),
    );
  }
}

/**
 * Returns the value of a record. A record that was cut short counts as lost and gives undefined. Throws storage-failed if the store cannot be
 * reached, which says nothing about the record.
 */
export async function readSecret(secrets: PlatformHost["secrets"], key: string): Promise<unknown> {
  const text = await secrets.get(key).catch((cause: unknown) => {
    throw cause instanceof PackAuthError ? cause : unreachable(cause);
  });
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

const unreachable = (cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", "The secret store cannot be read.", {
    hint: "Unlock the system's keyring, and try again. What is stored there is unchanged.",
    cause,
  });

function recordIn(store: StateStore, name: string): Readonly<Record<string, unknown>> {
  const stored = store.get(name);
  return isRecord(stored) ? stored : {};
}
