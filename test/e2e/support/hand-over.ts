// The hand-over of a client to the published pack: only one that a real provider accepted with the present token URL, only after a yes, and
// what the platform, the network and the pack's own file may say against it.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { type OidcProvider, openOidcProvider } from "../../support/oidc-provider.ts";
import type { PublicApiStandIn } from "../../support/public-api.ts";
import type { SharedWindow, Window } from "./embedded.ts";
import { filesBelow } from "./files-below.ts";

const CLIENT = { clientId: "client-of-crm-4711", clientSecret: "canary-secret-of-crm-0b7d" };

const source = ({ authorizationUrl, tokenUrl }: Pick<OidcProvider, "authorizationUrl" | "tokenUrl">): string =>
  `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("crm.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "${authorizationUrl}",
  tokenUrl: "${tokenUrl}",
  scopes: ["orders:read"],
});
`;

/** The window has the token of the stand-in already. */
export function handOverOfClient(shared: () => SharedWindow & { readonly api: PublicApiStandIn }): void {
  let window: Window;
  let workspace: string;
  let api: PublicApiStandIn;
  let provider: OidcProvider;
  let entry: string;
  let registeredAddress = "";
  before(async () => {
    ({ window, workspace, api } = shared());
    const client = { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: ["http://127.0.0.1/oauth"] };
    provider = await openOidcProvider(
      { clients: [{ ...client, application_type: "native", grant_types: ["authorization_code", "refresh_token"] }] },
      "127.0.0.2",
    );
    // A provider compares the whole address with the registered one.
    const registered = provider.provider.Client.prototype as unknown as { redirectUriAllowed(address: string): boolean };
    registered.redirectUriAllowed = (address) => address === registeredAddress;
    const { authorizationUrl, tokenUrl } = provider;
    await api.change({ oauthConfig: { authorizationUrl, tokenUrl, scopes: "orders:read" } });
    mkdirSync(join(workspace, "crm"));
    entry = join(workspace, "crm/pack.ts");
    writeFileSync(entry, source(provider));
    writeFileSync(join(workspace, "crm/.coda-pack.json"), JSON.stringify({ packId: api.packId }));
    await window.workbench.closeEditors();
    await window.workbench.clearNotifications();
    await window.workbench.open("crm/pack.ts");
  });
  after(() => provider?.close());

  const dialog = (): Locator => window.page.locator(".monaco-dialog-box");
  const button = (name: string): Locator => dialog().getByRole("button", { name, exact: true });
  /** Progress stays for a moment after its end. */
  const isAlone = (): Promise<void> =>
    window.page.locator(".notifications-toasts .notification-list-item").nth(1).waitFor({ state: "detached", timeout: 10_000 });
  const clear = (): Promise<void> => window.workbench.clearNotifications();
  const send = (expected: Locator): Promise<void> =>
    window.workbench.command("Pack Auth: Send the client ID and secret to the published pack", expected);
  const writes = async () => (await api.state()).requests.filter(({ method, path }) => method === "PUT" && path.endsWith("/oauthConfig"));

  it("a client that no sign-in has used is not sent, and the message says what to do", async () => {
    const { workbench } = window;
    await send(workbench.toast("No client ID is stored for crm. Nothing was sent. Connect an account with this source first"));
    assert.equal(await dialog().count(), 0);
    await window.screenshot("hand-over-1-none");
    assert.deepEqual(await writes(), []);
  });

  it("a client that the provider accepted is offered beside the differences", async () => {
    const { workbench, page } = window;
    await clear();
    const lens = await workbench.showLens("Connect test account");
    await workbench.until(workbench.row(/Connect a real account/), () => lens.click());
    await workbench.pick(/Connect a real account/);
    await page
      .locator(".quick-input-widget")
      .getByText(/Client ID from the provider/)
      .waitFor({ timeout: 60_000 });
    await workbench.type(CLIENT.clientId);
    await page
      .locator(".quick-input-widget")
      .getByText(/Client secret\. Leave it empty/)
      .waitFor();
    await workbench.type(CLIENT.clientSecret);
    await workbench.row(/Open the browser/).waitFor({ timeout: 60_000 });
    const prompt = await page.locator(".quick-input-widget .quick-input-box input").getAttribute("placeholder");
    registeredAddress = /http\S+$/.exec(prompt ?? "")?.[0] ?? "";
    const popup = await workbench.popup(() => workbench.pick(/Open the browser/));
    await popup.getByText("You are signed in").waitFor({ timeout: 30_000 });
    await popup.close();
    await workbench.toast(/Connected/).waitFor({ timeout: 30_000 });
    await clear();
    await workbench.open("crm/pack.ts");
    const drift = workbench.toast("The published pack has client ID ••••abcd and scopes orders:read");
    await workbench.command("Pack Auth: Compare with the published pack", drift);
    await window.screenshot("hand-over-2-drift");
    await drift.getByRole("button", { name: "Show differences" }).click();
    await page.locator(".monaco-diff-editor .view-line", { hasText: "client ID: ••••4711" }).first().waitFor();
    await window.screenshot("hand-over-3-differences");
    await workbench.command("View: Close Editor");
  });

  it("the question names host and pack ID, and neither Enter nor Escape sends", async () => {
    const { workbench, page } = window;
    await clear();
    await workbench.open("crm/pack.ts");
    const drift = workbench.toast("The published pack has client ID ••••abcd");
    await workbench.command("Pack Auth: Compare with the published pack", drift);
    await workbench.until(dialog(), () => drift.getByRole("button", { name: "Send client ID…" }).click());
    await dialog().getByText(`Send the client ID and secret to pack ${api.packId} at coda.io?`).waitFor();
    await window.screenshot("hand-over-4-modal");
    assert.equal(await page.locator(":focus").innerText(), "Do not send");
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    await send(dialog());
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await send(dialog());
    await workbench.press(button("Cancel"));
    await window.screenshot("hand-over-5-cancelled");
    assert.deepEqual(await writes(), []);
    assert.equal((await api.state()).client.clientId, "client-of-shop-abcd");
  });

  for (const [what, faults, text] of [
    ["a token without rights", { forbidden: true }, `coda.io does not let this API token change pack`],
    ["a pack of another workspace", { otherTenant: true }, `coda.io knows no pack`],
    ["a closed connection", { closed: true }, /It is unknown whether coda\.io did it/],
  ] as const)
    it(`one message explains why the platform has no client: ${what}`, async () => {
      const { workbench } = window;
      await clear();
      // The published configuration is read before the question.
      await send(dialog());
      await api.change({ faults });
      await workbench.press(button("Send"));
      await workbench.toast(text).waitFor({ timeout: 40_000 });
      await window.screenshot(`hand-over-6-${Object.keys(faults).join("-")}`);
      await isAlone();
      await api.change({ faults: {} });
      assert.equal((await api.state()).client.clientId, "client-of-shop-abcd");
    });

  it("a cancel while the request runs says that its outcome is unknown", async () => {
    const { workbench } = window;
    await clear();
    await send(dialog());
    await api.change({ faults: { slow: true } });
    await workbench.press(button("Send"));
    const progress = workbench.toast("Send client ID and secret");
    await progress.getByRole("button", { name: "Cancel" }).waitFor();
    await window.screenshot("hand-over-7-running");
    await workbench.press(progress.getByRole("button", { name: "Cancel" }));
    await workbench.toast("It is unknown whether coda.io took the client ID and secret. Compare").waitFor();
    await window.screenshot("hand-over-8-stopped");
    await isAlone();
    await api.change({ faults: {} });
  });

  it("a yes sends exactly that client ID and secret, and the published pack fits then", async () => {
    const { workbench } = window;
    await clear();
    const before = (await writes()).length;
    await send(dialog());
    await workbench.press(button("Send"));
    await workbench.toast(`Pack ${api.packId} at coda.io has client ID ••••4711 now, which is the one that was sent.`).waitFor();
    await window.screenshot("hand-over-9-sent");
    const { client } = await api.state();
    assert.deepEqual(client, CLIENT);
    const sent = (await writes()).slice(before);
    assert.deepEqual(
      sent.map(({ host, path, body }) => [host, path, JSON.parse(body)]),
      [["coda.io", `/apis/v1/packs/${api.packId}/oauthConfig`, CLIENT]],
    );
    await clear();
    await workbench.open("crm/pack.ts");
    const fits = workbench.toast("The published pack fits this source. It has client ID ••••4711 and scopes orders:read.");
    await workbench.command("Pack Auth: Compare with the published pack", fits);
    await window.screenshot("hand-over-10-fits");
  });

  it("after a change of the token URL the client is refused, until a sign-in there used it", async () => {
    const { workbench } = window;
    await clear();
    const before = (await writes()).length;
    writeFileSync(entry, source({ ...provider, tokenUrl: `${provider.issuer}/other/token` }));
    await send(workbench.toast(`The stored client ID of crm worked with OAuth2 at ${provider.tokenUrl}. This source has OAuth2 at`));
    await window.screenshot("hand-over-11-other-token-url");
    assert.deepEqual([await dialog().count(), (await writes()).length], [0, before]);
  });

  it("a pack without an ID is one clear message", async () => {
    const { workbench } = window;
    await clear();
    writeFileSync(join(workspace, "crm/.coda-pack.json"), "{}");
    await send(workbench.toast("The pack has no ID at coda.io. Run packs create for a new pack, or packs link for one that exists."));
    await window.screenshot("hand-over-12-no-id");
    await isAlone();
  });

  it("the secret is in no file, log, notification or stored state of the editor", async () => {
    const forms = [
      CLIENT.clientSecret,
      Buffer.from(CLIENT.clientSecret).toString("base64"),
      Buffer.from(CLIENT.clientSecret).toString("hex"),
    ];
    const files = [...filesBelow(workspace), ...filesBelow(window.dataFolder)];
    assert.ok(files.some((file) => /Pack Auth.*\.log$/.test(file)));
    for (const file of files) {
      const text = readFileSync(file, "latin1");
      for (const form of forms) assert.ok(!text.includes(form), file);
    }
    for (const text of [await window.stored(), window.serverLog(), await window.report()])
      for (const form of forms) assert.ok(!text.includes(form));
  });
}
