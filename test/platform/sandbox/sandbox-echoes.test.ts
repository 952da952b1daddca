// What an author is told where the sandbox had no answer: at the request, above the error that came of it, and of the account's name.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { findChoices } from "../../../client/panel/choices.ts";
import { connectedText } from "../../../platform/connect/connected-text.ts";
import { worldOf } from "../../../platform/runs/run-world.ts";
import { expectedResult, proposeStub } from "../../../platform/sandbox/propose-stub.ts";
import { connected } from "../../support/connected.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { removeStubsFiles, writeStubsFile } from "../../support/sandbox.ts";

const source = (name: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("hub.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: "key", ${name} });
pack.addFormula({
  name: "Repo", description: "One.", resultType: coda.ValueType.String,
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "repo", description: "Which.",
    autocomplete: async (context, search) => coda.autocompleteSearchObjects(search, (await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example/repos" })).body.items, "name", "id") })],
  execute: async ([repo]) => repo,
});
pack.addFormula({
  name: "UserEmail", description: "Finds it.", parameters: [], resultType: coda.ValueType.String,
  execute: async function (args, context) {
    const response = await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example/user/emails?page=1" });
    console.log(Object.keys(response.headers).join(" "));
    return response.body.find((email: any) => email.primary).email;
  },
});
`;

const BYTES = `${source("")}
pack.addFormula({
  name: "Download", description: "Reads it.", parameters: [], resultType: coda.ValueType.String,
  execute: async function (args, context) {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example/logo.txt", isBinaryResponse: true });
    const copy = Buffer.from(body);
    return [Buffer.isBuffer(body), body instanceof Uint8Array, body.length === copy.length, body.equals(copy), JSON.parse(body.toString("utf8")).sandbox, [...body.subarray(0, 1)]].join(" ");
  },
});
`;

describe("An echo of the sandbox", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(removeStubsFiles);
  after(removePackFiles);

  const asksUser =
    'getConnectionName: async (context) => `@${(await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example/user" })).body.login}`';

  it("an echo is marked in its request without the credential and hidden from the pack", async () => {
    const { call } = await connected(sandbox, packFiles({ "pack.ts": source("") }));
    const report = await call("UserEmail");
    assert.equal(report.outcome.status, "failed");
    assert.equal(report.requests[0]?.echoed?.message, "No answer for GET /user/emails?page=1: echoed.");
    assert.doesNotMatch(report.console[0]?.message ?? "none", /echo|none/);
    assert.doesNotMatch(JSON.stringify(report.requests), /pack-auth-sandbox/);
  });

  it("an answer of sandbox.json is not marked", async () => {
    const file = writeStubsFile({
      answers: [{ request: "GET https://api.hub.example/user/emails", body: [{ email: "a@hub.example", primary: true }] }],
    });
    const { call } = await connected(sandbox, packFiles({ "pack.ts": source("") }), { stubsFile: file });
    const report = await call("UserEmail");
    assert.deepEqual(report.outcome, { status: "succeeded", value: "a@hub.example" });
    assert.equal(report.requests[0]?.echoed, undefined);
  });

  it("a sample replaces the echo, is marked, and yields to sandbox.json", async () => {
    const file = writeStubsFile({ answers: [] });
    const { call, openedPack } = await connected(sandbox, packFiles({ "pack.ts": source("") }), { stubsFile: file });
    const emails = "GET https://api.hub.example/user/emails";
    await sandbox.addSamples({
      entry: openedPack.entry,
      samples: [{ request: emails, body: [{ email: "sample@hub.example", primary: true }] }],
    });
    const sampled = await call("UserEmail");
    assert.deepEqual(sampled.outcome, { status: "succeeded", value: "sample@hub.example" });
    const { message, isSample } = sampled.requests[0]?.echoed ?? {};
    assert.deepEqual([message, isSample], ["Sample answer for GET /user/emails?page=1, made from your code.", true]);
    assert.doesNotMatch(JSON.stringify(sampled.requests), /pack-auth-sandbox/);
    writeFileSync(file, JSON.stringify({ answers: [{ request: emails, body: [{ email: "a@hub.example", primary: true }] }] }));
    const stubbedReport = await call("UserEmail");
    assert.deepEqual(
      [stubbedReport.outcome, stubbedReport.requests[0]?.echoed],
      [{ status: "succeeded", value: "a@hub.example" }, undefined],
    );
  });

  it("an echo for a binary request is bytes, and the proposed answer a text", async () => {
    const pack = packFiles({ "pack.ts": BYTES });
    const { call, openedPack } = await connected(sandbox, pack);
    const report = await call("Download");
    assert.deepEqual(report.outcome, { status: "succeeded", value: "true true true true echo 123" });
    const [request] = report.requests;
    assert.ok(request);
    const reads = { body: { items: {}, fields: { _isBuffer: {} } } };
    const stub = proposeStub(request, { ...expectedResult(report, openedPack.definition), reads });
    assert.deepEqual(stub, { request: "GET https://api.hub.example/logo.txt", body: "sample" });
    const stubbedPack = await connected(sandbox, pack, {
      stubsFile: writeStubsFile({ answers: [{ ...stub, body: '{"sandbox":"mine"}' }] }),
    });
    assert.deepEqual((await stubbedPack.call("Download")).outcome, { status: "succeeded", value: "true true true true mine 123" });
  });

  it("an echoed name leaves the account as Sandbox user, with the missing answer reported", async () => {
    const { savedAccount, connection, signInNotes } = await connected(sandbox, packFiles({ "pack.ts": source(asksUser) }));
    assert.equal(savedAccount.label, "Sandbox user");
    // In one message: two notifications about one account cover each other.
    assert.equal(
      connectedText(connection, "hub"),
      "Connected Sandbox user (sandbox) to hub. That is the default name: the sandbox echoed what getConnectionName asked. No answer for GET /user: echoed.",
    );
    assert.deepEqual(signInNotes[0]?.echo?.request.echoed?.fields, ["login"]);
  });

  it("a getConnectionName that throws on an echo is no failure", async () => {
    const throwing = asksUser.replace("body.login", "body.owner.login");
    const { savedAccount, signInNotes } = await connected(sandbox, packFiles({ "pack.ts": source(throwing) }));
    assert.equal(savedAccount.label, "Sandbox user");
    assert.deepEqual(
      signInNotes.map(({ error }) => error),
      [undefined],
    );
  });

  it("a pack without getConnectionName has a Sandbox user too", async () => {
    const { savedAccount } = await connected(sandbox, packFiles({ "pack.ts": source("") }));
    assert.equal(savedAccount.label, "Sandbox user");
  });

  it("an echoed list of endpoints leaves the sandbox's own endpoint", async () => {
    const step = `postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Which site?",
      getOptions: async (context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example/sites" })).body.sites.map((site: any) => site.url) }],`;
    const { savedAccount, signInNotes } = await connected(sandbox, packFiles({ "pack.ts": source(step) }));
    assert.equal(savedAccount.endpoint, "https://sandbox.hub.example");
    assert.equal(signInNotes[0]?.message, "The account has the sandbox's endpoint. No answer for GET /sites: echoed.");
  });

  it("echoed suggestions are reported at the field", async () => {
    const { openedPack, account } = await connected(sandbox, packFiles({ "pack.ts": source("") }));
    const question = { type: "choices", field: "repo", parameter: "repo", search: "", fields: [] } as const;
    await assert.rejects(
      findChoices({ kind: "formula", name: "Repo", entry: openedPack.entry }, question, "UTC", worldOf(openedPack, fetch, { account })),
      { message: "No answer for GET /repos: echoed. Add an answer to sandbox.json." },
    );
  });
});
