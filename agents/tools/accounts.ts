// Lists the accounts of a pack.
import { listAccounts as operation } from "../../operations/accounts/list-accounts.ts";
import { accountRowOf } from "../account-row.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";
import { OUTSIDE_NOTE } from "../outside.ts";

export const accounts = agentTool({
  title: "Accounts of a pack",
  description: `${operation.about} You never get a credential. Connect an account with connect. Only the person can accept one that isOfFile. ${OUTSIDE_NOTE}`,
  input: agentInput(operation),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call(input, call) {
    const { accounts: stored, fileAccounts } = await runOperation(operation, input, call);
    return { accounts: [...stored, ...fileAccounts].map(({ account, state }) => accountRowOf(account, state)) };
  },
});
