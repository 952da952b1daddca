// Lists the accounts of a pack.
import { z } from "zod";
import { entryInside } from "../../operations/inside.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import { isTeamAccount, packAccounts } from "../../platform/team/team-account.ts";
import { teamState } from "../../platform/team/use-team-account.ts";
import { accountRow, accountRowOf } from "../account-row.ts";
import { agentTool } from "../agent-tool.ts";
import { packPath } from "../schemas.ts";

export const accounts = agentTool({
  title: "Accounts of a pack",
  description:
    "Lists the connected accounts of a pack, and those of its packauth.accounts.json: label, state and next step. You never get a credential. Connect one with connect.",
  input: z.strictObject({ pack: packPath }),
  output: z.strictObject({ accounts: z.array(accountRow) }),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call({ pack }, { session: { host } }) {
    const entry = entryInside(host.folder, pack);
    const { accounts: stored, team } = await host.openAccounts();
    const rowOf = async (account: Account) =>
      accountRowOf(account, isTeamAccount(account) ? teamState(account, team) : await stored.stateOf(account, {}));
    return { accounts: await Promise.all((await packAccounts(stored, entry)).map(rowOf)) };
  },
});
