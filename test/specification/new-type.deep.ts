// What it takes to add a type of authentication, a way to sign in, a field or a fact: a copy of the tree gets one, and the compiler names
// each place that has to learn of it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/packs.ts";

const ROOMS = ["spec", "protocol", "base", "server", "platform", "operations", "agents", "cli", "launch"];

describe("a new type of authentication", function () {
  this.timeout(120_000);
  let tree: string;
  before(() => {
    tree = mkdtempSync(join(tmpdir(), "pack-auth-new-type-"));
    for (const room of [...ROOMS, "tsconfig.base.json", "package.json"])
      cpSync(join(root, room), join(tree, room), { recursive: true, filter: (path) => !path.endsWith("node_modules") });
    // What the compiler keeps is the copy's own.
    for (const room of ROOMS) {
      const path = join(tree, room, "tsconfig.json");
      writeFileSync(path, readFileSync(path, "utf8").replace("../node_modules/.cache", "../.cache"));
    }
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  });
  after(() => rmSync(tree, { recursive: true, force: true }));

  /** The files in which the compiler finds something to do. */
  function named(): readonly string[] {
    const { stdout, error } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b", "cli"], {
      cwd: tree,
      encoding: "utf8",
    });
    assert.ifError(error);
    return [...new Set([...stdout.matchAll(/^([\w./-]+\.ts)\(\d+,\d+\): error/gm)].map(([, file = ""]) => file))].sort();
  }

  /** The files that a test has changed, as they were before. */
  const originals = new Map<string, string>();
  afterEach(() => {
    for (const [path, text] of originals) writeFileSync(path, text);
    originals.clear();
  });

  const add = (file: string, to: string, what: string): void => {
    const path = join(tree, file);
    const text = readFileSync(path, "utf8");
    if (!originals.has(path)) originals.set(path, text);
    const at = text.indexOf(to) + to.length;
    writeFileSync(path, `${text.slice(0, at)}\n  ${what}${text.slice(at)}`);
  };

  it("a new type must be described, placed in requests, and created in packs", () => {
    add("spec/auth-type-name.ts", "export type AuthTypeName =", '| "Made"');
    assert.deepEqual(named(), ["platform/pack-template.ts", "spec/auth-types.ts", "spec/credential-placement.ts", "spec/fields.ts"]);
  });

  it("a new sign-in must be handled wherever credentials are obtained, sent, checked or made", () => {
    add("spec/auth-types.ts", "export type FlowKind =", '| "made"');
    assert.deepEqual(named(), [
      "platform/accounts/credential-fields.ts",
      "platform/accounts/toolkit-credentials.ts",
      "platform/connect/choose-flow.ts",
      "platform/requests/inject.ts",
      "platform/sandbox/check-credential.ts",
      "platform/sandbox/credentials.ts",
    ]);
  });

  describe("a new field", () => {
    const addField = (roles: string): void =>
      add(
        "spec/configuration-fields.ts",
        "export const CONFIGURATION_FIELDS = {",
        `exampleField: { kind: "string", docs: "", source: "", of: ["OAuth2"], facts: [], roles: [${roles}] },`,
      );

    it("a field without a role in requests needs no other place: the definition, its shape and the analysis follow", () => {
      addField('"identity"');
      add(
        "protocol/definition.ts",
        "",
        "export const example = (auth: AuthenticationDefinition): string | undefined => auth.exampleField;",
      );
      assert.deepEqual(named(), []);
    });

    it("a field with roles in requests must enter the requests and the place of the credential", () => {
      addField('"authorization request", "token request", "placement"');
      assert.deepEqual(named(), [
        "platform/oauth/authorization-request.ts",
        "platform/oauth/token-request.ts",
        "server/analysis/configuration/credential-placement.ts",
      ]);
    });
  });

  describe("a new fact", () => {
    const addFact = (subject: string): void => add("spec/evidence-codes.ts", "export const EVIDENCE = {", `"example-fact": "${subject}",`);

    it("a fact of a sign-in must be observed, depend on a field, and have a rule", () => {
      addFact("sign-in");
      assert.deepEqual(named(), [
        "platform/evidence/evidence.ts",
        "platform/evidence/sign-in-facts.ts",
        "server/analysis/checking/check-pack.ts",
        "server/analysis/configuration/observation.ts",
      ]);
    });

    it("a fact of the published pack must have a rule", () => {
      addFact("production");
      assert.deepEqual(named(), ["server/analysis/checking/check-pack.ts"]);
    });

    // platform/diagnosis/order.test.ts holds each fact of a credential to an example of a diagnosis.
    it("a fact of a credential must have a rule", () => {
      addFact("credential");
      assert.deepEqual(named(), ["server/analysis/checking/check-pack.ts"]);
    });

    for (const subject of ["line", "schema"])
      it(`a fact of a ${subject} must be observed in a run, and have a rule`, () => {
        addFact(subject);
        assert.deepEqual(named(), ["platform/evidence/run-facts.ts", "server/analysis/checking/check-pack.ts"]);
      });
  });
});
