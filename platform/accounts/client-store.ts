// The application's own credentials at the provider, once per pack and setter (auth-spec 5.5.4), and what is remembered of how it signs
// in: the client authentication that works, and the redirect address that was registered.
import { isRecord } from "../../base/is-record.ts";
import type { AuthScope } from "../../protocol/run.ts";
import type { PlatformHost, StateStore } from "../host.ts";
import type { ClientCredentials } from "../secrets/credential.ts";
import { CLIENT_METHODS, type ClientMethod } from "../secrets/credential.ts";
import { boundTo, isSameClient, mayGoTo } from "./client-binding.ts";

export interface ClientStore {
  clientCredentials(pack: string, scope: AuthScope): Promise<ClientCredentials | undefined>;
  /** Whether something is stored that the secret store cannot open, such as with another passphrase. */
  hasSealedClient(pack: string, scope: AuthScope): Promise<boolean>;
  saveClientCredentials(pack: string, scope: AuthScope, credentials: ClientCredentials): Promise<void>;
  /** What is stored may go to this token endpoint from now on: it took these. Other credentials that are stored by now stay as they are. */
  bindClientCredentials(pack: string, scope: AuthScope, client: ClientCredentials, tokenUrl: string): Promise<void>;
  removeClientCredentials(pack: string, scope: AuthScope): Promise<void>;
  /**
   * The next sign-in registers anew (RFC 7591): forgets what is stored, where it is this registration (any, where none is given). What a
   * person typed stays.
   */
  forgetRegistration(pack: string, scope: AuthScope, client?: ClientCredentials): Promise<void>;
  /** The client authentication method that the pack's next sign-in begins with. */
  clientMethod(pack: string, scope: AuthScope): ClientMethod | undefined;
  rememberClientMethod(pack: string, scope: AuthScope, method: ClientMethod): Promise<void>;
  /** The redirect address of the last sign-in that came back. */
  lastRedirect(pack: string, scope: AuthScope): string | undefined;
  rememberRedirect(pack: string, scope: AuthScope, address: string): Promise<void>;
}

type Change = <T>(failure: string, write: () => Promise<T>) => Promise<T>;

const METHODS = "packAuth.clientMethods";
const REDIRECTS = "packAuth.redirects";
const secretKey = (pack: string, scope: AuthScope): string => `packAuth.client.${pack}.${scope}`;
const stateKey = (pack: string, scope: AuthScope): string => `${pack}.${scope}`;

/** `change` runs one write at a time, and tells of it. */
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
        // What was learnt with others may not be true of these.
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
    /** Gives a pack what another one had, where it has none of its own. Part of a change that is under way. */
    async copyClient(from: string, to: string, scope: AuthScope): Promise<void> {
      const credentials = await read(from, scope);
      if (credentials !== undefined && (await read(to, scope)) === undefined)
        await host.secrets.set(secretKey(to, scope), JSON.stringify(credentials));
    },
  };
}

/** What stands in a record. A keyring that cannot decrypt, or a record cut short: both mean that the secret is gone. */
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
