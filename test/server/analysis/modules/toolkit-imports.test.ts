// What is inserted names the toolkit as the file does, and imports what the file does not have yet.
import assert from "node:assert/strict";
import { z } from "zod";
import { createDraft } from "../../../../server/analysis/draft.ts";
import { refactoringsAt } from "../../../../server/analysis/features/refactorings/refactorings.ts";
import { parses } from "../../../../server/analysis/text/parse.ts";
import { analyse, apply, split } from "../../../support/analyse.ts";
import { complete } from "../../../support/complete.ts";
import { readTable } from "../../../support/json-cases.ts";

const FILE = "/pack/pack.ts";
const rest = (type: string, more = ""): string =>
  `export const pack = newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: ${type}, defaultConnectionRequirement: ${more} });\n`;

describe("toolkit names in inserted code", () => {
  const CASES = readTable(
    "test/server/analysis/modules/cases/toolkit-imports.json",
    z.record(z.string(), z.tuple([z.string(), z.string(), z.string().optional()])),
  );
  for (const [name, [before, after, local = "ConnectionRequirement"]] of Object.entries(CASES)) {
    it(`the completion imports what it needs: ${name}`, () => {
      const { chosen } = complete(before + rest("AuthenticationType.WebBasic", "|"));
      assert.equal(chosen(`${local}.Optional`), after + rest("AuthenticationType.WebBasic", `${local}.Optional`));
    });
    it(`the fix imports what it needs: ${name}`, () => {
      const files = split(before + rest("AuthenticationType.WebBasic", '"Optional"'));
      const fix = analyse(files)
        .diagnostics(FILE)
        .find(({ rule }) => rule === "requirement-unknown" || rule === "field-type")?.fixes[0];
      assert.ok(fix);
      const fixed = apply(files, fix)[FILE] ?? "";
      assert.equal(fixed, after + rest("AuthenticationType.WebBasic", `${local}.Optional`));
      assert.ok(parses(FILE, fixed));
    });
  }

  it("a file that imports nothing of the toolkit gets its own import", () => {
    const marked = `// @file: pack.ts\nimport { newPack, AuthenticationType } from "@codahq/packs-sdk";\nimport { config } from "./config";\nexport const pack = newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication(config);\nAuthenticationType;\n// @file: config.ts\nexport const config = { type: | };\n`;
    assert.equal(
      complete(marked).chosen("AuthenticationType.WebBasic"),
      'import { AuthenticationType } from "@codahq/packs-sdk";\nexport const config = { type: AuthenticationType.WebBasic };\n',
    );
  });

  for (const [file, expectedText] of [
    ["/p/pack.js", "{ type: 'AWSAccessKey', service: "],
    // It takes no text for a member of an enum.
    ["/p/pack.ts", "{ type: AuthenticationType.AWSAccessKey, service: "],
  ] as const)
    it(`a type written as a string changes to ${expectedText}… in ${file}`, () => {
      const source = `import { AuthenticationType, newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: 'WebBasic' });\n`;
      const analysis = analyse({ [file]: source });
      const offset = source.indexOf("type:");
      const change = refactoringsAt(analysis, file, offset).find(({ title }) => title === "Change the type to AWSAccessKey");
      const edits = change?.edits(() => createDraft(analysis, file, () => {})) ?? [];
      assert.ok((apply({ [file]: source }, { title: "", edits })[file] ?? "").includes(expectedText));
    });

  it("an unknown type changes to one that fits the fields, with its import", () => {
    const files = {
      [FILE]: `import { newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: "Token", headerName: "X-Key" });\n`,
    };
    const [diagnostic] = analyse(files).diagnostics(FILE);
    assert.equal(diagnostic?.rule, "auth-type-unknown");
    const fix = diagnostic.fixes[0];
    assert.ok(fix);
    assert.equal(
      apply(files, fix)[FILE],
      files[FILE].replace("{ newPack }", "{ newPack, AuthenticationType }").replace('"Token"', "AuthenticationType.CustomHeaderToken"),
    );
  });
});
