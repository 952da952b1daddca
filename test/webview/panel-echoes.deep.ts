// Where the sandbox had no answer, the panel says so: at the request, and above the error or the result that came of the echo.
import assert from "node:assert/strict";
import { formula, report, request, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

describe("An echo in the panel", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();
  const message = "No answer for GET /user/emails: echoed.";
  const echo = request(1, { sandbox: true, echoed: { message } });

  it("an echo is shown once above its error and at each request", async () => {
    const error = { code: "TypeError", message: "result.body.find is not a function" };
    const again = { ...echo, id: 2 };
    await panel.post(show(formula([])), {
      type: "finished",
      report: report({ status: "failed", error }, { requests: [echo, again, request(3)] }),
    });
    const { page } = panel;
    const above = page.getByTestId("echoes");
    assert.equal(await above.getByText(message).count(), 1);
    const [line, failure] = [await above.boundingBox(), await page.getByTestId("error").boundingBox()];
    assert.ok(line !== null && failure !== null && line.y + line.height <= failure.y, "it stands above the error");
    await above.getByRole("button", { name: /^Add an answer/ }).click();
    assert.deepEqual(await panel.message("addAnswer"), { type: "addAnswer", request: 2, isShown: true });
    await page.getByTestId("tab-requests").click();
    await panel.drawn();
    assert.equal(await page.getByTestId("request-row").getByText(message).count(), 2);
  });

  it("an echo is shown above a result, and the first five of many are named", async () => {
    const many = Array.from({ length: 7 }, (_, index) =>
      request(index, { sandbox: true, echoed: { message: `No answer for GET /${index}: echoed.` } }),
    );
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value: "x" }, { requests: many }) });
    const above = panel.page.getByTestId("echoes");
    assert.equal(await above.getByText("No answer").count(), 5);
    await above.getByText("See Requests for 2 more.").waitFor();
  });

  it("a sample answer is named and can be edited or saved to sandbox.json", async () => {
    const sample = "Sample answer for GET /user/emails, made from your code.";
    const sampled = request(4, { sandbox: true, echoed: { message: sample, isSample: true } });
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value: "x" }, { requests: [sampled] }) });
    const line = panel.page.getByTestId("echoes").getByText(sample);
    assert.deepEqual(await line.locator("vscode-button").allInnerTexts(), ["Edit", "Save to sandbox.json"]);
    await line.getByRole("button", { name: /^Save to sandbox\.json/ }).click();
    assert.deepEqual(await panel.message("addAnswer"), { type: "addAnswer", request: 4, isShown: false });
    await line.getByRole("button", { name: /^Edit/ }).click();
    assert.deepEqual(await panel.message("addAnswer"), { type: "addAnswer", request: 4, isShown: true });
  });

  it("an echo is shown during the run and offers an answer after it", async () => {
    await panel.post(show(formula([])), { type: "started" }, { type: "request", request: echo });
    const { page } = panel;
    await page.getByTestId("echoes").getByText(message).waitFor();
    assert.equal(await page.getByTestId("add-answer").count(), 0);
    await panel.post({ type: "finished", report: report({ status: "succeeded", value: "x" }, { requests: [echo] }) });
    assert.equal(await page.getByTestId("add-answer").count(), 1);
  });
});
