// The form with every account, and on bad days: asked for by a button, a row for each, with the keyboard and for screen readers.
import assert from "node:assert/strict";
import type { PanelAccount, ToPanel } from "../../protocol/panel.ts";
import { formula, parameter, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

const account = (id: string): PanelAccount => ({ id, label: id, sandbox: false, state: { state: "ready" } });
const withAccounts = (...ids: readonly string[]): ToPanel =>
  show(formula([parameter("id", {})]), { accountRequirement: "required", accounts: ids.map(account), selectedAccount: ids[0] ?? "" });

describe("The panel's surveys", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();
  const rows = async (): Promise<readonly string[]> =>
    (await panel.page.getByTestId("survey").locator("tbody tr").allInnerTexts()).map((row) => row.replace(/\s+/g, " ").trim());

  it("a form runs with every account if there are several", async () => {
    const { page } = panel;
    await panel.post(withAccounts("alice"));
    await panel.drawn();
    assert.equal(await page.getByTestId("all-accounts").count(), 0);
    await panel.post(withAccounts("alice", "bob", "carol"));
    await page.getByTestId("param-id").fill("7");
    await page.getByTestId("all-accounts").focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(await panel.message("allAccounts"), { type: "allAccounts", fields: [{ key: "id", text: "7" }] });
    await page.getByTestId("cancel").click();
    assert.deepEqual(await panel.message("cancel"), { type: "cancel" });
    const alice = { account: "alice", status: "succeeded", duration: 12, value: { name: "a" } } as const;
    await panel.post({ type: "surveyed", allAccountsRun: { kind: "allAccounts", rows: [alice] }, isOver: false });
    await page.getByTestId("survey").getByText("Running…").waitFor();
    await panel.post({
      type: "surveyed",
      allAccountsRun: {
        kind: "allAccounts",
        rows: [
          alice,
          {
            account: "bob",
            status: "failed",
            duration: 3,
            error: { code: "StatusCodeError", message: "403 <b>no</b>", hint: "Grant more." },
          },
          { account: "carol", status: "succeeded", duration: 9, value: { name: "c" }, differences: ["name"] },
        ],
      },
      isOver: true,
    });
    assert.deepEqual(await rows(), [
      "alice succeeded 12 ms the first",
      "bob failed 3 ms 403 <b>no</b> Grant more.",
      "carol succeeded 9 ms differs from alice: name",
    ]);
    assert.equal(await page.getByRole("tab", { name: "All accounts" }).getAttribute("aria-selected"), "true");
    await page.getByTestId("survey").getByText("differs from alice").click();
    assert.match(await page.getByTestId("survey").locator("pre:visible").innerText(), /"name": "c"/);
  });

  it("a drill of the form leads from a bad day to its line", async () => {
    const { page } = panel;
    await panel.post(withAccounts());
    await page.getByTestId("param-id").fill("7");
    await page.getByTestId("drill").click();
    assert.equal((await panel.message("drill")).type, "drill");
    const location = { path: "/shop/pack.ts", line: 11, character: 2 };
    await panel.post({
      type: "surveyed",
      allAccountsRun: {
        kind: "drill",
        rows: [
          { day: "slow-answer", title: "A slow answer", verdict: "recovers", sees: "The same as on a good day." },
          { day: "server-error", title: "500", verdict: "wrong data in silence", sees: '""', remedy: "Throw the error on.", location },
          { day: "expired-token", title: "The access token expired", sees: "The credential does not expire." },
        ],
      },
      isOver: true,
    });
    assert.deepEqual(await rows(), [
      "A slow answer recovers The same as on a good day.",
      '500 wrong data in silence "" Throw the error on. pack.ts:12',
      "The access token expired does not apply The credential does not expire.",
    ]);
    await page.getByRole("button", { name: "pack.ts:12" }).click();
    assert.deepEqual(await panel.message("open"), { type: "open", location });
    // The next run goes on as ever.
    await page.getByTestId("tab-result").click();
    await page.getByTestId("survey").waitFor({ state: "detached" });
  });

  it("a form is saved as a test with the selected account", async () => {
    await panel.post(withAccounts("alice", "bob"));
    const { page } = panel;
    await page.getByTestId("param-id").fill("7");
    await page.getByTestId("account").selectOption("bob");
    await page.getByRole("button", { name: "Save as test" }).click();
    assert.deepEqual(await panel.message("saveTest"), { type: "saveTest", fields: [{ key: "id", text: "7" }], account: "bob" });
  });

  it("a problem is shown at its field without an empty table", async () => {
    const { page } = panel;
    await panel.post(withAccounts("alice", "bob"));
    await page.getByTestId("drill").click();
    await panel.post({ type: "notStarted", problems: { id: "id is required." } });
    await page.getByText("id is required.").waitFor();
    await panel.drawn();
    assert.equal(await page.getByRole("tab", { name: "Drill" }).count(), 0);
  });
});
