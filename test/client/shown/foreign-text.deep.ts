// Text from outside is data: what the door leaves of it, and that nothing in the client goes past the door.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import fc from "fast-check";
import ts from "typescript-6";
import { asEntry, asLine, asText, isWebPage } from "../../../client/shown/foreign-text.ts";
import { root } from "../../support/packs.ts";

/** As VS Code reads links in notifications, prompts and the status of a language (linkedText.ts), and pictures (iconLabels.ts). */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const PICTURE = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff\u00ad\u2028\u2029]/u;

describe("text from outside, in the editor", () => {
  it("command links, disguised addresses and pictures' names are only text", () => {
    for (const [foreign, expected] of [
      ["401: [Renew it here](command:workbench.action.terminal.new)", "401: [Renew it here] (command:workbench.action.terminal.new)"],
      ['[a](https://x.example "title")', '[a] (https://x.example "title")'],
      ["[a](FILE:///etc/passwd)", "[a] (FILE:///etc/passwd)"],
      ["$(trash) gone $(sync~spin)", "$ (trash) gone $ (sync~spin)"],
      ["\\$(trash)", "\\$ (trash)"],
      ["$$(trash)(x)", "$$ (trash)(x)"],
    ] as const) {
      assert.equal(asText(foreign), expected);
      assert.equal(LINK.test(expected) || PICTURE.test(expected), false);
    }
  });

  it("harmless text is unchanged: brackets, money, scripts with joiners, emoji", () => {
    for (const text of [
      "alice@acme.example (Acme) [EU] $5",
      'The API said: {"error": ["no", 1]}',
      "naïve Größe 株式会社 میخواهم",
      "می\u200cخواهم",
      "👩‍💻 ❤️ 1️⃣",
      "a\tb",
    ])
      assert.equal(asText(text), text);
  });

  it("invisible and direction-changing characters are made visible", () => {
    assert.equal(asText("a\u001b[31mb\u0000\u009b"), "a\\u001b[31mb\\u0000\\u009b");
    assert.equal(asText("in\u202egnp.exe"), "in\\u202egnp.exe");
    assert.equal(asText("pay\u200bpal pay\u200dpal \ufeff"), "pay\\u200bpal pay\\u200dpal \\ufeff");
    assert.equal(asText("\u{e0041}"), "\\udb40\\udc41");
  });

  it("a foreign line does not pass for ours, in a notification or in the log", () => {
    assert.equal(asLine("alice\n\nSign in at evil.example \r\n"), "alice Sign in at evil.example");
    assert.equal(asEntry("no\n2026-01-01 [info] All is well"), "no\n    2026-01-01 [info] All is well");
  });

  it("combinations of links, pictures and marks stay plain text", () => {
    const part = fc.constantFrom(
      "[",
      "](",
      "]",
      "(",
      ")",
      "$",
      "$(",
      "x",
      "command:a",
      "https://x",
      " ",
      "\n",
      "\r",
      "\u200b",
      "\u202e",
      "\\",
      '"t"',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        for (const visibleText of [asText, asLine, asEntry].map((door) => door(parts.join("")))) {
          assert.ok(!LINK.test(visibleText.replaceAll("\n", " ")), visibleText);
          assert.ok(!PICTURE.test(visibleText), visibleText);
          assert.ok(!UNSEEN.test(visibleText.replaceAll("\n", "").replaceAll("\t", "")), visibleText);
        }
        assert.ok(!asLine(parts.join("")).includes("\n"));
      }),
      { numRuns: 10_000 },
    );
  });

  it("an endless text is cut", () => assert.ok(asLine("](".repeat(5_000_000)).length < 20_000));

  it("web pages are opened, and nothing else", () => {
    for (const url of ["https://x.example/a?b=c", "http://127.0.0.1:3000/"]) assert.ok(isWebPage(url));
    for (const url of [
      "command:workbench.action.quit",
      "file:///etc/passwd",
      "vscode://x/y",
      "javascript:alert(1)",
      "ms-msdt:x",
      "shttp://x",
      "https-run:x",
      "x",
    ])
      assert.ok(!isWebPage(url), url);
  });
});

