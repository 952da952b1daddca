// The formula panel in the real VS Code: each view of a result, a table stopped half-way, suggestions, an endless loop, the keyboard
// alone, and every kind of theme.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { root } from "../support/packs.ts";
import { openWindow, type Window } from "./support/embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("lab.example");

pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

const CitySchema = coda.makeObjectSchema({
  properties: {
    name: { type: coda.ValueType.String },
    page: { type: coda.ValueType.String, codaType: coda.ValueHintType.Url },
    share: { type: coda.ValueType.Number, codaType: coda.ValueHintType.Percent },
  },
  displayProperty: "name",
});

pack.addFormula({
  name: "Cities",
  description: "Lists cities.",
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "country",
      description: "Where they are.",
      autocomplete: async (context: any, search: string) => {
        const response = await context.fetcher.fetch({ method: "GET", url: "https://api.lab.example/countries" });
        return coda.simpleAutocomplete(search, response.body.countries);
      },
    }),
  ],
  resultType: coda.ValueType.Array,
  items: CitySchema,
  execute: async function ([country], context) {
    console.log("asked for", country);
    const response = await context.fetcher.fetch({ method: "GET", url: "https://api.lab.example/cities" });
    return response.body.cities;
  },
});

pack.addFormula({
  name: "Spin",
  description: "Never ends.",
  parameters: [],
  resultType: coda.ValueType.String,
  connectionRequirement: coda.ConnectionRequirement.None,
  execute: async function () {
    for (;;) {}
  },
});

