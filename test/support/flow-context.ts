// A sign-in with a raw provider, by a person who opens the browser where they are asked: what the flows' tests begin with.
import type { FlowContext } from "../../platform/connect/flows/flow.ts";
import { auth } from "./broker.ts";
import { makeHost } from "./platform-host.ts";

/** A context whose configuration names the provider's two addresses; the redirect address takes any free port, and nothing is kept. */
export function flowContext(
  provider: { readonly authorizationUrl: string; readonly tokenUrl: string },
  more: Partial<FlowContext> = {},
): FlowContext {
  const { authorizationUrl, tokenUrl } = provider;
  return {
    auth: auth("OAuth2", { authorizationUrl, tokenUrl }),
    scope: "user",
    packName: "shop",
    host: makeHost({ answers: { "edirect address": "open" } }),
    redirect: { host: "localhost", port: 0, path: "/oauth" },
    mcpServers: [],
    domains: [],
    entered: [],
    clientCredentials: async () => ({ clientId: "client" }),
    isClientAsked: () => false,
    storedClient: async () => undefined,
    keepClient: async () => {},
    forgetRegistration: async () => {},
    remember: async () => {},
    record: () => {},
    recordPage: () => {},
    rememberRedirect: async () => {},
    ...more,
  };
}
