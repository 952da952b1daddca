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

describe("the panel of a pack that is broken for a moment", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  const finishedMessage = {
    type: "finished",
    report: report({ status: "succeeded", value: "Lisbon" }, { requests: [request(1)] }),
  } as const;
  const isBroken = async (): Promise<boolean> => (await panel.page.getByTestId("broken").count()) > 0;
  const result = (): Promise<string> => panel.page.getByTestId("result-table").innerText();

  it("keeps the form and the last result under the message, until it can be built again", async () => {
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

  it("clears the message with any run, and shows its result", async () => {
    await panel.post(show(formula([])), { type: "unavailable", error: BROKEN }, { type: "started" });
    assert.equal(await isBroken(), false);
    await panel.post(finishedMessage);
    assert.equal(await result(), "Lisbon");
  });

  it("shows the last result again where a run could not begin", async () => {
    await panel.post(show(formula([])), finishedMessage, { type: "started" });
    assert.equal(await panel.page.getByTestId("result-table").count(), 0);
    await panel.post({ type: "notStarted", problems: {} }, { type: "unavailable", error: BROKEN });
    assert.equal(await isBroken(), true);
    assert.equal(await result(), "Lisbon");
    assert.equal(await panel.page.getByTestId("tab-requests").innerText(), "Requests 1");
    assert.match(await panel.page.getByTestId("status").innerText(), /^OK/);
  });

  it("says it alone where there was no form yet, with a way to look again", async () => {
    await panel.post(LOADING, { type: "unavailable", error: BROKEN });
    await panel.page.getByRole("button", { name: "Try again" }).click();
    assert.equal((await panel.posted()).filter(({ type }) => type === "ready").length, 2);
    assert.equal(await panel.page.getByTestId("run").count(), 0);
  });
});
