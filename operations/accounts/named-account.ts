// The account that an input names.
import { z } from "zod";
import { isCalled, withId } from "../../platform/accounts/account-name.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { isSameFile } from "../../platform/files/file-names.ts";
import { input } from "../inputs.ts";
import type { Store, World } from "../world.ts";

export const namedAccountInputs = {
  account: input(z.string(), "The label or ID of the account.", { place: "word" }),
  pack: input(z.string().optional(), "The account's pack (its entry file or folder name), if several accounts have one label.", {
    argument: "PACK",
  }),
};

/** The pack of an account may be gone, so that its name counts as well. Throws invalid-parameter. */
export async function namedAccount(
  { account: name, pack }: { readonly account: string; readonly pack?: string | undefined },
  world: World,
  { accounts }: Store,
): Promise<Account> {
  const isOfPack = ({ entry }: Account): boolean => pack === undefined || isSameFile(entry, world.pathOf(pack)) || packName(entry) === pack;
  return onlyCalled(
    name,
    (await accounts.list()).filter(isOfPack),
    `There is no account ${name}.`,
    "List the accounts to see their labels and IDs.",
  );
}

/** Returns the account with the label or ID. Throws invalid-parameter, with the message `missing` and the hint if there is none. */
export function onlyCalled(name: string, accounts: readonly Account[], missing: string, hint: string): Account {
  const [account, ...more] = accounts.filter((each) => isCalled(each, name));
  if (account === undefined) throw new PackAuthError("invalid-parameter", missing, { hint });
  if (more.length === 0) return account;
  const names = [account, ...more].map((each) => `${withId(each)} of ${packName(each.entry)}`);
  throw new PackAuthError("invalid-parameter", `Several accounts are called ${name}: ${names.join(", ")}.`, {
    hint: "Choose one by its ID.",
  });
}
