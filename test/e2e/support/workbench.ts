// The workbench as a person uses it: palette, quick inputs, notifications, lenses, trees, webviews.
import { errors, type FrameLocator, type Locator, type Page } from "playwright-core";

export interface Workbench {
  ready(): Promise<void>;
  /** Runs a command by its full title in the palette, until what it shows is there. */
  command(title: string, expected?: Locator): Promise<void>;
  /** Chooses from the menu of what is right-clicked, until what that shows is there. */
  menu(of: Locator, title: string, expected: Locator): Promise<void>;
  /**
   * Acts until what that shows is there. A busy editor loses a key or a click now and then (a menu closes because a view takes the
   * focus, a lens is drawn anew between press and release), and a person would try again.
   */
  until(expected: Locator, act: () => Promise<void>): Promise<void>;
  /**
   * Presses a button that goes when it is pressed: of a notification, of a dialog. One that has only just come or that moves takes no click.
   */
  press(button: Locator): Promise<void>;
  /** A row of the quick pick. */
  row(label: string | RegExp): Locator;
  /** Picks a row of the quick pick. */
  pick(label: string | RegExp): Promise<void>;
  /** Types into the quick input and accepts. */
  type(text: string): Promise<void>;
  open(file: string): Promise<void>;
  /** Closes all editors: what stood there before may part them in two. */
  closeEditors(): Promise<void>;
  squiggle(): Locator;
  lens(text: string | RegExp): Locator;
  /** The lens, once it is there. Lenses are asked for while the editor has the focus: it gets it. */
  showLens(text: string | RegExp): Promise<Locator>;
  toast(text: string | RegExp): Locator;
  /** Clears all notifications, and waits until the editor shows as many new ones as after a pause. */
  clearNotifications(): Promise<void>;
  /** Does something that opens a page, and gives that page. */
  popup(action: () => Promise<void>): Promise<Page>;
  /** The webview whose document has the selector. */
  webview(selector: string, timeout?: number): Promise<FrameLocator>;
  tree(label: string | RegExp): Locator;
}

const RETRIES = 5;
/** As often a list is asked for, which comes to half a minute. */
const LISTINGS = 7;
const RETRIES_OF_A_PERSON = 3;
/** Milliseconds within which a command, a menu or a lens shows something, also where two cores are busy with other things. */
const PATIENCE = 15_000;

/** Milliseconds that a box of a busy editor may take to close. */
const CLOSING = 2_000;

/** Milliseconds in which the editor shows three toasts at most. It puts a fourth into the notification center alone. */
const TOAST_LIMIT_INTERVAL = 800;

/** Milliseconds for a row to come. A list that was asked for before the window has started stays empty: it is soon asked for again. */
const listing = (attempt: number): number => 1_000 * (attempt + 1);

/** Whether the page comes within five seconds. */
const isOpened = (pendingPage: Promise<Page>): Promise<boolean> =>
  Promise.race([
    pendingPage.then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, 5_000, false)),
  ]);

