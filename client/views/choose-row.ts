// Chooses the account of a command of the accounts view: the row's account, or the person's choice. The editor passes no row to a command
// that is bound to a key. Nor does it pass one while the view is being filled (microsoft/vscode#144250).
import { packName } from "../../platform/bundle/entry-file.ts";
import type { AccountNode } from "../commands/in-pack.ts";
import { type AccountCommand, ROWS_OF_ACTIONS } from "../commands/rows-of-actions.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";
import { pick } from "../shown/questions.ts";
import { readAccountRows } from "./account-rows.ts";

/** Returns undefined if the person cancelled, or if no account fits, which a message then reports. */
export async function chooseRow(
  services: Services,
  command: AccountCommand,
  node: AccountNode | undefined,
): Promise<AccountNode | undefined> {
  if (node?.account !== undefined) return node;
  const rows = (await readAccountRows(services)).flatMap(({ accounts }) => accounts);
  const fitting = rows.filter(({ context }) => ROWS_OF_ACTIONS[command].test(context));
  if (fitting.length === 0) {
    void showInformation(rows.length === 0 ? "Connect a test account first. There is no account yet." : "No account supports this action.");
    return undefined;
  }
  // A single account is offered too, because the person may have meant another row.
  return pick({
    placeholder: "Which account?",
    items: fitting.map((row) => ({
      label: row.account.label,
      description: packName(row.entry ?? row.account.entry),
      detail: row.description,
      value: row,
    })),
  });
}
