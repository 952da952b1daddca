// A formula that needs more than the sign-in asked for, in the real VS Code: refused, granted by one button, and run again.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SharedWindow, Window } from "./embedded.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.acme.example/authorize",
  tokenUrl: "https://login.acme.example/token",
  scopes: ["items:read"],
});
pack.addFormula({
  name: "Write",
  description: "Writes.",
  parameters: [],
  resultType: coda.ValueType.String,
  extraOAuthScopes: ["items:write"],
  execute: async function ([], context) {
    const answer = await context.fetcher.fetch({ method: "GET", url: "https://api.acme.example/write" });
    return answer.body.said;
  },
});
`;
const STUBS = { answers: [{ request: "GET https://api.acme.example/write", scope: "items:write", body: { said: "It is written." } }] };

export function scopes(shared: () => SharedWindow): void {
  let window: Window;
  before(() => {
    const folder = join(shared().workspace, "writes");
    ({ window } = shared());
    mkdirSync(folder);
    writeFileSync(join(folder, "pack.ts"), PACK);
    writeFileSync(join(folder, "sandbox.json"), JSON.stringify(STUBS));
    writeFileSync(join(folder, ".coda-pack.json"), JSON.stringify({ packId: 1234567 }));
  });

  it("a refused write is granted by one button and runs again", async () => {
    const { workbench, page } = window;
    await workbench.open("writes/pack.ts");
    const connect = await workbench.showLens("Connect test account");
    await workbench.until(workbench.row(/Connect with sandbox/), () => connect.click());
    const first = await workbench.popup(() => workbench.pick(/Connect with sandbox/));
    await first.getByRole("button", { name: "Approve" }).click();
    await first.getByText("You are signed in").waitFor();
    await first.close();
    await workbench.toast(/Connected/).waitFor({ timeout: 30_000 });

    const run = await workbench.showLens(/^ ?Run$/);
    await workbench.until(page.getByRole("tab", { name: /^Write · / }), () => run.click());
    const panel = await workbench.webview('[data-testid="pack-auth-panel"]');
    await panel.getByTestId("error").waitFor({ timeout: 30_000 });
    const grant = panel.getByTestId("remedy").filter({ hasText: "Grant more access" });
    await grant.waitFor({ timeout: 10_000 });
    await window.screenshot("scopes-1-refused");
    const second = await workbench.popup(() => grant.click());
    assert.match(await second.locator("body").innerText(), /items:write/);
    await second.getByRole("button", { name: "Approve" }).click();
    await second.getByText("You are signed in").waitFor();
    await second.close();
    await panel.getByTestId("result").getByText("It is written.").waitFor({ timeout: 30_000 });
    const scopes = panel.getByTestId("scopes");
    await scopes.getByText("Scopes: 2 of 2 granted").click();
    await scopes.getByRole("row", { name: "items:write Write yes" }).waitFor();
    await window.screenshot("scopes-2-granted");
  });

  it("the account's row shows its scopes and copies the published redirect address", async () => {
    const { workbench, page } = window;
    await workbench.clearNotifications();
    const account = workbench.tree(/Sandbox user.*OAuth2/);
    await workbench.command("Pack Auth: Focus on Accounts View", account);
    const scope = workbench.tree(/items:write.*granted.*requested by Write/);
    await workbench.until(scope, async () => {
      await account.click();
      await page.keyboard.press("ArrowRight");
    });
    await window.screenshot("scopes-3-account");
    const published = workbench
      .toast(/Register it at the provider/)
      .getByRole("button", { name: "Copy the published pack's redirect address" });
    await workbench.menu(account, "Copy redirect address", published);
    await workbench.press(published);
    await workbench.toast(/Register it at the provider too: the published pack needs it/).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "https://docs.superhuman.com/packsAuth/oauth2/1234567");
  });
}
