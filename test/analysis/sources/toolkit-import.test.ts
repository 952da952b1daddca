// What is named like the Packs SDK, or like something of it, and is not there: an error where the pack cannot be loaded, as the SDK's own
// loader says, a warning where no SDK is installed, and nothing where somebody may have made it.
import assert from "node:assert/strict";
import { analyse, split } from "../../support/analyse.ts";
import { fixedUnasked, fixesOf } from "../../support/flagged.ts";
import { problemsOf } from "../../support/judged.ts";
import { uploadProblemsOfSource } from "../../support/validator.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const JS = 'const coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nmodule.exports = { pack };\n';

/** Each cannot be loaded, and says so where. */
const WRONG: Readonly<Record<string, readonly [source: string, text: string]>> = {
  "a module with a letter less": ['import * as coda from "@codahq/pack-sdk";\nexport const pack = coda.newPack();\n', "@codahq/pack-sdk"],
  "a module of another scope": ['import { newPack } from "@coda/packs-sdk";\nexport const pack = newPack();\n', "@coda/packs-sdk"],
  "a module without its scope's sign": [
    'const { newPack } = require("codahq/packs-sdk");\nexports.pack = newPack();\n',
    "codahq/packs-sdk",
  ],
  "a module of another vendor's scope": [
    'import * as coda from "@superhuman/packs-sdk";\nexport const pack = coda.newPack();\n',
    "@superhuman/packs-sdk",
  ],
  "a module without a scope, by another vendor": [
    'import { newPack } from "grammarly-packs-sdk";\nexport const pack = newPack();\n',
    "grammarly-packs-sdk",
  ],
  "a module without one of its words": ['import { newPack } from "@coda/sdk";\nexport const pack = newPack();\n', "@coda/sdk"],
  "JavaScript: a module without one of its words": [
    'const coda = require("@codahq/packs");\nexports.pack = coda.newPack();\n',
    "@codahq/packs",
  ],
  "an enum": [`${HEAD}pack.setUserAuthentication({ type: coda.AuthentcationType.WebBasic });\n`, "AuthentcationType"],
  "an enum that was removed": [
    `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.None, defaultConnectionType: coda.DefaultConnectionType.Read } as any);\n`,
    "DefaultConnectionType",
  ],
  "a function": [`${HEAD}const schema = coda.makeObjectShema({});\n`, "makeObjectShema"],
  "a function that is named first where nothing runs yet": [
    `${HEAD}const both = [() => coda.makeObjectShema({}), coda.makeObjectShema({})];\n`,
    "makeObjectShema",
  ],
  "a function without a near match": [`${HEAD}coda.registerEverything(pack);\n`, "registerEverything"],
  "newPack itself": ['import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPak();\n', "newPak"],
  "an imported name": [
    'import { newPack, AuthenticationTypes } from "@codahq/packs-sdk";\nexport const pack = newPack();\npack.setUserAuthentication({ type: AuthenticationTypes.None });\n',
    "AuthenticationTypes",
  ],
  "a class": [`${HEAD}const failed = new coda.UserVisibleErorr("x");\n`, "UserVisibleErorr"],
  "a method": [`${HEAD}pack.addNetworkDomian("example.com");\n`, "addNetworkDomian"],
  "a method in a chain": [
    'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack().addNetworkDomain("example.com").setUserAuthentification({});\n',
    "setUserAuthentification",
  ],
  "a method without a near match": [`${HEAD}pack.useEverything();\n`, "useEverything"],
  "JavaScript: a required name": [
    'const { newPack, ConectionRequirement: Need } = require("@codahq/packs-sdk");\nconst pack = newPack();\nconst need = Need.None;\nmodule.exports = { pack };\n',
    "ConectionRequirement",
  ],
  "JavaScript: a method": [`${JS}pack.addFormla({});\n`, "addFormla"],
  "JavaScript: an enum": [`${JS}pack.setUserAuthentication({ type: coda.AuthentcationType.WebBasic });\n`, "AuthentcationType"],
  "JavaScript: a function": [`${JS}const schema = coda.makeObjectShema({});\n`, "makeObjectShema"],
  "JavaScript: newPack itself": ['var coda = require("@codahq/packs-sdk");\nexports.pack = coda.newPak();\n', "newPak"],
  "a type that is read as if it were an enum": [
    `${HEAD}pack.setUserAuthentication({ type: coda.Authentication.WebBasic } as any);\n`,
    "Authentication",
  ],
  "an imported type that is read as if it were an enum": [
    'import { newPack, Authentication } from "@codahq/packs-sdk";\nexport const pack = newPack();\npack.setUserAuthentication({ type: Authentication.WebBasic });\n',
    "Authentication",
  ],
  "a type that is made": [`${HEAD}const made = new coda.OAuth2Authentication();\n`, "OAuth2Authentication"],
  "an enum of the pack": [`${HEAD}pack.setUserAuthentication({ type: pack.AuthenticationType.WebBasic });\n`, "AuthenticationType"],
  "an enum of the pack, in parentheses": [
    `${HEAD}pack.setUserAuthentication({ type: (pack as any).AuthenticationType.WebBasic });\n`,
    "AuthenticationType",
  ],
  "JavaScript: an enum of the pack": [
    `${JS}pack.setUserAuthentication({ type: pack.AuthenticationType.WebBasic });\n`,
    "AuthenticationType",
  ],
  "a function of the pack that the SDK has": [
    `${HEAD}pack.addFormula({ name: "A", parameters: [pack.makeParameter({})] } as any);\n`,
    "makeParameter",
  ],
  "a pack's method of an agent": [
    'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newAgent();\npack.setVersion("1.0");\npack.addNetworkDomain("acme.example");\n',
    "addNetworkDomain",
  ],
  "a pack's method of an agent, in a chain": [
    'import { newAgent } from "@codahq/packs-sdk";\nexport const pack = newAgent().setInstructions("Help.").addMCPServer({});\n',
    "addMCPServer",
  ],
  "a method that an agent does not have": [
    'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newAgent();\npack.setInstuctions("Help.");\n',
    "setInstuctions",
  ],
  "JavaScript: a pack's method of an agent": [
    'const coda = require("@codahq/packs-sdk");\nconst agent = coda.newAgent();\nagent.addFormula({});\nexports.pack = agent;\n',
    "addFormula",
  ],
  "a default export": ['import coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n', "coda"],
  "a default export, under another name": [
    'import sdk from "@codahq/packs-sdk";\nimport { newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\npack.setUserAuthentication({ type: sdk.AuthenticationType.None });\n',
    "sdk",
  ],
  "a default export beside names": [
    'import coda, { newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\nconst schema = coda.makeObjectSchema({ properties: {} } as any);\n',
    "coda",
  ],
};

