// The panel where it has little room, beside a source: what belongs together stays in one line, and a wide table shows that it goes on.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { PanelAccount, ToPanel } from "../../protocol/panel.ts";
import { root } from "../support/packs.ts";
import { formula, parameter, report, request, show } from "../support/panel-messages.ts";
import { openPanelPage, type PanelPage } from "../support/panel-page.ts";
import { DARK, LIGHT } from "../support/themes.ts";
import { releaseBrowser } from "../support/webview-page.ts";

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
const platformDifferences = [{ message: "setTimeout is absent" }];

const account = (id: string, state: PanelAccount["state"]): PanelAccount => ({ id, label: `${id}@people.example`, sandbox: true, state });
/** A form with a field of each kind, and a run of before. */
const FULL_FORM: readonly ToPanel[] = [
  show(
    formula(
      [
        parameter("city", { hasAutocomplete: true }),
        parameter("when", { kind: "date" }),
        parameter("aRatherLongNameOfAParameter", { kind: "number", shape: "sparseArray" }),
        parameter("note", { kind: "markdown", optional: true }),
      ],
      {
        varargParameters: [parameter("key"), parameter("value", { kind: "boolean" })],
        examples: [{ params: ["Lisbon", null, [1, 2], "*b*", "k"] }],
      },
    ),
    {
      accountRequirement: "required",
      accounts: [
        account("alice", { state: "refused", reason: "the provider refused to renew the token", nextStep: "Sign in again." }),
        account("bob", { state: "ready" }),
      ],
      selectedAccount: "alice",
      systemAccount: null,
    },
  ),
  {
    type: "history",
    entries: [
      {
        id: "one",
        pinned: true,
        startedAt: 1,
        duration: 5,
        status: "cancelled",
        rows: 3,
        account: "alice",
        input: { values: { city: "Lisbon" } },
        hasReport: true,
      },
    ],
  },
];

