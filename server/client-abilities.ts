// What the client can do, read once from its first message: a plain editor may lack nearly all of it, and nothing is sent that it
// did not say it understands.
import { type InitializeParams, InsertTextMode } from "vscode-languageserver/node";
import type { ExperimentalCapabilities } from "../protocol/editor.ts";
import type { Encoding } from "./positions.ts";

export interface ClientAbilities {
  readonly encoding: Encoding;
  /** It asks for diagnostics itself. */
  readonly pulls: boolean;
  /** It can be told to ask for all diagnostics again. */
  readonly refreshes: boolean;
  /** It takes the diagnostics of other files with those that it asked for. */
  readonly relates: boolean;
  readonly refreshesInlayHints: boolean;
  readonly snippets: boolean;
  /** It indents the lines of a completion as the line that it is inserted in. */
  readonly indents: boolean;
  readonly readsConfiguration: boolean;
  /** It can be told at run time that configuration matters. */
  readonly registersConfiguration: boolean;
  readonly watchesFiles: boolean;
  readonly changesFolders: boolean;
  /** Workspace edits may name the version that they were made for. */
  readonly documentChanges: boolean;
  /** The edit of a code action may be asked for when it is chosen. */
  readonly resolvesEdits: boolean;
  /** The command of a code action too. */
  readonly resolvesCommands: boolean;
  readonly hierarchicalSymbols: boolean;
  /** It asks whether a rename is possible before it asks for it. */
  readonly preparesRename: boolean;
  /** It takes semantic tokens, and did not say in its options that it has a grammar for placeholders. */
  readonly colours: boolean;
  /** It opens a page that it is told of. */
  readonly showsDocuments: boolean;
  /** Where it has the rules' pages, if it shows them in a way of its own. */
  readonly rulePages?: string;
  /** It wants to be told when lenses may stand elsewhere. */
  readonly hearsOfOutline: boolean;
  /** It has a command that installs the toolkit. */
  readonly installsToolkit: boolean;
}

/** Before the client has said anything. */
export const NO_ABILITIES: ClientAbilities = {
  encoding: "utf-16",
  pulls: false,
  refreshes: false,
  relates: false,
  refreshesInlayHints: false,
  snippets: false,
  indents: false,
  readsConfiguration: false,
  registersConfiguration: false,
  watchesFiles: false,
  changesFolders: false,
  documentChanges: false,
  resolvesEdits: false,
  resolvesCommands: false,
  hierarchicalSymbols: false,
  preparesRename: false,
  colours: false,
  showsDocuments: false,
  hearsOfOutline: false,
  installsToolkit: false,
};

export function readAbilities({
  capabilities: { experimental, general, textDocument, window, workspace },
  initializationOptions,
}: InitializeParams): ClientAbilities {
  const action = textDocument?.codeAction;
  const item = textDocument?.completion?.completionItem;
  const own = (experimental as ExperimentalCapabilities | null | undefined)?.packAuth;
  return {
    encoding: chooseEncoding(general?.positionEncodings),
    pulls: textDocument?.diagnostic !== undefined,
    refreshes: workspace?.diagnostics?.refreshSupport === true,
    relates: textDocument?.diagnostic?.relatedDocumentSupport === true,
    refreshesInlayHints: workspace?.inlayHint?.refreshSupport === true,
    snippets: item?.snippetSupport === true,
    indents: item?.insertTextModeSupport?.valueSet.includes(InsertTextMode.adjustIndentation) === true,
    readsConfiguration: workspace?.configuration === true,
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    changesFolders: workspace?.workspaceFolders === true,
    documentChanges: workspace?.workspaceEdit?.documentChanges === true,
    resolvesEdits: action?.dataSupport === true && action.resolveSupport?.properties.includes("edit") === true,
    resolvesCommands: action?.resolveSupport?.properties.includes("command") === true,
    hierarchicalSymbols: textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true,
    preparesRename: textDocument?.rename?.prepareSupport === true,
    // VS Code takes the tokens of one server alone: ours would put out those of TypeScript.
    colours:
      textDocument?.semanticTokens !== undefined &&
      (initializationOptions as { semanticTokens?: unknown } | null)?.semanticTokens !== false,
    showsDocuments: window?.showDocument?.support === true,
    ...(typeof own?.rulePages === "string" ? { rulePages: own.rulePages } : {}),
    hearsOfOutline: own?.outlineChanged === true,
    installsToolkit: own?.installToolkit === true,
  };
}

/** UTF-16 is what the analysis counts in; another is only used where the client has nothing else. */
function chooseEncoding(offered: readonly string[] | undefined): Encoding {
  if (offered === undefined || offered.length === 0 || offered.includes("utf-16")) return "utf-16";
  if (offered.includes("utf-8")) return "utf-8";
  return offered.includes("utf-32") ? "utf-32" : "utf-16";
}
