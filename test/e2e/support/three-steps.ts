// The README's three steps, by the words on the screen: fix, connect, run. By the mouse, or by the keyboard alone.
import type { FrameLocator, Locator, Page } from "playwright-core";
import { createWorkbench } from "./workbench.ts";

export type Hand = "mouse" | "keyboard";

/** Takes the quick fix of a squiggle of `mistakes/pack.ts`, and waits until the squiggle is gone. */
export async function fixMistake(page: Page): Promise<void> {
  const workbench = createWorkbench(page);
  await workbench.open("mistakes/pack.ts");
  await workbench.squiggle().waitFor({ timeout: 60_000 });
  await page.getByText("CustomHeader,").first().click();
  const fix = page
    .locator(".action-widget")
    .getByText(/CustomHeaderToken/)
    .first();
  await page.locator(".lightBulbWidget").first().waitFor({ timeout: 60_000 });
  await workbench.until(fix, () => page.keyboard.press("Control+."));
  await workbench.press(fix);
  await page.locator(".view-line", { hasText: "AuthenticationType.CustomHeaderToken" }).waitFor({ timeout: 20_000 });
}

/**
 * Connects the pack with the sandbox. `approve` receives the page of a pack that signs in with a browser. The first of
 * several endpoints is chosen, and an account of the same name is replaced.
 */
export async function connectWithSandbox(page: Page, pack: string, hand: Hand, approve?: (popup: Page) => Promise<void>): Promise<void> {
  const workbench = createWorkbench(page);
  await workbench.closeEditors();
  await workbench.open(`${pack}/pack.ts`);
  const sandbox = workbench.row(/^Connect with sandbox/);
  if (hand === "mouse") {
    const lens = await workbench.showLens("Connect test account");
    await workbench.until(sandbox, () => lens.click());
  } else await workbench.command("Pack Auth: Connect test account", sandbox);
  const choose = hand === "mouse" ? () => workbench.pick(/^Connect with sandbox/) : () => page.keyboard.press("Enter");
  if (approve === undefined) await choose();
  else {
    const popup = await workbench.popup(choose);
    await approve(popup);
    await popup.getByRole("heading", { name: "You are signed in" }).waitFor({ timeout: 30_000 });
    await popup.close();
  }
  const connected = workbench.toast(/Connected \S/);
  const question = workbench.row(/^(?:Acme|Replace )/);
  await connected.or(question).first().waitFor({ timeout: 30_000 });
  if (await question.isVisible()) await page.keyboard.press("Enter");
  await connected.waitFor({ timeout: 30_000 });
}

/** Runs a formula of the pack in front, and returns its panel. */
export async function runFormula(page: Page, pack: string, formula: string, hand: Hand): Promise<FrameLocator> {
  const workbench = createWorkbench(page);
  await workbench.clearNotifications();
  const tab: Locator = page.getByRole("tab", { name: new RegExp(`^${formula} · `) });
  if (hand === "mouse") {
    const lens = await workbench.showLens(/^ ?Run$/);
    await workbench.until(tab, () => lens.click());
  } else {
    await workbench.command("Pack Auth: Run formula", workbench.row(new RegExp(`^${formula}`)));
    await page.keyboard.type(formula);
    await page.keyboard.press("Enter");
    await tab.waitFor({ timeout: 30_000 });
  }
  return workbench.webview(`main:has(h1:text-matches("^${pack} ")) [data-testid="run"]`, 60_000);
}
