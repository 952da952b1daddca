// The context of a sign-in with a raw provider, by a person who opens the browser. The tests of the flows begin with it.
import type { FlowClient, FlowContext } from "../../platform/connect/flows/flow.ts";
import { publishedRedirect } from "../../spec/published-redirect.ts";
import { auth } from "./broker.ts";
import { makeHost } from "./platform-host.ts";

export type FlowOptions = Partial<Omit<FlowContext, "client">> & { readonly client?: Partial<FlowClient> };

/** Returns a context whose configuration has the provider's two URLs. The redirect address uses any free port, and nothing is stored. */
export function flowContext(
  provider: { readonly authorizationUrl: string; readonly tokenUrl: string },
  { client, ...more }: FlowOptions = {},
): FlowContext {
  const { authorizationUrl, tokenUrl } = provider;
  return {
    auth: auth("OAuth2", { authorizationUrl, tokenUrl }),
    scope: "user",
    packName: "shop",
    timezone: "UTC",
    signal: new AbortController().signal,
    pageDelay: 5_000,
    forcePkce: false,
    host: makeHost({ replies: { "edirect address": "open" } }),
    redirect: { host: "localhost", port: 0, path: "/oauth" },
    mcpServers: [],
    domains: [],
    published: publishedRedirect(() => undefined),
    entered: [],
    client: {
      credentialsFor: async () => ({ clientId: "client" }),
      isJustEntered: () => false,
      stored: async () => undefined,
      keep: async () => {},
      forgetRegistration: async () => {},
      rememberRedirect: async () => {},
      ...client,
    },
    remember: async () => {},
    record: () => {},
    recordPage: () => {},
    ...more,
  };
}
