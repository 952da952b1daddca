// The way to a first upload on the page "Ready for upload?", which several journeys take.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { FrameLocator, Locator } from "playwright-core";
import type { PublicApiStandIn } from "../../support/public-api.ts";
import type { Window } from "./embedded.ts";

export const PACK = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("shop.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token",
  scopes: ["orders.read", "orders.write"],
});

pack.addFormula({
  name: "GetOrder",
  description: "Gets an order.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function ([], context) {
    const answer = await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/order" });
    return answer.body.name;
  },
});

pack.addFormula({
  name: "Total",
  description: "Adds an order up.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function ([], context) {
    throw new Error("The order has no lines.");
  },
});
`;
/** The same, with a name that the platform rejects. */
export const INVALID = PACK.replace('"GetOrder"', '"Get Order"');
export const lineOf = (text: string): number => PACK.split("\n").findIndex((line) => line.includes(text)) + 1;

/** A version that was uploaded elsewhere, and the one that the journey uploads. */
export const FORMER = "1.0.0";
export const UPLOADED = "1.1.0";

export const preflightPage = (window: Window): Promise<FrameLocator> => window.workbench.webview('h1:text-is("Ready for upload?")');
export const currentLine = (window: Window, line: number): Locator =>
  window.page.locator(".statusbar").getByText(new RegExp(`^Ln ${line}, `));

/** Opens the page for the pack that is in front, corrects what would be rejected, and checks again. */
export async function correctRejectedPack(window: Window, entry: string): Promise<void> {
  const { workbench, page } = window;
  const lens = await workbench.showLens("Ready for upload?");
  await workbench.until(page.getByRole("tab", { name: /^Ready for upload\?/ }), () => lens.click());
  const preflight = await preflightPage(window);
  const rejected = preflight.getByTestId("will-be-rejected").getByTestId("line");
  await rejected.first().waitFor({ timeout: 60_000 });
  await window.screenshot("publish-1-rejected");
  const line = lineOf('name: "GetOrder"');
  await rejected
    .getByRole("button", { name: `pack.ts:${line}` })
    .first()
    .click();
  await currentLine(window, line).waitFor();

  writeFileSync(entry, PACK);
  await preflight.getByTestId("check").click();
  await preflight
    .getByTestId("status")
    .getByText(/^Nothing will be rejected/)
    .waitFor({ timeout: 60_000 });
  assert.equal(await rejected.count(), 0);
  await window.screenshot("publish-2-fits");
}

/** Uploads from the page as a person does, for whom the stand-in has not yet a token, and checks what arrived. */
export async function uploadFromPage(window: Window, api: PublicApiStandIn): Promise<void> {
  const { workbench, page } = window;
  const preflight = await preflightPage(window);
  await preflight.getByTestId("upload").click();
  const input = page.locator(".quick-input-widget");
  await input.getByText(/API token of coda\.io, which is sent to coda\.io only/).waitFor({ timeout: 60_000 });
  assert.equal(await input.locator(".quick-input-box input").getAttribute("type"), "password");
  await window.screenshot("publish-3-token");
  await workbench.type(api.token);
  await input.getByText(`Notes of version ${UPLOADED}`).waitFor({ timeout: 30_000 });
  await window.screenshot("publish-4-notes");
  await workbench.type("Adds orders up.");
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.getByText(`Upload version ${UPLOADED} of pack ${api.packId} to coda.io?`).waitFor();
  await window.screenshot("publish-5-modal");
  await workbench.press(dialog.getByRole("button", { name: "Upload" }));
  await workbench.toast(`Version ${UPLOADED} is uploaded, and the platform lists it.`).waitFor({ timeout: 30_000 });
  await window.screenshot("publish-6-uploaded");

  const { versions, uploads, requests } = await api.state();
  assert.deepEqual([versions[0]?.packVersion, versions[0]?.buildNotes], [UPLOADED, "Adds orders up."]);
  const { bundleHash, file = "", isComplete } = uploads[UPLOADED] ?? {};
  assert.deepEqual([bundleHash, isComplete], [createHash("sha256").update(file).digest("hex"), true]);
  assert.match(file, /The order has no lines/);
  const withToken = requests.filter((request) => JSON.stringify(request).includes(api.token));
  assert.deepEqual([...new Set(withToken.map(({ host }) => host))], ["coda.io"]);
}
