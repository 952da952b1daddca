// Remembers the account of a pack's last run, which a panel selects the next time.
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import type { Services } from "../services.ts";

const keyOf = (pack: string): string => `packAuth.lastAccount.${pack}`;

type Stored = Pick<Services, "context">;

/** Returns the account's ID. The account may have been removed since. */
export const lastAccount = ({ context }: Stored, entry: string): string | undefined =>
  context.workspaceState.get<string>(keyOf(packKey(entry)));

export const rememberAccount = async ({ context }: Stored, { id, pack }: Account): Promise<void> =>
  context.workspaceState.update(keyOf(pack), id);
