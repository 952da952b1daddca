// The embedded VS Code for tests: a server with its own data folder, a browser, and the extension from source or from a .vsix.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { format } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Embedded, startEmbedded, writeSettings } from "../../../scripts/embedded/server.ts";
import { vsix as packaged } from "../../../scripts/package.ts";
import { launchChromium } from "../../support/chromium.ts";
import { root } from "../../support/packs.ts";
import { keepPort } from "../../support/reserved-port.ts";
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
  /** Takes a picture into test-results/, where TESTS_SCREENSHOTS is set. */
  screenshot(name: string): Promise<void>;
  /** What a person would see, as text, and the extension's log. */
  report(): Promise<string>;
  close(): Promise<void>;
}

/** Of journeys that share a window: each has packs of its own in folders of the workspace. */
export interface SharedWindow {
  readonly window: Window;
  readonly workspace: string;
}

export interface WindowOptions {
  /** Without one the window is empty. */
  readonly folder?: string;
  /** A file of the folder that is open from the start, as in a window that an author had before. */
  readonly file?: string;
  /** "source" loads the work tree as a development extension; "vsix" installs the package. */
  readonly from: "source" | "vsix";
  readonly trusted?: boolean;
  /** More of the environment of the editor's server. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of another development extension. */
  readonly helper?: string;
  /** A mocha entry to run inside the extension host; its exit code is told to {@link Window.testsEnded}. */
  readonly tests?: string;
  /** Hears of the window's data folder before the window opens. */
  readonly opening?: (dataFolder: string) => void;
}

/** Another program of this machine may have the default port. */
const redirectPort = await keepPort();

const SETTINGS = {
  "packAuth.redirect.port": redirectPort.port,
  "security.workspace.trust.startupPrompt": "never",
  // What no journey is about, and each window would pay for: a second server of TypeScript's, types from the registry, repositories.
  "js/ts.tsserver.useSyntaxServer": "never",
  "js/ts.tsserver.automaticTypeAcquisition.enabled": false,
  "git.enabled": false,
  // It lies over lines that are to be clicked.
  "editor.stickyScroll.enabled": false,
};

export const pictureOf = (name: string): string => join(root, "test-results", `${name}.png`);

/** Settings of a workspace whose journeys ask nothing of TypeScript: its server then reads no types, which takes it longest. */
export const SYNTAX_ONLY = { "js/ts.tsserver.useSyntaxServer": "always" };

/** The windows that are open now, for those who tell of a failure. */
export const openWindows = new Set<Window>();

/** A server, and what of a browser its windows are in. One window is open at a time. */
interface Editor {
  readonly server: Embedded;
  readonly context: BrowserContext;
  readonly dataFolder: string;
  close(): Promise<void>;
}

/** Those that journeys share, by how they were started; undefined where each window has its own. */
let shared: Map<string, Editor> | undefined;

/**
 * From now on windows that want the same kind of editor open in one, a window after another: its server and its browser have started, and
 * have loaded the workbench before. Each finds it as it was at first, without accounts or settings.
 */
export function shareEditors(): void {
  shared ??= new Map();
}

export async function closeEditors(): Promise<void> {
  const editors = [...(shared?.values() ?? [])];
  shared = undefined;
  for (const editor of editors) await editor.close();
}

const embeddedOptions = ({ from, trusted, env = {} }: WindowOptions, dataFolder: string) => ({
  dataFolder,
  trusted: trusted !== false,
  settings: SETTINGS,
  env,
  ...(from === "source" ? {} : { vsix: packaged }),
});

