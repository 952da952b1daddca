// The workbench as a person uses it: palette, quick inputs, notifications, lenses, trees, webviews.
import { errors, type FrameLocator, type Locator, type Page } from "playwright-core";

export interface Workbench {
  ready(): Promise<void>;
  /** Runs a command by its full title in the palette. */
  command(title: string): Promise<void>;
  /** Picks a row of the quick pick. */
  pick(label: string | RegExp): Promise<void>;
  /** Types into the quick input and accepts. */
  type(text: string): Promise<void>;
  open(file: string): Promise<void>;
  squiggle(): Locator;
  lens(text: string | RegExp): Locator;
  toast(text: string | RegExp): Locator;
  /** Does something that opens a page, and gives that page. */
  popup(action: () => Promise<void>): Promise<Page>;
  /** The webview whose document has the selector. */
  webview(selector: string, timeout?: number): Promise<FrameLocator>;
  tree(label: string | RegExp): Locator;
}

const RETRIES = 5;

/** Whether the page comes within five seconds. */
const isOpened = (opened: Promise<Page>): Promise<boolean> =>
  Promise.race([
    opened.then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, 5_000, false)),
  ]);

export function createWorkbench(page: Page): Workbench {
  const quickInput = page.locator(".quick-input-widget");
  const input = quickInput.locator(".quick-input-box input");
  const row = (label: string | RegExp): Locator => quickInput.getByRole("option", { name: label }).first();

  /** A key that is pressed while the focus moves is lost: tried again. */
  async function palette(text: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await page.bringToFront();
        await page.keyboard.press("F1");
        await input.waitFor({ state: "visible", timeout: 2_000 });
        await input.fill(`>${text}`, { timeout: 2_000 });
        return;
      } catch (error) {
        if (attempt >= RETRIES) throw error;
        await page.keyboard.press("Escape");
      }
    }
  }

  return {
    ready: () => page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: 60_000 }),
    async command(title) {
      for (let attempt = 0; ; attempt++) {
        await palette(title);
        try {
          await row(new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(,|$)`)).click({ timeout: 5_000 });
          return;
        } catch (error) {
          if (attempt >= RETRIES) throw error;
          await page.keyboard.press("Escape");
        }
      }
    },
    async pick(label) {
      await input.waitFor({ state: "visible" });
      await row(label).click();
    },
    async type(text) {
      await input.waitFor({ state: "visible" });
      await input.fill(text);
      await page.keyboard.press("Enter");
    },
    async open(file) {
      for (let attempt = 0; ; attempt++) {
        try {
          await page.keyboard.press("Control+P");
          await input.waitFor({ state: "visible", timeout: 3_000 });
          await input.fill(file);
          // Of several files of one name, the folder beside it tells which.
          const [name = file, folder = ""] = file.split("/").reverse();
          await row(new RegExp(`^${name.replaceAll(".", "\\.")}.*${folder}`)).click({ timeout: 5_000 });
          return;
        } catch (error) {
          if (attempt >= RETRIES) throw error;
          await page.keyboard.press("Escape");
        }
      }
    },
    squiggle: () => page.locator(".monaco-editor .squiggly-error").first(),
    lens: (text) => page.locator(".monaco-editor .codelens-decoration a", { hasText: text }).first(),
    toast: (text) => page.locator(".notifications-toasts .notification-list-item", { hasText: text }).first(),
    async popup(action) {
      const opened = page.context().waitForEvent("page", { timeout: 60_000 });
      opened.catch(() => {});
      await action();
      const confirm = page.locator(".monaco-dialog-box").getByRole("button", { name: /^Open$/ });
      // A click comes to nothing before the dialog is ready, and a busy browser may open no page: then as an author would, once more.
      for (let attempt = 0; attempt < RETRIES; attempt++) {
        const came = await Promise.race([opened.then(() => true), confirm.waitFor({ timeout: 10_000 }).then(() => false)]).catch(
          () => false,
        );
        if (came) break;
        if (await confirm.isVisible()) await confirm.click({ timeout: 5_000 }).catch(() => {});
        else
          await row(/^Open the browser again/)
            .click({ timeout: 1_000 })
            .catch(() => {});
        if (await isOpened(opened)) break;
      }
      const late = page.waitForTimeout(30_000).then(() => Promise.reject(new errors.TimeoutError("no page was opened within 30 s")));
      late.catch(() => {});
      const popup = await Promise.race([opened, late]);
      await popup.waitForLoadState();
      return popup;
    },
    async webview(selector, timeout = 30_000) {
      const end = Date.now() + timeout;
      for (;;) {
        const frames = page.locator("iframe.webview");
        // By name: webviews change their places when another one is opened.
        const names = await frames.evaluateAll((elements) => elements.map((element) => element.getAttribute("name")));
        for (const name of names) {
          const frame = page.locator(`iframe.webview[name="${name}"]`).contentFrame().locator("iframe#active-frame").contentFrame();
          if (
            (await frame
              .locator(selector)
              .count()
              .catch(() => 0)) > 0
          )
            return frame;
        }
        if (Date.now() > end) throw new errors.TimeoutError(`no webview has ${selector}`);
        await page.waitForTimeout(100);
      }
    },
    tree: (label) => page.getByRole("treeitem", { name: label }).first(),
  };
}
