// The client's capabilities, read once from its first message. A plain editor may lack nearly all of them, and the server sends only what
// the client supports.
import { type InitializeParams, InsertTextMode } from "vscode-languageserver/node";
import type { ExperimentalCapabilities } from "../protocol/editor.ts";
import type { Encoding } from "./positions.ts";

export type ClientAbilities = ReturnType<typeof readAbilities>;

/** The capabilities before the client has sent any. */
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
    /** The client requests diagnostics itself. */
    pulls: textDocument?.diagnostic !== undefined,
    /** The server can ask the client to request all diagnostics again. */
    refreshes: workspace?.diagnostics?.refreshSupport === true,
    /** The client accepts diagnostics of other files with those that it requested. */
    relates: textDocument?.diagnostic?.relatedDocumentSupport === true,
    refreshesInlayHints: workspace?.inlayHint?.refreshSupport === true,
    snippets: item?.snippetSupport === true,
    /** The client indents the lines of a completion like the line at which it is inserted. */
    indents: item?.insertTextModeSupport?.valueSet.includes(InsertTextMode.adjustIndentation) === true,
    readsConfiguration: workspace?.configuration === true,
    /** The server can register for configuration changes at run time. */
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    changesFolders: workspace?.workspaceFolders === true,
    /** Workspace edits may name the document version that they apply to. */
    documentChanges: workspace?.workspaceEdit?.documentChanges === true,
    /** The client can request the edit of a code action when the user chooses it. */
    resolvesEdits,
    /** The client can request the command of a code action then, too. */
    resolvesCommands: action?.resolveSupport?.properties.includes("command") === true,
    hierarchicalSymbols: textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true,
    /** The client asks whether a rename is possible before it requests the rename. */
    preparesRename: textDocument?.rename?.prepareSupport === true,
    /**
     * The client supports semantic tokens, and its options do not turn them off because of a grammar for placeholders. VS Code uses the
     * tokens of one server only: ours would replace those of TypeScript.
     */
    colours:
      textDocument?.semanticTokens !== undefined &&
      (initializationOptions as { semanticTokens?: unknown } | null)?.semanticTokens !== false,
    /** The server can ask the client to open a page. */
    showsDocuments: window?.showDocument?.support === true,
    /** The client's base address for the rules' pages, if it shows them in its own way. */
    rulePages: typeof own?.rulePages === "string" ? own.rulePages : undefined,
    /** The client wants a notification when code lenses may have moved. */
    hearsOfOutline: own?.outlineChanged === true,
    /** The client has a command that installs the SDK. */
    installsToolkit: own?.installToolkit === true,
    /** The client has a command that asks for a type. */
    asksForType: own?.changeType === true && resolvesEdits,
  };
}

/** Chooses the encoding. The analysis counts in UTF-16; another encoding is used only if the client does not offer it. */
function chooseEncoding(offered: readonly string[] | undefined): Encoding {
  if (offered === undefined || offered.length === 0 || offered.includes("utf-16")) return "utf-16";
  if (offered.includes("utf-8")) return "utf-8";
  return offered.includes("utf-32") ? "utf-32" : "utf-16";
}