const RIGHT: Readonly<Record<string, string>> = {
  "every name of the SDK": `${HEAD}pack.setVersion("1.0");\nconst icon = coda.SvgConstants;\nconst error = new coda.StatusCodeError({} as any, "", {} as any, {} as any);\nconst done = coda.ensureExists("x");\n`,
  "every method of an agent":
    'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newAgent();\npack.setVersion("1.0").setInstructions("Help.").setTools({ docs: true });\npack.setDefaultScheduleTrigger({ rruleString: "" });\n',
  "an agent of somebody else": `${HEAD}const kit = { newAgent: () => ({ addSkill() {} }) };\nconst agent = kit.newAgent();\nagent.addSkill();\n`,
  types: `${HEAD}import { Formula, type PackVersionDefinition } from "@codahq/packs-sdk";\nconst all: coda.Formula[] = [];\nconst other: Formula[] = all as PackVersionDefinition["formulas"] as Formula[];\n`,
  "a type added to the SDK's": `import { newPack, TenantSettings } from "@codahq/packs-sdk";\ndeclare module "@codahq/packs-sdk" { interface TenantSettings { name: string } }\nexport const pack = newPack();\nexport const settings: TenantSettings[] = [];\n`,
  "a type added elsewhere, imported as one": `import { newPack, type TenantSettings } from "@codahq/packs-sdk";\nexport const pack = newPack();\nexport const settings: TenantSettings[] = [];\n`,
  "a test for its existence": `${HEAD}const addAgent = (coda as any).somethingNew?.();\nif ((coda as any).somethingElse) addAgent;\n(pack as any).addSomething?.({});\n`,
  "an enum added to packs": `${HEAD}(pack as any).AuthenticationType = coda.AuthenticationType;\n(pack as any).AuthenticationType.None;\n`,
  "an enum of another object called pack": `${HEAD}const codaPack = { AuthenticationType: coda.AuthenticationType };\ncodaPack.AuthenticationType.None;\nexport const load = (toolPack: typeof codaPack) => toolPack.AuthenticationType.None;\nload(codaPack);\n`,
  "a type that is named as one": `${HEAD}export const all: coda.Authentication[] = [];\nexport const one = {} as coda.OAuth2Authentication["scopes"];\n`,
  "a method added to packs": `${HEAD}(pack as any).addAllFormulas = () => pack;\n(pack as any).addAllFormulas();\n`,
  "another object called pack":
    'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\nclass Wolves { gather() { return this; } }\nconst wolfPack = new Wolves();\nwolfPack.gather();\nfunction load(pack: Wolves) { pack.gather(); }\nload(wolfPack);\n',
  "a default import that only a request reads": `import { newPack, ValueType } from "@codahq/packs-sdk";\nimport type coda from "@codahq/packs-sdk";\nexport const pack = newPack();\nexport type Later = typeof coda;\nconst type = ValueType.String;\n`,
  "JavaScript: a name added to the required module": `let coda = require("@codahq/packs-sdk");\ncoda = { ...coda, newPak: coda.newPack };\nexports.pack = coda.newPak();\n`,
  "JavaScript: a variable that is declared again": `var coda = require("@codahq/packs-sdk");\nvar pack = coda.newPack();\nvar coda = { makeSchma: () => 1 };\nmodule.exports = { pack, made: coda.makeSchma() };\n`,
  "JavaScript: another namespace of that name": `${JS}exports.read = (coda) => coda.anything();\nexports.write = () => { const coda = { newPak: () => 1 }; coda.newPak(); };\n`,
  "another namespace of that name": `${HEAD}export function read(coda: { anything(): void }) { coda.anything(); }\n`,
};

