// *Add an answer*: from a request that the sandbox echoed to an answer in sandbox.json, and from that to a result.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import type { PackAuthError } from "../../../platform/errors.ts";
import { type ExpectedResult, proposeStub } from "../../../platform/sandbox/propose-stub.ts";
import { parseStubs, stubsFilePath } from "../../../platform/sandbox/stubs.ts";
import { withStub } from "../../../platform/sandbox/with-stub.ts";
import { connected } from "../../support/connected.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";

const PERSON = {
  type: "object",
  properties: {
    Name: { type: "string", fromKey: "full_name" },
    Site: { type: "string", codaType: "url", fromKey: "site" },
    Tags: { type: "array", items: { type: "string" }, fromKey: "tags" },
  },
};
const PERSON_SAMPLE = { full_name: "sample full_name", site: "https://example.com/1", tags: ["sample tags"] };

const propose = (expected: ExpectedResult, fields: readonly string[] = [], url = "https://api.hub.example/user") =>
  proposeStub({ method: "GET", url, echoed: { message: "", fields } }, expected);

describe("A proposed answer", () => {
  const requests: readonly (readonly [what: string, url: string, expected: string])[] = [
    ["the URL with its query", "https://api.hub.example/a?b=1&c=%20", "GET https://api.hub.example/a?b=1&c=%20"],
    ["no credential parameter", "https://api.hub.example/a?key=••••&b=1", "GET https://api.hub.example/a?b=1"],
    ["a wildcard for a credential in the path", "https://api.hub.example/bot••••/me", "GET https://api.hub.example/bot*/me"],
    ["a wildcard for a credential in the host", "https://••••.hub.example/", "GET https://*.hub.example/"],
  ];
  for (const [what, url, expected] of requests)
    it(`the request of the answer has ${what}`, () => {
      const stub = propose({}, [], url);
      assert.equal(stub.request, expected);
      parseStubs(JSON.stringify({ answers: [stub] }), "sandbox.json");
    });

  const reading = "Cannot read properties of undefined (reading 'filter')";
  const bodies: readonly (readonly [what: string, expected: ExpectedResult, fields: readonly string[], body: unknown])[] = [
    ["no information", {}, [], {}],
    ["the schema, under the pack's own keys", { schema: PERSON }, [], PERSON_SAMPLE],
    ["the schema of a list", { schema: { type: "array", items: PERSON } }, [], [PERSON_SAMPLE]],
    ["the schema of a table's row", { schema: PERSON, isTable: true }, ["map"], [PERSON_SAMPLE]],
    [
      "an example completed by the schema",
      { schema: PERSON, examples: [{ result: { Name: "Ada" } }] },
      [],
      { ...PERSON_SAMPLE, full_name: "Ada" },
    ],
    [
      "a scalar that the pack reads from a field",
      { resultType: "string", examples: [{ result: "a@hub.example" }] },
      ["email"],
      { email: "a@hub.example" },
    ],
    ["a list that the pack looks through", { resultType: "string" }, ["find"], [{}]],
    [
      "a list under the field read",
      { schema: PERSON, isTable: true, error: reading },
      ["next", "items"],
      { next: null, items: [PERSON_SAMPLE] },
    ],
    [
      "a list that was iterated",
      { schema: PERSON, isTable: true, error: "response.body.items is not iterable" },
      ["items"],
      { items: [PERSON_SAMPLE] },
    ],
    [
      "an object under the field read",
      { schema: PERSON, error: reading.replace("filter", "full_name") },
      ["data"],
      { data: PERSON_SAMPLE },
    ],
    ["a text whose method was called", { resultType: "string", error: reading.replace("filter", "trim") }, ["name"], { name: "sample" }],
    ["a text deeper in", { resultType: "string", error: reading.replace("filter", "email") }, ["user"], { user: { email: "sample" } }],
    ["the fields that the pack read", { resultType: "object" }, ["id", "title"], { id: "sample id", title: "sample title" }],
  ];
  for (const [what, expected, fields, body] of bodies)
    it(`the body of the answer comes from ${what}`, () => assert.deepEqual(propose(expected, fields).body, body));

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

  const files: readonly (readonly [what: string, before: string, first: string, last: string])[] = [
    ["no answers", '{ "tokenLifetime": 60 }\n', "{", ' "tokenLifetime": 60 }\n'],
    ["an empty list", '{\n  "answers": [],\n  "tokenLifetime": 60\n}', '{\n  "answers": [', '],\n  "tokenLifetime": 60\n}'],
    [
      "one in a line",
      '{ "answers": [{ "request": "GET https://a.example/" }] }',
      '{ "answers": [{ "request": "GET https://a.example/" }',
      "] }",
    ],
    [
      "tabs and its own layout",
      '{\n\t"answers": [\n\t\t{ "request": "GET https://a.example/", "body": [ 1,2 ] }\n\t]\n}\n',
      '{\n\t"answers": [\n\t\t{ "request": "GET https://a.example/", "body": [ 1,2 ] },\n\t\t{\n\t\t\t"request": "GET https://api',
      "\t\t}\n\t]\n}\n",
    ],
    ["lines of Windows", '{\r\n  "answers": []\r\n}', '{\r\n  "answers": [\r\n    {\r\n      "request"', "\r\n}"],
  ];
  for (const [what, before, first, last] of files)
    it(`a file with ${what} keeps its layout`, () => {
      const added = withStub(before, "sandbox.json", stub);
      assert.ok(added.text.startsWith(first) && added.text.endsWith(last), added.text);
      assert.deepEqual(JSON.parse(added.text).answers.at(-1), stub);
      assert.deepEqual(bodyOf(added), stub.body);
      assert.deepEqual(parseStubs(added.text, "sandbox.json").tokenLifetime, JSON.parse(before).tokenLifetime);
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
