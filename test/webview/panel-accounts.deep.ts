// The panel's account: what a person picked stays picked, and no other account ever takes its place unasked.
import assert from "node:assert/strict";
import type { HistoryEntry, PanelAccount, ToPanel } from "../../protocol/panel.ts";
import { formula, parameter, report, show } from "../support/panel-messages.ts";
import { openPanelPage, panelOfEachTest } from "../support/panel-page.ts";

const account = (id: string, more: Partial<PanelAccount> = {}): PanelAccount => ({
  id,
  label: id,
  sandbox: false,
  state: { state: "ready" },
  ...more,
});
const RENEWABLE = { state: "renewable", reason: "its token has expired", nextStep: "The next run renews it." } as const;
const [alice, bob] = [account("alice"), account("bob", { sandbox: true })];
const withAccounts = (accounts: readonly PanelAccount[], more: Partial<ToPanel & { type: "show" }> = {}): ToPanel =>
  show(formula([]), {
    accountRequirement: "required",
    accounts,
    ...(accounts[0] === undefined ? {} : { selectedAccount: accounts[0].id }),
    ...more,
  });

describe("The panel's account", function () {
  this.timeout(30_000);
  const panel = panelOfEachTest();

  const picked = (): Promise<string> => panel.page.getByTestId("account").locator("option:checked").innerText();
  const runs = async () => (await panel.posted()).filter(({ type }) => type === "run");

  it("a removed account asks for a choice and is not replaced by another one", async () => {
    const { page } = panel;
    await panel.post(withAccounts([alice, bob]), { type: "accounts", accounts: [bob], selectedAccount: "bob" });
    assert.equal(await picked(), "Choose an account");
    await page.getByText("Choose an account. alice does not exist any more.").waitFor();
    await page.getByTestId("run").click();
    await panel.drawn();
    assert.deepEqual(await runs(), []);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "account");
    await page.getByTestId("account").selectOption("bob");
    await page.getByText("no longer there").waitFor({ state: "detached" });
    await page.getByTestId("run").click();
    assert.deepEqual((await panel.message("run")).account, "bob");
  });

  it("a removed last account asks to connect", async () => {
    await panel.post(withAccounts([alice]), { type: "accounts", accounts: [] });
    assert.equal(await picked(), "No account connected");
    await panel.page.getByTestId("run").click();
    assert.deepEqual(await panel.message("connect"), { type: "connect", scope: "user" });
    await panel.post({ type: "accounts", accounts: [bob], selectedAccount: "bob", connected: "bob" });
    assert.equal(await picked(), "bob (sandbox)");
  });

  it("a long account name is whole in its tooltip", async () => {
    const long = account("long", { label: "long name ".repeat(30).trim(), sandbox: true });
    await panel.post(withAccounts([long]));
    assert.equal(await panel.page.getByTestId("account").getAttribute("title"), `${long.label} (sandbox)`);
  });

  it("a newly connected account is selected over the former choice", async () => {
    await panel.post(withAccounts([alice]), { type: "accounts", accounts: [alice, bob], selectedAccount: "alice" });
    assert.equal(await picked(), "alice");
    await panel.post({ type: "accounts", accounts: [alice, bob], selectedAccount: "alice", connected: "bob" });
    assert.equal(await picked(), "bob (sandbox)");
  });

  it("a choice of no account survives a save", async () => {
    const optional = withAccounts([alice], { accountRequirement: "optional" });
    await panel.post(optional);
    await panel.page.getByTestId("account").selectOption("");
    await panel.post(optional, { type: "accounts", accounts: [alice], selectedAccount: "alice" });
    assert.equal(await picked(), "None");
    await panel.page.getByTestId("run").click();
    assert.equal((await panel.message("run")).account, undefined);
    assert.equal((await panel.memory())?.account, "");
  });

  it("scopes are collapsed, with who requests each and whether it is granted", async () => {
    const { page } = panel;
    const scopes = [
      { scope: "items:read", requestedBy: ["the configuration"], isGranted: true },
      { scope: "items:<b>write</b>", requestedBy: [], isGranted: false, remark: "Add it to scopes." },
    ];
    await panel.post(withAccounts([account("alice", { scopes }), bob]));
    const view = page.getByTestId("scopes");
    assert.equal(await view.locator("summary").innerText(), "Scopes: 1 of 2 granted");
    assert.equal(await view.locator("table").isVisible(), false);
    await view.locator("summary").focus();
    await page.keyboard.press("Enter");
    const rows = await view.locator("tbody tr").allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.split(/\s*[\t\n]\s*/)),
      [
        ["items:read", "the configuration", "yes"],
        ["items:<b>write</b>", "nobody", "no", "Add it to scopes."],
      ],
    );
    await page.getByTestId("account").selectOption("bob");
    await view.waitFor({ state: "detached" });
  });

  it("an account can be signed in again at its selection", async () => {
    await panel.post(
      withAccounts([
        account("alice", { state: { state: "refused", reason: "the provider refused to renew the token", nextStep: "Sign in again." } }),
      ]),
    );
    assert.equal(await picked(), "alice — sign in again");
    await panel.page.getByTestId("sign-in-again").click();
    assert.deepEqual(await panel.message("connect"), { type: "connect", scope: "user", account: "alice" });
    await panel.post({ type: "accounts", accounts: [alice], connected: "alice" });
    assert.equal(await panel.page.getByTestId("sign-in-again").count(), 0);
  });

  it("a failed run offers to sign in again once the provider refused the renewal", async () => {
    const { page } = panel;
    const below = page.getByTestId("sign-in-again-below");
    const error = { code: "refresh-failed", message: "The provider refused the refresh token." };
    await panel.post(withAccounts([alice]), { type: "started" });
    await panel.post({ type: "finished", report: report({ status: "failed", error }) });
    assert.equal(await below.count(), 0);
    const reason = "the provider refused to renew the token";
    const refusedAccount = account("alice", { state: { state: "refused", reason, nextStep: "Sign in again." } });
    await panel.post({ type: "accounts", accounts: [refusedAccount], selectedAccount: "alice" });
    await page.getByText(`refused: ${reason}. Sign in again.`).waitFor();
    await below.click();
    assert.deepEqual(await panel.message("connect"), { type: "connect", scope: "user", account: "alice" });
    await panel.post({ type: "accounts", accounts: [account("alice", { state: RENEWABLE })], selectedAccount: "alice" });
    await page.getByText("renewable: its token has expired. The next run renews it.").waitFor();
    assert.equal(await below.count(), 0);
    assert.equal(await page.getByTestId("sign-in-again").count(), 0);
  });

  it("the system account is shown without a choice", async () => {
    await panel.post(show(formula([]), { systemAccount: null }));
    assert.equal(await panel.page.getByTestId("system-account").innerText(), "None yet");
    await panel.page.getByTestId("connect-system").click();
    assert.deepEqual(await panel.message("connect"), { type: "connect", scope: "system" });
    await panel.post({ type: "accounts", accounts: [], systemAccount: account("robot") });
    assert.equal(await panel.page.getByTestId("system-account").innerText(), "robot");
    assert.equal(await panel.page.getByTestId("connect-system").count(), 0);
  });

  it("a repeated run uses its former account, and asks if that is gone", async () => {
    const entry = (id: string, input: HistoryEntry["input"]): HistoryEntry => ({
      id,
      pinned: false,
      startedAt: 1,
      duration: 1,
      status: "succeeded",
      account: input.account ?? "",
      input,
      hasReport: true,
    });
    const entries = [entry("one", { values: {} }), entry("two", { values: {}, account: "carol" })];
    await panel.post(withAccounts([alice], { accountRequirement: "optional" }), { type: "history", entries });
    await panel.page.getByTestId("tab-history").click();
    await panel.page.getByTestId("run-again").first().click();
    assert.equal((await panel.message("run")).account, undefined);
    await panel.post({ type: "finished", report: report({ status: "succeeded", value: 1 }) });
    await panel.page.getByTestId("tab-history").click();
    await panel.page.getByTestId("run-again").nth(1).click();
    await panel.page.getByText("Choose an account. The account carol does not exist any more.").waitFor();
    assert.equal((await runs()).length, 1);
  });

  it("a saved file opens no sign-in", async () => {
    await panel.post(withAccounts([]));
    await panel.page.getByTestId("run-on-save").click();
    await panel.post({ type: "saved" });
    assert.deepEqual(
      (await panel.posted()).map(({ type }) => type).filter((type) => type !== "ready"),
      [],
    );
  });

  it("account and shown result survive a reload", async () => {
    const target = { entry: "/todo/pack.ts", kind: "formula", name: "GetTask" } as const;
    const again = await openPanelPage({ target, values: {}, runOnSave: false, account: "bob", shownRunId: "one" });
    await again.post(withAccounts([alice, bob]), {
      type: "history",
      entries: [{ id: "one", pinned: false, startedAt: 1, duration: 1, status: "succeeded", input: { values: {} }, hasReport: true }],
    });
    assert.equal(await again.page.getByTestId("account").inputValue(), "bob");
    assert.equal((await again.message("recall")).id, "one");
    await again.close();
  });

  it("Ctrl+Enter on a button runs the formula and does not press the button", async () => {
    await panel.post(
      show(formula([parameter("note", { kind: "markdown", suggestedValue: "x" }), parameter("city", { hasAutocomplete: true })]), {
        accountRequirement: "optional",
        accounts: [alice],
      }),
    );
    const { page } = panel;
    const fields = ["account", "connect", "param-note", "param-city", "run", "debug", "run-on-save"];
    for (const id of fields) {
      await page.getByTestId(id).focus();
      await page.keyboard.press("Control+Enter");
      await panel.post({ type: "notStarted", problems: {} });
    }
    const posted = (await panel.posted()).map(({ type }) => type).filter((type) => type !== "ready" && type !== "choices");
    assert.deepEqual(
      posted,
      fields.map(() => "run"),
    );
  });

  it("the focus stays when a run starts, and Enter presses nothing once Cancel is gone", async () => {
    const { page } = panel;
    await panel.post(show(formula([])));
    await page.getByTestId("run").focus();
    await page.keyboard.press("Enter");
    await panel.post({ type: "started" });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-testid"));
    assert.equal(await focused(), "run");
    await page.keyboard.press("Enter");
    assert.equal((await runs()).length, 1);
    await page.getByTestId("cancel").focus();
    await page.keyboard.press(" ");
    await panel.message("cancel");
    await panel.post({ type: "finished", report: report({ status: "cancelled" }) });
    await page.keyboard.press(" ");
    assert.equal((await runs()).length, 1);
    assert.equal((await panel.posted()).filter(({ type }) => type === "cancel").length, 1);
  });
});
