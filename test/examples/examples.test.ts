// The examples as an author would judge them: what the platform's upload takes and refuses, and what the editor says of the mistakes.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readStubs } from "../../platform/sandbox/stubs.ts";
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { closePacks, example, pack } from "../support/open-packs.ts";
import { root } from "../support/packs.ts";
import { uploadProblems } from "../support/validator.ts";

const names = readdirSync(join(root, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
  .map((entry) => entry.name);
const good = names.filter((name) => name !== "mistakes");

/** Every diagnostic of a pack's files: rule, file and 0-based line. */
function diagnosticsOf(name: string): readonly { readonly rule: string; readonly file: string; readonly line: number }[] {
  const folder = dirname(example(name));
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  const analysis = createAnalysis({
    readFile: (path) => (existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : undefined),
  });
  analysis.addCandidates(files.map((file) => join(folder, file)));
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return analysis
      .diagnostics(join(folder, file))
      .map(({ rule, place }) => ({ rule, file, line: text.slice(0, place.start).split("\n").length - 1 }));
  });
}

describe("The examples", function () {
  this.timeout(60_000);
  after(closePacks);

  it("the README has a line for each of the five examples", () => {
    assert.deepEqual([...good].sort(), ["crm-set-endpoint", "custom-placeholders", "todo-oauth2", "weather-bearer"]);
    const readme = readFileSync(join(root, "examples/README.md"), "utf8");
    for (const name of names) assert.ok(readme.includes(`\`${name}\``), `examples/README.md does not name ${name}`);
  });

  for (const name of good) {
    it(`${name} passes the toolkit's upload validator and has no diagnostics`, async () => {
      assert.deepEqual(await uploadProblems(example(name)), []);
      // What the platform has to approve is right too.
      assert.deepEqual(
        diagnosticsOf(name).filter(({ rule }) => rule !== "approval-needed"),
        [],
      );
    });

    it(`${name} has sandbox answers under its own domains only`, async () => {
      const { answers } = readStubs(join(dirname(example(name)), "sandbox.json"));
      assert.ok(answers.length > 0);
      const { definition } = await pack(example(name));
      for (const { request } of answers) {
        const host = /https:\/\/([^/]+)/.exec(request)?.[1] ?? "";
        assert.ok(
          definition.networkDomains.some((domain) => host.endsWith(domain)),
          `${request} is outside ${definition.networkDomains.join()}`,
        );
      }
    });
  }

  it("the example “mistakes” fails the upload validator, with a diagnostic under each comment", async () => {
    const uploadErrors = await uploadProblems(example("mistakes")).catch((error: unknown) => [{ message: String(error) }]);
    assert.notDeepEqual(uploadErrors, []);
    const diagnostics = diagnosticsOf("mistakes");
    const lines = readFileSync(example("mistakes"), "utf8").split("\n");
    const marked = lines.flatMap((line, index) => (index > 0 && /^\s*\/\/ /.test(line) ? [index + 1] : []));
    assert.ok(marked.length >= 3);
    for (const line of marked)
      assert.ok(
        diagnostics.some((one) => one.file === "pack.ts" && one.line === line),
        `line ${line + 1}: ${lines[line]}`,
      );
    assert.equal(diagnostics.length, marked.length, JSON.stringify(diagnostics));
  });
});
