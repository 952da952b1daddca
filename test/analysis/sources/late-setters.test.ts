// A call that sets a pack up counts only while the pack loads: not in a timer, behind a promise, in a function that only a request leads to
// or that nothing calls. However a function is called while the pack loads, the call counts.
import assert from "node:assert/strict";
import { flaggedBy } from "../../support/flagged.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n`;
const SET = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });";
const formula = (body: string): string =>
  `pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) { ${body} return ""; } });\n`;

const LATE: Readonly<Record<string, string>> = {
  "in a timer": `${HEAD}setTimeout(() => { ${SET} }, 0);\n`,
  "in a function that a timer calls": `${HEAD}function setUp() { ${SET} }\nsetTimeout(setUp, 100);\n`,
  "in a microtask": `${HEAD}queueMicrotask(() => { ${SET} });\n`,
  "in a promise's then": `${HEAD}Promise.resolve().then(() => { ${SET} });\n`,
  "in a promise's catch": `${HEAD}async function load() {}\nload().catch(() => { ${SET} });\n`,
  "in a then whose result has a name": `${HEAD}const done = Promise.resolve().then(() => { ${SET} });\n`,
  "behind an import that waits": `${HEAD}import("./more").then((more) => { ${SET} });\n`,
  "where only a request leads": `${HEAD}function setUp() { ${SET} }\n${formula("setUp();")}`,
  "where only a request leads, by an arrow function": `${HEAD}const setUp = () => { ${SET} };\n${formula("setUp();")}`,
  "where only a request leads, with its context": `${HEAD}function setUp(context) { ${SET} }\n${formula("setUp(context);")}`,
  "in a function that nothing calls": `${HEAD}function setUp() { ${SET} }\n`,
  "in a function of another file to which only a request leads": `// @file: pack.ts\nimport { setUp } from "./set-up";\n${HEAD}${formula("setUp(pack);")}// @file: set-up.ts\nimport * as coda from "@codahq/packs-sdk";\nexport function setUp(pack: coda.PackDefinitionBuilder) { ${SET} }\n`,
  "JavaScript: in a timer": `const coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nmodule.exports = { pack };\nsetTimeout(function () { ${SET} });\n`,
};

const IN_TIME: Readonly<Record<string, string>> = {
  "in a function that is called": `${HEAD}function setUp() { ${SET} }\nsetUp();\n`,
  "in one that a request calls, too": `${HEAD}function setUp() { ${SET} }\nsetUp();\n${formula("setUp();")}`,
  "in a function that is called where it stands": `${HEAD}(() => { ${SET} })();\n`,
  "in an asynchronous function, before it waits": `${HEAD}async function setUp() { ${SET} }\nsetUp();\n`,
  "for each item of a list": `${HEAD}[1].forEach(() => { ${SET} });\n`,
  "for each item of a list, whose results have a name": `${HEAD}const all = [1].map(() => ${SET.slice(0, -1)});\n`,
  "in a function passed to a function": `${HEAD}const run = (task) => task();\nconst done = run(() => { ${SET} });\n`,
  "in a method of a class": `${HEAD}class Setup { register() { ${SET} } }\nnew Setup().register();\n`,
  "in a constructor": `${HEAD}class Setup { constructor() { ${SET} } }\nnew Setup();\n`,
  "in a static block": `${HEAD}class Setup { static { ${SET} } }\n`,
  "in a function of an object": `${HEAD}const setup = { auth() { ${SET} } };\nsetup.auth();\n`,
  "in a function of an object, by a name that is computed": `${HEAD}const setup = { auth() { ${SET} } };\nfor (const name of Object.keys(setup)) setup[name]();\n`,
  "in one of a list of functions": `${HEAD}const first = () => { ${SET} };\nfor (const step of [first]) step();\n`,
  "in a function that a function returns": `${HEAD}const make = () => () => { ${SET} };\nmake()();\n`,
  "in a function that is called by apply": `${HEAD}function setUp() { ${SET} }\nsetUp.apply(undefined, []);\n`,
  "in a function of another file": `// @file: pack.ts\nimport { setUp } from "./set-up";\n${HEAD}setUp(pack);\n// @file: set-up.ts\nimport * as coda from "@codahq/packs-sdk";\nexport function setUp(pack: coda.PackDefinitionBuilder) { ${SET} }\n`,
  "in a default function of another file": `// @file: pack.ts\nimport setUp from "./set-up";\n${HEAD}setUp(pack);\n// @file: set-up.ts\nimport * as coda from "@codahq/packs-sdk";\nexport default function (pack: coda.PackDefinitionBuilder) { ${SET} }\n`,
  "in a file of functions, imported as a whole": `// @file: pack.ts\nimport * as parts from "./parts";\n${HEAD}for (const part of Object.values(parts)) part(pack);\n// @file: parts.ts\nimport * as coda from "@codahq/packs-sdk";\nexport const auth = (pack: coda.PackDefinitionBuilder) => { ${SET} };\n`,
  "JavaScript: in a file of functions, required as a whole": `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst parts = require("./parts");\nconst pack = coda.newPack();\nmodule.exports = { pack };\nfor (const part of Object.values(parts)) part(pack);\n// @file: parts.js\nexports.auth = (pack) => { ${SET} };\n`,
  "in a file of functions, exported again": `// @file: pack.ts\nimport { auth } from "./parts";\n${HEAD}auth(pack);\n// @file: parts/index.ts\nexport * from "./auth";\n// @file: parts/auth.ts\nimport * as coda from "@codahq/packs-sdk";\nexport const auth = (pack: coda.PackDefinitionBuilder) => { ${SET} };\n`,
  "in a function of a fragment": `import * as coda from "@codahq/packs-sdk";\nexport function setUp(pack: coda.PackDefinitionBuilder) { ${SET} }\n`,
  "in an exported function, which others may call": `${HEAD}export function setUp() { ${SET} }\n`,
  "JavaScript: in what a module exports, required in passing": `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = exports.pack = coda.newPack();\nrequire("./set-up")(pack);\n// @file: set-up.js\nconst coda = require("@codahq/packs-sdk");\nmodule.exports = (pack) => { ${SET} };\n`,
  "beside a file that is not there": `import "./missing";\n${HEAD}export function setUp() { ${SET} }\n`,
  "JavaScript: in what a module exports": `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst setUp = require("./set-up");\nconst pack = coda.newPack();\nmodule.exports = { pack };\nsetUp(pack);\n// @file: set-up.js\nconst coda = require("@codahq/packs-sdk");\nmodule.exports = function (pack) { ${SET} };\n`,
  "JavaScript: in one of the functions that a module exports": `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { setUp } = require("./set-up");\nconst pack = coda.newPack();\nmodule.exports = { pack };\nsetUp(pack);\n// @file: set-up.js\nconst coda = require("@codahq/packs-sdk");\nexports.setUp = (pack) => { ${SET} };\n`,
};

describe("setters that run late", () => {
  for (const [name, source] of Object.entries(LATE))
    it(`a setter that runs too late, or never, is flagged: ${name}`, () =>
      assert.deepEqual(flaggedBy("auth-set-late", source), ["warning setUserAuthentication"]));

  for (const [name, source] of Object.entries(IN_TIME))
    it(`a setter that may run while the pack loads is accepted: ${name}`, () => assert.deepEqual(flaggedBy("auth-set-late", source), []));
});
