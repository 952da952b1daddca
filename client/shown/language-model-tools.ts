// Language model tools, which agents in the editor call. The chat shows the calls, and parts of their texts come from an agent.
import * as vscode from "vscode";
import { asLine } from "./foreign-text.ts";

type ToolInput = Readonly<Record<string, unknown>>;

/** What the chat shows of a call. */
interface ShownCall {
  readonly title: string;
  /** A question that the chat asks before the call, unless it approves all calls by itself. */
  readonly question?: string;
}

export interface LanguageModelTool {
  /** Has no side effects: a call need not follow. */
  prepare(input: ToolInput): ShownCall;
  /** Returns a text for the agent. Throws an error with a message for the agent. */
  call(input: ToolInput, signal: AbortSignal): Promise<string>;
}

/** Registers a tool under its name in the manifest. */
export function registerLanguageModelTool(name: string, { prepare, call }: LanguageModelTool): vscode.Disposable {
  // Some editors that are made from VS Code lack it.
  if (vscode.lm?.registerTool === undefined) return new vscode.Disposable(() => {});
  return vscode.lm.registerTool<ToolInput>(name, {
    prepareInvocation({ input }) {
      const { title, question } = prepare(input);
      return {
        invocationMessage: plain(title),
        ...(question === undefined ? {} : { confirmationMessages: { title: asLine(title), message: plain(question) } }),
      };
    },
    async invoke({ input }, token) {
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => abort.abort());
      try {
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(await call(input, abort.signal))]);
      } finally {
        listening.dispose();
      }
    },
  });
}

/** Returns Markdown that shows the text as it is. */
const plain = (text: string): vscode.MarkdownString => new vscode.MarkdownString().appendText(asLine(text));
