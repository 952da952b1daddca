// The choices of a field, if the API does not answer the request for them: a real pack process.
import assert from "node:assert/strict";
import { findChoices } from "../../../client/panel/choices.ts";
import { PackAuthError, wholeMessage } from "../../../platform/errors.ts";
import { worldOf } from "../../../platform/runs/run-world.ts";
import { RUN_PACK, runsOfSuite } from "../../support/run-pack.ts";

const SOURCE = `${RUN_PACK}
const parameter = (name: string, autocomplete: any) => coda.makeParameter({ type: coda.ParameterType.String, name, description: "", autocomplete });
const ask = (context: any) => get(context, "https://good.com/items");
formula("Find", () => "", { parameters: [
  parameter("thrown", ask),
  parameter("caught", (context: any) => ask(context).catch((error: any) => error.response ?? [])),
  parameter("none", async () => []),
] });
`;

describe("The choices of a field without an answer", function () {
  this.timeout(60_000);
  const suite = runsOfSuite(SOURCE);
  beforeEach(() => {
    suite.wire.respond = (_request, response) => void response.writeHead(404).end();
  });
  const choices = (parameter: string) =>
    findChoices(
      { kind: "formula", name: "Find", entry: suite.openedPack.entry },
      { type: "choices", field: parameter, parameter, search: "", fields: [] },
      "UTC",
      worldOf(suite.openedPack, suite.wire.fetch, { lookup: suite.wire.lookup }),
    );

  for (const parameter of ["thrown", "caught"])
    it(`an error of the API that is ${parameter} is explained by its request`, () =>
      assert.rejects(choices(parameter), (error: unknown) => {
        assert.ok(error instanceof PackAuthError);
        assert.match(wholeMessage(error), /There is nothing at GET https:\/\/good\.com\/items/);
        return true;
      }));

  it("a list that the API did not have to give may be empty", async () => assert.deepEqual(await choices("none"), []));

  it("a run says why there are no choices", async () => {
    const report = await suite.go({ kind: "autocomplete", formula: "Find", parameter: "caught", search: "", values: {} });
    assert.match(report.warnings?.map(({ message }) => message).join(" ") ?? "", /was answered with status 404\. There is nothing at GET/);
  });
});
