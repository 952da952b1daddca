// Removes an account.
import { z } from "zod";
import { removeAccount as removeStored } from "../../platform/connect/remove-account.ts";
import { operation } from "../operation.ts";
import { namedAccount, namedAccountInputs } from "./named-account.ts";

export const removeAccount = operation({
  about: "Removes the account, and revokes its tokens if the provider supports that.",
  input: z.strictObject(namedAccountInputs),
  missing: {},
  async run(input, world) {
    const store = await world.openStore();
    const { id, label } = await namedAccount(input, world, store);
    return { id, label, ...(await removeStored(id, { ...store.platform, accounts: store.accounts })) };
  },
});
