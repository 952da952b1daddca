// An error's next steps in the panel are buttons, and the host is told which was pressed.
import assert from "node:assert/strict";
import type { Remedy } from "../../protocol/run.ts";
import { formula, report, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

describe("Remedies in the panel", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  it("remedies are buttons in the error, the first of them primary, reachable by keyboard", async () => {
    const remedies: readonly Remedy[] = [
      { kind: "addNetworkDomain", host: "api.other.com", label: "Add network domain" },
      { kind: "resetSwitches", switches: ["api"], label: "Reset the switch" },
    ];
    const error = { code: "StatusCodeError", message: "429", remedies };
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "failed", error }) });
    const buttons = panel.page.getByTestId("error").getByTestId("remedy");
    assert.deepEqual(await buttons.allInnerTexts(), ["Add network domain", "Reset the switch"]);
    const isSecondary = (element: Element): boolean => element.hasAttribute("secondary");
    assert.deepEqual(await Promise.all([...remedies.keys()].map((index) => buttons.nth(index).evaluate(isSecondary))), [false, true]);
    for (const index of remedies.keys()) {
      await buttons.nth(index).focus();
      await panel.page.keyboard.press("Enter");
    }
    await panel.drawn();
    const pressed = (await panel.posted()).flatMap((message) => (message.type === "remedy" ? [message.remedy] : []));
    assert.deepEqual(pressed, remedies);
  });

  it("the page of a diagnosis is a link in the error, reachable by keyboard", async () => {
    const error = { code: "StatusCodeError", message: "429", diagnosis: "too-many-requests" };
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "failed", error }) });
    const link = panel.page.getByTestId("error").getByRole("button", { name: "Explain too-many-requests" });
    await link.focus();
    await panel.page.keyboard.press("Enter");
    await panel.drawn();
    const explained = (await panel.posted()).flatMap((message) => (message.type === "explain" ? [message.diagnosis] : []));
    assert.deepEqual(explained, ["too-many-requests"]);
  });

  it("an error without remedies has no buttons", async () => {
    await panel.post(show(formula([])), {
      type: "finished",
      report: report({ status: "failed", error: { code: "Error", message: "no" } }),
    });
    await panel.page.getByTestId("error").waitFor();
    assert.equal(await panel.page.getByTestId("remedy").count(), 0);
  });
});
