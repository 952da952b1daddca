// A new pack of each type: nothing to say of it, for the editor, the compiler and the platform's upload, and it runs in the sandbox.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { NEW_FORMULA, NEW_PACK_TYPES, newPack } from "../../platform/pack-template.ts";
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { AUTH_TYPES } from "../../spec/auth-types.ts";
import { connected } from "../support/connected.ts";
import { pack, sandboxOfSuite } from "../support/open-packs.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { root } from "../support/packs.ts";
import { run } from "../support/run.ts";
import { uploadProblems } from "../support/validator.ts";

describe("New packs", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(removePackFiles);

  it("a new pack is offered for each connectable type, the most common first", () => {
    const offered = Object.values(AUTH_TYPES).filter(({ isHidden, name }) => isHidden !== true && name !== "CodaApiHeaderBearerToken");
    assert.deepEqual([...NEW_PACK_TYPES].sort(), offered.map(({ name }) => name).sort());
    assert.deepEqual(NEW_PACK_TYPES.slice(0, 2), ["HeaderBearerToken", "OAuth2"]);
  });

  it("lines of a new pack have at most 100 characters", () => {
    for (const type of NEW_PACK_TYPES)
      for (const text of Object.values(newPack(type, "acme")))
        assert.deepEqual(
          text.split("\n").filter((line) => line.length > 100),
          [],
        );
  });

  for (const type of NEW_PACK_TYPES)
    it(`a new pack of ${type} has no mistakes, can be uploaded and runs`, async () => {
      const entry = packFiles(newPack(type, "acme"));
      const analysis = createAnalysis({
        readFile: (path) => (existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : undefined),
      });
      analysis.addCandidates([entry]);
      // What the platform has to approve is right, too.
      const mistakes = analysis.diagnostics(entry).filter(({ rule }) => rule !== "approval-needed");
      assert.deepEqual(
        mistakes.map(({ rule, message }) => `${rule}: ${message}`),
        [],
      );
      assert.deepEqual(await uploadProblems(entry), []);
      if (type === "None") {
        const report = await run(await pack(entry), { kind: "formula", name: NEW_FORMULA }, ["Hello"], { fetch });
        assert.deepEqual([report.outcome.status === "succeeded" && report.outcome.value, report.requests], ["Hello, world!", []]);
        return;
      }
      const { savedAccount, call } = await connected(sandbox, entry);
      assert.equal(savedAccount.label, "Alice");
      const report = await call(NEW_FORMULA, "Hello");
      assert.equal(report.outcome.status === "succeeded" && report.outcome.value, "Hello, Alice!", JSON.stringify(report.outcome));
    });

  it("a new pack of any type compiles", () => {
    const entry = packFiles(
      Object.assign(
        {},
        ...NEW_PACK_TYPES.map((type) => ({ ...newPack(type, "acme"), [`${type}/pack.ts`]: newPack(type, "acme")["pack.ts"] })),
      ),
    );
    const { status, stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", dirname(entry)], {
      encoding: "utf8",
    });
    assert.deepEqual([stdout, status], ["", 0]);
  });
});
