// MCP servers, judged by the toolkit's own upload validator and by us: an error where it rejects, and none where it accepts.
import assert from "node:assert/strict";
import { z } from "zod";
import { analyse } from "../support/analyse.ts";
import { readTable } from "../support/json-cases.ts";
import { uploadProblemsOfSource } from "../support/validator.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
`;

const SOURCES = readTable("test/mutants/cases/mcp-servers.json", z.array(z.string()));

describe("MCP servers, judged by the upload validator", function () {
  this.timeout(120_000);

  it("the sources are at least sixty", () => assert.ok(SOURCES.length >= 60));

  for (const [index, body] of SOURCES.entries()) {
    it(`source ${index + 1} is judged as by the validator: ${body
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith('pack.addNetworkDomain("acme'))
      .join(" ")
      .slice(0, 150)}`, async () => {
      const problems = await uploadProblemsOfSource(HEAD + body);
      const errors = analyse({ "/pack/pack.ts": HEAD + body }, { toolkit: true })
        .diagnostics("/pack/pack.ts")
        .filter(({ severity }) => severity === "error")
        .map(({ rule, message }) => `${rule}: ${message}`);
      assert.equal(errors.length > 0, problems.length > 0, `the validator: ${JSON.stringify(problems)}; ours: ${JSON.stringify(errors)}`);
    });
  }
});
