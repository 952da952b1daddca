// What the editor showed when a journey failed, as text: the only thing that is left of a run on another machine.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Page } from "playwright-core";
import { filesBelow } from "./files-below.ts";

/** What of the workbench is looked at, top to bottom of what covers what. */
const PARTS: Readonly<Record<string, string>> = {
  dialog: ".monaco-dialog-box",
  menu: ".monaco-menu .action-label",
  "quick input": ".quick-input-widget",
  notification: ".notification-list-item",
  tab: ".tabs-container .tab[aria-selected=true]",
  tree: "[role=treeitem]",
  lens: ".codelens-decoration a",
};
/** Whether the page still draws: what the editor shows with its next frame is missing where it does not. */
const DRAWING = `new Promise((resolve) => {
  requestAnimationFrame(() => resolve(document.visibilityState));
  setTimeout(resolve, 2_000, document.visibilityState + ", draws nothing");
})`;
const LOG_LINES = 15;
const MOST = 300;

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, MOST);

export async function reportOf(pages: readonly Page[], dataFolder: string): Promise<string> {
  const lines = await Promise.all(pages.map(shownOn));
  return [...lines.flat(), ...logOf(dataFolder)].join("\n");
}

async function shownOn(page: Page): Promise<readonly string[]> {
  const drawing = await page.evaluate<string>(DRAWING).catch(() => "gone");
  const lines = [`page: ${page.url()} (${drawing})`];
  for (const [name, selector] of Object.entries(PARTS)) {
    const elements = page.locator(selector).filter({ visible: true });
    const texts = await elements.allInnerTexts().catch(() => []);
    for (const text of texts.map(oneLine)) if (text !== "") lines.push(`${name}: ${text}`);
  }
  const focused = await page.evaluate(`document.activeElement?.outerHTML.slice(0, ${MOST})`).catch(() => undefined);
  lines.push(`focus: ${oneLine(String(focused))}`);
  for (const frame of page.frames().filter((frame) => /\/fake\.html/.test(frame.url()))) {
    const text = oneLine(
      await frame
        .locator("body")
        .innerText({ timeout: 1_000 })
        .catch(() => ""),
    );
    if (text !== "") lines.push(`frame: ${text}`);
  }
  return lines;
}

/** The last lines of each of the extension's logs. */
function logOf(dataFolder: string): readonly string[] {
  const paths = filesBelow(dataFolder).filter((path) => /^Pack Auth.*\.log$/.test(basename(path)));
  return paths.flatMap((path) =>
    readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .slice(-LOG_LINES)
      .map((line) => `${basename(path)}: ${oneLine(line)}`),
  );
}
