// A sign-in at a real provider, which several journeys begin with.
import assert from "node:assert/strict";
import type { OidcProvider } from "../../support/oidc-provider.ts";
import type { Window } from "./embedded.ts";

/** A pack that registers itself at the provider. */
export const packOfProvider = (provider: OidcProvider, scopes: string): string => `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("shop.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "${provider.authorizationUrl}",
  tokenUrl: "${provider.tokenUrl}",
  scopes: [${scopes}],
  useDynamicClientRegistration: true,
} as any);

pack.addFormula({
  name: "Hello", description: "", parameters: [], resultType: coda.ValueType.String,
  execute: async () => "Hello",
});
`;

/** Signs in as carol at the lens of the pack in front, and checks that the prompt shows the address that the browser comes back to. */
export async function signInAtProvider(window: Window, provider: OidcProvider): Promise<void> {
  const { workbench } = window;
  const lens = await workbench.showLens("Connect test account");
  await workbench.until(workbench.row(/Connect a real account/), () => lens.click());
  await workbench.pick(/Connect a real account/);
  await workbench.row(/Open the browser/).waitFor({ timeout: 60_000 });
  await window.screenshot("provider-1-redirect");
  const prompt = (await window.page.locator(".quick-input-widget .quick-input-box input").getAttribute("placeholder")) ?? "";
  const popup = await workbench.popup(() => workbench.pick(/Open the browser/));
  await popup.getByText("You are signed in").waitFor({ timeout: 30_000 });
  const { origin, pathname } = new URL(popup.url());
  assert.match(pathname, /^\/proxy\/\d+\/oauth$/);
  assert.ok(prompt.endsWith(`: ${origin}${pathname}`), prompt);
  await popup.close();
  await workbench.toast(/Connected carol/).waitFor({ timeout: 30_000 });
  assert.ok(provider.requests.includes("POST /reg"));
}