/** Members of the editor's API that show no text of anybody's. Whatever shows some is called by client/shown alone. */
const SHOWS_NOTHING = new Set(
  `CancellationTokenSource CancellationTokenSource.cancel CancellationTokenSource.dispose CancellationTokenSource.token Clipboard.readText Clipboard.writeText ConfigurationChangeEvent.affectsConfiguration Disposable Disposable.dispose Disposable.from EventEmitter
  EventEmitter.dispose EventEmitter.fire FileSystem.writeFile LanguageStatusItem.dispose LanguageStatusItem.selector Memento.get
  Memento.update Position Range RelativePattern SecretStorage.delete SecretStorage.get SecretStorage.store TextDocument.getText
  TextDocument.lineAt TextDocument.positionAt TextDocument.save TextDocumentShowOptions.preview TextDocumentShowOptions.selection TextDocumentShowOptions.viewColumn DocumentFilter.pattern DocumentFilter.scheme TreeViewOptions.showCollapseAll Uri Uri.file Uri.from
  Uri.joinPath Uri.parse Uri.toString Webview.asWebviewUri Webview.options Webview.postMessage WebviewPanel.dispose WebviewPanel.reveal
  WebviewOptions.enableScripts WebviewOptions.localResourceRoots WebviewPanelOptions.retainContextWhenHidden WorkspaceConfiguration.get WorkspaceEdit WorkspaceEdit.entries WorkspaceEdit.replace commands.registerCommand debug.registerDebugAdapterTrackerFactory debug.stopDebugging
  DebugAdapterTracker.onDidSendMessage env.asExternalUri
  extensions.getExtension languages.createLanguageStatusItem languages.getDiagnostics languages.registerCodeLensProvider window.createTreeView TabInputWebview
  window.registerUriHandler window.registerWebviewPanelSerializer window.showTextDocument workspace.applyEdit workspace.asRelativePath
  workspace.createFileSystemWatcher workspace.findFiles workspace.getConfiguration workspace.getWorkspaceFolder workspace.openTextDocument
  workspace.registerTextDocumentContentProvider __type.dispose __type.path __type.scheme`.split(/\s+/),
);

/** What is answered to the editor: rows and lenses, which only client/shown can make, and the text of a document, which is read as it is. */
const PROVIDER_METHODS = new Set(
  `CodeLensProvider.onDidChangeCodeLenses CodeLensProvider.provideCodeLenses DebugAdapterTrackerFactory.createDebugAdapterTracker TextDocumentContentProvider.provideTextDocumentContent
  TreeDataProvider.getChildren TreeDataProvider.getTreeItem TreeDataProvider.onDidChangeTreeData TreeViewOptions.treeDataProvider
  UriHandler.handleUri WebviewPanelSerializer.deserializeWebviewPanel`.split(/\s+/),
);

/** Commands that are given no text to show: the editor's, and ours, which goes through the door itself. */
const COMMANDS = new Set([
  "packAuth.addOAuthCredentials",
  "packAuth.addSystemAuthentication",
  "packAuth.compareWithPublished",
  "packAuth.connectTestAccount",
  "packAuth.createPack",
  "packAuth.installToolkit",
  "packAuth.platform.focus",
  "packAuth.runFormula",
  "packAuth.sandbox.focus",
  "packAuth.sendClientCredentials",
  "packAuth.showProductionLogs",
  "packAuth.uploadPack",
  "markdown.showPreview",
  "setContext",
  "vscode.openFolder",
  "workbench.action.lockEditorGroup",
  "workbench.action.openSettings",
  "workbench.action.openWalkthrough",
  "workbench.action.reloadWindow",
  "workbench.trust.manage",
]);

