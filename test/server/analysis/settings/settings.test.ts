// `.packauthrc.json`: what it sets, for which files, and what is said where it is wrong.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import { z } from "zod";
import { RULES } from "../../../../server/analysis/rules/index.ts";
import { readSettingsFile } from "../../../../server/analysis/settings/settings-file.ts";
import { analyse, type Files } from "../../../support/analyse.ts";
import { pattern, readTable } from "../../../support/json-cases.ts";
import { root } from "../../../support/packs.ts";

const ids = RULES.map((rule) => rule.id);
const pack = (module = "@codahq/packs-sdk"): string =>
  `import * as coda from "${module}";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });\n`;
const rc = (settings: unknown): string => JSON.stringify(settings);

const findingsIn = (files: Files, path: string): string[] =>
  analyse(files)
    .diagnostics(path)
    .map(({ rule, severity }) => `${severity} ${rule}`);

describe("settings files", () => {
  it("the nearest settings file sets severities for the files below it", () => {
    const files = {
      "/repo/.packauthrc.json": rc({ rules: { "auth-type-unknown": "warning" } }),
      "/repo/a/pack.ts": pack(),
      "/repo/b/.packauthrc.json": rc({ rules: { "auth-type-unknown": "off" } }),
      "/repo/b/src/pack.ts": pack(),
      "/repo/c/.packauthrc.json": rc({}),
      "/repo/c/pack.ts": pack(),
      "/elsewhere/pack.ts": pack(),
    };
    assert.deepEqual(findingsIn(files, "/repo/a/pack.ts"), ["warning auth-type-unknown"]);
    assert.deepEqual(findingsIn(files, "/repo/b/src/pack.ts"), []);
    assert.deepEqual(findingsIn(files, "/repo/c/pack.ts"), ["error auth-type-unknown"]);
    assert.deepEqual(findingsIn(files, "/elsewhere/pack.ts"), ["error auth-type-unknown"]);
  });

  it("settings that nest 100,000 levels deep are flagged and set nothing", () => {
    for (const text of [`{ "ignore": ${"[".repeat(100_000)}${"]".repeat(100_000)} }`, "[".repeat(100_000)]) {
      const { settings, problems } = readSettingsFile(text, ids);
      assert.deepEqual(settings, { rules: {}, ignore: [] });
      assert.deepEqual(
        problems.map(({ message }) => message),
        ["The settings nest more than 1100 levels deep."],
      );
    }
  });

  it("settings add modules of the toolkit", () => {
    const settings = rc({ toolkitModules: ["@acme/packs"] });
    assert.deepEqual(findingsIn({ "/a/.packauthrc.json": settings, "/a/pack.ts": pack("@acme/packs") }, "/a/pack.ts"), [
      "error auth-type-unknown",
    ]);
    assert.deepEqual(findingsIn({ "/a/.packauthrc.json": settings, "/a/pack.ts": pack() }, "/a/pack.ts"), []);
    assert.deepEqual(findingsIn({ "/a/pack.ts": pack("@acme/packs") }, "/a/pack.ts"), []);
  });

  it("settings leave files out by globs", () => {
    const ignoredBy = (ignore: string[], path: string): boolean =>
      analyse({ "/a/.packauthrc.json": rc({ ignore }), [`/a/${path}`]: pack() }).diagnostics(`/a/${path}`).length === 0;
    for (const [glob, path, expected] of readTable(
      "test/server/analysis/settings/cases/ignored-files.json",
      z.array(z.tuple([z.string(), z.string(), z.boolean()])),
    ))
      assert.equal(ignoredBy([glob], path), expected, `${glob} ${path}`);
  });

  it("settings of the host take precedence over the file", () => {
    const analysis = analyse({
      "/a/.packauthrc.json": rc({ rules: { "auth-type-unknown": "off" }, toolkitModules: ["other"] }),
      "/a/pack.ts": pack(),
    });
    assert.deepEqual(analysis.diagnostics("/a/pack.ts"), []);
    analysis.configure({ rules: { "auth-type-unknown": "information", "toolkit-missing": "off" }, toolkitModules: ["@codahq/packs-sdk"] });
    assert.deepEqual(
      analysis.diagnostics("/a/pack.ts").map(({ severity }) => severity),
      ["information"],
    );
    analysis.configure((path) =>
      path.startsWith("/a/") ? { rules: { "toolkit-missing": "off" }, toolkitModules: ["@codahq/packs-sdk"] } : {},
    );
    assert.deepEqual(analysis.diagnostics("/a/pack.ts"), []);
  });

  it("changed settings take effect", () => {
    const files: Record<string, string> = { "/a/pack.ts": pack("other") };
    const analysis = analyse(files);
    const rules = (): string[] => analysis.diagnostics("/a/pack.ts").map(({ rule }) => rule);
    assert.deepEqual(rules(), []);
    files["/a/.packauthrc.json"] = rc({ toolkitModules: ["other"] });
    analysis.filesChanged(["/a/.packauthrc.json"]);
    assert.deepEqual(rules(), ["auth-type-unknown"]);
    analysis.open("/a/.packauthrc.json", rc({ ignore: ["pack.ts"] }));
    assert.deepEqual(rules(), []);
    analysis.close("/a/.packauthrc.json");
    assert.deepEqual(rules(), ["auth-type-unknown"]);
    delete files["/a/.packauthrc.json"];
    analysis.filesChanged(["/a/.packauthrc.json"]);
    assert.deepEqual(rules(), []);
  });

  for (const [text, flagged, message] of readTable(
    "test/server/analysis/settings/cases/wrong-settings.json",
    z.array(z.tuple([z.string(), z.string(), pattern])),
  ))
    it(`the problem in ${text || "an empty file"} is located`, () => {
      const { problems } = readSettingsFile(text, ids);
      assert.equal(problems.length, 1);
      assert.equal(text.slice(problems[0]?.start, problems[0]?.end), flagged);
      assert.match(problems[0]?.message ?? "", message);
    });

  it("valid settings apply beside invalid ones, with comments, trailing commas and a BOM", () => {
    const { settings, problems } = readSettingsFile(
      '\ufeff{ // why\n "rules": { "auth-type-unknown": "off", "nothing-like-it": "off", }, "ignore": ["x"], ',
      ids,
    );
    assert.deepEqual(settings, { rules: { "auth-type-unknown": "off" }, ignore: ["x"] });
    assert.equal(problems.length, 2);
    assert.deepEqual(readSettingsFile('\ufeff{ /* a */ "rules": {}, }', ids).problems, []);
  });

  it("the schema accepts exactly the settings that the reader accepts", () => {
    const schema = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(join(root, "schemas/packauthrc.schema.json"), "utf8")));
    const text = fc.constantFrom("", " ", "a", "x/**", "off", "error", "warn", ...ids.slice(0, 3));
    const value: fc.Arbitrary<unknown> = fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text, { maxLength: 3 }));
    const settings = fc.dictionary(
      fc.constantFrom("rules", "toolkitModules", "ignore", "$schema", "rule"),
      fc.oneof(value, fc.dictionary(fc.constantFrom("x", ...ids.slice(0, 3)), fc.oneof(text, fc.integer()), { maxKeys: 3 })),
    );
    fc.assert(
      fc.property(fc.oneof(settings, value), (input) => {
        // The schema is for people who write the file: what $schema holds does not matter to us.
        if (typeof input === "object" && input !== null && "$schema" in input) input.$schema = "x";
        const { problems } = readSettingsFile(JSON.stringify(input), ids);
        assert.equal(problems.length === 0, schema(input), JSON.stringify({ input, problems, errors: schema.errors }));
      }),
      { numRuns: 500 },
    );
  });

  const liesInside = (text: string): void => {
    for (const { start, end } of readSettingsFile(text, ids).problems)
      assert.ok(0 <= start && start <= end && end <= text.length, `${start} to ${end} of ${JSON.stringify(text)}`);
  };

  it("problems are located inside the file while it is typed", () => {
    const whole = '{ "toolkitModules": [], "ignore": [7, ["a"]], "rules": [{ "a": "b" }], "rule": { "a": [1] } } /* end */';
    for (let length = 0; length <= whole.length; length++)
      for (const end of ["", "/", "/*", " /*", '"', "\\", "["]) liesInside(whole.slice(0, length) + end);
  });

  it("the reader never throws, whatever the file contains", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((text) => `{"rules":{${text}`),
        ),
        liesInside,
      ),
      { numRuns: 500 },
    );
  });
});
