// Where a person waits, in the real VS Code: a pack is opened until it is first underlined, a lens is clicked until the form is there, and
// Run is clicked until the result is there. On an idle machine; what the engine takes of it stands beside.
import type { FrameLocator } from "playwright-core";
import { errorMessage } from "../../base/error-message.ts";
import { findBrowser } from "../../scripts/browser/find-browser.ts";
import { packages } from "../../scripts/embedded/install.ts";
import { installPackages } from "../../scripts/npm-packages.ts";
import { openWindow, type Window } from "../e2e/support/embedded.ts";
import { judge, notRun } from "./figures.ts";
import { waitOf } from "./painted.ts";
import { median, milliseconds, quantile } from "./statistics.ts";
import { makeWorkplace, type Workplace } from "./workplace.ts";

const WINDOWS = 8;
const RUNS = 40;
/** Milliseconds in which the editor comes to rest after it was loaded, and after something was done. */
const REST = { window: 6_000, action: 400 };

/** The field of each formula's form. */
const FORMS = { Greet: '[data-testid="param-name"]', Part: '[data-testid="param-friend"]' };

const PACK = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("lab.example");

pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

pack.addFormula({
  name: "Greet",
  description: "Greets by name, once it has asked.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "name", description: "Who is greeted." })],
  resultType: coda.ValueType.String,
  execute: async function ([name], context) {
    const response = await context.fetcher.fetch({ method: "GET", url: "https://api.lab.example/greeting" });
    return response.body.greeting + " " + name;
  },
});

pack.addFormula({
  name: "Part",
  description: "Says goodbye.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "friend", description: "Who leaves." })],
  resultType: coda.ValueType.String,
  execute: async ([friend]) => "Goodbye " + friend,
});
`;
/** What is underlined in the pack: beside it, so that the pack itself runs. */
const MISTAKE = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://lab.example/authorize", tokenURL: "https://lab.example/token" });
`;

interface Waits {
  readonly squiggle: number[];
  readonly firstForm: number[];
  readonly otherForm: number[];
  readonly laterForm: number[];
  readonly run: number[];
  readonly engine: number[];
}

export async function benchEditor(): Promise<void> {
  console.log("\nWhere a person waits, in the real VS Code");
  try {
    await installPackages(packages);
    await findBrowser();
  } catch (error) {
    return notRun(`Where a person waits: ${errorMessage(error)}`);
  }
  const workplace = makeWorkplace();
  const waits: Waits = { squiggle: [], firstForm: [], otherForm: [], laterForm: [], run: [], engine: [] };
  workplace.write("lab/pack.ts", PACK);
  workplace.write(
    "lab/sandbox.json",
    JSON.stringify({ answers: [{ request: "GET https://api.lab.example/greeting", body: { greeting: "Hello" } }] }),
  );
  workplace.write("wrong/mistake.ts", MISTAKE);
  try {
    await measure(workplace, waits);
  } finally {
    workplace.remove();
  }
  const row = (what: string, most: number | undefined, samples: readonly number[], how: string): void =>
    judge({
      what,
      target: most === undefined ? "–" : `p50 ≤ ${most} ms`,
      measured: milliseconds(median(samples)),
      ...(most === undefined ? {} : { isMet: median(samples) <= most }),
      how: `p50 of ${samples.length}, p95 ${milliseconds(quantile(samples, 0.95))}: ${how}`,
    });
  row(
    "a pack opened → first squiggle, cold",
    1_500,
    waits.squiggle,
    "chosen in the quick open of a window that was loaded just before, until the underline is painted",
  );
  row("lens → panel with its form, first", 600, waits.firstForm, "in a window in which no pack was run yet");
  row("lens → panel with its form, later", 250, waits.otherForm, "of another formula, while the panel is open");
  row("… after the panel was closed", undefined, waits.laterForm, "the pack is still open");
  row(
    "Run clicked → result painted",
    150,
    waits.run,
    `with an account and one request to the sandbox; the engine takes ${milliseconds(median(waits.engine))} of it`,
  );
}

/** A window of its own each time: one that is only loaded anew may open what was open before. */
async function measure(workplace: Workplace, waits: Waits): Promise<void> {
  for (let load = 0; load < WINDOWS; load++) {
    const window = await openWindow({ folder: workplace.folder, from: "source" });
    try {
      waits.squiggle.push(await firstSquiggle(window));
      waits.firstForm.push(await openForm(window, "Greet"));
      waits.otherForm.push(await openForm(window, "Part"));
      await closePanels(window);
      waits.laterForm.push(await openForm(window, "Greet"));
      if (load < WINDOWS - 1) continue;
      await closePanels(window);
      await connect(window);
      await openForm(window, "Greet");
      const panel = await window.workbench.webview(FORMS.Greet);
      for (let run = 0; run < RUNS; run++) await runOnce(window, panel, `No. ${run}`, waits);
    } finally {
      await window.close();
    }
  }
}

/** In a window in which no source was opened before. */
async function firstSquiggle({ page, workbench }: Window): Promise<number> {
  await page.waitForTimeout(REST.window);
  await page.keyboard.press("Control+P");
  await page.locator(".quick-input-widget .quick-input-box input").fill("mistake.ts");
  const row = workbench.row(/^mistake\.ts/);
  await row.waitFor();
  return waitOf(page, () => row.click(), { selector: ".monaco-editor .squiggly-error" });
}

async function connect({ page, workbench }: Window): Promise<void> {
  await workbench.open("lab/pack.ts");
  await workbench.showLens("Connect test account");
  await workbench.command("Pack Auth: Connect test account", workbench.row(/Connect with sandbox/));
  await workbench.type("sandbox");
  await workbench.toast(/Connected .* to lab/).waitFor({ timeout: 30_000 });
  await page.keyboard.press("Escape");
  await workbench.clearNotifications();
}

async function openForm({ page, workbench }: Window, formula: keyof typeof FORMS): Promise<number> {
  await workbench.open("lab/pack.ts");
  await workbench.showLens("Run");
  const lens = page.locator(".monaco-editor .codelens-decoration a", { hasText: "Run" }).nth(formula === "Greet" ? 0 : 1);
  await lens.waitFor();
  await page.waitForTimeout(REST.action);
  return waitOf(page, () => lens.click(), { selector: FORMS[formula] });
}

async function closePanels({ page }: Window): Promise<void> {
  const panels = page.getByRole("tab", { name: / · lab/ });
  while ((await panels.count()) > 0) await panels.first().click({ button: "middle" });
  await page.locator("iframe.webview").first().waitFor({ state: "detached" });
}

async function runOnce({ page }: Window, panel: FrameLocator, name: string, waits: Waits): Promise<void> {
  await panel.getByTestId("param-name").fill(name);
  await page.waitForTimeout(REST.action);
  waits.run.push(await waitOf(page, () => panel.getByTestId("run").click(), { selector: "#tabpanel", text: `Hello ${name}` }));
  const status = await panel.getByTestId("status").innerText();
  waits.engine.push(Number(/engine ([\d.]+) ms/.exec(status)?.[1]));
}