async function startEditor(options: WindowOptions): Promise<Editor> {
  const dataFolder = mkdtempSync(join(tmpdir(), "pack-auth-e2e-"));
  options.opening?.(dataFolder);
  const [server, browser]: [Embedded, Browser] = await Promise.all([startEmbedded(embeddedOptions(options, dataFolder)), launchChromium()]);
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // Without a graphics card each frame of a bar that moves, or of a bracket that wiggles, is drawn by the processor.
  await context.addInitScript(() => {
    const still = new CSSStyleSheet();
    still.replaceSync("*, ::before, ::after { animation: none !important; transition: none !important; }");
    document.adoptedStyleSheets = [still];
  });
  if (options.from === "source") await loadFromSource(context, [root]);
  return {
    server,
    context,
    dataFolder,
    async close() {
      server.kill();
      await browser.close();
      // What was killed last may still have written something.
      rmSync(dataFolder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** As if nobody had opened a window yet. */
async function emptyEditor({ server, context, dataFolder }: Editor): Promise<void> {
  const [page = await context.newPage(), ...otherPages] = context.pages();
  for (const other of otherPages) await other.close();
  await page.goto("about:blank");
  server.endExtensionHosts();
  const browser = await context.newCDPSession(page);
  await browser.send("Storage.clearDataForOrigin", { origin: server.origin, storageTypes: "cookies,indexeddb,local_storage" });
  await page.close();
  for (const name of ["User", "Machine"]) rmSync(join(dataFolder, name), { recursive: true, force: true, maxRetries: 10 });
}

export async function openWindow(options: WindowOptions): Promise<Window> {
  const { from, trusted, env = {}, helper, tests } = options;
  // Tests inside the extension host look at what their window alone has written.
  const kind = JSON.stringify([from, trusted, env, tests]);
  const sharedEditor = shared?.get(kind);
  if (sharedEditor !== undefined) {
    options.opening?.(sharedEditor.dataFolder);
    writeSettings(embeddedOptions(options, sharedEditor.dataFolder));
  }
  const editor = sharedEditor ?? (await startEditor(options));
  shared?.set(kind, editor);
  const { server, context, dataFolder } = editor;
  const page = await context.newPage();
  if (helper !== undefined || tests !== undefined) await loadFromSource(page, helper === undefined ? [] : [helper], tests);
  const testsEnded = new Promise<number>((resolve) => void page.exposeFunction("codeAutomationExit", (code: number) => resolve(code)));
  const testLog: string[] = [];
  await page.exposeFunction(
    "codeAutomationLog",
    (_kind: string, logArguments: readonly unknown[]) => void testLog.push(format(...logArguments)),
  );
  const query = options.folder === undefined ? "ew=true" : `folder=${encodeURIComponent(resolve(options.folder))}`;
  const file = `vscode-remote://${new URL(server.origin).host}${join(resolve(options.folder ?? "/"), options.file ?? "")}`;
  const payload = options.file === undefined ? "" : `&payload=${encodeURIComponent(JSON.stringify([["openFile", file]]))}`;
  // What it shows is waited for, and takes long on a busy machine.
  await page.goto(`${server.origin}/?${query}${payload}`, { waitUntil: "commit" });
  const workbench = createWorkbench(page);
  await workbench.ready();
  const window: Window = {
    workbench,
    page,
    context,
    dataFolder,
    testsEnded,
    testLog: () => testLog.join("\n"),
    serverLog: server.log,
    stored: () => page.evaluate(READ_DATABASES) as Promise<string>,
    screenshot: async (name) => void (process.env.TESTS_SCREENSHOTS && (await page.screenshot({ path: pictureOf(name) }))),
    report: () => reportOf(context.pages(), dataFolder),
    async close() {
      openWindows.delete(window);
      await (shared?.get(kind) === editor ? emptyEditor(editor) : editor.close());
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

/**
 * Loads development extensions, and tests to run inside the extension host, in the pages of a context or in one page. A built VS Code takes
 * them only from its page's configuration: added before its script reads it.
 */
async function loadFromSource(pages: BrowserContext | Page, extensions: readonly string[], tests?: string): Promise<void> {
  await pages.addInitScript(
    ({ extensions, tests }) => {
      const read = Element.prototype.getAttribute;
      Element.prototype.getAttribute = function (name: string) {
        const value = read.call(this, name);
        if (name !== "data-settings" || this.id !== "vscode-workbench-web-configuration" || value === null) return value;
        const configuration = JSON.parse(value);
        // No named function in here: the page has none of the transpiler's helpers.
        const [inside, ...own] = [tests, ...extensions].map((path) => ({
          $mid: 1,
          scheme: "vscode-remote",
          authority: location.host,
          path,
        }));
        const { developmentOptions } = configuration;
        configuration.developmentOptions = {
          ...developmentOptions,
          extensions: [...(developmentOptions?.extensions ?? []), ...own],
          ...(tests === undefined ? {} : { extensionTestsPath: inside }),
        };
        return JSON.stringify(configuration);
      };
    },
    { extensions, tests },
  );
}
