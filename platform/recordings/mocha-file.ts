// A saved test as a file for mocha, which uses the SDK's own test helpers and does not need Pack Auth. The code is the same for every test.
// The recording stays in the JSON file beside it, so that no recorded text becomes code.

import { isXmlType } from "../bodies/response-body.ts";
import { PackAuthError } from "../errors.ts";
import { type SavedTest, TEST_ENDING } from "./saved-test.ts";

/** Returns the path of the mocha file beside a test. */
export const mochaFileOf = (testFile: string): string => `${testFile.slice(0, -TEST_ENDING.length)}.packauth.test.cjs`;

/** Throws recording-refused if the SDK's helpers cannot replay the test. */
export function refuseForMocha({ target, requests }: SavedTest): void {
  const refuse = (why: string): never => {
    throw new PackAuthError("recording-refused", `There is no mocha file for this test: ${why}.`, {
      hint: "Run the test itself with pack-auth test.",
    });
  };
  if ((target.kind !== "formula" && target.kind !== "syncTable") || ("dynamicUrl" in target && target.dynamicUrl !== undefined))
    refuse("it takes a formula, or a table that is not dynamic");
  const odd = requests.find(
    ({ binary, response }) => isXmlType(response.headers["content-type"] ?? "") || (binary !== true && "base64" in response),
  );
  if (odd !== undefined) refuse(`the Packs SDK's mocks do not parse the answer of ${odd.method} ${odd.url}`);
}

export const MOCHA_FILE = String.raw`// Made by pack-auth run --with-mocha: the test in the JSON file beside this one, with the Packs SDK's own mocks. Run it with npx mocha.
const assert = require("node:assert/strict");
const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { basename, join } = require("node:path");
const { StatusCodeError } = require("@codahq/packs-sdk");
const { importManifest } = require("@codahq/packs-sdk/dist/cli/helpers");
const testing = require("@codahq/packs-sdk/dist/development");
const { compilePackBundle } = require("@codahq/packs-sdk/dist/testing/compile");

const name = basename(__filename, ".test.cjs");
const test = require("./" + name + ".json");

/** Each request of the pack with the answer that its redirects ended with. */
const recorded = [];
for (const { redirected, response, asked, ...request } of test.requests)
  if (redirected) recorded.at(-1).response = response;
  else recorded.push({ method: request.method, url: asked ?? request.url, response });

const stable = (url) => {
  const [address, query = ""] = url.split(/\?(.*)/s, 2);
  const fields = [...new URLSearchParams(query)].filter(([field]) => !(test.volatile.query ?? []).includes(field));
  return address + "?" + new URLSearchParams(fields);
};

const valueOf = (parameter) =>
  Array.isArray(parameter)
    ? parameter.map(valueOf)
    : parameter === null
      ? undefined
      : typeof parameter === "object" && typeof parameter.$date === "string"
        ? new Date(parameter.$date)
        : parameter;

const bodyOf = (response) =>
  "json" in response ? response.json : "base64" in response ? Buffer.from(response.base64, "base64") : response.text;

/** As JSON has it, without what may be another each time. */
function compared(value) {
  const copy = JSON.parse(JSON.stringify({ value: value ?? null }));
  for (const pointer of test.volatile.result ?? []) {
    const path = ("/value" + pointer).split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = path.pop();
    const parent = path.reduce((each, part) => each?.[part], copy);
    if (parent !== null && typeof parent === "object") parent[last] = null;
  }
  return copy.value;
}

describe(name, function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), "pack-test-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("does what was recorded", async () => {
    const { bundlePath } = await compilePackBundle({
      manifestPath: join(__dirname, test.pack),
      minify: false,
      outputDirectory: folder,
      intermediateOutputDirectory: folder,
    });
    const pack = await importManifest(bundlePath);
    const isTable = test.target.kind === "syncTable";
    const context = (isTable ? testing.newMockSyncExecutionContext : testing.newMockExecutionContext)({
      timezone: test.timezone,
      endpoint: test.account?.endpoint,
    });
    const left = [...recorded];
    context.fetcher.fetch.callsFake(async (request) => {
      const url = stable(request.url.replaceAll(context.invocationToken, "TOKEN"));
      const index = left.findIndex((each) => each.method === request.method && stable(each.url) === url);
      assert.notEqual(index, -1, request.method + " " + url + " was not recorded.");
      const [{ response }] = left.splice(index, 1);
      const { status, headers } = response;
      const body = bodyOf(response);
      if (status >= 400) throw new StatusCodeError(status, body, request, { body, headers });
      return { status, headers, body };
    });
    const parameters = test.parameters.map(valueOf);
    const options = { validateParams: false, validateResult: false };
    const run = isTable
      ? testing.executeSyncFormulaFromPackDef(pack, test.target.name, parameters, context, options)
      : testing.executeFormulaFromPackDef(pack, test.target.name, parameters, context, options);
    if (test.outcome.status === "failed") await assert.rejects(run);
    else {
      const value = await run;
      // Newer toolkits give the rows of a table beside other things.
      assert.deepEqual(compared(isTable && !Array.isArray(value) ? value.result : value), compared(test.outcome.value));
    }
    assert.deepEqual(left.map(({ method, url }) => method + " " + url), [], "recorded, and did not come");
  });
});
`;
