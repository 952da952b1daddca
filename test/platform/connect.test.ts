// The spec's sign-in from the first question to the stored account, with the pack in its own process and every request over a real
// wire: names, endpoints, sharing, scopes, and what stays when something fails.
import assert from "node:assert/strict";
import { type Account, type Accounts, openAccounts, packKey } from "../../platform/accounts.ts";
import { changeEndpoint } from "../../platform/change-endpoint.ts";
import { type Connected, connect } from "../../platform/connect.ts";
import { type PackAuthError, reportOf } from "../../platform/errors.ts";
import type { Pack } from "../../platform/pack.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { closePacks, pack } from "../support/packs.ts";
import { makeHost, type TestHost, type TestHostOptions } from "../support/platform-host.ts";
import { openWire, type Wire } from "../support/wire.ts";

const source = (setter: string, body = ""): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
${body}
(pack as any).${setter};
`;

const OAUTH = `type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.shop.example/authorize", tokenUrl: "https://login.shop.example/token",`;
const WHO_AM_I = `getConnectionName: async (context) => {
  const answer = await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/me" });
  return answer.body.name;
},`;

/** getConnectionName as the spec recommends it, and three endpoints to choose from. */
const WITH_STEP = (options: string, field = "getOptions"): string => `
  getConnectionName: async (context) => {
    const answer = await context.fetcher.fetch({ method: "GET", url: context.endpoint ? "/me" : "https://api.shop.example/me" });
    return context.endpoint ? \`\${answer.body.name} (\${context.endpoint})\` : answer.body.name;
  },
  postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "site", description: "Choose the shop", ${field}: async (context) => ${options} }],`;

const OPTIONS = `{
  const answer = await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/sites" });
  return answer.body;
}`;

