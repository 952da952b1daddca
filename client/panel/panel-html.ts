// The HTML document of a panel, which loads only the extension's own script and style.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** `bundle`: the name of the script and the style in dist/. */
export function panelHtml(webview: vscode.Webview, extension: vscode.Uri, bundle: "webview" | "preflight" = "webview"): string {
  const nonce = randomBytes(16).toString("base64url");
  const script = webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", `${bundle}.js`));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", `${bundle}.css`));
  // The elements library sets style attributes, so styles need 'unsafe-inline'; scripts need the nonce. An image is inserted only if a
  // person requests it.
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
