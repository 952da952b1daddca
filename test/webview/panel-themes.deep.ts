// How the panel looks in each of the editor's default themes, and in 400 pixels: pictures in test-results/, and nothing that is hard to read.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../support/packs.ts";
import { formula, parameter, report, request, show } from "../support/panel-messages.ts";
import { openPanelPage, type PanelPage } from "../support/panel-page.ts";
import { DARK, HIGH_CONTRAST, HIGH_CONTRAST_LIGHT, LIGHT } from "../support/themes.ts";
import { releaseBrowser } from "../support/webview-page.ts";

const THEMES = [
  ["dark", DARK, 900],
  ["light", LIGHT, 900],
  ["high-contrast", HIGH_CONTRAST, 900],
  ["high-contrast-light", HIGH_CONTRAST_LIGHT, 900],
  ["narrow", LIGHT, 400],
] as const;

const value = {
  name: "Buy milk",
  done: false,
  note: "# Heading\nSome **bold** and _italic_ text with `code`.",
  link: "https://todo.example/7",
  owner: { id: 1, name: "alice", active: true, since: null },
};
const schema = {
  type: "object",
  properties: { note: { type: "string", codaType: "markdown" }, link: { type: "string", codaType: "url" } },
};
const requests = [
  request(1, { sandbox: true }),
  request(2, { method: "DELETE", status: 404, startedAt: 1_040, duration: 143 }),
  request(3, { status: 301, cached: true }),
  request(4, {
    failure: "blocked",
    status: undefined as never,
    failureReason: "Not sent: cdn.example is under no declared network domain.",
  }),
];
const location = { path: "/todo/pack.ts", line: 40, character: 2 };

/** What is looked at, by the id of what leads there. */
const PLACES = ["view-table", "view-preview", "view-tree", "view-json", "tab-requests", "tab-console", "tab-afterUpload", "tab-history"];

describe("The panel's themes", function () {
  this.timeout(120_000);
  after(releaseBrowser);
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  mkdirSync(join(root, "test-results"), { recursive: true });

  for (const [name, theme, width] of THEMES)
    it(`the panel is accessible: ${name}`, async () => {
      const panel = await openPanelPage(undefined, theme);
      const { page } = panel;
      await page.setViewportSize({ width, height: 640 });
      await page.evaluate(axe);
      await panel.post(show(formula([parameter("city")])), {
        type: "history",
        entries: [
          { id: "one", pinned: true, startedAt: 1, duration: 5, status: "failed", input: { values: { city: "Lisbon" } }, hasReport: true },
        ],
      });
      const console = [{ time: 1, level: "warn" as const, message: "careful" }];
      const run = { requests, schema, console, platformDifferences: [{ message: "setTimeout is absent", location }] };
      await panel.post({ type: "finished", report: report({ status: "succeeded", value }, run) });
      for (const place of PLACES) {
        await page.getByTestId(place).click();
        await look(panel, `${name}-${place}`);
      }
      const error = {
        code: "TypeError",
        message: "Cannot read it",
        hint: "Try another.",
        stack: [{ text: "execute (/todo/pack.ts:41:3)", location }],
      };
      await panel.post({ type: "finished", report: report({ status: "failed", error }) });
      await look(panel, `${name}-error`);
      await panel.close();
    });

  async function look({ page, drawn }: PanelPage, name: string): Promise<void> {
    await drawn();
    await page.screenshot({ path: join(root, `test-results/panel-${name}.png`) });
    const { violations } = (await page.evaluate("axe.run({ runOnly: ['color-contrast'] })")) as {
      violations: readonly { nodes: readonly { html: string }[] }[];
    };
    assert.deepEqual(
      violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)),
      [],
      name,
    );
  }
});
