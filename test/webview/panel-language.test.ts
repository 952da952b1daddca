// The panel in a language that nobody speaks, with data in the same: a word that is still in English was not wrapped, and nothing that
// longer words push out is cut off.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Runnable, ToPanel } from "../../protocol/panel.ts";
import { root } from "../support/packs.ts";
import { formula, parameter, report, request, show } from "../support/panel-messages.ts";
import { openPanelPage, type PanelPage, releaseBrowser } from "../support/panel-page.ts";
import { pseudo } from "../support/pseudo-language.ts";
import { LIGHT } from "../support/themes.ts";

const MESSAGES = JSON.stringify(
  Object.fromEntries(
    Object.keys(JSON.parse(readFileSync(join(root, "l10n/bundle.l10n.json"), "utf8")) as object).map((key) => [key, pseudo(key)]),
  ),
);

/** Data and words of protocols, which no translation changes. */
const DATA =
  /https?:\/\/\S+|[\w.-]+\.example\S*|\b(?:GET|POST|HTTP|JSON|URL|URLs|HAR|cURL|MCP|UTC|Content-Type|content-type|application|json|authorization|Authorization|Bearer|x-note|ms|kB|MB|true|false|null|NaN|OK|CSV|TXT|AM|PM|warn)\b/g;

const text = pseudo;
const param = (name: string, more: Parameters<typeof parameter>[1] = {}) =>
  parameter(text(name), { description: text(`What ${name} is`), ...more });
const target = { entry: "/0/0.0", kind: "formula", name: text("task") } as const;
const task = (more: object = {}) =>
  formula(
    [
      param("city"),
      param("due", { kind: "date" }),
      param("count", { kind: "number", optional: true }),
      param("done", { kind: "boolean", optional: true }),
      param("picture", { kind: "image", optional: true }),
      param("tags", { shape: "array", optional: true }),
    ],
    { name: text("task"), description: text("Gets a task"), varargParameters: [param("more")], ...more },
  );
const account = { id: "a", label: text("alice"), sandbox: false, state: { state: "ready" } } as const;
const scopes = [
  { scope: text("read"), requestedBy: [text("task")], isGranted: true, remark: text("odd") },
  { scope: text("write"), isGranted: false },
];
const accounts = {
  accountRequirement: "required",
  accounts: [
    { ...account, scopes },
    { ...account, id: "b", state: { state: "refused", reason: "the provider refused to renew the token", nextStep: "Sign in again." } },
  ],
  selectedAccount: "a",
} as const;
const rows = Array.from({ length: 3 }, (_, index) => ({
  [text("name")]: text(`row ${index}`),
  [text("done")]: index === 1,
  [text("size")]: index,
}));
const table: Runnable = {
  kind: "syncTable",
  definition: {
    name: text("tasks"),
    description: text("All tasks"),
    parameters: [param("city")],
    varargParameters: [],
    connectionRequirement: "required",
  } as never,
};
const server: Runnable = {
  kind: "mcpServer",
  definition: {
    name: text("acme"),
    description: text("its server"),
    parameters: [],
    varargParameters: [],
    connectionRequirement: "required",
  },
  tools: [
    {
      name: text("search"),
      title: text("Search"),
      description: text("Finds"),
      annotations: { readOnlyHint: true },
      parameters: [param("query")],
    },
    { name: text("create"), description: text("Makes"), parameters: [] },
  ],
};
const requests = [
  request(1, { sandbox: true, requestHeaders: {}, requestBody: "{}", warnings: [text("odd")] }),
  request(2, { requestHeaders: {}, cached: true, merged: true, redirectedFrom: 1 }),
  request(3, { requestHeaders: {}, failureReason: text("not sent"), failure: "blocked" }),
  request(4, { requestHeaders: {}, echoed: { message: text("No answer") } }),
];
const error = {
  code: "host-not-allowed",
  message: text("No such domain"),
  hint: text("Add it"),
  remedies: [{ kind: "addNetworkDomain" as const, label: text("Add network domain"), host: "x.example" }],
};
const finishedMessage = (outcome: Parameters<typeof report>[0], more: Parameters<typeof report>[1] = {}): ToPanel => ({
  type: "finished",
  id: "1",
  report: report(outcome, {
    target: { kind: "formula", name: text("task") },
    requests,
    console: [{ time: 1_000, level: "warn", message: text("odd") }],
    platformDifferences: [{ message: text("absent") }],
    ...more,
  }),
});
const entry = { pinned: false, startedAt: 1_000, duration: 20, status: "succeeded", input: { values: {} }, hasReport: true } as const;

