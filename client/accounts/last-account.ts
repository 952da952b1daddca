// Which account of a pack a run took last: a panel selects it the next time.
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import type { Services } from "../services.ts";

const keyOf = (pack: string): string => `packAuth.lastAccount.${pack}`;

type Stored = Pick<Services, "context">;

/** Its id; it may be gone since. */
export const lastAccount = ({ context }: Stored, entry: string): string | undefined =>
  context.workspaceState.get<string>(keyOf(packKey(entry)));

export const rememberAccount = async ({ context }: Stored, { id, pack }: Account): Promise<void> =>
  context.workspaceState.update(keyOf(pack), id);
