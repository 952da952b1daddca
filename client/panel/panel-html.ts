// The panel's document: its own script and style, and nothing from anywhere else.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

export function panelHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64url");
  const script = webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", "webview.js"));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", "webview.css"));
  // 'unsafe-inline' styles: the elements library sets style attributes; scripts stay behind the nonce. Images are put into the
  // document when a person asks for one.
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource} 'unsafe-inline'; img-src https: data:; font-src ${webview.cspSource}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Pack Auth</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main id="panel" data-testid="pack-auth-panel"></main>
<script nonce="${nonce}" type="module" src="${script}"></script>
</body>
</html>`;
}