function flaggedTexts(
  source: string,
  options: { readonly toolkit?: boolean; readonly files?: Readonly<Record<string, string>> } = {},
): readonly string[] {
  const files = { ...split(source), ...options.files };
  const analysis = analyse(files, { toolkit: options.toolkit === true });
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .filter(({ rule }) => rule === "toolkit-import")
      .map(({ severity, place }) => `${severity} ${files[file]?.slice(place.start, place.end)}`),
  );
}

const load = (source: string): Promise<boolean> =>
  uploadProblemsOfSource(source).then(
    () => true,
    () => false,
  );

describe("names that the Packs SDK lacks", () => {
  for (const [name, [source, text]] of Object.entries(WRONG))
    it(`the unknown name is an error, since the pack cannot be loaded: ${name}`, async () => {
      assert.deepEqual(flaggedTexts(source, { toolkit: true }), [`error ${text}`]);
      assert.equal(await load(source), false);
      // Without the SDK, what is spelt nearly right is pointed at, and no more.
      const [other, ...more] = flaggedTexts(source);
      assert.deepEqual(more, []);
      assert.ok(other === undefined || other === `warning ${text}`);
    });

  for (const [name, source] of Object.entries(RIGHT))
    it(`the code is accepted, and the pack can be loaded: ${name}`, async () => {
      assert.deepEqual(flaggedTexts(source, { toolkit: true }), []);
      assert.deepEqual(flaggedTexts(source), []);
      assert.equal(await load(source), true);
    });

  it("an unknown module, enum or method is a warning without the SDK", () => {
    for (const name of [
      "a module with a letter less",
      "a module of another vendor's scope",
      "an enum",
      "an imported name",
      "a method",
      "JavaScript: a method",
    ])
      assert.equal(flaggedTexts(WRONG[name]?.[0] ?? "").length, 1, name);
  });

  it("an unknown name that runs later is a warning, or accepted where it may be right", () => {
    assert.deepEqual(
      flaggedTexts(`${HEAD}export function set(target: coda.PackDefinitionBuilder) { target.addFormla({}); }\n`, { toolkit: true }),
      [],
    );
    assert.deepEqual(
      flaggedTexts(`${HEAD}export function set(pack: coda.PackDefinitionBuilder) { pack.addFormla({}); }\n`, { toolkit: true }),
      ["warning addFormla"],
    );
    assert.deepEqual(flaggedTexts(`${HEAD}export const get = () => { throw new coda.UserVisibleErorr("x"); };\n`, { toolkit: true }), [
      "warning UserVisibleErorr",
    ]);
    assert.deepEqual(flaggedTexts(`${HEAD}try { coda.somethingNew(); } catch {}\n`, { toolkit: true }), []);
  });

  it("a misspelt type is a warning, used or not, since the pack can be loaded", async () => {
    for (const rest of ["", "export const all: Formla[] = [];\n"]) {
      const source = `import { Formla, newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\n${rest}`;
      assert.deepEqual(flaggedTexts(source, { toolkit: true }), ["warning Formla"]);
      assert.equal(await load(source), true);
    }
  });

  it("a known synonym is corrected to its SDK name, however similar others are", () => {
    const typed = `${HEAD}import type { Context } from "@codahq/packs-sdk";\nexport const url = (context: Context): string => context.endpoint ?? "";\n`;
    assert.deepEqual(Object.keys(fixesOf(typed, "toolkit-import", { toolkit: true })), ["Change to ExecutionContext"]);
    const read = `${HEAD}pack.setUserAuthentication({ type: coda.AuthType.WebBasic });\n`;
    assert.deepEqual(Object.keys(fixesOf(read, "toolkit-import", { toolkit: true })), ["Change to AuthenticationType"]);
  });

  it("a name that is still to be typed has no fix", () => {
    const source = `${HEAD}export const url = (context: coda. ) => context.endpoint ?? coda.;\n`;
    assert.deepEqual(fixesOf(source, "toolkit-import", { toolkit: true }), {});
  });

  it("a default import that is only read later leaves the pack loadable", async () => {
    const source = `import coda, { newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\nexport const fail = () => { throw new coda.UserVisibleError("x"); };\n`;
    assert.deepEqual(flaggedTexts(source, { toolkit: true }), ["warning coda"]);
    assert.equal(await load(source), true);
  });

  it("a default import in an ES module contains all exports of the SDK", () => {
    const source = 'import coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
    const files = { "/pack/package.json": '{ "name": "mine", "type": "module" }' };
    assert.deepEqual(flaggedTexts(source, { toolkit: true, files }), []);
    assert.deepEqual(flaggedTexts(source, { toolkit: true, files: { "/pack/package.json": '{ "name": "mine" }' } }), ["error coda"]);
    assert.deepEqual(flaggedTexts(`// @file: pack.mts\n${source}`, { toolkit: true }), []);
  });

  it("a loose match is only proposed, and a near misspelling is corrected unasked", () => {
    const source = (name: string): string => `import { ${name}, newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\n`;
    assert.deepEqual(Object.keys(fixesOf(source("Context"), "toolkit-import", { toolkit: true })), ["Change to ExecutionContext"]);
    assert.equal(fixedUnasked(source("Context"), { toolkit: true }), source("Context"));
    assert.equal(fixedUnasked(source("ExecutionContex"), { toolkit: true }), source("ExecutionContext"));
    assert.deepEqual(flaggedTexts(source("Foo"), { toolkit: true }), []);
  });

  it("an enum of the pack is taken from the SDK, and imported where necessary", async () => {
    const names = 'import { newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\n';
    for (const [head, prefix] of [
      [HEAD, "coda."],
      [names, ""],
    ] as const) {
      const source = `${head}pack.setUserAuthentication({ type: pack.AuthenticationType.None });\n`;
      const [fixed = ""] = Object.values(fixesOf(source, "toolkit-import", { toolkit: true }));
      assert.match(fixed, new RegExp(`type: ${prefix.replace(".", "\\.")}AuthenticationType\\.None `));
      assert.deepEqual(flaggedTexts(fixed, { toolkit: true }), []);
      assert.equal(await load(fixed), true);
    }
  });

  it("the fix of a default import imports all names, and the pack can be loaded", async () => {
    const [[title, fixed] = ["", ""]] = Object.entries(fixesOf(WRONG["a default export"]?.[0] ?? "", "toolkit-import", { toolkit: true }));
    assert.equal(title, "Change to * as coda");
    assert.deepEqual(flaggedTexts(fixed, { toolkit: true }), []);
    assert.equal(await load(fixed), true);
  });

  const REST = ".setUserAuthentication({ type: AuthenticationType.None });\n";
  const RESPELT: Readonly<Record<string, readonly [source: string, fixed: string | undefined]>> = {
    "an import and its uses": [
      `import { AuthenticationType, newPak } from "@codahq/packs-sdk";\nexport const pack = newPak()${REST}const other = { newPak: pack.newPak, all: [newPak] };\n`,
      `import { AuthenticationType, newPack } from "@codahq/packs-sdk";\nexport const pack = newPack()${REST}const other = { newPak: pack.newPak, all: [newPack] };\n`,
    ],
    "what is required, in JavaScript": [
      `const { newPak, AuthenticationType } = require("@codahq/packs-sdk");\nexports.pack = newPak()${REST}`,
      `const { newPack, AuthenticationType } = require("@codahq/packs-sdk");\nexports.pack = newPack()${REST}`,
    ],
    "an enum, and a type": [
      'import { AuthenticationTyp, newPack } from "@codahq/packs-sdk";\nexport const pack = newPack().setUserAuthentication({ type: AuthenticationTyp.None });\nlet kind: AuthenticationTyp.None | AuthenticationTyp;\n',
      'import { AuthenticationType, newPack } from "@codahq/packs-sdk";\nexport const pack = newPack().setUserAuthentication({ type: AuthenticationType.None });\nlet kind: AuthenticationType.None | AuthenticationType;\n',
    ],
    "an import under another name": [
      `import { AuthenticationType, newPak as make } from "@codahq/packs-sdk";\nexport const pack = make()${REST}`,
      `import { AuthenticationType, newPack as make } from "@codahq/packs-sdk";\nexport const pack = make()${REST}`,
    ],
    "an import that is passed on by its name": [
      `import { AuthenticationType, newPak } from "@codahq/packs-sdk";\nexport const pack = newPak()${REST}export const made = { newPak };\n`,
      `import { AuthenticationType, newPack as newPak } from "@codahq/packs-sdk";\nexport const pack = newPak()${REST}export const made = { newPak };\n`,
    ],
    "what is required, where a parameter has the name": [
      `const { newPak, AuthenticationType } = require("@codahq/packs-sdk");\nexports.pack = newPak()${REST}exports.make = (newPak) => newPak();\n`,
      `const { newPack: newPak, AuthenticationType } = require("@codahq/packs-sdk");\nexports.pack = newPak()${REST}exports.make = (newPak) => newPak();\n`,
    ],
    "nothing where the right name exists": [
      `import { AuthenticationType, newPak } from "@codahq/packs-sdk";\nconst newPack = 1;\nexport const pack = newPak()${REST}`,
      undefined,
    ],
  };
  for (const [name, [source, expected]] of Object.entries(RESPELT))
    it(`the fix of an imported name changes ${name}`, async () => {
      const [fixed] = Object.values(fixesOf(source, "toolkit-import", { toolkit: true }));
      assert.equal(fixed, expected);
      if (fixed === undefined) return;
      assert.deepEqual(flaggedTexts(fixed, { toolkit: true }), []);
      assert.equal(await load(fixed), true);
    });

  it("an unknown method of a JavaScript parameter that receives the pack is flagged", async () => {
    const wrong: Readonly<Record<string, string>> = {
      "an arrow function": `${JS}const setUp = (p) => { p.addFormla({}); };\nsetUp(pack);\n`,
      "a function, with more": `${JS}setUp("a", pack);\nfunction setUp(name, ourPack) { ourPack.addNetworkDomian(name); }\n`,
      "a method": `${JS}const auth = { register(pack) { pack.setUserAuthentification({}); } };\nauth.register(pack);\n`,
    };
    for (const [name, source] of Object.entries(wrong)) {
      assert.match(
        flaggedTexts(source, { toolkit: true }).join(),
        /^warning (?:addFormla|addNetworkDomian|setUserAuthentification)$/,
        name,
      );
      assert.equal(await load(source), false, name);
    }
    const files = split(
      '// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { setUp } = require("./setup");\nconst pack = coda.newPack();\nexports.pack = pack;\nsetUp(pack);\n// @file: setup.js\nexports.setUp = function (pack) { pack.addNetworkDomian("acme.example"); };\n',
    );
    assert.deepEqual(flaggedTexts("", { toolkit: true, files }), ["warning addNetworkDomian"]);
    assert.match((await problemsOf(files)).join(), /does not load/);
    // Given something else by whoever calls.
    assert.deepEqual(flaggedTexts(`${JS}const gather = (p) => p.howl();\ngather({ howl() {} });\n`, { toolkit: true }), []);
  });

  it("unknown names are flagged in files that the pack imports", () => {
    const source = `// @file: pack.ts\nimport * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\nimport "./auth";\nimport "./domain";\n// @file: auth.ts\nimport * as coda from "@codahq/pack-sdk";\nexport const type = coda.AuthenticationType.None;\n// @file: domain.ts\nimport { pack } from "./pack";\npack.addNetworkDomian("example.com");\n`;
    assert.deepEqual(flaggedTexts(source, { toolkit: true }), ["error @codahq/pack-sdk", "error addNetworkDomian"]);
  });

  it("a package that only shares words with the SDK's name is accepted", () => {
    for (const module of ["@acme/sdk", "@acme/packs-sdk-helpers", "@coda/pack-utils", "packs", "sdk", "@superhuman/design", "packs/sdk"])
      assert.deepEqual(
        flaggedTexts(`import { newPack } from "${module}";\nexport const pack = newPack();\n`, { toolkit: true }),
        [],
        module,
      );
  });

  it("an installed, declared or mapped package of a similar name is accepted", () => {
    const source = 'import * as coda from "@coda/packs-sdk";\nexport const pack = coda.newPack();\n';
    const manifest = (dependencies: object): string => JSON.stringify({ name: "mine", dependencies });
    for (const files of [
      { "/pack/node_modules/@coda/packs-sdk/package.json": "{}" },
      { "/pack/package.json": manifest({ "@coda/packs-sdk": "1" }) },
      {
        "/pack/tsconfig.json": '{ "compilerOptions": { "paths": { "@coda/packs-sdk": ["./sdk.ts"] } } }',
        "/pack/sdk.ts": 'export * from "@codahq/packs-sdk";\n',
      },
    ])
      assert.deepEqual(flaggedTexts(source, { toolkit: true, files }), []);
  });
});