/** What a person sees or hears in turn. */
const STATES: Readonly<Record<string, readonly ToPanel[]>> = {
  building: [{ type: "loading", pack: text("todo"), target }],
  form: [show(task(), { target, ...accounts })],
  "without an account": [show(task(), { target, accountRequirement: "optional", accounts: [] })],
  "with a system account": [show(task(), { target, ...accounts, systemAccount: null })],
  running: [
    show(task(), { target, ...accounts }),
    { type: "started" },
    { type: "underWay", requests: [{ id: 1, method: "GET", url: "https://a.example/", time: 900 }] },
  ],
  paused: [show(task(), { target, ...accounts }), { type: "started" }, { type: "paused", isPaused: true }],
  "an object": [show(task(), { target, ...accounts }), finishedMessage({ status: "succeeded", value: rows[0] })],
  text: [finishedMessage({ status: "succeeded", value: text("A text") })],
  nothing: [finishedMessage({ status: "succeeded", value: "" }), finishedMessage({ status: "succeeded", value: undefined })],
  failed: [finishedMessage({ status: "failed", error })],
  cancelled: [finishedMessage({ status: "cancelled" })],
  table: [
    show(table, { target: { ...target, kind: "syncTable" }, ...accounts }),
    finishedMessage({ status: "succeeded", value: rows, rows: 3 }, { target: { kind: "syncTable", name: text("tasks") } }),
  ],
  "an empty table": [finishedMessage({ status: "succeeded", value: [], rows: 0 }, { target: { kind: "syncTable", name: text("tasks") } })],
  server: [show(server, { target: { ...target, kind: "mcpServer" }, ...accounts })],
  history: [
    {
      type: "history",
      entries: [
        { ...entry, id: "1", account: text("alice") },
        { ...entry, id: "2", status: "failed", hasReport: false },
        { ...entry, id: "3", status: "cancelled", rows: 3, pinned: true },
      ],
    },
  ],
  drill: [
    show(task(), { target, ...accounts }),
    { type: "started" },
    {
      type: "surveyed",
      isOver: true,
      allAccountsRun: {
        kind: "drill",
        rows: (["recovers", "asks to sign in", "says why", "useless error", "wrong data in silence", undefined] as const).map(
          (verdict) => ({
            day: "slow-answer",
            title: text("A slow answer"),
            sees: text("the same"),
            ...(verdict === undefined ? {} : { verdict }),
          }),
        ),
      },
    },
  ],
  "all accounts": [
    { type: "started" },
    {
      type: "surveyed",
      isOver: true,
      allAccountsRun: {
        kind: "allAccounts",
        rows: [
          { account: text("alice"), status: "succeeded", duration: 20, value: 1 },
          { account: text("bob"), status: "succeeded", duration: 20, value: 2, differences: [""] },
          { account: text("carol"), status: "succeeded", duration: 20, value: 1, differences: [] },
          { account: text("dave"), status: "failed", duration: 20, error },
          { account: text("erin"), status: "not run" },
        ] as never,
      },
    },
  ],
  unavailable: [{ type: "unavailable", error }],
};

