// A pack that cannot be built just now: the message stands over the form and the last result, and goes by itself.
import assert from "node:assert/strict";
import { formula, parameter, report, request, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

const LOADING = {
  type: "loading",
  pack: "todo",
  target: { entry: "/todo/pack.ts", kind: "formula", name: "GetTask" },
} as const;
const BROKEN = { code: "pack-does-not-bundle", message: 'Expected "}" but found end of file' };

describe("The panel of a temporarily broken pack", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  const finishedMessage = {
    type: "finished",
    report: report({ status: "succeeded", value: "Lisbon" }, { requests: [request(1)] }),
  } as const;
  const isBroken = async (): Promise<boolean> => (await panel.page.getByTestId("broken").count()) > 0;
  const result = (): Promise<string> => panel.page.getByTestId("result-table").innerText();

  it("form and last result stay under the message until the pack builds", async () => {
    const showMessage = show(formula([parameter("city")]));
    await panel.post(showMessage, finishedMessage);
    await panel.page.getByTestId("param-city").fill("Porto");
    await panel.post(LOADING, { type: "unavailable", error: BROKEN });
    assert.equal(await isBroken(), true);
    assert.equal(await result(), "Lisbon");
    assert.equal(await panel.page.getByTestId("param-city").inputValue(), "Porto");
    await panel.post(showMessage);
    assert.equal(await isBroken(), false);
    assert.equal(await result(), "Lisbon");
    assert.equal(await panel.page.getByTestId("param-city").inputValue(), "Porto");
  });

  it("any run clears the message and shows its result", async () => {
    await panel.post(show(formula([])), { type: "unavailable", error: BROKEN }, { type: "started" });
    assert.equal(await isBroken(), false);
    await panel.post(finishedMessage);
    assert.equal(await result(), "Lisbon");
  });

  it("a run that could not begin shows the last result again", async () => {
    await panel.post(show(formula([])), finishedMessage, { type: "started" });
    assert.equal(await panel.page.getByTestId("result-table").count(), 0);
    await panel.post({ type: "notStarted", problems: {} }, { type: "unavailable", error: BROKEN });
    assert.equal(await isBroken(), true);
    assert.equal(await result(), "Lisbon");
    assert.equal(await panel.page.getByTestId("tab-requests").innerText(), "Requests 1");
    assert.match(await panel.page.getByTestId("status").innerText(), /^OK/);
  });

  it("a pack without a form yet shows the message and Try again", async () => {
    await panel.post(LOADING, { type: "unavailable", error: BROKEN });
    await panel.page.getByRole("button", { name: "Try again" }).click();
    assert.equal((await panel.posted()).filter(({ type }) => type === "ready").length, 2);
    assert.equal(await panel.page.getByTestId("run").count(), 0);
  });
});
