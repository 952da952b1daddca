// *Add an answer* where the pack's code reads more of the answer than the result's schema says, or something else: with what the source
// reads, the run that an echo made fail gives a result.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { type ExpectedResult, expectedResult, proposeStub } from "../../../platform/sandbox/propose-stub.ts";
import { stubsFilePath } from "../../../platform/sandbox/stubs.ts";
import { withStub } from "../../../platform/sandbox/with-stub.ts";
import type { ResponseShape } from "../../../protocol/run.ts";
import { findResponseReads } from "../../../server/analysis/responses/response-reads.ts";
import { connected } from "../../support/connected.ts";
import { eachCase } from "../../support/json-cases.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";

const bodyCase = z.strictObject({
  title: z.string(),
  reads: z.custom<ResponseShape>(),
  expected: z.custom<ExpectedResult>(),
  fields: z.array(z.string()),
  body: z.unknown(),
});

describe("The body proposed from the source's reads", () => {
  eachCase("sandbox/cases/bodies-from-source.json", bodyCase, ({ title, reads, expected, fields, body }) => {
    it(title, () =>
      assert.deepEqual(
        proposeStub(
          { method: "GET", url: "https://api.hub.example/", echoed: { message: "", fields } },
          { ...expected, reads: { body: reads } },
        ).body,
        body,
      ),
    );
  });
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
