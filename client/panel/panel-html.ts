// The HTML document of a panel, which loads only the extension's own script and style.
import { randomBytes } from "node:crypto";
import type * as vscode from "vscode";

type Webview = Pick<vscode.Webview, "asWebviewUri" | "cspSource">;

/** `bundle`: the name of the script and the style in dist/. */
export function panelHtml(webview: Webview, extension: Pick<vscode.Uri, "path" | "with">, bundle: "webview" | "preflight"): string {
  const nonce = randomBytes(16).toString("base64url");
  const addressOf = (type: string) => webview.asWebviewUri(extension.with({ path: `${extension.path}/dist/${bundle}.${type}` }));
  const [script, style] = [addressOf("js"), addressOf("css")];
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