describe("Connecting", function () {
  this.timeout(60_000);
  let wire: Wire;
  /** Path → answer; what is not there is 404. */
  let api: Record<string, { status?: number; body: unknown }>;
  before(async () => {
    wire = await openWire();
  });
  after(() => wire.close());
  afterEach(() => {
    closePacks();
    removePackFiles();
  });
  beforeEach(async () => {
    await wire.reset();
    api = {
      "/me": { body: { name: "alice" } },
      "/sites": {
        body: [
          { display: "Acme", value: "https://acme.shop.example/" },
          { display: "Globex", value: "https://globex.shop.example" },
        ],
      },
      "/token": { body: { access_token: "the-access-token", refresh_token: "the-refresh-token", expires_in: 3600 } },
    };
    wire.answer = ({ path }, response) => {
      const answer = api[path.split("?")[0] ?? ""];
      response.writeHead(answer?.status ?? (answer === undefined ? 404 : 200), { "content-type": "application/json" });
      response.end(JSON.stringify(answer?.body ?? {}));
    };
  });

  const open = (setter: string, body?: string): Promise<Pack> => pack(packFiles({ "pack.ts": source(setter, body) }));

  interface Trial {
    readonly host: TestHost;
    readonly accounts: Accounts;
    readonly opened: Pack;
    connect(more?: { existing?: Account; scope?: "user" | "system" }): Promise<Connected | undefined>;
  }

  async function trial(opened: Pack, options: TestHostOptions = {}): Promise<Trial> {
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
      answers: {
        "Where may": "all",
        Paste: "the-pasted-token",
        "address to register at": "open",
        "address changed": "open",
        "Choose the shop": "https://globex.shop.example",
        ...options.answers,
      },
    });
    const accounts = openAccounts(host);
    await accounts.saveClientCredentials(packKey(opened.entry), "user", { clientId: "client", clientSecret: "client-secret" });
    return {
      host,
      accounts,
      opened,
      connect: (more = {}) =>
        connect(opened, {
          scope: "user",
          packName: "shop",
          host,
          accounts,
          redirect: { host: "localhost", port: 0, path: "/oauth" },
          run: { lookup: wire.lookup },
          ...more,
        }),
    };
  }

  const connected = async (opened: Pack, options?: TestHostOptions): Promise<Connected & Trial> => {
    const tried = await trial(opened, options);
    const result = await tried.connect();
    assert.ok(result, "the sign-in was cancelled");
    return { ...tried, ...result };
  };
  const requestsTo = (host: string) => wire.requests.filter((request) => request.host === host);

  describe("the account's name", () => {
    const bearer = (fields: string) => `setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, ${fields} })`;

    it("auth-spec 5.6.1: without getConnectionName it is the user's name", async () => {
      const { account } = await connected(await open(bearer("")));
      assert.equal(account.label, "os-user");
    });

    it("auth-spec 2.1 getConnectionName, 5.6.2: getConnectionName runs with the credentials applied, and its value is the label", async () => {
      const { account } = await connected(await open(bearer(WHO_AM_I)));
      assert.equal(account.label, "alice");
      const asked = requestsTo("api.shop.example");
      assert.equal(asked.length, 1, "once, where there is no endpoint to choose");
      assert.equal(asked[0]?.headers.authorization, "Bearer the-pasted-token");
    });

    for (const [what, value] of Object.entries({ "an empty text": '""', blanks: '"  "', null: "null", "a number": "5" })) {
      it(`auth-spec 5.6.3: ${what} gives the default label`, async () => {
        const { account } = await connected(await open(bearer(`getConnectionName: async () => ${value},`)));
        assert.equal(account.label, "os-user");
      });
    }

    it("auth-spec 5.6.2: a throw is shown with its source line, and the account is kept", async () => {
      const opened = await open(bearer("getConnectionName: async () => {\n    throw new Error('no name today');\n  },"));
      const { account, notes, accounts } = await connected(opened);
      assert.equal(account.label, "os-user");
      assert.ok(await accounts.credential(account.id));
      const report = reportOf(notes[0]?.error);
      assert.match(report.message, /no name today/);
      assert.equal(report.stack?.find((frame) => frame.location?.path === opened.entry)?.location?.line, 5);
    });

    it("auth-spec 5.6.2: what the API says of a refused credential stands beside the throw", async () => {
      api["/me"] = { status: 401, body: {} };
      const answer = wire.answer;
      wire.answer = (request, response, incoming) => {
        if (request.path === "/me") response.setHeader("www-authenticate", "token");
        answer(request, response, incoming);
      };
      const { notes } = await connected(await open(bearer(WHO_AM_I)));
      const report = reportOf(notes[0]?.error);
      assert.match(report.message, /401/);
      assert.match(report.hint ?? "", /The API asks for the scheme token/);
    });

    it("auth-spec 5.6.4, 5.6.5: with an endpoint to choose it runs before and after, and the second name counts", async () => {
      const { account } = await connected(await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`));
      assert.equal(account.label, "alice (https://globex.shop.example)");
      assert.deepEqual(
        wire.requests.filter(({ path }) => path === "/me").map(({ host }) => host),
        ["api.shop.example", "globex.shop.example"],
      );
    });

    it("auth-spec 5.6.5: a throw before the choice is no news once it works after it", async () => {
      const opened = await open(
        `setUserAuthentication({ ${OAUTH} getConnectionName: async (context) => { if (!context.endpoint) throw new Error("too early"); return "late"; },
  postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "site", description: "Choose the shop", getOptions: async () => ["https://globex.shop.example"] }] })`,
      );
      const { account, notes } = await connected(opened);
      assert.deepEqual([account.label, notes], ["late", []]);
    });

    it("a name that the person gave stays at the next sign-in; one that the pack gave is made anew", async () => {
      const { account, connect, accounts } = await connected(await open(bearer(WHO_AM_I)));
      api["/me"] = { body: { name: "alice the second" } };
      assert.equal((await connect({ existing: account }))?.account.label, "alice the second");
      await accounts.update(account.id, { label: "mine", renamed: true });
      const renamed = accounts.get(account.id);
      assert.ok(renamed);
      const again = await connect({ existing: renamed });
      assert.equal(again?.account.label, "mine");
      assert.equal(accounts.list().length, 1);
    });
  });

  describe("the endpoint", () => {
    const manual = (more = "") =>
      `setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true, ${more} ${`getConnectionName: async (context) => {
        const answer = await context.fetcher.fetch({ method: "GET", url: "/me" });
        return answer.body.name + " at " + context.endpoint;
      },`} })`;

    it("auth-spec 2.1 requiresEndpointUrl, 2.5 context.endpoint, 5.7.1, 5.7.2, 5.7.3 manual entry: it is in context.endpoint, and relative URLs go there", async () => {
      const { account } = await connected(await open(manual('endpointDomain: "shop.example",')), {
        answers: { endpoint: "acme.shop.example/" },
      });
      assert.equal(account.endpoint, "https://acme.shop.example");
      assert.equal(account.label, "alice at https://acme.shop.example");
      assert.equal(requestsTo("acme.shop.example")[0]?.path, "/me");
    });

    it("auth-spec 2.1 endpointDomain, 5.7.3 manual entry, 5.7.4: a typed endpoint is checked against endpointDomain", async () => {
      const opened = await open(manual('endpointDomain: "shop.example",'));
      const tried = await trial(opened, { answers: { "under shop.example": "https://acme.evil.example" } });
      await assert.rejects(
        () => tried.connect(),
        /the answer https:\/\/acme\.evil\.example was refused: The endpoint must be shop\.example or under it/,
      );
      assert.equal(wire.requests.length, 0);
      assert.deepEqual(tried.accounts.list(), []);
    });

    it("auth-spec 2.3 endpointKey, 5.7.3 token exchange: endpointKey takes it from the token response, and nobody is asked", async () => {
      api["/token"] = { body: { access_token: "the-access-token", site_url: "https://acme.shop.example/" } };
      const { account, host } = await connected(
        await open(`setUserAuthentication({ ${OAUTH} requiresEndpointUrl: true, endpointKey: "site_url" })`),
      );
      assert.equal(account.endpoint, "https://acme.shop.example");
      assert.ok(!host.asked.some((text) => text.includes("endpoint URL")));
    });

    it("auth-spec 5.7.3 manual entry: with OAuth2 and absolute URLs nobody is asked for one, and the refusal says what to do", async () => {
      const tried = await trial(await open(`setUserAuthentication({ ${OAUTH} requiresEndpointUrl: true })`));
      await assert.rejects(() => tried.connect(), {
        code: "configuration-invalid",
        message: /the user types no endpoint/,
        hint: /endpointKey.*postSetup/,
        configPath: "userAuthentication.requiresEndpointUrl",
      });
      assert.deepEqual(tried.host.asked, []);
      assert.deepEqual(tried.accounts.list(), []);
    });

    for (const [what, body, message] of [
      ["is not in the token response", { access_token: "the-access-token", other: 1 }, /has no text under site_url/],
      ["names something else", { access_token: "the.secret.thing", site_url: "the.secret.thing" }, /site_url is no https address/],
    ] as const) {
      it(`auth-spec 5.7.3 token exchange: an endpointKey that ${what} is told, and nothing is stored`, async () => {
        api["/token"] = { body };
        const tried = await trial(await open(`setUserAuthentication({ ${OAUTH} requiresEndpointUrl: true, endpointKey: "site_url" })`));
        await assert.rejects(
          () => tried.connect(),
          (error: PackAuthError) => {
            assert.match(error.message, message);
            assert.ok(!`${error.message} ${error.hint}`.includes("the.secret.thing"));
            return error.configPath === "userAuthentication.endpointKey";
          },
        );
        assert.deepEqual(tried.accounts.list(), []);
      });
    }

    const lists: Readonly<Record<string, [options: string, field: string]>> = {
      "getOptions that gives display and value": [OPTIONS, "getOptions"],
      "getOptionsFormula, the spec's own name": [OPTIONS, "getOptionsFormula"],
      "getOptions that gives texts": ['["https://acme.shop.example", "https://globex.shop.example"]', "getOptions"],
    };
    for (const [what, [options, field]] of Object.entries(lists)) {
      it(`auth-spec 2.1 postSetup, 2.4 type, 2.4 description, 2.4 getOptionsFormula, 5.7.3 user selection, 5.7.5: one is picked from ${what}, under the step's description`, async () => {
        const step = WITH_STEP(options, field);
        const setter =
          field === "getOptions"
            ? `setUserAuthentication({ ${OAUTH} ${step} })`
            : // The toolkit refuses the old name while the pack is being defined; a pack of that time was built without this check.
              `setUserAuthentication({ ${OAUTH} ${step.replace("getOptionsFormula", "getOptions")} })`;
        const after =
          field === "getOptions"
            ? ""
            : `\nconst step = (pack as any).defaultAuthentication.postSetup[0]; step.getOptionsFormula = step.getOptions; delete step.getOptions;`;
        const opened = await pack(packFiles({ "pack.ts": source(setter) + after }));
        const { account, host } = await connected(opened);
        assert.equal(account.endpoint, "https://globex.shop.example");
        assert.ok(host.asked.includes("Choose the shop"));
      });
    }

    it("auth-spec 2.4 name: what goes wrong at a step is told with its name", async () => {
      const tried = await trial(await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP("[]").replace('"site"', '"Pick a branch"')} })`));
      assert.equal(tried.opened.definition.userAuthentication?.postSetup[0]?.name, "Pick a branch");
      await assert.rejects(() => tried.connect(), /The step Pick a branch lists no endpoint/);
    });

    it("auth-spec 5.7.5: the options are fetched with the account's credentials", async () => {
      await connected(await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`));
      assert.equal(wire.requests.find(({ path }) => path === "/sites")?.headers.authorization, "Bearer the-access-token");
    });

    for (const [what, options, message] of [
      ["no option", "[]", /The step site lists no endpoint/],
      ["something else", "({ sites: 5 })", /The step site lists no endpoint/],
      ["an option that is no https address", '["http://globex.shop.example"]', /http:\/\/globex\.shop\.example cannot be used/],
      ["a throw", '{ throw new Error("no sites today"); }', /no sites today/],
    ] as const) {
      it(`auth-spec 5.7.5: ${what} is told, and nothing is stored`, async () => {
        const tried = await trial(await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(options)} })`), {
          answers: { "Choose the shop": "http://globex.shop.example" },
        });
        await assert.rejects(() => tried.connect(), message);
        assert.deepEqual(tried.accounts.list(), []);
        assert.ok(![...tried.host.secretValues.values()].some((value) => value.includes("the-access-token")));
      });
    }

    it("auth-spec 5.7.4: a chosen endpoint outside endpointDomain works here, with a note that the platform refuses it", async () => {
      const opened = await open(`setUserAuthentication({ ${OAUTH} endpointDomain: "eu.shop.example", ${WITH_STEP(OPTIONS)} })`);
      const { account, notes } = await connected(opened);
      assert.equal(account.endpoint, "https://globex.shop.example");
      assert.match(notes.map(({ message }) => message).join(), /the platform would refuse it/);
    });

    describe("chosen anew", () => {
      const again = async (tried: Connected & Trial, endpoint: string | undefined) => {
        const credential = await tried.accounts.credential(tried.account.id);
        assert.ok(credential);
        const auth = tried.opened.definition.userAuthentication;
        assert.ok(auth);
        const host = makeHost({ fetch: wire.fetch, answers: { "Choose the shop": endpoint, "endpoint URL": endpoint } });
        return changeEndpoint(tried.opened, tried.accounts.get(tried.account.id) ?? tried.account, {
          auth,
          packName: "shop",
          host,
          accounts: tried.accounts,
          runAs: { scope: "user", credential, ...(tried.account.endpoint === undefined ? {} : { endpoint: tried.account.endpoint }) },
          run: { lookup: wire.lookup },
        });
      };

      it("auth-spec 5.7.5: another option takes its place, with the name that belongs to it", async () => {
        const tried = await connected(await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`));
        const changed = await again(tried, "https://acme.shop.example/");
        assert.equal(changed?.account.endpoint, "https://acme.shop.example");
        const stored = tried.accounts.get(tried.account.id);
        assert.deepEqual([stored?.endpoint, stored?.label], ["https://acme.shop.example", "alice (https://acme.shop.example)"]);
        await tried.accounts.update(tried.account.id, { label: "mine", renamed: true });
        await again(tried, "https://globex.shop.example");
        assert.equal(tried.accounts.get(tried.account.id)?.label, "mine");
      });

      it("auth-spec 5.7.3 manual entry: a typed one takes its place; a cancel changes nothing", async () => {
        const tried = await connected(await open(manual('endpointDomain: "shop.example",')), {
          answers: { "endpoint URL": "acme.shop.example" },
        });
        assert.equal(await again(tried, undefined), undefined);
        assert.deepEqual(tried.accounts.get(tried.account.id), tried.account);
        await again(tried, "globex.shop.example");
        assert.equal(tried.accounts.get(tried.account.id)?.endpoint, "https://globex.shop.example");
      });

      it("is refused where the configuration leaves no choice", async () => {
        const tried = await connected(await open("setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken })"));
        await assert.rejects(again(tried, "https://x.example"), { code: "configuration-invalid" });
      });
    });
  });

  describe("OAuth2", () => {
    const oauth = (more = ""): string => `setUserAuthentication({ ${OAUTH} ${more} })`;
    const formOf = (index = 0): URLSearchParams =>
      new URLSearchParams(requestsTo("login.shop.example").filter(({ method }) => method === "POST")[index]?.body);

    it("auth-spec 2.3 authorizationUrl, 2.3 tokenUrl, 5.5.1: without authorizationUrl or tokenUrl the sign-in says which one is missing, and asks nobody anything", async () => {
      for (const field of ["authorizationUrl", "tokenUrl"]) {
        const opened = await open(`setUserAuthentication({ ${OAUTH.replace(new RegExp(`${field}: "[^"]*",`), "")} })`);
        const tried = await trial(opened);
        await assert.rejects(
          () => tried.connect(),
          (error: PackAuthError) => error.code === "configuration-invalid" && error.configPath === `userAuthentication.${field}`,
        );
        assert.deepEqual([tried.host.asked, tried.host.opened], [[], []]);
      }
    });

    it("auth-spec 2.2 OAuth2, 2.3 type, 2.3 tokenUrl, 4 token exchange, 5.5.2: the authorization code grant: the code goes to tokenUrl, with the redirect address and the client", async () => {
      const { host } = await connected(await open(oauth()));
      const { searchParams } = new URL(host.opened[0] ?? "");
      assert.equal(searchParams.get("response_type"), "code");
      const form = formOf();
      assert.deepEqual(
        ["grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier"].map((name) => form.get(name)),
        ["authorization_code", "the-code", searchParams.get("redirect_uri"), "client", "client-secret", null],
      );
    });

    it("auth-spec 2.3 scopes, 2.3 scopeDelimiter, 2.3 additionalParams, 4 redirect: the scopes are joined by scopeDelimiter, and additionalParams go along", async () => {
      const { host, account } = await connected(
        await open(
          oauth(
            'scopes: ["read", "write"], scopeDelimiter: ",", scopeParamName: "user_scope", additionalParams: { access_type: "offline" },',
          ),
        ),
      );
      const { searchParams } = new URL(host.opened[0] ?? "");
      assert.equal(searchParams.get("user_scope"), "read,write");
      assert.equal(searchParams.get("scope"), null);
      assert.equal(searchParams.get("access_type"), "offline");
      assert.deepEqual(account.scopesRequested, ["read", "write"]);
    });

    it("auth-spec 2.3 scopes: where there are none, none are asked for", async () => {
      const { host, account } = await connected(await open(oauth()));
      assert.equal(new URL(host.opened[0] ?? "").searchParams.get("scope"), null);
      assert.deepEqual(account.scopesRequested ?? [], []);
    });

    it("auth-spec 2.3 scopes: what was granted is compared with what was asked for, remembered and told", async () => {
      api["/token"] = { body: { access_token: "the-access-token", scope: "read,extra" } };
      const { account, notes } = await connected(await open(oauth('scopes: ["read", "write"],')));
      assert.deepEqual(
        [account.scopesRequested, account.scopesGranted],
        [
          ["read", "write"],
          ["read", "extra"],
        ],
      );
      assert.match(notes[0]?.message ?? "", /Not granted: write \(asked for: read, write\)/);
    });

    it("auth-spec 2.3 client credentials, 5.5.4: the client ID and secret are asked for once, and are the same for the next account", async () => {
      const tried = await trial(await open(oauth()), { answers: { "Client ID": "typed-id", "Client secret": "typed-secret" } });
      await tried.accounts.removeClientCredentials(packKey(tried.opened.entry), "user");
      await tried.connect();
      await tried.connect();
      assert.equal(tried.host.asked.filter((text) => text.startsWith("Client ID")).length, 1);
      assert.deepEqual(
        [0, 1].map((index) => formOf(index).get("client_id")),
        ["typed-id", "typed-id"],
      );
      assert.equal(tried.accounts.list().length, 2);
      assert.ok([...tried.host.secretValues.values()].some((value) => value.includes("typed-secret")));
      assert.ok(!JSON.stringify([tried.accounts.list(), ...tried.host.states, ...tried.host.workspaceStates]).includes("typed-secret"));
      assert.match(
        tried.host.asked.find((text) => text.startsWith("Client ID")) ?? "",
        /Register the redirect address http:\/\/localhost\/oauth there, with any port/,
      );
    });

    it("nestedResponseKey, resource and PKCE as the configuration has them", async () => {
      api["/token"] = { body: { ok: true, authed_user: { access_token: "the-nested-token" } } };
      const { host, accounts, account } = await connected(
        await open(
          oauth(
            'nestedResponseKey: "authed_user", resource: "https://api.shop.example", useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain",',
          ),
        ),
      );
      const { searchParams } = new URL(host.opened[0] ?? "");
      assert.equal(searchParams.get("resource"), "https://api.shop.example");
      assert.equal(searchParams.get("code_challenge"), formOf().get("code_verifier"));
      assert.equal(formOf().get("resource"), "https://api.shop.example");
      const credential = await accounts.credential(account.id);
      assert.ok(credential?.kind === "oauth2" && credential.accessToken === "the-nested-token");
    });

    it("PKCE can be forced for an account, and stays so when it signs in again", async () => {
      const tried = await trial(await open(oauth()), { answers: { "address to register at": ["pkce", "open"] } });
      const first = await tried.connect();
      assert.equal(first?.account.forcePkce, true);
      assert.equal(new URL(tried.host.opened[0] ?? "").searchParams.get("code_challenge_method"), "S256");
      await tried.connect({ existing: first.account });
      assert.equal(new URL(tried.host.opened[1] ?? "").searchParams.get("code_challenge_method"), "S256");
      assert.ok(formOf(1).get("code_verifier"));
    });

    it("auth-spec 5.5.7: a token that runs out without a refresh token is told, with what to try", async () => {
      api["/token"] = { body: { access_token: "the-access-token", expires_in: 600 } };
      const { notes } = await connected(await open(oauth()));
      assert.match(notes[0]?.message ?? "", /gave no refresh token: the account works for 10 min.*offline_access/);
    });

    it("client credentials need no browser, and name the account as any other", async () => {
      const opened = await open(
        `setUserAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://login.shop.example/token", scopes: ["a", "b"], ${WHO_AM_I} })`,
      );
      const { account, host } = await connected(opened);
      assert.deepEqual([account.label, host.opened], ["alice", []]);
      assert.deepEqual([formOf().get("grant_type"), formOf().get("scope")], ["client_credentials", "a b"]);
    });
  });

  describe("accounts", () => {
    const bearer = `setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: "https://shop.example/help" })`;

    it("auth-spec 1 step 3: after the sign-in the person says who shares the account", async () => {
      const { account, host } = await connected(await open(bearer), { answers: { "Where may": "workspace" } });
      assert.equal(account.shared, false);
      assert.match(host.asked.at(-1) ?? "", /Where may this account be used/);
    });

    it("auth-spec 1 step 2, 2.1 instructionsUrl, 2.2 HeaderBearerToken, 5.1.5: the token is asked for, masked, with a link to instructionsUrl", async () => {
      const opened = await open(bearer);
      const tried = await trial(opened);
      const seen: unknown[] = [];
      const { input } = tried.host.prompter;
      tried.host.prompter.input = async (question) => {
        seen.push(question.secret, question.link?.url);
        return input(question);
      };
      await tried.connect();
      assert.deepEqual(seen, [true, "https://shop.example/help"]);
    });

    const asks =
      (config: string, asked: readonly string[], expected: unknown): (() => Promise<void>) =>
      async () => {
        const tried = await trial(await open(`setUserAuthentication({ ${config} })`));
        const seen: string[] = [];
        tried.host.prompter.input = async ({ prompt, validate }) => {
          seen.push(prompt);
          for (const bad of ["", "line\nbreak"])
            assert.ok(validate?.(bad) !== undefined || (bad === "" && prompt === "Shop key"), `${prompt}: ${bad}`);
          return `answer-${seen.length}`;
        };
        const result = await tried.connect();
        assert.deepEqual(seen, asked);
        assert.deepEqual(await tried.accounts.credential(result?.account.id ?? ""), expected);
      };
    it(
      "auth-spec 2.2 WebBasic, 5.3 sign-in, 5.3 uxConfig: WebBasic asks for user name and password, with uxConfig's labels",
      asks(
        'type: coda.AuthenticationType.WebBasic, uxConfig: { placeholderUsername: "Shop number", placeholderPassword: "Shop key" }',
        ["Shop number", "Shop key"],
        { kind: "basic", username: "answer-1", password: "answer-2" },
      ),
    );
    it(
      "auth-spec 5.3 sign-in: WebBasic with usernameOnly asks for the user name alone",
      asks("type: coda.AuthenticationType.WebBasic, uxConfig: { usernameOnly: true }", ["User name"], {
        kind: "basic",
        username: "answer-1",
        password: "",
      }),
    );
    it(
      "auth-spec 1 step 2, 2.2 Custom, 5.4.1: Custom asks once for each of params, with its description",
      asks(
        'type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "The key" }, { name: "id", description: "The id" }]',
        ["The key", "The id"],
        { kind: "values", values: { key: "answer-1", id: "answer-2" } },
      ),
    );
    it(
      "MultiHeaderToken asks once for each header, with its description",
      asks(
        'type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: "X-A", description: "First" }, { name: "X-B", description: "Second" }]',
        ["First", "Second"],
        { kind: "values", values: { "X-A": "answer-1", "X-B": "answer-2" } },
      ),
    );
    it(
      "MultiQueryParamToken asks once for each param, with its description",
      asks('type: coda.AuthenticationType.MultiQueryParamToken, params: [{ name: "a", description: "First" }]', ["First"], {
        kind: "values",
        values: { a: "answer-1" },
      }),
    );
    it(
      "auth-spec 5.1.5: CustomHeaderToken asks for its token",
      asks('type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key"', ["Paste the API token."], {
        kind: "token",
        token: "answer-1",
      }),
    );
    it(
      "auth-spec 5.1.5: QueryParamToken asks for its token",
      asks('type: coda.AuthenticationType.QueryParamToken, paramName: "key"', ["Paste the API token."], {
        kind: "token",
        token: "answer-1",
      }),
    );

    it("auth-spec 1 system-wide, 4 pack.setSystemAuthentication: an account of the system stands beside those of users, and another takes its place", async () => {
      const opened = await open(
        `setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken })`,
        "(pack as any).setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });",
      );
      const tried = await trial(opened, { answers: { Paste: ["of-the-user-1", "of-the-system-1", "of-the-system-2"] } });
      await tried.connect();
      const first = await tried.connect({ scope: "system" });
      const second = await tried.connect({ scope: "system" });
      assert.equal(second?.account.id, first?.account.id);
      assert.deepEqual(
        tried.accounts
          .list()
          .map(({ scope }) => scope)
          .sort(),
        ["system", "user"],
      );
      assert.deepEqual(await tried.accounts.credential(second?.account.id ?? ""), { kind: "token", token: "of-the-system-2" });
    });

    it("a cancel at any question leaves no trace", async () => {
      const opened = await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`);
      const questions = ["address to register at", "Choose the shop", "Where may"];
      for (const question of questions) {
        const tried = await trial(opened, { answers: { [question]: undefined } });
        assert.equal(await tried.connect(), undefined, question);
        assert.deepEqual(tried.accounts.list(), [], question);
        assert.ok(![...tried.host.secretValues.values()].some((value) => value.includes("the-access-token")), question);
      }
    });

    it("an account that is being signed in again stays as it was when that fails or is cancelled", async () => {
      const opened = await open(`setUserAuthentication({ ${OAUTH} })`);
      const { account, accounts, connect: again } = await connected(opened);
      const before = await accounts.credential(account.id);
      api["/token"] = { status: 400, body: { error: "invalid_grant" } };
      await assert.rejects(() => again({ existing: account }), { code: "token-exchange-failed" });
      assert.deepEqual(accounts.get(account.id), account);
      assert.deepEqual(await accounts.credential(account.id), before);
    });

    it("a type that only the platform has says so", async () => {
      const opened = await open(
        `setUserAuthentication({ type: coda.AuthenticationType.GoogleDomainWideDelegation, scopes: ["https://www.googleapis.com/auth/drive"] })`,
      );
      const tried = await trial(opened);
      await assert.rejects(() => tried.connect(), /is not available outside the platform/);
    });
  });
});
