// Commands of code actions: reporting what was fixed, and opening a rule's page.
import { MessageType, ShowDocumentRequest, ShowMessageNotification } from "vscode-languageserver/node";
import { fixedText } from "../analysis/features/fixes/fix-all.ts";
import { RULES } from "../analysis/rules/index.ts";
import type { Session } from "../session.ts";

const REPORT_FIXED = "packAuth.tellFixed";
const SHOW_RULE = "packAuth.showRule";

export const commandOptions = { commands: [REPORT_FIXED, SHOW_RULE] };

export const reportFixed = (fixed: number, left: number) => ({
  title: "Say what was fixed",
  command: REPORT_FIXED,
  arguments: [fixed, left],
});

export const showRule = (rule: string) => ({ title: "Show documentation", command: SHOW_RULE, arguments: [rule] });

export function handleCommands({ connection, docs }: Session): void {
  connection.onExecuteCommand(async ({ command, arguments: [first, second] = [] }) => {
    if (command === REPORT_FIXED && Number.isInteger(first) && Number.isInteger(second))
      await connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message: fixedText(first, second) });
    if (command === SHOW_RULE && RULES.some(({ id }) => id === first))
      await connection.sendRequest(ShowDocumentRequest.type, { uri: docs(first), takeFocus: true });
  });
}
