// A pack that is set up in other ways than by a call at the top of its file is known all the same: rules about the whole pack speak, unless
// code that nobody can read here gets the pack.
import assert from "node:assert/strict";
import { analyse, split } from "../../support/analyse.ts";
import { problemsOf } from "../../support/judged.ts";

/** A package is imported, so that what comes from elsewhere may be its own. */
const SDK = `import * as coda from "@codahq/packs-sdk";\nimport { readFileSync } from "fs";\nexport const pack = coda.newPack();\n`;
const FORMULA = `{ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async () => String(readFileSync) }`;
/** Authentication, and no domain that is declared. */
const AUTH = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
const NEEDS_DOMAIN = "network-domain-missing";
const NEEDS_ACCOUNT = `{ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.Required, execute: async () => "" }`;

interface Case {
  readonly source: string;
  readonly errors: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "a formula that is put into the list": {
    source: `${SDK}${AUTH}const formula = coda.makeFormula(${FORMULA});\npack.formulas.push(formula);\n`,
    errors: [NEEDS_DOMAIN],
  },
  "a formula that needs an account, put into the list": {
    source: `${SDK}pack.formulas.push(coda.makeFormula(${NEEDS_ACCOUNT}) as any);\n`,
    errors: ["requirement-without-auth"],
  },
  "a formula that needs an account, put into the list by its name": {
    source: `${SDK}const { formulas } = pack;\nformulas.push(coda.makeFormula(${NEEDS_ACCOUNT}) as any);\n`,
    errors: ["requirement-without-auth"],
  },
  "a formula by the list's name, in a constant": {
    source: `${SDK}${AUTH}const formulas = pack.formulas;\nconst formula = coda.makeFormula(${FORMULA});\nformulas.push(formula);\n`,
    errors: [NEEDS_DOMAIN],
  },
  "tables by the list's name": {
    source: `${SDK}${AUTH}const { syncTables, formulas } = pack;\nformulas.push(coda.makeFormula(${FORMULA}));\nsyncTables.push(...([] as any[]));\n`,
    errors: [NEEDS_DOMAIN],
  },
  "another list of that name": {
    source: `${SDK}${AUTH}pack.addNetworkDomain("acme.example");\nconst formulas: any[] = [];\nformulas.push(${NEEDS_ACCOUNT});\nfor (const formula of formulas) pack.addFormula(formula);\n`,
    errors: [],
  },
  "by the list's name, in another file": {
    source: `// @file: pack.ts\nimport { register } from "./register";\n${SDK}register(pack);\n// @file: register.ts\nimport * as coda from "@codahq/packs-sdk";\nexport function register(pack: any) {\n  const { formulas } = pack;\n  formulas.push(coda.makeFormula(${NEEDS_ACCOUNT}));\n}\n`,
    errors: ["requirement-without-auth"],
  },
  "by the list's name, in JavaScript": {
    source: `const coda = require("@codahq/packs-sdk");\nconst fs = require("fs");\nconst pack = coda.newPack();\nexports.pack = pack;\nconst { formulas } = pack;\nformulas.push(coda.makeFormula(${NEEDS_ACCOUNT.replace('async () => ""', "async () => String(fs)")}));\n`,
    errors: ["requirement-without-auth"],
  },
  "a table that is put into the list, and one that cannot be read": {
    source: `${SDK}${AUTH}pack.addNetworkDomain("acme.example");\npack.syncTables.push(...([] as any[]));\n`,
    errors: [],
  },
  "a pack that a function of another file builds": {
    source: `// @file: pack.ts\nimport { create } from "./create";\nexport const pack = create();\n// @file: create.ts\nimport * as coda from "@codahq/packs-sdk";\nexport function create() {\n  const pack = coda.newPack();\n  ${AUTH}  return pack;\n}\n`,
    errors: [NEEDS_DOMAIN],
  },
  "a pack that a function of another file builds, in JavaScript": {
    source: `// @file: pack.js\nconst { create } = require("./create");\nconst pack = create();\nmodule.exports = { pack };\n// @file: create.js\nconst coda = require("@codahq/packs-sdk");\nexports.create = () => {\n  const made = coda.newPack();\n  ${AUTH.replace("pack.", "made.")}  return made;\n};\n`,
    errors: [NEEDS_DOMAIN],
  },
  "a fragment beside a file that exports something called pack": {
    source: `// @file: fragment.ts\nimport * as coda from "@codahq/packs-sdk";\nimport { pack as shown } from "./shown";\nconst pack = coda.newPack();\n${AUTH}shown;\n// @file: shown.ts\nexport const pack = { title: "A" };\n`,
    errors: [],
  },
  "a class whose method takes the pack": {
    source: `${SDK}${AUTH}class Setup {\n  register(to: any) {\n    to.addFormula(${FORMULA});\n  }\n}\nnew Setup().register(pack);\n`,
    errors: [NEEDS_DOMAIN],
  },
  "an object of a class, in a constant": {
    source: `${SDK}${AUTH}class Setup {\n  register = (to: any) => to.addFormula(${FORMULA});\n}\nconst setup = new Setup();\nsetup.register(pack);\n`,
    errors: [NEEDS_DOMAIN],
  },
  "a class that is made with the pack": {
    source: `${SDK}${AUTH}class Setup {\n  constructor(private pack: any) {}\n  run() {\n    this.pack.addFormula(${FORMULA});\n  }\n}\nnew Setup(pack).run();\n`,
    errors: [NEEDS_DOMAIN],
  },
  "a class that declares the domain": {
    source: `${SDK}${AUTH}class Setup {\n  register(to: any) {\n    to.addNetworkDomain("acme.example");\n  }\n}\nnew Setup().register(pack);\n`,
    errors: [],
  },
  "a function that returns the function": {
    source: `${SDK}${AUTH}function makeSetup(name: string) {\n  return (to: any) => to.addFormula({ ...${FORMULA}, name });\n}\nmakeSetup("B")(pack);\n`,
    errors: [NEEDS_DOMAIN],
  },
  "a function that returns the function, in a constant": {
    source: `${SDK}${AUTH}const makeSetup = () => function (to: any) { to.addFormula(${FORMULA}); };\nconst setUp = makeSetup();\nsetUp(pack);\n`,
    errors: [NEEDS_DOMAIN],
  },
  "functions of a list": {
    source: `${SDK}${AUTH}const first = (to: any) => to.addFormula(${FORMULA});\nfor (const setUp of [first]) setUp(pack);\n`,
    errors: [NEEDS_DOMAIN],
  },
  "one of two functions": {
    source: `${SDK}${AUTH}const first = (to: any) => to.addFormula(${FORMULA});\nconst second = (to: any) => {};\n(globalThis.test ? first : second)(pack);\n`,
    errors: [NEEDS_DOMAIN],
  },
  "a class of another file": {
    source: `// @file: pack.ts\nimport { Setup } from "./setup";\n${SDK}${AUTH}const setup = new Setup();\nsetup.register(pack);\n// @file: setup.ts\nimport * as coda from "@codahq/packs-sdk";\nexport class Setup {\n  async later() {}\n  register(to: any) {\n    to.addFormula(${FORMULA.replace("String(readFileSync)", '""')});\n  }\n}\n`,
    errors: [NEEDS_DOMAIN],
  },
  "in JavaScript": {
    source: `const coda = require("@codahq/packs-sdk");\nconst fs = require("fs");\nconst pack = coda.newPack();\nexports.pack = pack;\nclass Setup { register(to) { to.addFormula(${FORMULA.replace("String(readFileSync)", "String(fs)")}); } }\n${AUTH}new Setup().register(pack);\n`,
    errors: [NEEDS_DOMAIN],
  },
  "a function of a package": {
    source: `${SDK}import { inspect } from "util";\n${AUTH}inspect(pack);\n`,
    errors: [],
  },
  "the result of a package's function": {
    source: `${SDK}import { promisify } from "util";\n${AUTH}const register: any = promisify(readFileSync);\nif (globalThis.test) register(pack);\n`,
    errors: [],
  },
};

/** The validator rejects these for what we cannot know: what a package does with the pack. */
const UNKNOWABLE: ReadonlySet<string> = new Set(["a function of a package", "the result of a package's function"]);

describe("a pack that other code sets up", function () {
  this.timeout(60_000);
  for (const [name, { source, errors }] of Object.entries(CASES))
    it(`errors agree with the upload: ${name}`, async () => {
      const files = split(source);
      const analysis = analyse(files, { toolkit: true });
      const errorRules = Object.keys(files).flatMap((file) =>
        analysis.diagnostics(file).flatMap(({ rule, severity }) => (severity === "error" ? rule : [])),
      );
      assert.deepEqual(errorRules, errors);
      const problems = await problemsOf(files);
      if (!UNKNOWABLE.has(name)) assert.equal(problems.length > 0, errors.length > 0, problems.join("\n"));
    });
});