describe("bypasses of client/shown", function () {
  this.timeout(120_000);
  const folder = join(root, "client");
  let uses: readonly Use[];
  before(() => {
    uses = usesOfTheEditor(folder);
  });

  it("every call and assignment in client/shown is found, under any name", () => {
    const shownMembers = new Set(uses.filter(({ file }) => file.startsWith("shown/")).map(({ name }) => name));
    for (const name of `window.showErrorMessage window.showInformationMessage window.showWarningMessage window.setStatusBarMessage window.withProgress
      window.createOutputChannel LogOutputChannel.error Progress.report window.createInputBox window.createQuickPick InputBox.prompt
      InputBox.validationMessage QuickPick.placeholder QuickPick.items QuickInputButton.tooltip TreeItem TreeItem.description TreeItem.tooltip
      AccessibilityInformation.label CodeLens Command.title Command.tooltip LanguageStatusItem.text LanguageStatusItem.detail
      window.createWebviewPanel commands.executeCommand debug.startDebugging DebugConfiguration.name DebugSession.name env.openExternal`.split(
      /\s+/,
    ))
      assert.ok(shownMembers.has(name), name);
  });

  it("text is shown through the editor only in client/shown", () => {
    const past = uses
      .filter(({ file }) => !file.startsWith("shown/"))
      .filter(({ name, command }) => {
        if (name === "commands.executeCommand") return command === undefined || !COMMANDS.has(command);
        return !/\.on(Did|Will)[A-Z]\w*$/.test(name) && !SHOWS_NOTHING.has(name) && !PROVIDER_METHODS.has(name);
      })
      .map(({ file, name, command }) => `${file}: ${name}${command === undefined ? "" : ` ${command}`}`);
    assert.deepEqual(past, [
      // The panel's own document: its text comes as messages, and lit escapes it.
      "panel/formula-panel.ts: Webview.html",
      // The name of a file that is proposed.
      "panel/session.ts: SaveDialogOptions.defaultUri",
      "panel/session.ts: window.showSaveDialog",
      // The page's own document, made as the panel's is.
      "preflight/preflight-pages.ts: Webview.html",
      // A setting of ours, with a constant.
      "window/settings.ts: WorkspaceConfiguration.update",
    ]);
  });

  it("the panel makes no markup of a text, and follows only web addresses", () => {
    const files = readdirSync(join(folder, "webview"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const lines = files.flatMap((file) =>
      readFileSync(join(folder, "webview", file), "utf8")
        .split("\n")
        .map((line) => `${basename(file)}: ${line.trim()}`),
    );
    const MARKUP =
      /unsafe(HTML|SVG|Static|CSS)|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcdoc|createContextualFragment|\beval\b|new Function/;
    assert.deepEqual(
      lines.filter((line) => MARKUP.test(line)),
      [],
    );
    assert.deepEqual(
      lines.filter((line) => /\b(href|src|action|formaction|data)=/.test(line)),
      // Both are given what webUrl let through.
      ["rendered.ts: href=${url}", 'rendered.ts: return html`<img src=${this.url} alt="" referrerpolicy="no-referrer" @error=${() => {'],
    );
  });
});

interface Use {
  readonly file: string;
  /** As in vscode.d.ts. */
  readonly name: string;
  /** What executeCommand is given. */
  readonly command?: string;
}

/** Functions and classes of the editor's API that are named, and properties of its that are written, each once a file. */
function usesOfTheEditor(folder: string): readonly Use[] {
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile).config,
    ts.sys,
    folder,
  );
  const program = ts.createProgram(fileNames, { ...options, noEmit: true, composite: false, emitDeclarationOnly: false });
  const checker = program.getTypeChecker();
  const uses = new Map<string, Use>();
  const symbolOf = (node: ts.Identifier | ts.StringLiteralLike): ts.Symbol | undefined => {
    const { parent } = node;
    if (ts.isObjectLiteralElement(parent) && parent.name === node && ts.isObjectLiteralExpression(parent.parent))
      return propertyOf(checker.getContextualType(parent.parent), node.text);
    if (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === node)
      return propertyOf(checker.getTypeAtLocation(parent.parent), node.text);
    const symbol = checker.getSymbolAtLocation(node);
    return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
  };
  const look = (source: ts.SourceFile): void => {
    const file = relative(folder, source.fileName).replaceAll(sep, "/");
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
      if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) {
        const symbol = symbolOf(node);
        if (symbol !== undefined && isOfTheEditor(symbol) && (isFunction(symbol) || isWritten(node))) {
          const name = checker.getFullyQualifiedName(symbol).replace('"vscode".', "");
          const call = name === "commands.executeCommand" ? node.parent.parent : undefined;
          const firstArgument = call !== undefined && ts.isCallExpression(call) ? call.arguments[0] : undefined;
          const command = firstArgument !== undefined && ts.isStringLiteralLike(firstArgument) ? firstArgument.text : undefined;
          uses.set(`${file} ${name} ${command}`, { file, name, ...(command === undefined ? {} : { command }) });
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  };
  for (const name of fileNames) {
    const source = program.getSourceFile(name);
    assert.ok(source, name);
    look(source);
  }
  return [...uses.values()].sort((a, b) => (`${a.file} ${a.name}` < `${b.file} ${b.name}` ? -1 : 1));
}

/** Of several types, the first that has it. */
const propertyOf = (type: ts.Type | undefined, name: string): ts.Symbol | undefined =>
  type?.isUnion() ? type.types.map((part) => part.getProperty(name)).find((property) => property !== undefined) : type?.getProperty(name);

const isOfTheEditor = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some((declaration) => /@types\/vscode\/index\.d\.ts$/.test(declaration.getSourceFile().fileName)) === true;

const isFunction = ({ flags }: ts.Symbol): boolean =>
  (flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Method | ts.SymbolFlags.Class)) !== 0;

const isAssignment = (kind: ts.SyntaxKind): boolean => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** A property that is given a value: assigned, or in an object that is made for the editor. */
function isWritten(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isObjectLiteralElement(parent)) return parent.name === node;
  const target = (ts.isPropertyAccessExpression(parent) && parent.name === node) || ts.isElementAccessExpression(parent) ? parent : node;
  const at = target.parent;
  return ts.isBinaryExpression(at) && at.left === target && isAssignment(at.operatorToken.kind);
}
