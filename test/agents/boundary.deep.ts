// The folder of an agent bounds what its calls read and write, whatever is above it, and at the moment of each write.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSourceReader } from "../../cli/sources/source-reader.ts";
import { type AgentTrial, agentIn } from "../support/agent.ts";
import { installToolkit } from "../support/packs.ts";

const CANARY = "canary-above-the-folder";

const pack = (head: string, body: string): string => `import * as coda from "@codahq/packs-sdk";
${head}
export const pack = coda.newPack();
pack.addNetworkDomain("good.example");
pack.addFormula({ name: "Read", description: "", parameters: [], resultType: coda.ValueType.String, execute: async (_: any, context: any) => { ${body} } });
`;

const ASK = 'return JSON.stringify((await context.fetcher.fetch({ method: "GET", url: "https://good.example/read" })).body);';

describe("The folder of an agent", function () {
  this.timeout(120_000);
  let above: string;
  let folder: string;
  const lay = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(above, name)), { recursive: true });
      writeFileSync(join(above, name), text);
    }
  };
  beforeEach(() => {
    above = realpathSync.native(mkdtempSync(join(tmpdir(), "pack-auth-above-")));
    folder = join(above, "inside");
    installToolkit(above);
    const secret = JSON.stringify({ secret: CANARY });
    lay({
      "inside/pack.ts": pack("", ASK),
      "inside/package.json": '{"name":"inside"}',
      "private.json": secret,
      "answers.json": JSON.stringify({ answers: [{ request: "GET https://good.example/read", body: CANARY }] }),
      "node_modules/.cache/private.json": secret,
      "node_modules/stolen/package.json": '{"name":"stolen"}',
      "node_modules/stolen/private.json": secret,
    });
  });
  afterEach(() => rmSync(above, { recursive: true, force: true, maxRetries: 5 }));

  const agent = (): AgentTrial => agentIn(folder, { sources: createSourceReader(folder, process.env) });
  const call = async (tool: string, input: object): Promise<string> => JSON.stringify(await agent().call(tool, input));

  for (const [manifest, isBelow] of [
    [{ workspaces: ["*"] }, true],
    [{ name: "above", dependencies: { stolen: "*" } }, false],
  ] as const)
    for (const file of ["../private.json", "../node_modules/.cache/private.json", "stolen/private.json"])
      it(`a run bundles no ${file} under ${JSON.stringify(manifest)}`, async () => {
        if (!isBelow) rmSync(join(folder, "package.json"));
        lay({ "package.json": JSON.stringify(manifest), "inside/pack.ts": pack(`import s from "${file}";`, "return JSON.stringify(s);") });
        const ran = await call("run", { target: "Read" });
        assert.match(ran, /pack-does-not-bundle/);
        assert.ok(!ran.includes(CANARY));
      });

  it("a pack in the folder uses the packages that it names, which are installed above", async () => {
    lay({
      "inside/package.json": '{"name":"inside","dependencies":{"stolen":"*"}}',
      "inside/pack.ts": pack('import s from "stolen/private.json";', "return JSON.stringify(s);"),
    });
    assert.match(await call("run", { target: "Read" }), /"status":"succeeded"/);
  });

  it("answers of the sandbox above the folder are not read through a link", async () => {
    lay({ "package.json": '{"workspaces":["*"]}' });
    symlinkSync("../answers.json", join(folder, "sandbox.json"));
    for (const tool of ["run", "drill"]) assert.match(await call(tool, { target: "Read" }), /path-outside/);
  });

  it("a link that takes the place of a test's folder during the run gets no file", async () => {
    const trial = agent();
    const { host } = trial.session;
    const { openPack } = host;
    Object.assign(host, {
      openPack: async (entry: string) => {
        const opened = await openPack(entry);
        mkdirSync(join(above, "elsewhere"));
        symlinkSync("../elsewhere", join(folder, "tests"));
        return opened;
      },
    });
    const ran = JSON.stringify(await trial.call("run", { target: "Read", saveTest: "tests" }));
    assert.match(ran, /"notSaved".*is outside of the folder/);
    assert.deepEqual(readdirSync(join(above, "elsewhere")), []);
  });

  it("a pack whose parts are above the folder is neither outlined nor changed by setup", async () => {
    lay({
      "other/pack.ts": `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("${CANARY}.example");\n`,
      "inside/pack.ts": 'export { pack } from "../other/pack";\n',
    });
    for (const [tool, input] of [
      ["outline", {}],
      ["check", { paths: ["pack.ts"] }],
      ["setup", { evidence: "curl https://api.acme.example/issues -H 'X-Api-Key: a1b2c3d4e5'" }],
    ] as const) {
      const answer = await call(tool, input);
      assert.ok(!answer.includes(CANARY), `${tool}: ${answer}`);
      assert.ok(!answer.includes("other/pack.ts"), `${tool}: ${answer}`);
    }
  });

  it("a value of a file above the folder is not returned", async () => {
    lay({
      "other/names.ts": `export const domain = "${CANARY}.example";\n`,
      "inside/pack.ts": pack('import { domain } from "../other/names";', "return domain;").replace('"good.example"', "domain"),
    });
    assert.ok(!(await call("outline", {})).includes(CANARY));
  });
});
