// One panel, one formula after the other: each form is as it was left, and nothing of one is seen in another. A Pin keeps the panel.
import assert from "node:assert/strict";
import type { ToPanel } from "../../protocol/panel.ts";
import { formula, parameter, report, show } from "../support/panel-messages.ts";
import { openPanelPage, panelOfEachTest } from "../support/panel-page.ts";

const target = (name: string) => ({ entry: "/todo/pack.ts", kind: "formula", name }) as const;
const open = (name: string): readonly ToPanel[] => [
  { type: "loading", pack: "todo", target: target(name) },
  show(formula([parameter("city")], { name }), { target: target(name) }),
  {
    type: "history",
    entries: [
      { id: `run of ${name}`, pinned: false, startedAt: 1, duration: 1, status: "succeeded", input: { values: {} }, hasReport: true },
    ],
  },
];
const finishedMessage = (name: string): ToPanel => ({
  type: "finished",
  id: `run of ${name}`,
  report: report({ status: "succeeded", value: `of ${name}` }),
});

describe("A panel that changes its formula", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  const recalls = async () => (await panel.posted()).filter(({ type }) => type === "recall");

  it("another formula shows its own form and result, as they were left", async () => {
    const { page } = panel;
    const city = page.getByTestId("param-city");
    await panel.post(...open("One"));
    await city.fill("Lisbon");
    await page.getByTestId("run-on-save").click();
    await panel.post({ type: "started" }, finishedMessage("One"));
    await panel.post(...open("Two"));
    assert.equal(await page.locator("h1").innerText(), "todo ▸ Two");
    assert.deepEqual([await city.inputValue(), await page.getByTestId("run-on-save").getAttribute("aria-pressed")], ["", "false"]);
    assert.equal(await page.getByTestId("result-table").count(), 0);
    assert.deepEqual(await recalls(), []);
    await city.fill("Porto");
    await panel.post(...open("One"));
    assert.deepEqual([await city.inputValue(), await page.getByTestId("run-on-save").getAttribute("aria-pressed")], ["Lisbon", "true"]);
    assert.deepEqual(await recalls(), [{ type: "recall", id: "run of One" }]);
    await panel.post(...open("Two"));
    assert.equal(await city.inputValue(), "Porto");
  });

  it("a form left in another panel is restored", async () => {
    await panel.post(...open("One"));
    await panel.page.getByTestId("param-city").fill("Lisbon");
    await panel.post(...open("Two"));
    const { form } = await panel.message("left");
    assert.deepEqual(form, { values: { city: "Lisbon" }, runOnSave: false, view: "table" });
    const other = await openPanelPage();
    const [loading, ...more] = open("One");
    await other.post({ ...(loading as ToPanel & { type: "loading" }), form }, ...more);
    assert.equal(await other.page.getByTestId("param-city").inputValue(), "Lisbon");
    await other.close();
  });

  it("a run that waits for an account is dropped with its formula", async () => {
    await panel.post(...open("One"), show(formula([]), { accountRequirement: "required", target: target("One") }), {
      type: "startNow",
      how: "run",
    });
    assert.equal((await panel.posted()).filter(({ type }) => type === "connect").length, 1);
    const account = { id: "a", label: "alice", sandbox: true, state: { state: "ready" } } as const;
    await panel.post(...open("Two"), { type: "accounts", accounts: [account], connected: "a" });
    assert.equal((await panel.posted()).filter(({ type }) => type === "run").length, 0);
  });

  it("all forms and the pin survive a reload of the window", async () => {
    const { page } = panel;
    await panel.post(...open("One"));
    await page.getByTestId("param-city").fill("Lisbon");
    await panel.post(...open("Two"));
    const pin = page.getByTestId("keep-panel");
    assert.equal(await pin.getAttribute("aria-pressed"), "false");
    await pin.click();
    assert.deepEqual(await panel.message("keepPanel"), { type: "keepPanel", isPinned: true });
    const again = await openPanelPage(await panel.memory());
    await again.post(...open("Two"));
    assert.equal(await again.page.getByTestId("keep-panel").getAttribute("aria-pressed"), "true");
    await again.post(...open("One"));
    assert.equal(await again.page.getByTestId("param-city").inputValue(), "Lisbon");
    await again.close();
  });
});
