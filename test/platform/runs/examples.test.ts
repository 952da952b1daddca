// Every example from sign-in to result, against the real sandbox: the pack in its process, the request through the broker.
import assert from "node:assert/strict";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import { removeAccount } from "../../../platform/connect/remove-account.ts";
import type { Sandbox } from "../../../platform/sandbox/launch.ts";
import { connected as connectedAt } from "../../support/connected.ts";
import { example, pack, register, sandboxOfSuite } from "../../support/open-packs.ts";
import { makeHost, type TestHostOptions } from "../../support/platform-host.ts";
import { run } from "../../support/run.ts";

const connected = (sandbox: Pick<Sandbox, "register" | "addAddresses">, name: string, options: TestHostOptions = {}) =>
  connectedAt(sandbox, example(name), options);

describe("The examples in the sandbox", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();

  it("auth-spec 5.5.2, 5.6.2: todo-oauth2 signs in by authorization code with PKCE, and its formula and table run", async () => {
    const { account, openedPack, call, savedAccount } = await connected(sandbox, "todo-oauth2");
    assert.equal(savedAccount.label, "alice@todo.example");
    assert.deepEqual(savedAccount.scopesGranted, ["tasks:read", "tasks:write"]);
    const report = await call("GetTask", "7");
    assert.deepEqual(report.outcome, { status: "succeeded", value: { Id: "7", Name: "Buy milk", Due: "2026-12-01", Done: false } });
    assert.equal(report.requests.length, 1);
    assert.equal(report.requests[0]?.url, "https://api.todo.example/v1/tasks/7");
    assert.deepEqual(report.requests[0]?.credentials, [{ carrier: "Authorization", host: "api.todo.example" }]);
    assert.equal(report.requests[0]?.requestHeaders.authorization, "Bearer ••••");
    const table = await run(openedPack, { kind: "syncTable", name: "Tasks" }, [], { fetch, account });
    assert.equal(table.outcome.status === "succeeded" && table.outcome.rows, 3);
    const missing = await call("GetTask", "404");
    assert.equal(missing.outcome.status === "failed" && missing.outcome.error.code, "StatusCodeError");
  });

  it("auth-spec 2.2 HeaderBearerToken, 5.1.4, 5.2 HeaderBearerToken: weather-bearer sends the token in the Authorization header", async () => {
    const { call } = await connected(sandbox, "weather-bearer");
    const report = await call("Temperature", "Lisbon");
    assert.deepEqual(report.outcome, { status: "succeeded", value: 21.5 });
  });

  it("auth-spec 5.4.2, 5.4.4: custom-placeholders sends its values in host, query, header and body", async () => {
    const { call } = await connected(sandbox, "custom-placeholders");
    assert.deepEqual((await call("Tickets")).outcome, { status: "succeeded", value: ["Printer on fire", "Coffee is out"] });
    const created = await call("CreateTicket", 'A "quoted" title');
    assert.deepEqual(created.outcome, { status: "succeeded", value: "T-42" });
    assert.deepEqual(
      created.requests[0]?.credentials.map((mark) => mark.carrier),
      ["x-api-key {{apiKey}}", "body {{signature}}", "URL {{siteName}}"],
    );
  });

  it("auth-spec 2.1 postSetup, 5.6.4, 5.6.5, 5.7.2, 5.7.5: crm-set-endpoint picks the endpoint, names the account twice and sends relative URLs there", async () => {
    const { call, savedAccount } = await connected(sandbox, "crm-set-endpoint", {
      replies: { "Choose the site": "https://globex.crm.example" },
    });
    assert.equal(savedAccount.endpoint, "https://globex.crm.example");
    assert.equal(savedAccount.label, "alice (Globex)");
    assert.deepEqual((await call("Contact", "Bob")).outcome, { status: "succeeded", value: "bob@globex.example" });
  });

  it("a denial is reported in the provider's words, and nothing is saved", async () => {
    const loadedPack = await pack(example("todo-oauth2"));
    const { user, ...registered } = await register(sandbox, loadedPack);
    const host = makeHost({ decision: "deny" });
    const accounts = openAccounts(host);
    assert.ok(user);
    await assert.rejects(connect(loadedPack, { scope: "user", packName: "todo", host, accounts, sandbox: { ...registered, ...user } }), {
      code: "authorization-denied",
      message: "The access was denied. Its answer: access_denied — “The sign-in was denied in the sandbox”.",
    });
    assert.deepEqual(await accounts.list(), []);
    assert.equal(host.secretValues.size, 0);
  });

  it("RFC 7009: the removal of a sandbox account revokes its tokens", async () => {
    const { accounts, host, savedAccount, openedPack, call } = await connected(sandbox, "todo-oauth2");
    assert.equal((await call("GetTask", "7")).outcome.status, "succeeded");
    const { user } = await register(sandbox, openedPack);
    assert.ok(user);
    const removal = await removeAccount(savedAccount.id, { ...host, accounts, sandboxClient: user.clientCredentials });
    assert.deepEqual(removal, { revoked: true });
    const after = await call("GetTask", "7");
    assert.match(JSON.stringify(after.outcome), /401/);
  });

  it("auth-spec 5.1.1, 5.1.2: a formula that needs an account reports it, one that needs none runs", async () => {
    const loadedPack = await pack(example("todo-oauth2"));
    const refusedReport = await run(loadedPack, { kind: "formula", name: "GetTask" }, ["7"], { fetch });
    assert.equal(refusedReport.outcome.status === "failed" && refusedReport.outcome.error.code, "account-required");
    const free = await run(loadedPack, { kind: "formula", name: "CountWords" }, ["one two three"], { fetch });
    assert.deepEqual(free.outcome, { status: "succeeded", value: 3 });
  });
});
