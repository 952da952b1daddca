// A window as a separate process: opens the accounts in a folder, and refreshes and uses one of them until it is stopped or killed.
import { openAccounts } from "../../platform/accounts/accounts.ts";
import { isExpired, refreshAccount } from "../../platform/oauth/refresh.ts";
import { encryptedFileStore } from "../../platform/secrets/encrypted-file-store.ts";
import { oauthDefinition } from "./oauth-account.ts";

export interface ChildOrder {
  readonly folder: string;
  readonly secrets: string;
  readonly passphrase: string;
  readonly id: string;
  readonly tokenUrl: string;
  readonly apiUrl: string;
  /** Milliseconds, extended until the account worked once; 0 refreshes once, whatever the time. */
  readonly until: number;
}

async function work(order: ChildOrder): Promise<void> {
  const state = { get: () => undefined, set: async () => {} };
  const accounts = openAccounts({
    secrets: encryptedFileStore(order.secrets, order.passphrase),
    words: () => "",
    globalState: state,
    now: Date.now,
    storageFolder: order.folder,
  });
  const auth = oauthDefinition(order.tokenUrl);
  const host = { accounts, fetch: (url: string, init: RequestInit) => fetch(url, init), now: Date.now, storageFolder: order.folder };
  const current = async () => {
    const credential = await accounts.credential(order.id);
    if (credential?.kind !== "oauth2") throw new Error("the credential is lost");
    return credential;
  };
  const account = await accounts.get(order.id);
  if (account === undefined) throw new Error("the account is lost");
  process.send?.("ready");
  if (order.until === 0) {
    await refreshAccount(account, auth, await current(), host);
    process.send?.("done");
    return;
  }
  let useCount = 0;
  for (const end = Date.now() + order.until; Date.now() < end || useCount === 0; ) {
    let credential = await current();
    if (isExpired(credential, Date.now())) credential = (await refreshAccount(account, auth, credential, host)) ?? credential;
    const response = await fetch(order.apiUrl, { headers: { authorization: `Bearer ${credential.accessToken}` } });
    if (response.status === 401) await refreshAccount(account, auth, credential, host);
    else useCount++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.send?.({ used: useCount });
}

process.once("message", (order: ChildOrder) => {
  work(order).then(
    () => process.disconnect(),
    (error: unknown) => {
      process.send?.({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
      process.disconnect();
    },
  );
});
