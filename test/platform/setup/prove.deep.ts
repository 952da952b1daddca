// The sources that a proposal becomes: nothing to say of them, for the editor, the compiler and the upload, and they are proved at the sandbox.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonicalPath } from "../../../platform/files/file-names.ts";
import { newPack } from "../../../platform/pack-template.ts";
import { openPack } from "../../../platform/process/pack.ts";
import { type ProofHost, proveSetup } from "../../../platform/setup/prove.ts";
import type { Proposal } from "../../../protocol/setup.ts";
import { EMPTY_PACK } from "../../../spec/toolkit.ts";
import { launchSandbox, runner } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";
import { PROPOSALS, proposal, written } from "../../support/proposals.ts";
import { uploadProblems } from "../../support/validator.ts";

const hostOf = (entry: string): ProofHost => ({
  openPack: (texts) => openPack(entry, { process: { runner, node: process.execPath }, texts }),
  openSandbox: launchSandbox,
  signal: new AbortController().signal,
});

const nameOf = ({ type, scope, fields }: Proposal): string =>
  `${type}${scope === "system" ? ", system" : ""}${fields.length === 0 ? "" : `, ${fields.map(({ name }) => name).join(" ")}`}`;

describe("proof of a set-up", function () {
  this.timeout(120_000);
  after(removePackFiles);

  for (const own of PROPOSALS)
    it(`${nameOf(own)}: a new pack checks clean, loads, signs in and runs before it is on disk`, async () => {
      const entry = packFiles({});
      const setup = written(entry, own, { [entry]: EMPTY_PACK });
      const proof = await proveSetup(own, setup, hostOf(entry));
      assert.deepEqual(proof.problem, undefined);
      const expected = ["check", "load", ...(own.type === "None" ? [] : ["sign-in"]), ...(own.formula === undefined ? [] : ["run"])];
      assert.deepEqual(
        proof.steps,
        expected.map((step) => ({ step, passed: true })),
      );
      assert.equal(existsSync(entry), false);
      writeFileSync(entry, setup.files[0]?.text ?? "");
      assert.deepEqual(await uploadProblems(entry), []);
    });

  it("each source compiles with the Packs SDK", () => {
    const entry = packFiles({ "tsconfig.json": newPack("None", "acme")["tsconfig.json"] ?? "" });
    for (const [index, own] of PROPOSALS.entries()) {
      const file = join(dirname(entry), `pack-${index}.ts`);
      writeFileSync(file, written(file, own, { [file]: EMPTY_PACK }).files[0]?.text ?? "");
    }
    const { status, stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", dirname(entry)], {
      encoding: "utf8",
    });
    assert.deepEqual([stdout, status], ["", 0]);
  });

  it("an existing pack of several files is proved with its new texts, and stays as it is on disk", async () => {
    const files = {
      "pack.ts": 'import { pack } from "./base";\nimport "./auth";\nexport { pack };\n',
      "base.ts":
        'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n',
      "auth.ts":
        'import { AuthenticationType } from "@codahq/packs-sdk";\nimport { pack } from "./base";\npack.setUserAuthentication({ type: AuthenticationType.WebBasic });\n',
    };
    const entry = packFiles(files);
    const own = proposal("HeaderBearerToken");
    const setup = written(entry, own, Object.fromEntries(Object.entries(files).map(([name, text]) => [join(dirname(entry), name), text])));
    const proof = await proveSetup(own, setup, hostOf(entry));
    assert.deepEqual([proof.problem, proof.steps.map(({ step }) => step)], [undefined, ["check", "load", "sign-in", "run"]]);
    const host = hostOf(entry);
    const onDisk = await host.openPack(new Map());
    assert.deepEqual([onDisk.definition.userAuthentication?.type, onDisk.definition.formulas], ["WebBasic", []]);
    onDisk.dispose();
  });

  it("a text in place of a file outside the pack's folder is refused, as the file is", async () => {
    const outside = join(dirname(packFiles({ "outside.ts": "export const a = 1;\n" }, { toolkit: false })), "outside.ts");
    const entry = packFiles({});
    const source = `${EMPTY_PACK}import { a } from ${JSON.stringify(outside)};\nconsole.log(a);\n`;
    const texts = new Map([
      [canonicalPath(entry), source],
      [canonicalPath(outside), "export const a = 2;\n"],
    ]);
    await assert.rejects(hostOf(entry).openPack(texts), /outside of the folder/);
  });

  it("a finding, a source that does not load, a wrong name and a missing SDK each fail their step", async () => {
    const own = proposal("HeaderBearerToken");
    const failed = async (entry: string, source: string, change: Partial<Proposal> = {}, proved: Partial<Proposal> = {}) => {
      const setup = written(entry, { ...own, ...change }, { [entry]: source });
      const { steps, problem } = await proveSetup({ ...own, ...change, ...proved }, setup, hostOf(entry));
      assert.equal(steps.at(-1)?.passed, false);
      return [steps.at(-1)?.step, problem?.message];
    };
    const entry = packFiles({});
    assert.deepEqual((await failed(entry, EMPTY_PACK, { domains: [] }))[0], "check");
    assert.deepEqual(await failed(entry, `${EMPTY_PACK}throw new Error("no");\n`), ["load", "The pack throws while it loads: “no”"]);
    const { userRequest } = own;
    assert.ok(userRequest);
    assert.equal((await failed(entry, EMPTY_PACK, {}, { userRequest: { ...userRequest, namePath: ["name"] } }))[0], "sign-in");
    const alone = packFiles({}, { toolkit: false });
    const setup = { ...written(alone, own, { [alone]: EMPTY_PACK }), findings: [] };
    const { steps, problem } = await proveSetup(own, setup, hostOf(alone));
    assert.deepEqual([steps.at(-1), problem?.code], [{ step: "load", passed: false }, "toolkit-missing"]);
    assert.deepEqual(readdirSync(dirname(alone)), []);
  });
});
