// How the panel shows requests: in one grid, each with what came of it, and a key beside what carried one.
import assert from "node:assert/strict";
import type { RequestTrace } from "../../protocol/run.ts";
import { formula, report, request, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

describe("Requests in the panel", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();
  async function showRequests(requests: readonly RequestTrace[]): Promise<void> {
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value: 1 }, { requests }) });
    await panel.page.getByTestId("tab-requests").click();
    await panel.drawn();
  }
  const cell = (name: string) => panel.page.getByTestId("request-row").locator(name);
  const boxes = async (name: string) => Promise.all((await cell(name).all()).map(async (each) => await each.boundingBox()));
  const LONG = `https://api.todo.example/${"a-long-path/".repeat(30)}`;

  it("requests share one grid of columns whatever a row contains", async () => {
    const requests = [
      request(1),
      request(2, { method: "OPTIONS", url: LONG, duration: 12_345, size: 25_000_000 }),
      request(3, { size: undefined as never }),
    ];
    for (const width of [1000, 400]) {
      await panel.page.setViewportSize({ width, height: 800 });
      await showRequests(requests);
      for (const name of [".method", ".status", ".where"]) {
        const boundingBoxes = await boxes(name);
        assert.equal(boundingBoxes.length, 3);
        assert.equal(new Set(boundingBoxes.map((box) => box?.x)).size, 1, `${name} at ${width} px`);
      }
      const rows = await boxes("summary");
      const [first, second] = (await boxes(".status")).map((box, row) => (box?.y ?? 0) - (rows[row]?.y ?? 0));
      assert.ok(Math.abs((first ?? 0) - (second ?? 0)) < 2, "each in the first line of its row");
      const overflow = await panel.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0, `nothing is cut at ${width} px`);
    }
  });

  it("unanswered requests are blocked, not sent or failed, with a key only if sent", async () => {
    const without = (id: number, failure: NonNullable<RequestTrace["failure"]>) =>
      request(id, { failure, failureReason: `why ${failure}`, status: undefined as never });
    await showRequests([without(1, "blocked"), without(2, "notSent"), without(3, "failed"), request(4)]);
    assert.deepEqual(await cell(".status").allInnerTexts(), ["blocked", "not sent", "failed", "200"]);
    const keys = await Promise.all(
      (await panel.page.getByTestId("request-row").all()).map((row) => row.getByTestId("credential-mark").count()),
    );
    assert.deepEqual(keys, [0, 0, 1, 1]);
    for (const why of ["why blocked", "why notSent", "why failed"]) await panel.page.getByText(why).waitFor();
    await panel.page.getByTestId("request-row").nth(1).locator("summary").click();
    await panel.page.getByRole("heading", { name: "Request (not sent)" }).waitFor();
    const headers = await panel.page.getByTestId("request-row").nth(1).locator("dl").first().innerText();
    assert.deepEqual(headers.split(/\s*\n\s*/), ["authorization", "Bearer ••••", "x-note", "it's"]);
  });

  it("a refused request leads to its line in the pack", async () => {
    const calledFrom = { path: "/packs/todo/pack.ts", line: 40, character: 2 };
    await showRequests([
      request(1, { failure: "blocked", failureReason: "not a declared network domain", status: undefined as never, calledFrom }),
    ]);
    await panel.page.getByRole("button", { name: "pack.ts:41" }).click();
    assert.deepEqual(await panel.message("open"), { type: "open", location: calledFrom });
  });

  it("numbers of a body are shown as sent", async () => {
    await showRequests([request(1, { responseBody: '{"id":1234567890123456789012,"rate":1.10,"far":1e400,"list":[-0]}' })]);
    await panel.page.getByTestId("request-row").locator("summary").click();
    await panel.page.getByText("1234567890123456789012", { exact: true }).waitFor();
    for (const number of ["1.10", "1e400", "-0"]) await panel.page.getByText(number, { exact: true }).waitFor();
  });

  it("badges have a border in a high-contrast theme", async () => {
    await showRequests([request(1, { cached: true })]);
    const borders = () =>
      panel.page.locator(".badge, .count").evaluateAll((badges) => badges.map((badge) => getComputedStyle(badge).borderColor));
    assert.deepEqual(new Set(await borders()), new Set(["rgba(0, 0, 0, 0)"]));
    await panel.page.evaluate(() => document.documentElement.style.setProperty("--vscode-contrastBorder", "#6fc3df"));
    assert.deepEqual(new Set(await borders()), new Set(["rgb(111, 195, 223)"]));
  });

  it("each kind of status has a colour, also 200", async () => {
    await showRequests([request(1), request(2, { status: 301 }), request(3, { status: 404 }), request(4, { status: 503 })]);
    const colours = await cell(".status").evaluateAll((cells) => cells.map((each) => getComputedStyle(each).color));
    const plain = await cell(".method")
      .first()
      .evaluate((each) => getComputedStyle(each).color);
    assert.equal(new Set([plain, ...colours.slice(0, 3)]).size, 4);
    assert.equal(colours[2], colours[3]);
  });
});