describe("the panel in another language", function () {
  this.timeout(120_000);
  after(releaseBrowser);
  mkdirSync(join(root, "test-results"), { recursive: true });

  const open = async (width: number): Promise<PanelPage> => {
    const panel = await openPanelPage(undefined, LIGHT, MESSAGES);
    await panel.page.setViewportSize({ width, height: 900 });
    return panel;
  };

  /** Every text in the panel, and every attribute that is read to people, also within the elements' own trees. */
  const readTexts = ({ page }: PanelPage): Promise<readonly string[]> =>
    page.evaluate(() => {
      const texts: string[] = [];
      const trees: (Document | ShadowRoot)[] = [document];
      for (const tree of trees)
        for (const element of tree.querySelectorAll("body, body *, :host, *")) {
          if (element.shadowRoot !== null) trees.push(element.shadowRoot);
          if (["SCRIPT", "STYLE", "HEAD", "TITLE", "META", "LINK"].includes(element.tagName)) continue;
          for (const child of element.childNodes) if (child.nodeType === Node.TEXT_NODE) texts.push(child.nodeValue ?? "");
          for (const name of ["aria-label", "title", "placeholder", "label", "alt", "description"])
            texts.push(element.getAttribute(name) ?? "");
        }
      return [...new Set(texts.map((each) => each.trim()).filter((each) => each !== ""))];
    });

  /** Clicked within the page, since where a click lands is not what is asked here; false where there is none. */
  const press = async (panel: PanelPage, selector: string, index: number): Promise<boolean> => {
    const isThere = await panel.page.evaluate(
      ([all, at]) => {
        const element = document.querySelectorAll<HTMLElement>(all)[at];
        element?.click();
        return element !== undefined;
      },
      [selector, index] as const,
    );
    if (isThere) await panel.drawn();
    return isThere;
  };
  const unfold = async (panel: PanelPage): Promise<void> => {
    while (await press(panel, "details:not([open]) > summary", 0));
  };

  const inEnglish = (texts: readonly string[]): readonly string[] =>
    [...new Set(texts)].filter((each) => /[a-z]{2}/i.test(each.replace(DATA, "")));

  it("has no word of English, in any state and behind any tab", async () => {
    const panel = await open(1_000);
    const left: string[] = [];
    for (const [state, messages] of Object.entries(STATES)) {
      await panel.post(...messages);
      const look = async (): Promise<void> => {
        await unfold(panel);
        left.push(...inEnglish(await readTexts(panel)).map((each) => `${state}: ${each}`));
      };
      await look();
      for (const kind of [".tabs [role=tab]", ".views [role=tab]"]) {
        for (let index = 0; await press(panel, kind, index); index++) await look();
        await press(panel, ".tabs [role=tab]", 0);
      }
    }
    await panel.close();
    assert.equal([...new Set(left)].join("\n"), "");
  });

  it("says in that language what a server says of its tools", async () => {
    const panel = await open(1_000);
    const tools = { status: "succeeded", value: server.kind === "mcpServer" ? server.tools : [] } as const;
    await panel.post(show(server), finishedMessage(tools, { target: { kind: "mcpServer", name: text("acme") } }));
    assert.deepEqual(inEnglish(await panel.page.getByTestId("tools").getByRole("listitem").allInnerTexts()), []);
    await panel.close();
  });

  it("copies an object by the names and values that are shown", async () => {
    const panel = await open(1_000);
    await panel.post(show(task()), finishedMessage({ status: "succeeded", value: { size: 3 } }));
    await panel.page.getByTestId("copy").click();
    assert.equal((await panel.message("copy")).text, `${text("Name")}\t${text("Value")}\nsize\t3`);
    await panel.close();
  });

  it("cuts nothing off at 400 pixels", async () => {
    const panel = await open(400);
    const cut: string[] = [];
    for (const [state, messages] of Object.entries(STATES)) {
      await panel.post(...messages);
      await panel.drawn();
      const wider = await panel.page.evaluate(() =>
        // What scrolls sideways shows the rest when it is scrolled. No named function in here: the page has none of the transpiler's helpers.
        [...document.querySelectorAll("body *")]
          .filter((element) => {
            const box = element.getBoundingClientRect();
            if (box.width === 0 || box.right <= innerWidth + 1) return false;
            for (let around = element.parentElement; around !== null; around = around.parentElement)
              if (/auto|scroll/.test(getComputedStyle(around).overflowX)) return false;
            return true;
          })
          .map(
            (element) =>
              `${element.tagName.toLowerCase()} ${element.getAttribute("data-testid") ?? ""} ${(element.textContent ?? "").trim().slice(0, 60)}`,
          ),
      );
      if (wider.length > 0) await panel.page.screenshot({ path: join(root, `test-results/language-${state.replaceAll(" ", "-")}.png`) });
      cut.push(...wider.map((each) => `${state}: ${each}`));
    }
    await panel.close();
    assert.equal(cut.join("\n"), "");
  });
});
