// The specification's configurations as an author writes them: real packs with the real toolkit, their requests on a real wire. One
// test for each type and each default that stands in a table of its own there.
import assert from "node:assert/strict";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import type { RunAccount } from "../../../platform/accounts/run-account.ts";
import { connect } from "../../../platform/connect/connect.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import type { RunReport, RunTarget } from "../../../protocol/run.ts";
import { flagged, packOf } from "../../support/flagged.ts";
import { closePacks, pack } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { makeHost } from "../../support/platform-host.ts";
import { run } from "../../support/run.ts";
import { openWire, type Wire } from "../../support/wire.ts";

const GET = `async (_: any, context: any) => (await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/x?own=1", cacheTtlSecs: 0 })).body`;
const formula = (name: string, more = "", execute = GET): string =>
  `pack.addFormula({ name: "${name}", description: "d", parameters: [], resultType: coda.ValueType.String, ${more} execute: ${execute} } as any);\n`;
const table = (name: string, more = ""): string => `pack.addSyncTable({
  name: "${name}", identityName: "${name}", description: "d", ${more}
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "Sync${name}", description: "d", parameters: [], execute: async (args: any, context: any) => { await (${GET})(args, context); return { result: [{ id: "1" }] }; } },
} as any);\n`;
const NONE = "connectionRequirement: coda.ConnectionRequirement.None,";
const REQUIRED = "connectionRequirement: coda.ConnectionRequirement.Required,";
const source = (setters: string, body: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("shop.example");\n${setters}\n${body}`;

const user = (credential: Credential): RunAccount => ({ scope: "user", credential });
const token = user({ kind: "token", token: "the-token" });
const bearer = (more = ""): string => `pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, ${more} } as any);`;
const oauth = (more = ""): string =>
  `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.shop.example/a", tokenUrl: "https://login.shop.example/t", ${more} });`;