describe("The narrow panel", function () {
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
    await page.screenshot({ path: join(root, `test-results/panel-${name}.png`), fullPage: true });
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
    it(`buttons, tabs and views are in one line each at ${width} pixels`, async () => {
      const panel = await open(width, theme);
      const { page, drawn } = panel;
      await panel.post({
        type: "finished",
        report: report({ status: "succeeded", value: rows, rows: 3 }, { requests, platformDifferences }),
      });
      await drawn();
      await inOneLine(panel, "run", "debug", "keep-panel");
      await inOneLine(panel, "tab-result", "tab-requests", "tab-console", "tab-afterUpload", "tab-history");
      await inOneLine(panel, "view-table", "view-preview", "view-tree", "view-json", "copy", "save", "open-result");
      const status = await page.getByTestId("status").boundingBox();
      const line = await page.locator(".tabs").boundingBox();
      assert.ok(status !== null && line !== null);
      assert.ok(line.y + line.height - (status.y + status.height) >= 4, "the status touches the line below it");
      await picture(panel, `${width}-table`);
      await panel.post({ type: "finished", report: report({ status: "failed", error }, { requests: [echoed], platformDifferences }) });
      await picture(panel, `${width}-error`);
      await panel.close();
    });

  for (const [width, theme] of [
    [190, DARK],
    [190, LIGHT],
    [400, LIGHT],
    [1000, LIGHT],
    [1000, DARK],
  ] as const)
    it(`nothing is cut off or scrolls sideways at ${width} pixels, ${theme === DARK ? "dark" : "light"}`, async () => {
      const panel = await open(width, theme);
      const { page, drawn } = panel;
      const look = async (name: string): Promise<void> => {
        await picture(panel, `${width}-${theme === DARK ? "dark" : "light"}-${name}`);
        assert.deepEqual(await cutOff(panel), [], name);
      };
      await panel.post(...FULL_FORM);
      await look("form");
      const value = { name: "A rather long name", homepage: "https://people.example/somebody" };
      const run = {
        requests: [...requests, echoed],
        platformDifferences,
        console: [{ time: 1, level: "warn" as const, message: "careful with that" }],
      };
      await panel.post({ type: "finished", report: report({ status: "succeeded", value }, run) });
      for (const place of [
        "view-table",
        "view-preview",
        "view-tree",
        "view-json",
        "tab-requests",
        "tab-console",
        "tab-afterUpload",
        "tab-history",
      ]) {
        await page.getByTestId(place).click();
        await look(place);
      }
      await page.getByTestId("tab-requests").click();
      await page.locator(".requests summary").first().click();
      await look("request");
      await panel.post({ type: "finished", report: report({ status: "failed", error }, run) });
      await look("failed");
      await panel.post({ type: "started" });
      await drawn();
      await look("running");
      await panel.close();
    });

  it("the result is beside the form from 900 pixels on, and below it otherwise", async () => {
    const panel = await open(900);
    const { page, drawn } = panel;
    await panel.post(...FULL_FORM, { type: "finished", report: report({ status: "succeeded", value: rows, rows: 3 }, { requests }) });
    for (const width of [900, 1000, 1600, 899, 400]) {
      await page.setViewportSize({ width, height: 640 });
      await drawn();
      const [form, tabs, result] = await Promise.all(
        [page.locator("form"), page.locator(".tabs"), page.locator("#tabpanel")].map((each) => each.boundingBox()),
      );
      assert.ok(form && tabs && result);
      const isBeside = form.x + form.width < Math.min(tabs.x, result.x) && tabs.y < form.y + 40;
      const isBelow = tabs.y >= form.y + form.height && Math.abs(tabs.x - form.x) < 2;
      assert.deepEqual([isBeside, isBelow], width >= 900 ? [true, false] : [false, true], `at ${width} px`);
      assert.ok(result.x + result.width <= width, `cut off at ${width} px`);
      if (width >= 900) assert.ok(form.width >= 300 && result.width > form.width, `${form.width} and ${result.width} at ${width} px`);
    }
    await panel.close();
  });

  it("suggestions cover the result below them", async () => {
    const panel = await open(400);
    const { page, drawn } = panel;
    const choices = Array.from({ length: 12 }, (_, index) => ({ display: `City ${index}`, value: `c${index}` }));
    await panel.post(show(formula([parameter("city", { hasAutocomplete: true })])), {
      type: "finished",
      report: report({ status: "succeeded", value: rows, rows: 3 }),
    });
    await page.getByTestId("param-city").click();
    await panel.message("choices");
    await panel.post({ type: "choices", field: "city", search: "", choices });
    const below = page.getByRole("option", { name: "City 9" });
    const [option, tabs] = [await below.boundingBox(), await page.locator(".tabs").boundingBox()];
    assert.ok(option && tabs && option.y > tabs.y);
    await below.click({ timeout: 5_000 });
    await drawn();
    assert.equal(await page.getByTestId("param-city").inputValue(), "c9");
    await panel.close();
  });

  it("the result stays in view beside a long form", async () => {
    const panel = await open(1000);
    const { page, drawn } = panel;
    const parameters = Array.from({ length: 20 }, (_, index) => parameter(`p${index}`));
    await panel.post(show(formula(parameters)), { type: "finished", report: report({ status: "succeeded", value: "found" }) });
    for (const field of ["param-p0", "param-p19"]) {
      await page.getByTestId(field).focus();
      await drawn();
      for (const id of ["run", "tab-result", "result"]) {
        const box = await page.getByTestId(id).boundingBox();
        assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 640, `${id} is out of view`);
      }
    }
    await panel.close();
  });

  it("the buttons stay together at every width, beside the title if it has room", async () => {
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

  it("a wide table has a shadow at its hidden edge only", async () => {
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

  it("the head of a scrolled table hides the rows behind it", async () => {
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

  it("secondary buttons have the theme's own border", async () => {
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

  /** What is shown beyond the window, or hidden within an element that does not show all of its own, or in a column too thin to be read. A wide table scrolls, and so does a control's text. */
  const cutOff = ({ page }: PanelPage): Promise<readonly string[]> =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll("body, body *")].flatMap((element) => [
        element,
        ...(element.shadowRoot?.querySelectorAll("*") ?? []),
      ]);
      const within = all.filter(
        (element) =>
          !element.matches(".grid *, input, select, option, textarea, svg *") && element.checkVisibility({ visibilityProperty: true }),
      );
      return within.flatMap((element) => {
        const { left, right, width, height } = element.getBoundingClientRect();
        const isBeyond = width > 0 && (left < -0.5 || right > innerWidth + 0.5);
        const isHidden =
          !element.matches(".grid") && getComputedStyle(element).overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
        const name = `${element.localName}.${element.className} ${element.textContent?.trim().slice(0, 30)}`;
        // A column of single letters.
        const isThin = width > 0 && width < 40 && height > 60 && element.textContent?.trim() !== "";
        return [...(isBeyond ? [`beyond: ${name}`] : []), ...(isHidden ? [`hidden: ${name}`] : []), ...(isThin ? [`thin: ${name}`] : [])];
      });
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

  it("a text result has the tab Value in place of Table", async () => {
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

  it("remedies and Add answer are buttons of the editor", async () => {
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
