// Scopes in the sandbox: granted as they were asked for, and needed where sandbox.json says so.
import assert from "node:assert/strict";
import { connect } from "../../../platform/connect/connect.ts";
import { usableAccount } from "../../../platform/connect/usable-account.ts";
import type { Remedy } from "../../../protocol/run.ts";
import { connected } from "../../support/connected.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";
import {
  AUTHORIZE,
  approve,
  authorizationUrl,
  bearer,
  callbackServer,
  definition,
  oauth2,
  registered,
  removeStubsFiles,
  requestToken,
  type TestPack,
  TOKEN,
  type Tokens,
  writeStubsFile,
} from "../../support/sandbox.ts";

const ORDERS = "https://api.shop.example/orders";
const MCP = "https://ai.shop.example/mcp";
const STUBS = {
  answers: [
    { request: `POST ${ORDERS}`, scope: "orders:write", body: { id: 1 } },
    { request: `GET ${ORDERS}`, body: [] },
    { request: `DELETE ${ORDERS}`, scope: "orders:write admin", body: {} },
    { request: "GET https://status.shop.example/", authenticate: false, scope: "admin", body: "up" },
  ],
  tools: [{ name: "read" }, { name: "write", scope: "orders:write" }],
};

describe("Scopes in the sandbox", () => {
  const sandbox = sandboxOfSuite();
  let callback: Awaited<ReturnType<typeof callbackServer>>;
  before(async () => {
    callback = await callbackServer();
  });
  after(() => {
    callback.close();
    removeStubsFiles();
    removePackFiles();
  });

  const pack = (): Promise<TestPack> =>
    registered(
      sandbox,
      definition(oauth2({ scopes: ["orders:read"] }), {
        mcpServers: [{ name: "Shop", endpointUrl: MCP }],
        formulas: [
          {
            name: "Add",
            parameters: [],
            varargParameters: [],
            connectionRequirement: "required",
            isAction: true,
            extraOAuthScopes: ["orders:write"],
          },
        ],
      }),
      { stubs: STUBS },
    );
  async function signIn(at: TestPack, scope: string): Promise<Tokens> {
    const redirectUri = `http://127.0.0.1:${callback.port}/oauth`;
    const { url, attempt } = authorizationUrl(at, AUTHORIZE, redirectUri, { scope });
    const code = (await approve(url)).get("code") ?? "";
    const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: attempt.verifier };
    return (await requestToken(at, TOKEN, grant)).body as Tokens;
  }
  const challenge = ({ status, headers }: Awaited<ReturnType<TestPack["api"]>>) => [status, headers.get("www-authenticate")];
  const insufficient = (scope: string) => [403, `Bearer realm="sandbox", error="insufficient_scope", scope="${scope}"`];

  it("RFC 6750, 3.1: an answer with a scope refuses tokens without it and accepts those with it", async () => {
    const at = await pack();
    const read = await signIn(at, "orders:read");
    const send = (method: string, tokens: Tokens) => at.api(ORDERS, { method, ...bearer(tokens.access_token) });
    assert.equal((await send("GET", read)).status, 200);
    assert.deepEqual(challenge(await send("POST", read)), insufficient("orders:write"));
    const write = await signIn(at, "orders:read orders:write");
    assert.equal((await send("POST", write)).status, 200);
    assert.deepEqual(challenge(await send("DELETE", write)), insufficient("admin"));
    const refreshed = await requestToken(at, TOKEN, { grant_type: "refresh_token", refresh_token: write.refresh_token });
    assert.equal((await send("POST", refreshed.body as Tokens)).status, 200);
    assert.equal((await send("DELETE", await signIn(at, "orders:read orders:write admin"))).status, 200);
  });

  it("a missing credential is refused first, and answers without one need no scope", async () => {
    const at = await pack();
    assert.equal((await at.api(ORDERS, { method: "POST" })).status, 401);
    assert.equal((await at.api("https://status.shop.example/")).status, 200);
    const token = await registered(sandbox, definition({ type: "HeaderBearerToken" }), { stubs: STUBS });
    const { credential } = token.user;
    assert.equal(
      (await token.api(ORDERS, { method: "POST", ...bearer(credential?.kind === "token" ? credential.token : "") })).status,
      200,
    );
  });

  it("a tool with a scope refuses tokens without it", async () => {
    const at = await pack();
    const call = (name: string, tokens: Tokens) =>
      at.api(MCP, {
        method: "POST",
        headers: { ...bearer(tokens.access_token).headers, "mcp-protocol-version": "2026-07-28" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } }),
      });
    const read = await signIn(at, "orders:read");
    assert.equal((await call("read", read)).status, 200);
    assert.deepEqual(challenge(await call("write", read)), insufficient("orders:write"));
    assert.equal((await call("write", await signIn(at, "orders:write"))).status, 200);
  });

  it("the switch grants all scopes but the last and reports it", async () => {
    const at = await pack();
    await sandbox.change({ entry: at.entry, switches: { grantFewer: true } });
    const tokens = await signIn(at, "orders:read orders:write");
    assert.equal(tokens.scope, "orders:read");
    assert.deepEqual(challenge(await at.api(ORDERS, { method: "POST", ...bearer(tokens.access_token) })), insufficient("orders:write"));
    assert.equal((await at.api(ORDERS, bearer((await signIn(at, "orders:read")).access_token))).status, 200);
  });

  for (const [name, addresses] of Object.entries({
    "its addresses": `authorizationUrl: "${AUTHORIZE}", tokenUrl: "${TOKEN}",`,
    "a registration": "useDynamicClientRegistration: true, useProofKeyForCodeExchange: true,",
  }))
    it(`a pack with ${name} is refused a write until more access is granted`, async () => {
      const entry = packFiles({
        "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, ${addresses} scopes: ["orders:read"] });
const send = (method: "GET" | "POST") => async (_args: unknown, context: coda.ExecutionContext) =>
  JSON.stringify((await context.fetcher.fetch({ method, url: "${ORDERS}" })).body);
pack.addFormula({ name: "Read", description: "", parameters: [], resultType: coda.ValueType.String, execute: send("GET") });
pack.addFormula({ name: "Write", description: "", parameters: [], resultType: coda.ValueType.String, isAction: true,
  extraOAuthScopes: ["orders:write"], execute: send("POST") });
`,
      });
      const { openedPack, host, accounts, savedAccount, account } = await connected(sandbox, entry, { stubsFile: writeStubsFile(STUBS) });
      const { user, origin } = await sandbox.register({
        entry: openedPack.entry,
        name: "shop",
        definition: openedPack.definition,
        stubsFile: writeStubsFile(STUBS),
      });
      assert.ok(user && origin === account.sandboxOrigin);
      const side = { ...user, origin };
      const start = async (formula: string) => {
        const now = await accounts.get(savedAccount.id);
        assert.ok(now);
        const usable = await usableAccount(openedPack, now, { accounts, host, sandbox: async () => side });
        return (await run(openedPack, { kind: "formula", name: formula }, [], { fetch, account: usable })).outcome;
      };
      assert.deepEqual(await start("Read"), { status: "succeeded", value: "[]" });
      const failedOutcome = await start("Write");
      assert.ok(failedOutcome.status === "failed");
      const [grant] = (failedOutcome.error.remedies ?? []) as readonly (Remedy & { readonly scopes?: readonly string[] })[];
      assert.deepEqual([grant?.kind, grant?.scopes], ["grantAccess", ["orders:read", "orders:write"]]);
      const existing = await accounts.get(savedAccount.id);
      assert.ok(existing);
      const connection = await connect(openedPack, {
        scope: "user",
        packName: "shop",
        host,
        accounts,
        sandbox: side,
        existing,
        scopes: grant?.scopes ?? [],
      });
      assert.deepEqual(connection?.account.scopesGranted, ["orders:read", "orders:write"]);
      assert.deepEqual(await start("Write"), { status: "succeeded", value: '{"id":1}' });
    });
});
