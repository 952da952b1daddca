// What a lens or the palette begins in the panel: a run where nothing is missing, else the place that needs the author.
import assert from "node:assert/strict";
import type { PanelAccount, Runnable, ToPanel } from "../../protocol/panel.ts";
import { formula, parameter, report, show } from "../support/panel-messages.ts";
import { panelOfEachTest } from "../support/panel-page.ts";

const alice: PanelAccount = { id: "a", label: "alice", sandbox: false, state: { state: "ready" } };
const sandbox: PanelAccount = { ...alice, id: "s", label: "sandy", sandbox: true };
const withAccount = (runnable: Runnable, account?: PanelAccount): ToPanel =>
  show(runnable, {
    accountRequirement: "required",
    accounts: account === undefined ? [] : [account],
    ...(account === undefined ? {} : { selectedAccount: account.id }),
  });
const connected = (account: PanelAccount): ToPanel => ({ type: "accounts", accounts: [account], connected: account.id });

describe("A run begun by a lens", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  const focused = (): Promise<string | undefined> => panel.page.evaluate(() => document.activeElement?.id);
  const begun = async (): Promise<readonly string[]> =>
    (await panel.posted()).map(({ type }) => type).filter((type) => ["run", "debug", "connect"].includes(type));

  it("a complete form runs at once", async () => {
    await panel.post(
      withAccount(formula([parameter("id", { suggestedValue: "7" }), parameter("note", { optional: true })], { isAction: true }), sandbox),
      { type: "startNow", how: "run" },
    );
    assert.deepEqual((await panel.message("run")).values, { id: "7" });
  });

  it("the buttons are disabled until the host has answered", async () => {
    await panel.post(withAccount(formula([]), sandbox), { type: "startNow", how: "run" });
    for (const button of ["run", "debug", "save-test"]) assert.equal(await panel.page.getByTestId(button).isDisabled(), true, button);
    await panel.post({ type: "notStarted", problems: {} });
    await panel.page.getByTestId("run").click();
    assert.deepEqual(await begun(), ["run", "run"]);
  });

  it("a lens that debugs starts the debugger at once", async () => {
    await panel.post(show(formula([])), { type: "startNow", how: "debug" });
    assert.deepEqual(await begun(), ["debug"]);
  });

  it("the first missing field gets the focus without a problem", async () => {
    await panel.post(withAccount(formula([parameter("id")])), { type: "startNow", how: "run" });
    assert.equal(await focused(), "param-id");
    assert.equal(await panel.page.locator(".problem").count(), 0);
    assert.deepEqual(await begun(), []);
  });

  it("the missing table of a dynamic one gets the focus", async () => {
    const table: Runnable = {
      kind: "syncTable",
      definition: { name: "Rows", parameters: [], varargParameters: [], connectionRequirement: "none", isDynamic: true },
    };
    await panel.post(show(table), { type: "startNow", how: "run" });
    assert.equal(await focused(), "dynamic-url");
    assert.deepEqual(await begun(), []);
  });

  it("an action with a real account waits for the author at its button", async () => {
    await panel.post(withAccount(formula([], { isAction: true }), alice), { type: "startNow", how: "run" });
    assert.deepEqual(await begun(), []);
    assert.equal(await focused(), "run");
    assert.equal(await panel.page.getByTestId("status").textContent(), "Press Run to start this action with the real account alice.");
    await panel.page.keyboard.press("Enter");
    assert.equal((await panel.message("run")).account, "a");
    await panel.post({ type: "started" }, { type: "finished", report: report({ status: "succeeded", value: 1 }) });
    assert.match((await panel.page.getByTestId("status").textContent()) ?? "", /^OK · \d+ ms, engine 84 ms$/);
  });

  it("a missing account is connected first, and the run uses it", async () => {
    await panel.post(withAccount(formula([])), { type: "startNow", how: "debug" });
    assert.deepEqual(await begun(), ["connect"]);
    await panel.post(connected(alice));
    assert.deepEqual(await begun(), ["connect", "debug"]);
    assert.equal((await panel.message("debug")).account, "a");
  });

  it("a run by the form's button continues after connecting", async () => {
    await panel.post(withAccount(formula([], { isAction: true })));
    await panel.page.getByTestId("run").click();
    await panel.message("connect");
    await panel.post(connected(alice));
    assert.deepEqual(await begun(), ["connect", "run"]);
  });

  it("an account to sign in again lets the run explain why", async () => {
    await panel.post(
      withAccount(formula([]), {
        ...alice,
        state: { state: "refused", reason: "the provider refused to renew the token", nextStep: "Sign in again." },
      }),
      { type: "startNow", how: "run" },
    );
    assert.deepEqual(await begun(), ["run"]);
  });

  it("an action does not start with a real account connected just now", async () => {
    await panel.post(withAccount(formula([], { isAction: true })), { type: "startNow", how: "run" }, connected(alice));
    assert.deepEqual(await begun(), ["connect"]);
    assert.equal(await focused(), "run");
  });

  it("an abandoned connection does not start the run later", async () => {
    await panel.post(withAccount(formula([])), { type: "startNow", how: "run" });
    await panel.page.getByTestId("connect").click();
    await panel.post(connected(alice));
    assert.deepEqual(await begun(), ["connect", "connect"]);
  });
});
