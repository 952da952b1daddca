// One of several command lines that run at the same time: it opens the store, and stores its own secret.
import { keyringStore } from "../../platform/secrets/keyring-store.ts";
import { shortKeyring } from "./short-keyring.ts";

export interface KeyringOrder {
  readonly folder: string;
  readonly keyring: string;
  /** The name of the process's own secret. */
  readonly name: string;
  readonly value: string;
}

process.once("message", async (order: KeyringOrder) => {
  try {
    const store = await keyringStore(order.folder, shortKeyring(order.keyring));
    await store.set(order.name, order.value);
    process.send?.({});
  } catch (error) {
    process.send?.({ error: String(error) });
  }
  process.disconnect();
});
process.send?.("ready");