export function createWorkbench(page: Page): Workbench {
  const quickInput = page.locator(".quick-input-widget");
  const input = quickInput.locator(".quick-input-box input");
  const row = (label: string | RegExp): Locator => quickInput.getByRole("option", { name: label }).first();

  const lens = (text: string | RegExp): Locator => page.locator(".monaco-editor .codelens-decoration a", { hasText: text }).first();

  /** What a busy editor did not take is done again, after Escape. */
  async function again(retries: number, act: (attempt: number) => Promise<void>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await act(attempt);
        return;
      } catch (error) {
        if (attempt >= retries) throw error;
        await page.keyboard.press("Escape");
      }
    }
  }

  const until = (expected: Locator, act: () => Promise<void>): Promise<void> =>
    again(RETRIES_OF_A_PERSON, async () => {
      await act();
      await expected.first().waitFor({ timeout: PATIENCE });
    });

  /** The click has longer than its row: one that was given up may have been taken, and the command would run twice. */
  async function choose(listed: Locator, attempt: number): Promise<void> {
    await listed.waitFor({ timeout: listing(attempt) });
    await listed.click({ timeout: PATIENCE });
  }

  const command = (title: string): Promise<void> =>
    again(LISTINGS, async (attempt) => {
      await page.bringToFront();
      await page.keyboard.press("F1");
      await input.waitFor({ state: "visible", timeout: 2_000 });
      await input.fill(`>${title}`, { timeout: 2_000 });
      await choose(row(new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(,|$)`)), attempt);
    });

  return {
    until,
    row,
    ready: () => page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: 60_000 }),
    command: (title, expected) => (expected === undefined ? command(title) : until(expected, () => command(title))),
    menu: (of, title, expected) =>
      until(expected, async () => {
        await of.click({ button: "right", timeout: PATIENCE });
        // A menu lets nothing be chosen in its first tenth of a second: a button that is released then is not seen.
        const item = page.locator(".monaco-menu").getByRole("menuitem", { name: title });
        await item.waitFor({ timeout: PATIENCE });
        for (let attempt = 0; attempt < RETRIES && (await item.isVisible()); attempt++) {
          await item.click({ delay: 150, timeout: 3_000 }).catch(() => {});
          await item.waitFor({ state: "hidden", timeout: 2_000 }).catch(() => {});
        }
      }),
    async press(button) {
      await button.waitFor({ timeout: 30_000 });
      for (let attempt = 0; attempt < 10 && (await button.isVisible()); attempt++) {
        await button.click({ timeout: 3_000 }).catch(() => {});
        await button.waitFor({ state: "hidden", timeout: 2_000 }).catch(() => {});
      }
    },
    async pick(label) {
      await input.waitFor({ state: "visible" });
      const picked = row(label);
      await picked.click();
      // What comes next would be typed into this box, and go with it; the next one may have a row of the same name.
      await picked.waitFor({ state: "hidden", timeout: CLOSING }).catch(() => {});
    },
    async type(text) {
      await input.waitFor({ state: "visible" });
      // A box that has only just opened writes its own proposal over what was typed.
      do {
        await input.fill(text);
        await page.waitForTimeout(200);
      } while ((await input.inputValue()) !== text);
      await page.keyboard.press("Enter");
      // As after a pick; a box that does not take the text stays.
      const until = Date.now() + CLOSING;
      while (Date.now() < until && (await input.isVisible()) && (await input.inputValue()) === text) await page.waitForTimeout(50);
    },
    open: (file) =>
      again(LISTINGS, async (attempt) => {
        await page.keyboard.press("Control+P");
        await input.waitFor({ state: "visible", timeout: 3_000 });
        await input.fill(file, { timeout: 3_000 });
        // Of several files of one name, the folder beside it tells which.
        const [name = file, folder = ""] = file.split("/").reverse();
        const named = name.replaceAll(".", "\\.");
        await choose(row(new RegExp(`^${named}.*${folder}`)), attempt);
        // A busy editor may close the list and open nothing. A file of that name in another group is not the one.
        const group = page.locator(".editor-group-container.active");
        const tab = group.getByRole("tab", { name: new RegExp(named), selected: true }).first();
        if (attempt < LISTINGS) await tab.waitFor({ timeout: listing(attempt) });
      }),
    async closeEditors() {
      await command("View: Close All Editors");
      await page.locator(".editor-group-container .tab").first().waitFor({ state: "detached", timeout: 20_000 });
    },
    squiggle: () => page.locator(".monaco-editor .squiggly-error").first(),
    lens,
    async showLens(text) {
      const lineIn = (group: string): Locator => page.locator(`${group} .monaco-editor .view-line`).nth(3);
      // The list that the file was chosen from may give the focus back to a panel, whose group is then the active one.
      await until(lens(text), () =>
        lineIn(".editor-group-container.active")
          .click({ timeout: PATIENCE })
          .catch(() => lineIn(".editor-group-container").click({ timeout: PATIENCE })),
      );
      return lens(text);
    },
    toast: (text) => page.locator(".notifications-toasts .notification-list-item", { hasText: text }).first(),
    async clearNotifications() {
      await command("Notifications: Clear All Notifications");
      await page.waitForTimeout(TOAST_LIMIT_INTERVAL);
    },
    async popup(action) {
      const pendingPage = page.context().waitForEvent("page", { timeout: 60_000 });
      pendingPage.catch(() => {});
      await action();
      const confirm = page.locator(".monaco-dialog-box").getByRole("button", { name: /^Open$/ });
      // A click comes to nothing before the dialog is ready, and a busy browser may open no page: then as an author would, once more.
      for (let attempt = 0; attempt < RETRIES; attempt++) {
        const came = await Promise.race([pendingPage.then(() => true), confirm.waitFor({ timeout: 10_000 }).then(() => false)]).catch(
          () => false,
        );
        if (came) break;
        if (await confirm.isVisible()) await confirm.click({ timeout: 5_000 }).catch(() => {});
        else
          await row(/^Open the browser again/)
            .click({ timeout: 1_000 })
            .catch(() => {});
        if (await isOpened(pendingPage)) break;
      }
      const late = page.waitForTimeout(30_000).then(() => Promise.reject(new errors.TimeoutError("no page was opened within 30 s")));
      late.catch(() => {});
      const popup = await Promise.race([pendingPage, late]);
      // A page behind another one need not draw, and the editor shows a toast with its next frame.
      popup.once("close", () => void page.bringToFront().catch(() => {}));
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
        if (Date.now() > end) {
          // One line, which is all that a list of failures shows.
          const texts = await Promise.all(
            [".tab .label-name", ".notification-list-item-message"].map((each) => page.locator(each).allInnerTexts()),
          );
          throw new errors.TimeoutError(`no webview of ${names.length} has ${selector}; tabs and notifications: ${JSON.stringify(texts)}`);
        }
        await page.waitForTimeout(100);
      }
    },
    tree: (label) => page.getByRole("treeitem", { name: label }).first(),
  };
}
