// A command line beside others: opens the store, and keeps a secret of its own.
import { keyringStore } from "../../platform/secrets/keyring-store.ts";
import { shortKeyring } from "./short-keyring.ts";

export interface KeyringOrder {
  readonly folder: string;
  readonly keyring: string;
  /** Of its own. */
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
