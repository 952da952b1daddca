// What is wrong with a configuration is found where it stands in another file, and said there: in TypeScript behind an import, an index and
// a function, in JavaScript behind `require`. The pack is bundled, and the upload validator says the same of it.
import assert from "node:assert/strict";
import { z } from "zod";
import { analyse, type Files } from "../../support/analyse.ts";
import { readTable } from "../../support/json-cases.ts";
import { problemsOf } from "../../support/judged.ts";

const DOMAIN = 'pack.addNetworkDomain("acme.example");\n';
const SET = `${DOMAIN}pack.setUserAuthentication(AUTH);\n`;

const sample = z.strictObject({
  /** The rules that speak; none of what is right. */
  errors: z.array(z.string()),
  /** The upload takes it: it fails when somebody signs in. */
  isAccepted: z.boolean().default(false),
  /** What the other file exports as AUTH. */
  auth: z.string(),
  /** What else stands in the other file, before it and behind it. */
  before: z.string().default(""),
  after: z.string().default(""),
  /** What is done with AUTH in the pack's own file. */
  pack: z.string().default(SET),
});
const SAMPLES = readTable("test/analysis/editing/cases/across-files.json", z.record(z.string(), sample));

const importing = (from: string, name: string): string =>
  `import * as coda from "@codahq/packs-sdk";\n${from}export const pack = coda.newPack();\n${name}`;
const requiring = (from: string): string =>
  `const coda = require("@codahq/packs-sdk");\n${from}const pack = coda.newPack();\nexports.pack = pack;\n`;
const TS = 'import * as coda from "@codahq/packs-sdk";\n';
const JS = 'const coda = require("@codahq/packs-sdk");\n';

/** The sample's files, the pack's first; what is wrong stands in the last. */
const FORMS: Readonly<Record<string, (each: z.infer<typeof sample>) => Files>> = {
  "in TypeScript": ({ auth, before, after, pack }) => ({
    "/pack/pack.ts": importing('import { AUTH } from "./auth";\n', pack),
    "/pack/auth.ts": `${TS}${before}export const AUTH: any = ${auth};\n${after}`,
  }),
  "in TypeScript, through an index and by default": ({ auth, before, after, pack }) => ({
    "/pack/pack.ts": importing('import AUTH from "./auth";\n', pack),
    "/pack/auth/index.ts": 'export { default } from "./user";\n',
    "/pack/auth/user.ts": `${TS}${before}const AUTH: any = ${auth};\n${after}export default AUTH;\n`,
  }),
  "in JavaScript": ({ auth, before, after, pack }) => ({
    "/pack/pack.js": `${requiring('const { AUTH } = require("./auth");\n')}${pack}`,
    "/pack/auth.js": `${JS}${before}const AUTH = ${auth};\n${after}exports.AUTH = AUTH;\n`,
  }),
  "in JavaScript, with or without a default": ({ auth, before, after, pack }) => ({
    "/pack/pack.js": `${requiring('const m = require("./auth");\nconst AUTH = m.default ?? m;\n')}${pack}`,
    "/pack/auth.js": `${JS}${before}const AUTH = ${auth};\n${after}module.exports = AUTH;\n`,
  }),
};

/** The rules whose errors are found; with the file, where that is not the pack's own. */
function errorsOf(files: Files): readonly string[] {
  const analysis = analyse(files, { toolkit: true });
  return Object.keys(files).flatMap((file) =>
    analysis.diagnostics(file).flatMap(({ severity, rule }) => (severity === "error" ? rule : [])),
  );
}

describe("a configuration in another file", function () {
  this.timeout(60_000);
  for (const [name, sample] of Object.entries(SAMPLES))
    for (const [form, buildFiles] of Object.entries(FORMS))
      it(`${name}, ${form}: findings agree with the upload`, async () => {
        const files = buildFiles(sample);
        assert.deepEqual(errorsOf(files), sample.errors);
        const problems = await problemsOf(files);
        assert.doesNotMatch(problems.join(), /does not load/);
        assert.equal(problems.length > 0, sample.errors.length > 0 && !sample.isAccepted, problems.join());
      });
});
