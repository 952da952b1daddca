// What the client can do, read once from its first message: a plain editor may lack nearly all of it, and nothing is sent that it
// did not say it understands.
import { type InitializeParams, InsertTextMode } from "vscode-languageserver/node";
import type { ExperimentalCapabilities } from "../protocol/editor.ts";
import type { Encoding } from "./positions.ts";

export type ClientAbilities = ReturnType<typeof readAbilities>;

/** Before the client has said anything. */
export const NO_ABILITIES: ClientAbilities = readAbilities({ capabilities: {} });

export function readAbilities({
  capabilities: { experimental, general, textDocument, window, workspace },
  initializationOptions,
}: Pick<InitializeParams, "capabilities" | "initializationOptions">) {
  const action = textDocument?.codeAction;
  const item = textDocument?.completion?.completionItem;
  const resolvesEdits = action?.dataSupport === true && action.resolveSupport?.properties.includes("edit") === true;
  const own = (experimental as ExperimentalCapabilities | null | undefined)?.packAuth;
  return {
    encoding: chooseEncoding(general?.positionEncodings),
    /** It asks for diagnostics itself. */
    pulls: textDocument?.diagnostic !== undefined,
    /** It can be told to ask for all diagnostics again. */
    refreshes: workspace?.diagnostics?.refreshSupport === true,
    /** It takes the diagnostics of other files with those that it asked for. */
    relates: textDocument?.diagnostic?.relatedDocumentSupport === true,
    refreshesInlayHints: workspace?.inlayHint?.refreshSupport === true,
    snippets: item?.snippetSupport === true,
    /** It indents the lines of a completion as the line that it is inserted in. */
    indents: item?.insertTextModeSupport?.valueSet.includes(InsertTextMode.adjustIndentation) === true,
    readsConfiguration: workspace?.configuration === true,
    /** It can be told at run time that configuration matters. */
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    changesFolders: workspace?.workspaceFolders === true,
    /** Workspace edits may name the version that they were made for. */
    documentChanges: workspace?.workspaceEdit?.documentChanges === true,
    /** The edit of a code action may be asked for when it is chosen. */
    resolvesEdits,
    /** The command of a code action too. */
    resolvesCommands: action?.resolveSupport?.properties.includes("command") === true,
    hierarchicalSymbols: textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true,
    /** It asks whether a rename is possible before it asks for it. */
    preparesRename: textDocument?.rename?.prepareSupport === true,
    /**
     * It takes semantic tokens, and did not say in its options that it has a grammar for placeholders. VS Code takes the tokens of one server
     * alone: ours would put out those of TypeScript.
     */
    colours:
      textDocument?.semanticTokens !== undefined &&
      (initializationOptions as { semanticTokens?: unknown } | null)?.semanticTokens !== false,
    /** It opens a page that it is told of. */
    showsDocuments: window?.showDocument?.support === true,
    /** Where it has the rules' pages, if it shows them in a way of its own. */
    rulePages: typeof own?.rulePages === "string" ? own.rulePages : undefined,
    /** It wants to be told when lenses may stand elsewhere. */
    hearsOfOutline: own?.outlineChanged === true,
    /** It has a command that installs the toolkit. */
    installsToolkit: own?.installToolkit === true,
    /** It has a command that asks for a type. */
    asksForType: own?.changeType === true && resolvesEdits,
  };
}

/** UTF-16 is what the analysis counts in; another is only used where the client has nothing else. */
function chooseEncoding(offered: readonly string[] | undefined): Encoding {
  if (offered === undefined || offered.length === 0 || offered.includes("utf-16")) return "utf-16";
  if (offered.includes("utf-8")) return "utf-8";
  return offered.includes("utf-32") ? "utf-32" : "utf-16";
}
