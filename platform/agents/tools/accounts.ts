// Lists the connected accounts of a pack.
import { z } from "zod";
import { packKey } from "../../accounts/accounts.ts";
import { accountRow, accountRowOf } from "../account-row.ts";
import { agentTool } from "../agent-tool.ts";
import { entryInside } from "../inside.ts";
import { packPath } from "../schemas.ts";

export const accounts = agentTool({
  title: "Accounts of a pack",
  description: "Lists the connected accounts of a pack: label, state and next step. You never get a credential. Connect one with connect.",
  input: z.strictObject({ pack: packPath }),
  output: z.strictObject({ accounts: z.array(accountRow) }),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call({ pack }, { session: { host } }) {
    const entry = entryInside(host.folder, pack);
    const { accounts: stored } = await host.openAccounts();
    const own = await stored.list(packKey(entry));
    return { accounts: await Promise.all(own.map(async (account) => accountRowOf(account, await stored.stateOf(account, {})))) };
  },
});
