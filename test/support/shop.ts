// A shop's pack, API and provider for the tests of the sign-in. The pack runs in its own process, requests use a real wire, and the person
// is scripted.
import assert from "node:assert/strict";
import { type Account, type Accounts, openAccounts, packKey } from "../../platform/accounts/accounts.ts";
import { type Connected, type ConnectOptions, connect } from "../../platform/connect/connect.ts";
import type { TypedClient } from "../../platform/connect/oauth-credentials.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { closePacks, pack } from "./open-packs.ts";
import { packFiles, removePackFiles } from "./pack-file.ts";
import { makeHost, type TestHost, type TestHostOptions } from "./platform-host.ts";
import { type SuiteWire, type WireRequest, wireOfSuite } from "./wire.ts";

/** Returns a pack with this setter, preceded by `body`. */
export const source = (setter: string, body = ""): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
${body}
(pack as any).${setter};
`;

export const OAUTH = `type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.shop.example/authorize", tokenUrl: "https://login.shop.example/token",`;
export const WHO_AM_I = `getConnectionName: async (context) => {
  const answer = await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/me" });
  return answer.body.name;
},`;

/** getConnectionName as the specification recommends it, and three endpoints to choose from. */
export const WITH_STEP = (options: string, field = "getOptions"): string => `
  getConnectionName: async (context) => {
    const answer = await context.fetcher.fetch({ method: "GET", url: context.endpoint ? "/me" : "https://api.shop.example/me" });
    return context.endpoint ? \`\${answer.body.name} (\${context.endpoint})\` : answer.body.name;
  },
  postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "site", description: "Choose the shop", ${field}: async (context) => ${options} }],`;

export const OPTIONS = `{
  const answer = await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/sites" });
  return answer.body;
}`;

export interface Trial {
  readonly host: TestHost;
  readonly accounts: Accounts;
  readonly openedPack: Pack;
  connect(more?: {
    existing?: Account;
    typedClient?: TypedClient;
    scope?: "user" | "system";
    signal?: AbortSignal;
    pageDelay?: number;
    world?: ConnectOptions["world"] & object;
    back?: () => void;
  }): Promise<Connected | undefined>;
}

export interface Shop {
  readonly wire: SuiteWire;
  /** Path → response; other paths respond with 404. Reset before each test. */
  readonly api: Record<string, { status?: number; body: unknown }>;
  /** Opens the pack with this setter, preceded by `body`. */
  open(setter: string, body?: string): Promise<Pack>;
  /** Returns a person who can sign in to the pack, with scripted replies. */
  trial(openedPack: Pack, options?: TestHostOptions): Promise<Trial>;
  /** Returns a person who has signed in to the pack. */
  connected(openedPack: Pack, options?: TestHostOptions): Promise<Connected & Trial>;
  requestsTo(host: string): readonly WireRequest[];
}

/** Returns the shop of the calling suite; its packs are closed after each test. */
export function shopOfSuite(): Shop {
  const wire = wireOfSuite();
  const api: Shop["api"] = {};
  afterEach(() => {
    closePacks();
    removePackFiles();
  });
  beforeEach(() => {
    for (const path of Object.keys(api)) delete api[path];
    Object.assign(api, {
      "/me": { body: { name: "alice" } },
      "/sites": {
        body: [
          { display: "Acme", value: "https://acme.shop.example/" },
          { display: "Globex", value: "https://globex.shop.example" },
        ],
      },
      "/token": { body: { access_token: "the-access-token", refresh_token: "the-refresh-token", expires_in: 3600 } },
    });
    wire.respond = ({ path }, response) => {
      const apiResponse = api[path.split("?")[0] ?? ""];
      response.writeHead(apiResponse?.status ?? (apiResponse === undefined ? 404 : 200), { "content-type": "application/json" });
      response.end(JSON.stringify(apiResponse?.body ?? {}));
    };
  });
  async function trial(openedPack: Pack, options: TestHostOptions = {}): Promise<Trial> {
    const host = makeHost({
      fetch: wire.fetch,
      openBrowser: async (url) => {
        const { searchParams } = new URL(url);
        const back = new URL(searchParams.get("redirect_uri") ?? "");
        back.search = new URLSearchParams({ code: "the-code", state: searchParams.get("state") ?? "" }).toString();
        void fetch(back);
        return true;
      },
      ...options,
      replies: {
        Paste: "the-pasted-token",
        "address to register at": "open",
        "registered at the provider": "open",
        "address changed": "open",
        "refused this credential": "Keep it",
        "is connected already": "Keep both",
        "Choose the shop": "https://globex.shop.example",
        ...options.replies,
      },
    });
    const accounts = openAccounts(host);
    await accounts.saveClientCredentials(packKey(openedPack.entry), "user", { clientId: "client", clientSecret: "client-secret" });
    return {
      host,
      accounts,
      openedPack,
      connect: (more = {}) =>
        connect(openedPack, {
          scope: "user",
          packName: "shop",
          host,
          accounts,
          redirect: { host: "localhost", port: 0, path: "/oauth" },
          world: { lookup: wire.lookup },
          ...more,
        }),
    };
  }

  return {
    wire,
    api,
    trial,
    open: (setter, body) => pack(packFiles({ "pack.ts": source(setter, body) })),
    async connected(openedPack, options) {
      const newTrial = await trial(openedPack, options);
      const result = await newTrial.connect();
      assert.ok(result, "the sign-in was cancelled");
      return { ...newTrial, ...result };
    },
    requestsTo: (host) => wire.requests.filter((request) => request.host === host),
  };
}
