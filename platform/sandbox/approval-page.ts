// The page on which a person approves or denies in the sandbox. No scripts, no fonts, nothing from elsewhere.

export const INTERACTION = "/_sandbox/interaction";

export function approvalPage(packName: string, scopes: readonly string[]): string {
  const list =
    scopes.length === 0
      ? "<p>It asks for no scopes.</p>"
      : `<p>It asks for:</p><ul>${scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`).join("")}</ul>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sandbox sign-in: ${escapeHtml(packName)}</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 12vh auto; max-width: 32rem; padding: 0 1rem; }
  .notice { border: 2px dashed #b58900; padding: .5rem 1rem; }
  button { font: inherit; padding: .5rem 1.5rem; margin-inline-end: .5rem; }
</style>
<main>
  <h1>Approve ${escapeHtml(packName)}?</h1>
  <p class="notice"><strong>This is the Pack Auth sandbox</strong>, a provider on your own machine. No real account is involved.</p>
  ${list}
  <form method="post">
    <button name="decision" value="approve" autofocus>Approve</button>
    <button name="decision" value="deny">Deny</button>
  </form>
</main>
</html>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
