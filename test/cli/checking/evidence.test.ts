// `pack-auth run`, then `pack-auth check --evidence`: what the run showed is said at its line, in every format, and goes with its cause.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callCli } from "../../support/call-cli.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.addFormula({
  name: "Read", description: "Reads.", resultType: coda.ValueType.String,
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "host", description: "A host." })],
  execute: async ([host], context) => {
    const url = "https://" + host + "/items";
    const answer = await context.fetcher.fetch({ method: "GET", url });
    return String(answer.status);
  },
});
`;

describe("pack-auth check --evidence", function () {
  this.timeout(60_000);
  const home = mkdtempSync(join(tmpdir(), "pack-auth-evidence-"));
  after(() => rmSync(home, { recursive: true, force: true }));
  after(removePackFiles);

  it("evidence of a run is reported to its user alone, until the source is fixed", async () => {
    const entry = packFiles({ "pack.ts": SOURCE });
    const env = { PACK_AUTH_HOME: home };
    const check = (...options: readonly string[]) => callCli(["check", "pack.ts", ...options], { cwd: dirname(entry), env });
    assert.match((await check("--evidence")).out, /No problems|0 errors/i);
    assert.equal((await callCli(["run", entry, "Read", "api.other.example"], { env })).code, 1);

    const { code, out } = await check("--evidence", "--max-warnings", "0");
    assert.equal(code, 1);
    assert.match(out, /^pack\.ts:9:5 warning seen-host-refused\n {2}Declare the domain of api\.other\.example with pack\.addNetworkDomain/);
    for (const format of ["json", "sarif", "github"])
      assert.match((await check("--evidence", "--format", format)).out, /seen-host-refused/, format);
    assert.doesNotMatch((await check()).out, /seen-/);
    assert.doesNotMatch(
      (await callCli(["check", "pack.ts", "--evidence"], { cwd: dirname(entry), env: { PACK_AUTH_HOME: join(home, "other") } })).out,
      /seen-/,
    );
    const [file = ""] = readdirSync(join(home, "evidence")).filter((name) => name.endsWith(".json"));
    assert.match(readFileSync(join(home, "evidence", file), "utf8"), /"host-refused"/);

    writeFileSync(entry, SOURCE.replace('"acme.example");', '"acme.example");\npack.addNetworkDomain("other.example");'));
    assert.doesNotMatch((await check("--evidence")).out, /seen-/);
  });
});
