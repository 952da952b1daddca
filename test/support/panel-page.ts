// The formula panel in a real browser, with a test as its host.
import { defined } from "../../base/defined.ts";
import type { FromPanel, PanelMemory, ToPanel } from "../../protocol/panel.ts";
import type { Theme } from "./themes.ts";
import { openWebview, releaseBrowser, type WebviewPage } from "./webview-page.ts";

export interface PanelPage extends WebviewPage {
  /** Posts to the panel, as the host does. */
  post(...messages: readonly ToPanel[]): Promise<void>;
  posted(): Promise<readonly FromPanel[]>;
  /** Waits for a message of a type with the expected fields, and returns the last one. */
  message<T extends FromPanel["type"]>(type: T, expected?: Partial<FromPanel & { type: T }>): Promise<FromPanel & { type: T }>;
  /** Returns the state that the panel stored. */
  memory(): Promise<PanelMemory | undefined>;
}

/** Opens the panel; `memory` is the state that it stored before a reload. */
export async function openPanelPage(memory?: PanelMemory, theme?: Theme): Promise<PanelPage> {
  const webview = await openWebview("webview", { state: memory, ...defined({ theme }) });
  return {
    ...webview,
    async post(...messages) {
      for (const message of messages) await webview.post(message);
    },
    posted: webview.posted as PanelPage["posted"],
    async message(type, more) {
      const handle = await webview.page.waitForFunction(
        (fields) =>
          (window as never as { posted: FromPanel[] }).posted.findLast((each) =>
            fields.every(([name, value]) => (each as never as Record<string, unknown>)[name] === value),
          ),
        Object.entries({ ...more, type }),
      );
      return (await handle.jsonValue()) as never;
    },
    memory: webview.state as PanelPage["memory"],
  };
}

/**
 * Returns the panel of the current test of the suite. A panel opens before each test and closes after it; the browser closes after the
 * last.
 */
export function panelOfEachTest(): Omit<PanelPage, "close" | "state"> {
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
