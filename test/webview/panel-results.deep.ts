// What the panel shows of a run in a real browser: rows, values, trees, requests, and what went wrong, with the way to the source.
import assert from "node:assert/strict";
import { formula, parameter, report, request, rows, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

describe("The panel's results", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  it("a table of 10,000 rows renders those in view, sorts, filters and opens a row", async () => {
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value: rows(10_000), rows: 10_000 }) });
    const { page } = panel;
    const grid = page.getByTestId("result-table");
    await grid.getByText("Task 0", { exact: true }).waitFor();
    assert.equal(await grid.getAttribute("aria-rowcount"), "10001");
    assert.ok((await page.locator(".grid-body .grid-row").count()) < 200);
    await page.getByTestId("sort-id").click();
    await grid.getByText("Task 9999", { exact: true }).waitFor();
    assert.equal(await grid.getByRole("columnheader").first().getAttribute("aria-sort"), "ascending");
    await grid.focus();
    await page.keyboard.press("End");
    await grid.getByText("Task 0", { exact: true }).waitFor();
    await page.getByTestId("row-detail").getByText('"Task 0"').waitFor();
    await page.getByTestId("filter").fill("task 123");
    await grid.getByText("Task 1239", { exact: true }).waitFor();
    assert.equal(await grid.getAttribute("aria-rowcount"), "12");
    await page.getByTestId("copy").click();
    const { text } = await panel.message("copy");
    assert.equal(text.split("\n").length, 12);
    assert.match(text, /^id\tname\tdone\n/);
    await page.getByTestId("filter").fill("nothing like it");
    await page.getByText("No row contains").waitFor();
  });

  it("values are rendered by their schema and never as markup", async () => {
    const schema = {
      type: "array",
      items: {
        type: "object",
        properties: {
          site: { type: "string", codaType: "url" },
          photo: { type: "string", codaType: "image" },
          share: { type: "number", codaType: "percent" },
          note: { type: "string", codaType: "html" },
          Due: { type: "string", codaType: "date", fromKey: "due_at" },
        },
      },
    };
    const value = [
      {
        site: "https://todo.example/1",
        photo: "https://todo.example/p.png",
        share: 0.25,
        note: "<b>x</b><script>1</script>",
        due_at: "2026-12-01",
      },
      { site: "javascript:alert(1)", photo: "data:image/png;base64,AA", share: 1, note: "", due_at: "" },
    ];
    await panel.post(show(formula([], { schema })), { type: "finished", report: report({ status: "succeeded", value, rows: 2 }) });
    const { page } = panel;
    const requestedUrls: string[] = [];
    await page.route("https://todo.example/**", (route) => {
      requestedUrls.push(route.request().url());
      return route.abort();
    });
    await page.getByTestId("view-preview").click();
    await page.getByText("25%").waitFor();
    assert.equal(await page.locator("#panel a").count(), 1);
    assert.deepEqual(requestedUrls, []);
    await page.getByText("<b>x</b><script>1</script>").waitFor();
    await page.getByText("https://todo.example/1").click();
    assert.equal((await panel.message("openLink")).url, "https://todo.example/1");
    await page.getByRole("button", { name: "Show image" }).click();
    await page.getByText("The image could not be loaded.").waitFor();
    assert.deepEqual(requestedUrls, ["https://todo.example/p.png"]);
  });

  it("large trees expand in steps, and raw text is available", async () => {
    const value = { list: Array.from({ length: 1_000 }, (_, index) => index), deep: { deeper: { deepest: null } } };
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value }) });
    const { page } = panel;
    await page.getByTestId("view-tree").click();
    await page.getByText("[1000]").click();
    await page.getByText("Show more (800 left)").click();
    await page.getByText("Show more (600 left)").waitFor();
    await page.getByTestId("view-json").click();
    await page.getByTestId("result-json").getByText('"deepest": null').waitFor();
  });

  it("requests are shown with the credential's mark, as cURL and as HAR, masked", async () => {
    const requests = [
      request(1),
      request(2, { status: 404, startedAt: 1_100, duration: 100 }),
      request(3, {
        url: "https://cdn.example/a.png",
        status: undefined as never,
        failure: "blocked",
        failureReason: "cdn.example is under no declared network domain",
      }),
    ];
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value: 1 }, { requests }) });
    const { page } = panel;
    await page.getByTestId("tab-requests").click();
    assert.equal(await page.getByTestId("credential-mark").first().innerText(), "Authorization → api.todo.example");
    await page.getByText("under no declared network domain").waitFor();
    await page.getByTestId("request-row").first().locator("summary").click();
    await page.getByTestId("copy-curl").first().click();
    const { text } = await panel.message("copy");
    assert.match(text, /'authorization: Bearer ••••'/);
    assert.match(text, /'x-note: it'\\''s'/);
    await page.getByTestId("save-har").click();
    const saveMessage = await panel.message("save");
    const har = JSON.parse(saveMessage.text) as { log: { entries: readonly { response: { status: number }; comment?: string }[] } };
    assert.deepEqual(
      har.log.entries.map(({ response }) => response.status),
      [200, 404, 0],
    );
    assert.match(har.log.entries[2]?.comment ?? "", /^blocked: cdn\.example/);
  });

  it("a JSON response can become a schema or a sandbox answer", async () => {
    const requests = [request(1, { responseBody: '{"name":"x"}' }), request(2, { responseBody: "<html>" })];
    await panel.post(show(formula([])), { type: "finished", report: report({ status: "succeeded", value: 1 }, { requests }) });
    const { page } = panel;
    await page.getByTestId("tab-requests").click();
    await page.getByTestId("request-row").first().locator("summary").first().click();
    assert.equal(await page.getByTestId("make-schema").count(), 1);
    await page.getByTestId("make-schema").click();
    assert.deepEqual(await panel.message("makeSchema"), { type: "makeSchema", request: 1 });
    await page.getByTestId("use-answer").click();
    assert.deepEqual(await panel.message("useAnswer"), { type: "useAnswer", request: 1 });
  });

  it("errors and differences after upload link to the source", async () => {
    const location = { path: "/todo/pack.ts", line: 40, character: 2 };
    const error = {
      code: "pack-threw",
      message: "No such task",
      hint: "Try another.",
      stack: [{ text: "execute (/todo/pack.ts:41:3)", location }],
    };
    await panel.post(show(formula([])), {
      type: "finished",
      report: report({ status: "failed", error }, { platformDifferences: [{ message: "setTimeout is absent", location }] }),
    });
    const { page } = panel;
    await page.getByTestId("frame").click();
    assert.deepEqual((await panel.message("open")).location, location);
    await page.getByTestId("tab-afterUpload").click();
    await page.getByRole("button", { name: "pack.ts:41" }).click();
    assert.equal((await panel.posted()).filter(({ type }) => type === "open").length, 2);
  });

  it("schema warnings are shown, and a parameter's problem at its field", async () => {
    const warnings = [{ path: "[0].due", message: "is no date" }];
    await panel.post(show(formula([parameter("city")])), {
      type: "finished",
      report: report(
        { status: "succeeded", value: rows(2), rows: 2 },
        { warnings, sync: { pages: 1, deleted: [1], limitReached: true, rowsWithoutOwnId: 0 } },
      ),
    });
    const { page } = panel;
    await page.getByText("The table has more rows than the maximum.").waitFor();
    await page.getByText("1 value does not match the schema").click();
    await page.getByText("is no date").waitFor();
    await panel.post({
      type: "finished",
      report: report({ status: "failed", error: { code: "invalid-parameter", message: "city must be a text" } }, { field: "city" }),
    });
    assert.equal(await page.getByTestId("param-city").getAttribute("aria-invalid"), "true");
  });
});