describe("The specification's configurations", function () {
  this.timeout(60_000);
  let wire: Wire;
  before(async () => {
    wire = await openWire();
  });
  after(() => wire.close());
  beforeEach(async () => {
    await wire.reset();
    wire.respond = (_request, response) => void response.setHeader("content-type", "text/plain").end("answered");
  });
  afterEach(() => {
    closePacks();
    removePackFiles();
  });

  const open = (setters: string, body = formula("Ask")): Promise<Pack> => pack(packFiles({ "pack.ts": source(setters, body) }));
  const go = (of: Pack, name: string, account?: RunAccount, kind: "formula" | "syncTable" = "formula"): Promise<RunReport> =>
    run(of, { kind, name } satisfies RunTarget, [], {
      fetch: wire.fetch,
      lookup: wire.lookup,
      ...(account === undefined ? {} : { account }),
    });
  const statusOf = ({ outcome }: RunReport): string => (outcome.status === "failed" ? String(outcome.error.code) : outcome.status);
  /** The only request of a run that succeeds. */
  const sendRequest = async (setters: string, account: RunAccount, body?: string) => {
    const report = await go(await open(setters, body), "Ask", account);
    assert.deepEqual(report.outcome, { status: "succeeded", value: "answered" });
    assert.equal(wire.requests.length, 1);
    const [request] = wire.requests;
    assert.ok(request);
    return request;
  };

  describe("The need for an account", () => {
    const BODY =
      formula("Silent") +
      formula("Open", NONE) +
      formula("Asks", REQUIRED) +
      table("Rows") +
      table("Free", NONE) +
      table("Strict", REQUIRED);
    const needs = async (testPack: Pack): Promise<Readonly<Record<string, string>>> => {
      const all: [string, "formula" | "syncTable"][] = [
        ["Silent", "formula"],
        ["Open", "formula"],
        ["Asks", "formula"],
        ["Rows", "syncTable"],
        ["Free", "syncTable"],
        ["Strict", "syncTable"],
      ];
      const statuses: Record<string, string> = {};
      for (const [name, kind] of all) statuses[name] = statusOf(await go(testPack, name, undefined, kind));
      return statuses;
    };

    it("auth-spec 1 per-user, 2.1 ConnectionRequirement, 4 pack.setUserAuthentication, 4 pack.addFormula, 4 sync tables, 5.1.1, 5.1.2: every formula and sync table needs an account unless it says None", async () => {
      const testPack = await open(bearer(), BODY);
      assert.deepEqual(await needs(testPack), {
        Silent: "account-required",
        Open: "succeeded",
        Asks: "account-required",
        Rows: "account-required",
        Free: "succeeded",
        Strict: "account-required",
      });
      for (const [name, kind] of [
        ["Silent", "formula"],
        ["Rows", "syncTable"],
      ] as const)
        assert.equal(statusOf(await go(testPack, name, token, kind)), "succeeded");
      assert.deepEqual(
        wire.requests.map(({ headers }) => headers.authorization),
        [undefined, undefined, "Bearer the-token", "Bearer the-token"],
      );
    });

    it("auth-spec 2.1 defaultConnectionRequirement, 4 sync tables, 5.1.3: the default None leaves the need to those that say Required", async () => {
      assert.deepEqual(await needs(await open(bearer("defaultConnectionRequirement: coda.ConnectionRequirement.None"), BODY)), {
        Silent: "succeeded",
        Open: "succeeded",
        Asks: "account-required",
        Rows: "succeeded",
        Free: "succeeded",
        Strict: "account-required",
      });
    });

    it("auth-spec 1 system-wide: a pack with system authentication alone needs no user's account", async () => {
      const testPack = await open("pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });");
      assert.equal(statusOf(await go(testPack, "Ask")), "succeeded");
      const system: RunAccount = { scope: "system", credential: { kind: "token", token: "of-the-system" } };
      assert.equal(statusOf(await go(testPack, "Ask", system)), "succeeded");
      assert.deepEqual(
        wire.requests.map(({ headers }) => headers.authorization),
        [undefined, "Bearer of-the-system"],
      );
    });

    it("auth-spec 2.1 defaultConnectionType: the field is accepted and changes nothing of a run", async () => {
      const request = await sendRequest(bearer("defaultConnectionType: 1,"), token);
      assert.equal(request.headers.authorization, "Bearer the-token");
    });
  });

  describe("The place of a credential", () => {
    it("auth-spec 2.2 HeaderBearerToken, 5.1.4, 5.2 HeaderBearerToken: the token goes into Authorization behind Bearer", async () => {
      const { headers, path } = await sendRequest(bearer(), token);
      assert.deepEqual([headers.authorization, path], ["Bearer the-token", "/x?own=1"]);
    });

    it("auth-spec 2.2 CustomHeaderToken, 5.1.4, 5.2 CustomHeaderToken: the token goes into the header headerName, behind the prefix if there is one", async () => {
      const setter = (more = ""): string =>
        `pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Shop-Key", ${more} });`;
      const plain = await sendRequest(setter(), token);
      assert.deepEqual([plain.headers["x-shop-key"], plain.headers.authorization], ["the-token", undefined]);
      await wire.reset();
      wire.respond = (_request, response) => void response.setHeader("content-type", "text/plain").end("answered");
      assert.equal((await sendRequest(setter('tokenPrefix: "Key"'), token)).headers["x-shop-key"], "Key the-token");
    });

    it("auth-spec 2.2 QueryParamToken, 5.1.4, 5.2 QueryParamToken: the token goes into the query parameter paramName, beside the pack's own", async () => {
      const { headers, path } = await sendRequest(
        'pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: "key" });',
        token,
      );
      const query = new URL(path, "https://api.shop.example").searchParams;
      assert.deepEqual([query.get("key"), query.get("own"), headers.authorization], ["the-token", "1", undefined]);
    });

    it("auth-spec 5.1.4, 5.3 request: user name and password go into Authorization as Basic in base64", async () => {
      const account = user({ kind: "basic", username: "alice", password: "pass:word" });
      const { headers } = await sendRequest("pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });", account);
      assert.equal(headers.authorization, `Basic ${Buffer.from("alice:pass:word").toString("base64")}`);
    });

    it("auth-spec 2.2 OAuth2, 2.3 tokenPrefix, 5.1.4: an access token goes into Authorization behind tokenPrefix, by default Bearer", async () => {
      const account = user({ kind: "oauth2", accessToken: "the-access-token" });
      for (const [more, expected] of [
        ["", "Bearer the-access-token"],
        ['tokenPrefix: "token"', "token the-access-token"],
      ] as const) {
        assert.equal((await sendRequest(oauth(more), account)).headers.authorization, expected);
        wire.requests.length = 0;
      }
    });

    it("auth-spec 2.3 tokenQueryParam: an access token goes into the query and into no header", async () => {
      const account = user({ kind: "oauth2", accessToken: "the-access-token" });
      const { headers, path } = await sendRequest(oauth('tokenQueryParam: "access_token"'), account);
      const query = new URL(path, "https://api.shop.example").searchParams;
      assert.deepEqual([query.get("access_token"), headers.authorization], ["the-access-token", undefined]);
    });

    it("auth-spec 2.2 Custom, 2.5 context.invocationToken, 5.4.2, 5.4.3, 5.4.4: values of Custom replace their placeholders and go nowhere else", async () => {
      const setter =
        'pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }, { name: "secret", description: "Secret" }] });';
      const account = user({ kind: "values", values: { key: "value-of-key", secret: "value-of-secret" } });
      const plain = await sendRequest(setter, account);
      assert.ok(!JSON.stringify(plain).includes("value-of-"), JSON.stringify(plain));
      wire.requests.length = 0;
      const placed = await sendRequest(
        setter,
        account,
        formula(
          "Ask",
          "",
          `async (_: any, context: any) => {
  const place = (name: string) => "{{" + name + "-" + context.invocationToken + "}}";
  const answer = await context.fetcher.fetch({ method: "POST", url: "https://api.shop.example/x?key=" + place("key"), headers: { "X-Key": place("key") }, body: "secret=" + place("secret") });
  return answer.body;
}`,
        ),
      );
      assert.deepEqual(
        [placed.path, placed.headers["x-key"], placed.body],
        ["/x?key=value-of-key", "value-of-key", "secret=value-of-secret"],
      );
    });
  });

  it("auth-spec 2.5 context.fetcher.fetch: fetch sends method, url, headers and body, and returns the response's body", async () => {
    const { method, host, path, headers, body } = await sendRequest(
      bearer(),
      token,
      formula(
        "Ask",
        "",
        `async (_: any, context: any) => (await context.fetcher.fetch({ method: "PUT", url: "https://api.shop.example/a/b?c=1", headers: { "X-Own": "mine" }, body: "text" })).body`,
      ),
    );
    assert.deepEqual([method, host, path, headers["x-own"], body], ["PUT", "api.shop.example", "/a/b?c=1", "mine", "text"]);
    assert.equal(headers.authorization, "Bearer the-token");
  });

  it("auth-spec 5.7.3 manual entry: requiresEndpointUrl is an error with OAuth2, and none with another type", () => {
    const flaggedWith = (setter: string) => flagged(packOf(setter), { toolkit: true }).filter((finding) => finding.startsWith("error"));
    assert.deepEqual(flaggedWith(oauth("requiresEndpointUrl: true")), ["error oauth2-manual-endpoint: requiresEndpointUrl"]);
    assert.deepEqual(flaggedWith(bearer("requiresEndpointUrl: true").replace(" as any", "")), []);
  });

  it("auth-spec 1 fixed types, 2.1 type: the specified types can be chosen; any other is flagged and refused", async () => {
    const named = {
      HeaderBearerToken: "",
      CustomHeaderToken: 'headerName: "X-Key"',
      QueryParamToken: 'paramName: "key"',
      Custom: 'params: [{ name: "key", description: "Key" }]',
      WebBasic: "",
      OAuth2: 'authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t"',
    };
    for (const [type, fields] of Object.entries(named)) {
      const setter = `pack.setUserAuthentication({ type: coda.AuthenticationType.${type}, ${fields} });`;
      assert.deepEqual(
        flagged(packOf(setter), { toolkit: true }).filter((finding) => finding.startsWith("error")),
        [],
        type,
      );
      assert.equal((await open(setter)).definition.userAuthentication?.type, type);
    }
    const own = 'pack.setUserAuthentication({ type: "MyOwnSignIn" });';
    assert.deepEqual(flagged(packOf(own)), ['error auth-type-unknown: "MyOwnSignIn"']);
    const host = makeHost({ replies: { "": "all" } });
    const testPack = await open(own.replace("});", "} as any);"));
    await assert.rejects(connect(testPack, { scope: "user", packName: "shop", host, accounts: openAccounts(host) }), (error: Error) => {
      assert.match(error.message, /MyOwnSignIn/);
      return true;
    });
    assert.equal(host.secretValues.size, 0);
  });
});