pack.addSyncTable({
  name: "Numbers",
  description: "As many as wanted.",
  identityName: "Number",
  schema: coda.makeObjectSchema({ properties: { value: { type: coda.ValueType.Number } }, displayProperty: "value", idProperty: "value" }),
  formula: {
    name: "SyncNumbers",
    description: "Counts.",
    parameters: [],
    execute: async function ([], context) {
      const from = Number(context.sync.continuation?.from ?? 0);
      await context.fetcher.fetch({ method: "GET", url: "https://api.lab.example/tick?from=" + from });
      return { result: Array.from({ length: 5 }, (_, index) => ({ value: from + index })), continuation: { from: from + 5 } };
    },
  },
});
`;

const ANSWERS = {
  answers: [
    { request: "GET https://api.lab.example/countries", body: { countries: ["Portugal", "Poland", "Peru"] } },
    {
      request: "GET https://api.lab.example/cities",
      body: {
        cities: [
          { name: "Lisbon", page: "https://lab.example/lisbon", share: 0.05 },
          { name: "Porto", page: "https://lab.example/porto", share: 0.02 },
        ],
      },
    },
  ],
};

describe("the formula panel in VS Code", function () {
  this.timeout(120_000);
  let window: Window;
  let workspace: string;
  const settings = (values: object): void => writeFileSync(join(workspace, ".vscode/settings.json"), JSON.stringify(values));
  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), "pack-auth-panel-"));
    mkdirSync(join(workspace, "lab"));
    mkdirSync(join(workspace, ".vscode"));
    writeFileSync(join(workspace, "lab/pack.ts"), PACK);
    writeFileSync(join(workspace, "lab/sandbox.json"), JSON.stringify(ANSWERS));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    settings({ "workbench.colorTheme": "Default Dark Modern" });
    window = await openWindow({ folder: workspace, from: "source" });
  });
  after(async () => {
    await window?.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  /** Opens a formula's panel over all others. */
  async function open(name: string): Promise<FrameLocator> {
    await window.workbench.command("Pack Auth: Run formula");
    await window.workbench.pick(new RegExp(`^${name}`));
    return window.workbench.webview(`[data-testid="pack-auth-panel"]:has-text("${name}") [data-testid="run"]`);
  }

  it("connects by keyboard alone, through the sandbox", async () => {
    const { workbench, page } = window;
    await workbench.open("pack.ts");
    await workbench.lens("Connect test account").waitFor({ timeout: 60_000 });
    await workbench.command("Pack Auth: Connect test account");
    await workbench.type("sandbox");
    await workbench.type("This workspace");
    await workbench.toast(/Connected .* to lab/).waitFor({ timeout: 30_000 });
    await page.keyboard.press("Escape");
    await workbench.command("Notifications: Clear All Notifications");
  });

  it("suggests while typing, runs with Ctrl+Enter, and shows the result in each view", async () => {
    const { page } = window;
    const panel = await open("Cities");
    await panel.getByTestId("param-country").click();
    await page.keyboard.type("po");
    await panel.getByRole("option", { name: "Poland" }).waitFor({ timeout: 20_000 });
    await window.screenshot("panel-1-suggestions");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.equal(await panel.getByTestId("param-country").inputValue(), "Portugal");
    await page.keyboard.press("Control+Enter");
    await panel.getByTestId("result-table").getByText("Lisbon", { exact: true }).waitFor({ timeout: 30_000 });
    await window.screenshot("panel-2-dark");
    await panel.getByTestId("view-rendered").click();
    await panel.getByText("5%").waitFor();
    await panel.getByTestId("view-json").click();
    await panel.getByTestId("result-json").getByText("[2]").waitFor();
    await panel.getByTestId("view-raw").click();
    await panel.getByTestId("result-raw").getByText('"Lisbon"').waitFor();
    // Tabs by the arrow keys.
    await panel.getByTestId("tab-result").focus();
    await page.keyboard.press("ArrowRight");
    await panel.getByTestId("request-row").first().waitFor();
    await page.keyboard.press("ArrowRight");
    await panel.getByText("asked for Portugal").waitFor();
    await panel.getByTestId("tab-result").click();
    await panel.getByTestId("view-table").click();
  });

  it("looks right in light and in high contrast", async () => {
    for (const [theme, name] of [
      ["Default Light Modern", "light"],
      ["Default High Contrast", "high-contrast"],
    ] as const) {
      settings({ "workbench.colorTheme": theme });
      const kind = name === "light" ? "vscode-light" : "vscode-high-contrast";
      const panel = await window.workbench.webview(`body.${kind} [data-testid="result-table"]`);
      await panel.getByTestId("result-table").getByText("Lisbon", { exact: true }).waitFor();
      await window.screenshot(`panel-3-${name}`);
    }
  });

  it("runs again from the history, and opens the result as a document", async () => {
    const { page } = window;
    const panel = await open("Cities");
    await panel.getByTestId("tab-history").click();
    await panel.getByTestId("run-again").first().click();
    await panel.getByTestId("result-table").getByText("Lisbon", { exact: true }).waitFor({ timeout: 30_000 });
    await panel.getByTestId("open-result").click();
    await page.getByRole("tab", { name: /Cities\.json/ }).waitFor({ timeout: 10_000 });
  });

  it("stops an endless loop, and the next run is fine", async () => {
    const panel = await open("Spin");
    await panel.getByTestId("run").click();
    await panel.getByTestId("status").getByText("Running").waitFor();
    await panel.getByTestId("cancel").click();
    await panel.getByTestId("status").getByText("Cancelled").waitFor({ timeout: 20_000 });
    const cities = await open("Cities");
    await cities.getByTestId("run").click();
    await cities.getByTestId("status").getByText("OK").waitFor({ timeout: 30_000 });
  });

  it("stops a sync table half-way, and keeps the rows so far", async () => {
    const panel = await open("Numbers");
    await panel.getByTestId("row-limit").fill("10000");
    await panel.getByTestId("run").click();
    await panel
      .getByTestId("status")
      .getByText(/[1-9]\d* rows/)
      .waitFor({ timeout: 30_000 });
    await panel.getByTestId("cancel").click();
    await panel
      .getByTestId("status")
      .getByText(/Cancelled · \d+ rows/)
      .waitFor({ timeout: 20_000 });
    const rows = Number(/(\d+) rows/.exec(await panel.getByTestId("status").innerText())?.[1]);
    assert.ok(rows > 0 && rows < 10_000, String(rows));
    await panel.getByTestId("result-table").getByText("0", { exact: true }).waitFor();
    await window.screenshot("panel-4-stopped");
  });
});
