// Stores the application's credentials at the provider, once per pack and setter (auth-spec 5.5.4). It also stores the client
// authentication that works, and the registered redirect address.
import { isRecord } from "../../base/is-record.ts";
import type { AuthScope } from "../../protocol/run.ts";
import type { PlatformHost, StateStore } from "../host.ts";
import type { ClientCredentials } from "../secrets/credential.ts";
import { CLIENT_METHODS, type ClientMethod } from "../secrets/credential.ts";
import { boundTo, isSameClient, mayGoTo } from "./client-binding.ts";

export interface ClientStore {
  clientCredentials(pack: string, scope: AuthScope): Promise<ClientCredentials | undefined>;
  /** Returns whether the secret store has a client that it cannot decrypt, for example because the passphrase differs. */
  hasSealedClient(pack: string, scope: AuthScope): Promise<boolean>;
  saveClientCredentials(pack: string, scope: AuthScope, credentials: ClientCredentials): Promise<void>;
  /** Allows the stored client for a token endpoint that accepted it. Does nothing if another client is stored by now. */
  bindClientCredentials(pack: string, scope: AuthScope, client: ClientCredentials, tokenUrl: string): Promise<void>;
  removeClientCredentials(pack: string, scope: AuthScope): Promise<void>;
  /**
   * Deletes the stored registration if it is this one, or any if `client` is absent, so that the next sign-in registers again (RFC 7591). A
   * client that a person typed stays.
   */
  forgetRegistration(pack: string, scope: AuthScope, client?: ClientCredentials): Promise<void>;
  /** Returns the client authentication method that the pack's next sign-in tries first. */
  clientMethod(pack: string, scope: AuthScope): ClientMethod | undefined;
  rememberClientMethod(pack: string, scope: AuthScope, method: ClientMethod): Promise<void>;
  /** Returns the redirect address of the last sign-in whose browser came back. */
  lastRedirect(pack: string, scope: AuthScope): string | undefined;
  rememberRedirect(pack: string, scope: AuthScope, address: string): Promise<void>;
}

type Change = <T>(failure: string, write: () => Promise<T>) => Promise<T>;

const METHODS = "packAuth.clientMethods";
const REDIRECTS = "packAuth.redirects";
const secretKey = (pack: string, scope: AuthScope): string => `packAuth.client.${pack}.${scope}`;
const stateKey = (pack: string, scope: AuthScope): string => `${pack}.${scope}`;

/** Opens the store. `change` runs one write at a time and notifies the listeners. */
export function openClientStore(host: Pick<PlatformHost, "secrets" | "globalState">, change: Change) {
  const remembered = (name: string, pack: string, scope: AuthScope): unknown => recordIn(host.globalState, name)[stateKey(pack, scope)];
  const remember = (name: string, pack: string, scope: AuthScope, value: string): Promise<void> =>
    change("What Pack Auth found out about the provider could not be saved.", () =>
      host.globalState.set(name, { ...recordIn(host.globalState, name), [stateKey(pack, scope)]: value }),
    );
  const read = async (pack: string, scope: AuthScope): Promise<ClientCredentials | undefined> => {
    const record = (await readSecret(host.secrets, secretKey(pack, scope))) as ClientCredentials | null | undefined;
    return typeof record?.clientId === "string" ? record : undefined;
  };
  const store: ClientStore = {
    clientCredentials: read,
    hasSealedClient: async (pack, scope) => (await host.secrets.sealed?.(secretKey(pack, scope))) !== undefined,
    saveClientCredentials: (pack, scope, credentials) =>
      change("The client ID and secret could not be saved.", async () => {
        // The stored method may not work with the new credentials.
        const { [stateKey(pack, scope)]: former, ...remainingMethods } = recordIn(host.globalState, METHODS);
        if (former !== undefined) await host.globalState.set(METHODS, remainingMethods);
        await host.secrets.set(secretKey(pack, scope), JSON.stringify(credentials));
      }),
    async bindClientCredentials(pack, scope, client, tokenUrl) {
      const stored = await read(pack, scope);
      if (stored === undefined || !isSameClient(stored, client)) return;
      if (stored.tokenEndpoints !== undefined && mayGoTo(stored, tokenUrl)) return;
      await change("The client ID and secret could not be saved.", () =>
        host.secrets.set(secretKey(pack, scope), JSON.stringify(boundTo(stored, tokenUrl))),
      );
    },
    removeClientCredentials: (pack, scope) =>
      change("The client ID and secret could not be removed.", () => host.secrets.delete(secretKey(pack, scope))),
    async forgetRegistration(pack, scope, client) {
      const stored = await read(pack, scope);
      if (stored?.registration === undefined || (client !== undefined && !isSameClient(client, stored))) return;
      await store.removeClientCredentials(pack, scope);
    },
    clientMethod: (pack, scope) => CLIENT_METHODS.find((method) => method === remembered(METHODS, pack, scope)),
    rememberClientMethod: (pack, scope, method) => remember(METHODS, pack, scope, method),
    lastRedirect(pack, scope) {
      const address = remembered(REDIRECTS, pack, scope);
      return typeof address === "string" ? address : undefined;
    },
    rememberRedirect: (pack, scope, address) => remember(REDIRECTS, pack, scope, address),
  };
  return {
    ...store,
    /** Copies the client to another pack that has none. Runs as part of the caller's change. */
    async copyClient(from: string, to: string, scope: AuthScope): Promise<void> {
      const credentials = await read(from, scope);
      if (credentials !== undefined && (await read(to, scope)) === undefined)
        await host.secrets.set(secretKey(to, scope), JSON.stringify(credentials));
    },
  };
}

/** Returns the value of a record. A record that cannot be decrypted, or was cut short, counts as lost and gives undefined. */
export async function readSecret(secrets: PlatformHost["secrets"], key: string): Promise<unknown> {
  try {
    return JSON.parse((await secrets.get(key)) ?? "null");
  } catch {
    return undefined;
  }
}

function recordIn(store: StateStore, name: string): Readonly<Record<string, unknown>> {
  const stored = store.get(name);
  return isRecord(stored) ? stored : {};
}
