// The panel's own bundle in a real browser, with a test as its host. The messages of the panel are recorded, and those of the host arrive.
// The theme's variables are those of VS Code.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { FromPanel, PanelMemory, ToPanel } from "../../protocol/panel.ts";
import { launchChromium } from "./chromium.ts";
import { root } from "./packs.ts";
import { DARK, type Theme } from "./themes.ts";

export interface PanelPage {
  readonly page: Page;
  /** Posts to the panel, as the host does. */
  post(...messages: readonly ToPanel[]): Promise<void>;
  /**
   * Waits until the panel shows the effect of the last message, click or key. A test waits for this before it reads something that may be
   * absent.
   */
  drawn(): Promise<void>;
  /** Returns the messages that the panel posted, in order. */
  posted(): Promise<readonly FromPanel[]>;
  /** Waits for a message of a type with the expected fields, and returns the last one. */
  message<T extends FromPanel["type"]>(type: T, expected?: Partial<FromPanel & { type: T }>): Promise<FromPanel & { type: T }>;
  /** Returns the state that the panel stored. */
  memory(): Promise<PanelMemory | undefined>;
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

/** Opens the panel; `memory` is the state that it stored before a reload. */
export async function openPanelPage(memory?: PanelMemory, theme: Theme = DARK): Promise<PanelPage> {
  const dist = (file: string): Buffer => readFileSync(join(root, "dist", file));
  const style = Object.entries(theme.variables).map(([name, value]) => `${name}:${value}`);
  const document = `<!doctype html><html lang="en" style="${style.join(";").replaceAll('"', "&quot;")}"><head><title>Panel</title><link rel="stylesheet" href="webview.css"></head>
<body class="${theme.classes}" style="background: var(--vscode-editor-background)"><main id="panel" data-testid="pack-auth-panel"></main>
<script>window.posted = []; window.kept = ${JSON.stringify(memory ?? null)} ?? undefined;
window.acquireVsCodeApi = () => ({ postMessage: (message) => posted.push(structuredClone(message)), getState: () => kept, setState: (state) => { kept = state; } });</script>
<script type="module" src="webview.js"></script></body></html>`;
  const server = createServer((request, response) => {
    const file = request.url === "/webview.js" || request.url === "/webview.css" ? request.url.slice(1) : undefined;
    const type = file?.endsWith(".js") ? "text/javascript" : file === undefined ? "text/html" : "text/css";
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
    response.end(file === undefined ? document : dist(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = await openPage({ viewport: { width: 1000, height: 800 } });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  // The changes appear with the next frame, and work that this frame starts is done by the frame after.
  const drawn = (): Promise<void> =>
    page.evaluate(
      () => new Promise<void>((resolve) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))),
    );
  const posted = (): Promise<readonly FromPanel[]> => page.evaluate("posted") as Promise<readonly FromPanel[]>;
  return {
    page,
    async post(...messages) {
      for (const message of messages) await page.evaluate((data) => window.postMessage(data, "*"), message);
      await drawn();
    },
    drawn,
    posted,
    async message(type, more) {
      const handle = await page.waitForFunction(
        (fields) =>
          (window as never as { posted: FromPanel[] }).posted.findLast((each) =>
            fields.every(([name, value]) => (each as never as Record<string, unknown>)[name] === value),
          ),
        Object.entries({ ...more, type }),
      );
      return (await handle.jsonValue()) as never;
    },
    memory: () => page.evaluate("kept") as Promise<PanelMemory | undefined>,
    async close() {
      await page.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Closes the browser that the panels of a run share, unless the next file of this process opens a page soon. */
export function releaseBrowser(): void {
  closing = setTimeout(closeBrowser, SOON);
}

export async function closeBrowser(): Promise<void> {
  const open = await browser?.catch(() => undefined);
  browser = undefined;
  await open?.close();
}

/**
 * Returns the panel of the current test of the suite. A panel opens before each test and closes after it; the browser closes after the
 * last.
 */
export function panelOfEachTest(): Omit<PanelPage, "close"> {
  let panel: PanelPage | undefined;
  beforeEach(async () => {
    panel = await openPanelPage();
  });
  afterEach(() => panel?.close());
  after(releaseBrowser);
  const now = (): PanelPage => {
    if (panel === undefined) throw new Error("no test is running");
    return panel;
  };
  return {
    get page() {
      return now().page;
    },
    post: (...messages) => now().post(...messages),
    drawn: () => now().drawn(),
    posted: () => now().posted(),
    message: (type, expected) => now().message(type, expected),
    memory: () => now().memory(),
  };
}
