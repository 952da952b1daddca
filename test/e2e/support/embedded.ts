// The embedded VS Code for tests: a server with its own data folder, a browser, and the extension from source or from a .vsix.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { format } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import { startEmbedded } from "../../../scripts/embedded/server.ts";
import { vsix as packaged } from "../../../scripts/package.ts";
import { launchChromium } from "../../support/chromium.ts";
import { root } from "../../support/packs.ts";
import { reportOf } from "./report.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

export interface Window {
  readonly workbench: Workbench;
  readonly page: Page;
  readonly context: BrowserContext;
  readonly dataFolder: string;
  /** Everything that the editor's server printed. */
  serverLog(): string;
  /** The exit code of the tests inside the extension host. */
  readonly testsEnded: Promise<number>;
  /**
   * Everything that the editor keeps in the browser's database: its own state and that of extensions, as texts. It writes that down once a
   * minute, and when the author looks at another window, as here.
   */
  stored(): Promise<string>;
  /** What those tests printed. */
  testLog(): string;
  /** Takes a picture into test-results/. */
  screenshot(name: string): Promise<void>;
  /** What a person would see, as text, and the extension's log. */
  report(): Promise<string>;
  close(): Promise<void>;
}

export interface WindowOptions {
  /** Without one the window is empty. */
  readonly folder?: string;
  /** "source" loads the work tree as a development extension; "vsix" installs the package. */
  readonly from: "source" | "vsix";
  /** In place of the work tree, where it comes from source. */
  readonly extension?: string;
  /** The editor's language; without one it is English. */
  readonly language?: string;
  readonly trusted?: boolean;
  /** More of the environment of the editor's server. */
  readonly env?: Readonly<Record<string, string>>;
  /** A mocha entry to run inside the extension host; its exit code is told to {@link Window.testsEnded}. */
  readonly tests?: string;
  /** Hears of the window's data folder before the window opens. */
  readonly opening?: (dataFolder: string) => void;
}

const SETTINGS = {
  // Whoever has port 3000 on this machine keeps it.
  "packAuth.redirect.port": 0,
  "security.workspace.trust.startupPrompt": "never",
  // What no journey is about, and each window would pay for: a second server of TypeScript's, types from the registry, repositories.
  "js/ts.tsserver.useSyntaxServer": "never",
  "js/ts.tsserver.automaticTypeAcquisition.enabled": false,
  "git.enabled": false,
  // It lies over lines that are to be clicked.
  "editor.stickyScroll.enabled": false,
};

/** The windows that are open now, for those who tell of a failure. */
export const openWindows = new Set<Window>();

export async function openWindow(options: WindowOptions): Promise<Window> {
  const dataFolder = mkdtempSync(join(tmpdir(), "pack-auth-e2e-"));
  options.opening?.(dataFolder);
  const vsix = options.from === "vsix" ? packaged : undefined;
  const [server, browser] = await Promise.all([
    startEmbedded({
      dataFolder,
      trusted: options.trusted !== false,
      settings: SETTINGS,
      ...(vsix === undefined ? {} : { vsix }),
      ...(options.env === undefined ? {} : { env: options.env }),
    }),
    launchChromium(),
  ]);
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  if (options.from === "source") await loadFromSource(context, options.extension ?? root, options.tests);
  if (options.language !== undefined)
    await context.addInitScript((language) => {
      // What a language pack's script would set.
      Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: language });
    }, options.language);
  await undoProxy(context);
  const page = await context.newPage();
  const testsEnded = new Promise<number>((resolve) => void page.exposeFunction("codeAutomationExit", (code: number) => resolve(code)));
  const testLog: string[] = [];
  await page.exposeFunction("codeAutomationLog", (_kind: string, said: readonly unknown[]) => void testLog.push(format(...said)));
  const opened = options.folder === undefined ? "ew=true" : `folder=${encodeURIComponent(resolve(options.folder))}`;
  await page.goto(`${server.origin}/?${opened}`);
  const workbench = createWorkbench(page);
  await workbench.ready();
  const pictures = join(root, "test-results");
  mkdirSync(pictures, { recursive: true });
  const window: Window = {
    workbench,
    page,
    context,
    dataFolder,
    testsEnded,
    testLog: () => testLog.join("\n"),
    serverLog: server.log,
    stored: () => page.evaluate(READ_DATABASES) as Promise<string>,
    screenshot: async (name) => void (await page.screenshot({ path: join(pictures, `${name}.png`) })),
    report: () => reportOf(context.pages(), dataFolder),
    async close() {
      openWindows.delete(window);
      server.kill();
      await browser.close();
      // What was killed last may still have written something.
      rmSync(dataFolder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  openWindows.add(window);
  return window;
}

/** Text, since a page has none of the transpiler's helpers. */
const READ_DATABASES = `(async () => {
  document.hasFocus = () => false;
  window.dispatchEvent(new Event("blur"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  delete document.hasFocus;
  window.dispatchEvent(new Event("focus"));
  const settled = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = reject; });
  const texts = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const table = database.transaction(store).objectStore(store);
      const [keys, items] = await Promise.all([settled(table.getAllKeys()), settled(table.getAll())]);
      items.forEach((item, index) => texts.push(keys[index] + "=" + (typeof item === "string" ? item : JSON.stringify(item))));
    }
    database.close();
  }
  return texts.join("\\n");
})()`;

/** A built VS Code takes a development extension only from its page's configuration: added before its script reads it. */
async function loadFromSource(context: BrowserContext, extension: string, tests?: string): Promise<void> {
  await context.addInitScript(
    ({ extension, tests }) => {
      const read = Element.prototype.getAttribute;
      Element.prototype.getAttribute = function (name: string) {
        const value = read.call(this, name);
        if (name !== "data-settings" || this.id !== "vscode-workbench-web-configuration" || value === null) return value;
        const configuration = JSON.parse(value);
        // No named function in here: the page has none of the transpiler's helpers.
        const [own, inside] = [extension, tests].map((path) => ({ $mid: 1, scheme: "vscode-remote", authority: location.host, path }));
        configuration.developmentOptions = {
          ...configuration.developmentOptions,
          extensions: [own],
          ...(tests === undefined ? {} : { extensionTestsPath: inside }),
        };
        return JSON.stringify(configuration);
      };
    },
    { extension, tests },
  );
}

/** The server rewrites loopback addresses that it opens to its own /proxy/<port>/; page loads go to the real address. */
async function undoProxy(context: BrowserContext): Promise<void> {
  await context.route(
    (url) => /^\/proxy\/\d+(\/|$)/.test(url.pathname),
    (route) => {
      const url = new URL(route.request().url());
      const [, port, path] = /^\/proxy\/(\d+)(.*)$/.exec(url.pathname) ?? [];
      return route.fulfill({ status: 302, headers: { location: `http://127.0.0.1:${port}${path || "/"}${url.search}` } });
    },
  );
}
