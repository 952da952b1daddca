// How long a person waits: from the click, when the browser got it, until the answer is on the screen. Read in the page itself, so that the
// driver's own round trips are not in it.
import type { Page } from "playwright-core";

/** What is waited for, in the page or in a webview of it. */
export interface ExpectedElement {
  readonly selector: string;
  readonly text?: string;
}

/** Milliseconds after which nothing comes any more. */
const PATIENCE = 60_000;

/**
 * Text, since a page has none of the transpiler's helpers. The embedded editor's webviews are of its own origin. What changed is on the
 * screen when the next frame begins, in a webview once the editor shows its frame.
 */
const WAIT = `({ selector, text }) => {
  const documents = (of) => [of, ...[...of.querySelectorAll("iframe:not(#pending-frame)")].flatMap(({ contentDocument }) => contentDocument ? documents(contentDocument) : [])];
  const isThere = () => documents(document).some((of) => [...of.querySelectorAll(selector)].some((element) => text === undefined || element.textContent.includes(text)));
  let pressed;
  const press = (event) => { pressed ??= event.view.performance.timeOrigin + event.timeStamp; };
  for (const of of documents(document)) of.defaultView.addEventListener("mouseup", press, true);
  const end = performance.now() + ${PATIENCE};
  window.packAuthWaited = new Promise((resolve, reject) => {
    const look = () => {
      if (pressed !== undefined && isThere()) requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now() - pressed));
      else if (performance.now() > end) reject(new Error((pressed === undefined ? "nothing was clicked before " : "not there in time: ") + selector));
      else requestAnimationFrame(look);
    };
    look();
  });
  window.packAuthWaited.catch(() => {});
}`;

/** Milliseconds from the click that `click` makes until the answer is painted. */
export async function waitOf(page: Page, click: () => Promise<void>, element: ExpectedElement): Promise<number> {
  await page.evaluate(`(${WAIT})(${JSON.stringify(element)})`);
  await click();
  return page.evaluate("window.packAuthWaited");
}
