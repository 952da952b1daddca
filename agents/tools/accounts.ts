// Lists the accounts of a pack.
import { listAccounts as operation } from "../../operations/accounts/list-accounts.ts";
import { accountRowOf } from "../account-row.ts";
import { outputTool } from "../operation-tool.ts";
import { OUTSIDE_NOTE } from "../outside.ts";

export const accounts = outputTool(operation, {
  title: "Accounts of a pack",
  note: `You never get a credential. Connect an account with connect. Only the person can accept one that isOfFile. ${OUTSIDE_NOTE}`,
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  output: ({ accounts: stored, fileAccounts }) => ({
    accounts: [...stored, ...fileAccounts].map(({ account, state }) => accountRowOf(account, state)),
  }),
});
