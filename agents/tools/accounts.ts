// Lists the accounts of a pack.
import { z } from "zod";
import { listAccounts as operation } from "../../operations/accounts/list-accounts.ts";
import { accountRow, accountRowOf } from "../account-row.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";

export const accounts = agentTool({
  title: "Accounts of a pack",
  description: `${operation.about} You never get a credential. Connect an account with connect.`,
  input: agentInput(operation),
  output: z.strictObject({ accounts: z.array(accountRow) }),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call(input, call) {
    const { accounts: stored, fileAccounts } = await runOperation(operation, input, call);
    return { accounts: [...stored, ...fileAccounts].map(({ account, state }) => accountRowOf(account, state)) };
  },
});
