// Offers the agents' tools as the editor's language model tools. The manifest lists them (see scripts/generate.ts), so that the table and its
// schemas load with the first call.
import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { type LanguageModelTool, registerLanguageModelTool } from "../shown/language-model-tools.ts";

/** What the manifest says about a tool. */
interface ManifestTool {
  readonly name: string;
  readonly displayName: string;
}

const PREFIX = "packAuth_";

/** Calls a tool by its name in the table, and returns the text of its result. Throws an error for the agent to read. */
export type CallTool = (tool: string, input: unknown, signal: AbortSignal) => Promise<string>;

export function registerLanguageModelTools({ extension }: vscode.ExtensionContext, call: CallTool): vscode.Disposable {
  const tools = extension.packageJSON.contributes.languageModelTools as readonly ManifestTool[];
  return vscode.Disposable.from(
    ...tools.map((tool) => {
      const name = tool.name.slice(PREFIX.length);
      return registerLanguageModelTool(tool.name, {
        prepare: (input) => shownCall(name, tool.displayName, input),
        call: (input, signal) => call(name, input, signal),
      });
    }),
  );
}

/** The question is a courtesy of the chat. The person's consent does not depend on it. */
function shownCall(name: string, title: string, input: Readonly<Record<string, unknown>>): ReturnType<LanguageModelTool["prepare"]> {
  const { target, pack, account } = input;
  const subject = [target, pack].find((each) => typeof each === "string");
  const question =
    name === "connect"
      ? "An agent wants you to sign in for this pack. You see the hosts before you type anything. The agent gets the account's name and state."
      : name === "run" && account !== undefined
        ? `The pack's code runs, and may use the account ${String(account)}. You are asked before a request carries its credential.`
        : undefined;
  return { title: subject === undefined ? title : `${title}: ${subject}`, ...defined({ question }) };
}
