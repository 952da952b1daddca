// The pages of the sandbox's provider. They state clearly that this is a sandbox.
import type { ServerResponse } from "node:http";
import { browserPage, pageMark } from "../oauth/browser-page.ts";
import { escapeHtml } from "../oauth/escape-html.ts";

interface Approval {
  readonly packName: string;
  /** The host that the provider replaces, such as `github.com`. */
  readonly provider: string;
  readonly scopes: readonly string[];
}

export function approvalPage({ packName, provider, scopes }: Approval): string {
  const scopeList =
    scopes.length === 0
      ? "<p>It asks for no scopes.</p>"
      : `<p>It asks for these scopes:</p>\n  <ul>${scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`).join("")}</ul>`;
  return browserPage(
    `Sandbox sign-in: ${packName}`,
    `<h1>Approve ${escapeHtml(packName)}?</h1>
  <p class="notice"><strong>This is the Pack Auth sandbox</strong>, a provider on your own machine in place of
    <code>${escapeHtml(provider)}</code>. No real account is involved.</p>
  <p>The pack <strong>${escapeHtml(packName)}</strong> wants to act for the sandbox user.</p>
  ${scopeList}
  <form method="post">
    <button class="main" name="decision" value="approve" autofocus>Approve</button>
    <button name="decision" value="deny">Deny</button>
  </form>`,
  );
}

/**
 * The page for requests after which the browser cannot be sent back: an unknown client or redirect address, or a sign-in that has ended.
 */
export function refusalPage(what: string, why: string): string {
  return browserPage(
    "Sandbox: refused",
    `${pageMark("bad")}<h1>The sandbox refused</h1>
  <p class="notice"><strong>${escapeHtml(what)}</strong> ${escapeHtml(why)}</p>
  <p>Go back to the editor and start the sign-in again.</p>`,
  );
}

export function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, PAGE_HEADERS).end(html);
}

export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "no-referrer",
} as const;
