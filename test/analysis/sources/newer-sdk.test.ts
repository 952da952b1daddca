// Where no SDK is installed, a newer one may have what the built-in model does not know: of an enum's member that is a warning, and never an
// error. With an SDK installed it is that SDK which says so, and the upload validator agrees.
import assert from "node:assert/strict";
import { analyse } from "../../support/analyse.ts";
import { flagged, oauth, packOf } from "../../support/flagged.ts";
import { uploadProblemsOfSource } from "../../support/validator.ts";

const user = (config: string): string => packOf(`(pack as any).setUserAuthentication({ ${config} });`);
const step = (type: string): string =>
  `postSetup: [{ type: ${type}, name: "Site", description: "Choose", getOptions: async () => ["https://a.acme.example"] }]`;
const formula = (requirement: string): string =>
  packOf(
    `pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n(pack as any).addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: ${requirement}, execute: async () => "" });`,
  );

/** By what each is: the source, what is said of it, and whether the SDK of today rejects it at upload. */
const CASES: Readonly<Record<string, readonly [source: string, rejected: boolean, ...findings: string[]]>> = {
  "a type": [user("type: (coda.AuthenticationType as any).Passkey"), true, "warning auth-type-unknown: Passkey"],
  "a type with a field of its own": [
    user('type: coda.AuthenticationType.Passkey, deviceName: "x"'),
    true,
    "warning auth-type-unknown: Passkey",
    "warning field-unknown: deviceName",
  ],
  "a type of the system's": [
    packOf("(pack as any).setSystemAuthentication({ type: coda.AuthenticationType.ManagedIdentity });"),
    true,
    "warning auth-type-unknown: ManagedIdentity",
  ],
  "a requirement": [formula("coda.ConnectionRequirement.Once"), false, "warning requirement-unknown: Once"],
  "a requirement by default": [
    user("type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.Once"),
    false,
    "warning requirement-unknown: Once",
  ],
  "a kind of step, with what it alone needs": [
    user(
      'type: coda.AuthenticationType.WebBasic, postSetup: [{ type: coda.PostSetupType.AcceptTerms, name: "Terms", description: "Terms" }]',
    ),
    true,
    "warning set-endpoint-incomplete: coda.PostSetupType.AcceptTerms",
  ],
  "where a token exchange has its credentials": [
    oauth("credentialsLocation: (coda.TokenExchangeCredentialsLocation as any).Cookie"),
    false,
    "warning field-type: (coda.TokenExchangeCredentialsLocation as any).Cookie",
  ],
};

/** What is a misspelling of one that is known, or no member of any enum. */
const WRONG: Readonly<Record<string, readonly [source: string, ...findings: string[]]>> = {
  "a plain misspelling": [user("type: coda.AuthenticationType.WebBsic"), "error auth-type-unknown: WebBsic"],
  "a misspelt requirement": [formula("coda.ConnectionRequirement.Requird"), "error requirement-unknown: Requird"],
  "a text for a type": [user('type: "MyOwnSignIn"'), 'error auth-type-unknown: "MyOwnSignIn"'],
  "a text for a kind of step": [
    user(`type: coda.AuthenticationType.WebBasic, ${step('"AcceptTerms"')}`),
    'error set-endpoint-incomplete: "AcceptTerms"',
  ],
  "a number for a type": [user("type: 1"), "error auth-type-unknown: 1"],
  "a list for a type": [user('type: ["WebBasic"]'), 'error auth-type-unknown: ["WebBasic"]'],
  "an object for a requirement": [formula("{}"), "error requirement-unknown: {}"],
};

describe("names that a newer SDK may have", () => {
  for (const [name, [source, isRejected, ...expected]] of Object.entries(CASES))
    it(`the unknown name is a warning without an SDK: ${name}`, async () => {
      assert.deepEqual(flagged(source), expected);
      // A step that it does not know throws before anything is uploaded.
      const isAccepted = await uploadProblemsOfSource(source).then(
        (problems) => problems.length === 0,
        () => false,
      );
      assert.equal(isAccepted, !isRejected);
      if (isRejected) assert.ok(flagged(source, { toolkit: true }).some((line) => line.startsWith("error ")));
    });

  for (const [name, [source, ...expected]] of Object.entries(WRONG))
    it(`the misspelt or impossible name is an error: ${name}`, () => assert.deepEqual(flagged(source), expected));

  it("an unknown type is a warning without an SDK, in JavaScript across files", () => {
    const files = {
      "/pack/pack.js":
        'const coda = require("@codahq/packs-sdk");\nconst { TYPE } = require("./type");\nconst pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: TYPE });\nmodule.exports = { pack };\n',
      "/pack/type.js": 'const { AuthenticationType } = require("@codahq/packs-sdk");\nexports.TYPE = AuthenticationType.Passkey;\n',
    };
    const findRules = (toolkit: boolean): readonly string[] => {
      const analysis = analyse(files, { toolkit });
      return Object.keys(files).flatMap((file) => analysis.diagnostics(file).map(({ severity, rule }) => `${severity} ${rule}`));
    };
    assert.deepEqual(findRules(false), ["warning auth-type-unknown"]);
    assert.deepEqual(findRules(true), ["error auth-type-unknown"]);
  });
});
