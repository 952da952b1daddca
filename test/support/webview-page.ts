// A page of the extension in a real browser, with a test as its host: the document that the product makes, with its policy, in what an editor
// puts around it. The messages of the page are recorded. The theme's variables are those of VS Code.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { panelHtml } from "../../client/panel/panel-html.ts";
import { launchChromium } from "./chromium.ts";
import { root } from "./packs.ts";
import { DARK, type Theme } from "./themes.ts";

interface WebviewOptions {
  readonly theme?: Theme;
  readonly width?: number;
  /** The state that the page stored before a reload. */
  readonly state?: unknown;
}

export interface WebviewPage {
  readonly page: Page;
  /** Posts to the page, as the host does. */
  post(message: unknown): Promise<void>;
  /**
   * Waits until the page shows the effect of the last message, click or key. A test waits for this before it reads something that may be
   * absent.
   */
  drawn(): Promise<void>;
  /** Returns the messages that the page posted, in order. */
  posted(): Promise<readonly unknown[]>;
  /** Returns the state that the page stored. */
  state(): Promise<unknown>;
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

/** Milliseconds within which the next file begins, if several run in one process. */
const SOON = 5_000;
let closing: NodeJS.Timeout | undefined;

/** Opens a page of the browser that the tests share. */
export async function openPage(options: BrowserContextOptions): Promise<Page> {
  clearTimeout(closing);
  browser ??= launchChromium();
  return (await browser).newPage(options);
}

/** The editor's own part of a webview. Text, since a page has none of the transpiler's helpers. */
const editorApi = (state: unknown): string => `window.posted = [];
let stored = ${JSON.stringify(JSON.stringify(state) ?? null)};
window.stored = () => stored && JSON.parse(stored);
window.acquireVsCodeApi = () => {
  delete window.acquireVsCodeApi;
  let state = window.stored() ?? undefined;
  return Object.freeze({
    postMessage: (message) => posted.push(structuredClone(message)),
    getState: () => state,
    setState: (value) => { state = value; stored = JSON.stringify(value); },
  });
};`;

export async function openWebview(
  bundle: Parameters<typeof panelHtml>[2],
  { theme = DARK, width = 1000, state }: WebviewOptions = {},
): Promise<WebviewPage> {
  const style = Object.entries(theme.variables).map(([name, value]) => `${name}:${value}`);
  const extension = { path: "", with: ({ path }: { readonly path?: string }) => path as never };
  const document = panelHtml({ cspSource: "'self'", asWebviewUri: (uri) => uri }, extension, bundle)
    .replace("<html", `<html style="${style.join(";").replaceAll('"', "&quot;")}"`)
    .replace("<body", `<body class="${theme.classes}" style="background: var(--vscode-editor-background)"`);
  const server = createServer(({ url = "" }, response) => {
    const file = /^\/dist\/\w+\.(?:js|css)$/.exec(url)?.[0];
    const type = file?.endsWith(".js") ? "text/javascript" : file === undefined ? "text/html" : "text/css";
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
    response.end(file === undefined ? document : readFileSync(join(root, file)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = await openPage({ viewport: { width, height: 800 } });
  await page.addInitScript(editorApi(state));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  // The changes appear with the next frame, and work that this frame starts is done by the frame after.
  const drawn = (): Promise<void> =>
    page.evaluate(
      () => new Promise<void>((resolve) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))),
    );
  return {
    page,
    async post(message) {
      await page.evaluate((data) => window.postMessage(data, "*"), message);
      await drawn();
    },
    drawn,
    posted: () => page.evaluate("posted") as Promise<readonly unknown[]>,
    state: () => page.evaluate("stored()"),
    async close() {
      await page.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Closes the browser that the pages of a run share, unless the next file of this process opens a page soon. */
export function releaseBrowser(): void {
  closing = setTimeout(closeBrowser, SOON);
}

export async function closeBrowser(): Promise<void> {
  const open = await browser?.catch(() => undefined);
  browser = undefined;
  await open?.close();
}
