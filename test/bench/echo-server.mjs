// A language server that finds nothing: what the protocol and the process cost by themselves.
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";

const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
connection.onInitialize(() => ({
  capabilities: { textDocumentSync: 2, diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false } },
}));
connection.onDidChangeTextDocument(() => {});
connection.languages.diagnostics.on(() => ({ kind: "full", items: [] }));
connection.listen();
