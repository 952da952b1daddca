// The panel where it has little room, beside a source: what belongs together stays in one line, and a wide table shows that it goes on.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/packs.ts";
import { formula, parameter, report, request, show } from "../support/panel-messages.ts";
import { openPanelPage, type PanelPage, releaseBrowser } from "../support/panel-page.ts";
import { DARK, LIGHT } from "../support/themes.ts";

const ROW = Object.fromEntries(
  ["name", "street", "city", "country", "telephone", "born", "email"].map((key) => [key, `a rather long ${key}`]),
);
const rows = Array.from({ length: 3 }, () => ROW);
const requests = [request(1, { sandbox: true }), request(2, {})];
const echoed = request(1, { echoed: { message: "No answer for GET /user: echoed." } });
const error = {
  code: "host-not-allowed",
  message: "No such domain.",
  hint: "Add it.",
  remedies: [
    { kind: "addNetworkDomain" as const, label: "Add network domain", host: "x.example" },
    { kind: "installToolkit" as const, label: "Install the Packs SDK in a terminal" },
  ],
};
const parity = [{ message: "setTimeout is absent" }];

describe("the panel where it is narrow", function () {
  this.timeout(120_000);
  after(releaseBrowser);
  mkdirSync(join(root, "test-results"), { recursive: true });

  async function open(width: number, theme = LIGHT): Promise<PanelPage> {
    const panel = await openPanelPage(undefined, theme);
    await panel.page.setViewportSize({ width, height: 640 });
    const target = { entry: "/todo/pack.ts", kind: "formula", name: "FindPeopleOfACity" } as const;
    await panel.post(
      { type: "loading", pack: "people-pack", target },
      show(formula([parameter("city")], { name: target.name }), { target }),
    );
    return panel;
  }
  const picture = async ({ page, drawn }: PanelPage, name: string): Promise<void> => {
    await drawn();
    await page.screenshot({ path: join(root, `test-results/panel-${name}.png`) });
  };
  /** Whether all of them stand in one line, and the panel is as wide as they are. */
  async function inOneLine({ page }: PanelPage, ...ids: readonly string[]): Promise<void> {
    const boxes = await Promise.all(ids.map((id) => page.getByTestId(id).boundingBox()));
    const middles = boxes.map((box) => (box === null ? Number.NaN : box.y + box.height / 2));
    for (const [index, middle] of middles.entries())
      assert.ok(Math.abs(middle - (middles[0] ?? 0)) < 6, `${ids[index]} stands in another line than ${ids[0]}`);
    const ends = boxes.map((box) => (box === null ? Number.NaN : box.x + box.width));
    assert.ok(Math.max(...ends) <= (page.viewportSize()?.width ?? 0), `${ids.join(", ")} are cut off`);
  }

  for (const [width, theme] of [
    [340, LIGHT],
    [375, DARK],
  ] as const)
    it(`has its buttons, its tabs and its views each in one line, at ${width} pixels`, async () => {
      const panel = await open(width, theme);
      const { page, drawn } = panel;
      await panel.post({ type: "finished", report: report({ status: "succeeded", value: rows, rows: 3 }, { requests, parity }) });
      await drawn();
      await inOneLine(panel, "run", "debug", "keep-panel");
      await inOneLine(panel, "tab-result", "tab-requests", "tab-console", "tab-afterUpload", "tab-history");
      await inOneLine(panel, "view-table", "view-preview", "view-tree", "view-json", "copy", "save", "open-result");
      const status = await page.getByTestId("status").boundingBox();
      const line = await page.locator(".tabs").boundingBox();
      assert.ok(status !== null && line !== null);
      assert.ok(line.y + line.height - (status.y + status.height) >= 4, "the status touches the line below it");
      await picture(panel, `${width}-table`);
      await panel.post({ type: "finished", report: report({ status: "failed", error }, { requests: [echoed], parity }) });
      await picture(panel, `${width}-error`);
      await panel.close();
    });

  it("keeps its buttons together at every width, and beside the title while that has room", async () => {
    const panel = await open(300);
    const title = panel.page.getByRole("heading", { level: 1 });
    for (let width = 300; width <= 620; width += 40) {
      await panel.page.setViewportSize({ width, height: 640 });
      await panel.drawn();
      await inOneLine(panel, "run", "debug", "keep-panel");
      const [text, run] = [await title.boundingBox(), await panel.page.getByTestId("run").boundingBox()];
      assert.ok(text !== null && run !== null);
      assert.equal(run.y < text.y + text.height, width >= 500, `beside the title at ${width} px`);
    }
    await panel.close();
  });

  it("has a shadow at the edge beyond which a wide table goes on, and none at its end", async () => {
    const panel = await open(375);
    const { page, drawn } = panel;
    await panel.post({ type: "finished", report: report({ status: "succeeded", value: rows, rows: 3 }) });
    await drawn();
    const grid = page.getByTestId("result-table");
    /** How dark the last row is at its left and at its right edge, from 0 to 1. */
    const edges = async (): Promise<readonly [left: number, right: number]> => {
      const box = await grid.boundingBox();
      assert.ok(box !== null);
      const y = box.y + box.height - 5;
      return [await darkness(panel, box.x + 3, y), await darkness(panel, box.x + box.width - 5, y)];
    };
    const [left, right] = await edges();
    assert.ok(left < 0.02 && right > 0.1, `at its beginning: ${left}, ${right}`);
    await grid.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    await drawn();
    const [leftAtEnd, rightAtEnd] = await edges();
    assert.ok(leftAtEnd > 0.1 && rightAtEnd < 0.02, `at its end: ${leftAtEnd}, ${rightAtEnd}`);
    await panel.close();
  });

  it("shows nothing of the rows through the head of a table that is scrolled", async () => {
    const panel = await open(375);
    const { page, drawn } = panel;
    const many = Array.from({ length: 100 }, (_, index) => ({ name: `Row ${index}` }));
    await panel.post({ type: "finished", report: report({ status: "succeeded", value: many, rows: many.length }) });
    await drawn();
    const head = page.locator(".grid-head");
    const before = await head.screenshot();
    await page.getByTestId("result-table").evaluate((element) => element.scrollTo({ top: 500 }));
    await drawn();
    assert.ok(before.equals(await head.screenshot()));
    await panel.close();
  });

  it("gives buttons of the second kind a border of their own, where the theme has one", async () => {
    const panel = await open(375);
    const bordersIn = async (own: string): Promise<readonly string[]> => {
      await panel.page.evaluate((colour) => {
        document.documentElement.style.setProperty("--vscode-button-border", "#00f");
        document.documentElement.style.setProperty("--vscode-button-secondaryBorder", colour);
      }, own);
      return Promise.all(
        ["run", "debug"].map((id) =>
          panel.page
            .getByTestId(id)
            .locator(".base")
            .evaluate((button) => getComputedStyle(button).borderTopColor),
        ),
      );
    };
    assert.deepEqual(await bordersIn("#eee"), ["rgb(0, 0, 255)", "rgb(238, 238, 238)"]);
    assert.deepEqual(await bordersIn(""), ["rgb(0, 0, 255)", "rgb(0, 0, 255)"]);
    await panel.close();
  });

  async function darkness({ page }: PanelPage, x: number, y: number): Promise<number> {
    const pixel = await page.screenshot({ clip: { x, y, width: 1, height: 1 } });
    return page.evaluate(async (png) => {
      const canvas = new OffscreenCanvas(1, 1).getContext("2d");
      const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
      canvas?.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
      const [red = 0, green = 0, blue = 0] = canvas?.getImageData(0, 0, 1, 1).data ?? [];
      return 1 - (red + green + blue) / 3 / 255;
    }, pixel.toString("base64"));
  }

  it("calls what it shows of a text Value, since there is no table", async () => {
    const panel = await open(340);
    const names = (): Promise<string[]> => panel.page.locator(".views").getByRole("tab").allInnerTexts();
    for (const value of ["Some text", 7, false]) {
      await panel.post({ type: "finished", report: report({ status: "succeeded", value }) });
      await panel.drawn();
      assert.deepEqual(await names(), ["Value", "Preview", "Tree", "JSON"]);
    }
    await picture(panel, "340-text");
    await panel.post({ type: "finished", report: report({ status: "succeeded", value: rows, rows: 3 }) });
    await panel.drawn();
    assert.deepEqual(await names(), ["Table", "Preview", "Tree", "JSON"]);
    await panel.close();
  });

  it("has what can be done about an error, and about an echo, as buttons of the editor", async () => {
    const panel = await open(340);
    await panel.post({ type: "finished", report: report({ status: "failed", error }, { requests: [echoed] }) });
    await panel.drawn();
    for (const id of ["remedy", "add-answer"])
      assert.equal(
        await panel.page
          .getByTestId(id)
          .first()
          .evaluate((element) => element.localName),
        "vscode-button",
      );
    await panel.close();
  });
});
