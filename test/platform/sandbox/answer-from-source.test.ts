// *Add an answer* where the pack's code reads more of the answer than the result's schema says, or something else: with what the source
// reads, the run that an echo made fail gives a result.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type ExpectedResult, expectedResult, proposeStub } from "../../../platform/sandbox/propose-stub.ts";
import { stubsFilePath } from "../../../platform/sandbox/stubs.ts";
import { withStub } from "../../../platform/sandbox/with-stub.ts";
import type { ResponseShape } from "../../../protocol/run.ts";
import { findResponseReads } from "../../../server/analysis/responses/response-reads.ts";
import { connected } from "../../support/connected.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";

const PERSON = { type: "object", properties: { Name: { type: "string", fromKey: "full_name" }, Age: { type: "number", fromKey: "age" } } };

describe("The body proposed from the source's reads", () => {
  const bodies: readonly (readonly [
    what: string,
    reads: ResponseShape,
    expected: ExpectedResult,
    fields: readonly string[],
    body: unknown,
  ])[] = [
    [
      "the body has the fields of the item that the code looks for",
      { items: { fields: { primary: { value: true }, email: { whole: true } } } },
      { resultType: "string" },
      ["find"],
      [{ primary: true, email: "sample email" }],
    ],
    [
      "the body has the fields that the code converts, not the result",
      { fields: { user: { fields: { first: { becomes: "full_name" }, years: { becomes: "age" }, site: {} } } } },
      { schema: PERSON },
      ["user"],
      { user: { first: "sample full_name", years: 1, site: "sample site" } },
    ],
    [
      "the body has the result where the code returns it unchanged, and other fields read",
      { fields: { data: { items: { whole: true, fields: { head: { fields: { repo: {} } } } } }, next: {} } },
      { schema: PERSON, isTable: true },
      ["data", "total"],
      { total: "sample total", data: [{ full_name: "sample full_name", age: 1, head: { repo: "sample repo" } }], next: null },
    ],
    [
      "the body has each row of an example",
      { fields: { rows: { whole: true, items: { fields: { age: { value: true } } } } } },
      { schema: { type: "array", items: PERSON }, examples: [{ result: [{ Name: "Ada" }, { Name: "Bob" }] }] },
      [],
      {
        rows: [
          { full_name: "Ada", age: 1 },
          { full_name: "Bob", age: 1 },
        ],
      },
    ],
    [
      "the body has the types that the code expects over those of the result",
      {
        items: {
          fields: {
            tags: { items: { type: "string" } },
            price: { type: "number" },
            has_more: { type: "number" },
            updated: { type: "date" },
            age: { type: "string" },
          },
        },
      },
      { schema: PERSON, isTable: true },
      [],
      [{ tags: ["sample tags"], price: 1, has_more: null, updated: "2026-01-31T09:30:00Z", age: "1" }],
    ],
    [
      "the body has the result's value at the depth where the code reads it",
      { fields: { full_name: { fields: { short: { becomes: "full_name" }, long: {} } } } },
      { schema: PERSON },
      ["full_name"],
      { full_name: { short: "sample full_name", long: "sample long" } },
    ],
    [
      "the body has no error that the code throws for, and its required fields",
      { fields: { error: { absent: true, fields: { message: {} } }, ok: { value: true }, name: { whole: true } } },
      { resultType: "string" },
      ["error"],
      { ok: true, name: "sample name" },
    ],
  ];
  for (const [what, reads, expected, fields, body] of bodies)
    it(what, () =>
      assert.deepEqual(
        proposeStub(
          { method: "GET", url: "https://api.hub.example/", echoed: { message: "", fields } },
          { ...expected, reads: { body: reads } },
        ).body,
        body,
      ),
    );
});

describe("The status proposed from the source", () => {
  const propose = (status: number) =>
    proposeStub({ method: "PUT", url: "https://api.hub.example/" }, { resultType: "string", reads: { status } });

  it("the answer has the expected status, and no body for 204", () => {
    assert.deepEqual(propose(201), { request: "PUT https://api.hub.example/", status: 201, body: "sample" });
    assert.deepEqual(propose(204), { request: "PUT https://api.hub.example/", status: 204 });
  });
});

const ENTRY = `import * as coda from "@codahq/packs-sdk";
import { get } from "./get";
export const pack = coda.newPack();
pack.addNetworkDomain("hub.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
const Card = coda.makeObjectSchema({ properties: { title: { type: coda.ValueType.String }, open: { type: coda.ValueType.Number } } });
pack.addFormula({
  name: "UserEmail", description: "One.", parameters: [], resultType: coda.ValueType.String,
  execute: async function ([_index], context) {
    const result = await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example/user/emails" });
    return result.body.find((emailObject: any) => emailObject.primary).email;
  },
});
pack.addFormula({
  name: "Cards", description: "All.", parameters: [], resultType: coda.ValueType.Array, items: Card,
  execute: async ([], context) => {
    const { board } = await get(context, "/board");
    return board.lists.flatMap((list: any) => list.cards.map((card: any) => ({ title: card.name.toUpperCase(), open: card.badges.open })));
  },
});
`;
const HELPER = `import type * as coda from "@codahq/packs-sdk";
export async function get(context: coda.ExecutionContext, path: string): Promise<any> {
  const response = await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example" + path });
  if (response.body.error) throw new Error(response.body.error.message);
  return response.body;
}
`;

describe("Add an answer, from the source's reads", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(removePackFiles);

  it("formulas that reshape a response succeed with the proposed answers", async () => {
    const { openedPack, account } = await connected(sandbox, packFiles({ "pack.ts": ENTRY, "get.ts": HELPER }));
    const results: Record<string, unknown> = {};
    const file = stubsFilePath(openedPack.entry);
    writeFileSync(file, "{}");
    for (const { name } of openedPack.definition.formulas) {
      const failedReport = await run(openedPack, { kind: "formula", name }, [], { fetch, account });
      assert.equal(failedReport.outcome.status, "failed", name);
      const request = failedReport.requests.find(({ echoed }) => echoed !== undefined);
      const reads = findResponseReads((path) => readFileSync(path, "utf8"), request?.echoed?.calls ?? []);
      assert.ok(request !== undefined && reads !== undefined, name);
      const stub = proposeStub(request, { ...expectedResult(failedReport, openedPack.definition), reads });
      writeFileSync(file, withStub(readFileSync(file, "utf8"), file, stub).text);
      const { outcome } = await run(openedPack, { kind: "formula", name }, [], { fetch, account });
      results[name] = outcome.status === "succeeded" ? outcome.value : outcome;
    }
    assert.deepEqual(results, { UserEmail: "sample email", Cards: [{ Title: "SAMPLE NAME", Open: 1 }] });
  });
});
