// *Add an answer*: from a request that the sandbox echoed to an answer in sandbox.json, and from that to a result.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { PackAuthError } from "../../../platform/errors.ts";
import { type ExpectedResult, proposeStub } from "../../../platform/sandbox/propose-stub.ts";
import { parseStubs, stubsFilePath } from "../../../platform/sandbox/stubs.ts";
import { withStub } from "../../../platform/sandbox/with-stub.ts";
import { connected } from "../../support/connected.ts";
import { eachCase } from "../../support/json-cases.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";

const propose = (expected: ExpectedResult, fields: readonly string[] = [], url = "https://api.hub.example/user") =>
  proposeStub({ method: "GET", url, echoed: { message: "", fields } }, expected);

const requestCase = z.strictObject({ title: z.string(), url: z.string(), expected: z.string() });
const bodyCase = z.strictObject({
  title: z.string(),
  expected: z.custom<ExpectedResult>(),
  fields: z.array(z.string()),
  body: z.unknown(),
});
const fileCase = z.strictObject({ title: z.string(), before: z.string(), first: z.string(), last: z.string() });

describe("A proposed answer", () => {
  eachCase("sandbox/cases/proposed-requests.json", requestCase, ({ title, url, expected }) => {
    it(`the request of the answer has ${title}`, () => {
      const stub = propose({}, [], url);
      assert.equal(stub.request, expected);
      parseStubs(JSON.stringify({ answers: [stub] }), "sandbox.json");
    });
  });

  eachCase("sandbox/cases/proposed-bodies.json", bodyCase, ({ title, expected, fields, body }) => {
    it(`the body of the answer comes from ${title}`, () => assert.deepEqual(propose(expected, fields).body, body));
  });

  it("an endlessly nested schema yields a short body", () => {
    let schema: object = { type: "string" };
    for (let depth = 0; depth < 50; depth++) schema = { type: "object", properties: { Inner: schema } };
    assert.ok(JSON.stringify(propose({ schema })).length < 1_000);
  });
});

describe("An answer added to sandbox.json", () => {
  const stub = { request: "GET https://api.hub.example/user", body: { login: "ada" } };
  const bodyOf = ({ text, body }: ReturnType<typeof withStub>): unknown => JSON.parse(text.slice(body.start, body.end));

  it("a missing file is created", () => {
    for (const before of [undefined, "", " \n"]) {
      const added = withStub(before, "sandbox.json", stub);
      assert.deepEqual(JSON.parse(added.text), { answers: [stub] });
      assert.deepEqual(bodyOf(added), stub.body);
    }
  });

  eachCase("sandbox/cases/sandbox-files.json", fileCase, ({ title, before, first, last }) => {
    it(`a file with ${title} keeps its layout`, () => {
      const added = withStub(before, "sandbox.json", stub);
      assert.ok(added.text.startsWith(first) && added.text.endsWith(last), added.text);
      assert.deepEqual(JSON.parse(added.text).answers.at(-1), stub);
      assert.deepEqual(bodyOf(added), stub.body);
      assert.deepEqual(parseStubs(added.text, "sandbox.json").tokenLifetime, JSON.parse(before).tokenLifetime);
    });
  });

  it("a repeated answer is written once", () => {
    const once = withStub(undefined, "sandbox.json", stub);
    assert.deepEqual(withStub(once.text, "sandbox.json", { ...stub, body: {} }), once);
  });

  it("an invalid file is refused with the place", () => {
    assert.throws(
      () => withStub('{ "answers": [,] }', "sandbox.json", stub),
      (error: PackAuthError) => error.code === "sandbox-failed" && error.location?.line === 0,
    );
  });
});

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("hub.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
const Person = coda.makeObjectSchema({
  properties: { name: { type: coda.ValueType.String, fromKey: "full_name" }, born: { type: coda.ValueType.String, codaType: coda.ValueHintType.Date } },
  displayProperty: "name", idProperty: "name",
});
const get = async (context: coda.ExecutionContext, path: string) => (await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example" + path, cacheTtlSecs: 600 })).body;
pack.addFormula({
  name: "Old", description: "Names.", parameters: [], resultType: coda.ValueType.Array, items: Person,
  execute: async ([], context) => (await get(context, "/people?old=1")).people.filter((each: any) => each.born < "2027"),
});
pack.addFormula({
  name: "Email", description: "One.", parameters: [], resultType: coda.ValueType.String, examples: [{ params: [], result: "ada@hub.example" }],
  execute: async ([], context) => { const { email } = await get(context, "/me"); return email.toLowerCase(); },
});
pack.addSyncTable({
  name: "People", description: "All.", identityName: "Person", schema: Person,
  formula: {
    name: "SyncPeople", description: "All.", parameters: [],
    execute: async ([], context) => { const body = await get(context, "/all"); const result = []; for (const each of body.people) result.push(each); return { result, continuation: body.next ? { next: body.next } : undefined }; },
  },
});
`;

describe("Add an answer", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(removePackFiles);

  it("formulas and a table that fail on echoes succeed with answers; echoes are never cached", async () => {
    const { openedPack, account } = await connected(sandbox, packFiles({ "pack.ts": SOURCE }));
    const { formulas, syncTables } = openedPack.definition;
    const results: Record<string, unknown> = {};
    const { createFetchCache } = await import("../../../platform/requests/fetch-cache.ts");
    const options = { fetch, account, fetchCache: createFetchCache() };
    for (const { name, ...details } of [
      ...formulas.map((each) => ({ ...each, kind: "formula" as const })),
      { ...syncTables[0], name: "People", kind: "syncTable" as const, isTable: true },
    ]) {
      const target = { kind: details.kind, name };
      const failedReport = await run(openedPack, target, [], options);
      assert.equal(failedReport.outcome.status, "failed", name);
      const echoed = failedReport.requests.find((request) => request.echoed !== undefined);
      assert.ok(echoed, name);
      const file = stubsFilePath(openedPack.entry);
      const before = Object.keys(results).length === 0 ? undefined : readFileSync(file, "utf8");
      const error = failedReport.outcome.status === "failed" ? failedReport.outcome.error.message : "";
      writeFileSync(file, withStub(before, file, proposeStub(echoed, { ...details, error })).text);
      const { outcome } = await run(openedPack, target, [], options);
      results[name] = outcome.status === "succeeded" ? outcome.value : outcome;
    }
    const person = { Name: "sample full_name", Born: "2026-01-31" };
    assert.deepEqual(results, { Old: [person], Email: "ada@hub.example", People: [person] });
  });
});
