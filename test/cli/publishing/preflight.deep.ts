// `pack-auth preflight` as a shell and a CI job call it: its exit codes, and its three formats.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { PreflightReport } from "../../../protocol/preflight.ts";
import { UPLOAD_VERDICTS } from "../../../protocol/verdict.ts";
import { callCli, storedIn } from "../../support/call-cli.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { sarifProblems, standardProblems, standardSchema } from "../../support/sarif.ts";

const source = (name: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({
  name: "${name}",
  description: "Reads.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function () { return "read"; },
});
`;

describe("pack-auth preflight", function () {
  this.timeout(60_000);
  let home: string;
  let good: string;
  let bad: string;
  before(() => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-preflight-"));
    good = packFiles({ "pack.ts": source("Read") });
    bad = packFiles({ "pack.ts": source("not a name") });
  });
  after(() => {
    rmSync(home, { recursive: true, force: true });
    removePackFiles();
  });
  const call = (entry: string, ...args: readonly string[]) =>
    callCli(["preflight", basename(entry), ...args], { cwd: dirname(entry), env: storedIn(home) });

  it("a pack that the upload accepts exits with 0, by verdict and with source lines", async () => {
    const { code, out, err } = await call(good);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^Never tried\n {2}No test account was connected yet\. Connect one\.\n {4}pack\.ts:4:\d+\n/m);
    assert.match(out, /^Fits\n {2}The upload validator of the Packs SDK .* accepts the pack\.$/m);
    assert.match(out, /\nNothing will be rejected\.\n$/);
  });

  it("a pack that the upload rejects exits with 1, and JSON has relative paths", async () => {
    const { code, out } = await call(bad, "--format", "json");
    assert.equal(code, 1);
    const report = JSON.parse(out) as PreflightReport & { readonly version: number };
    assert.deepEqual([report.version, report.entry, report.isReady], [1, "pack.ts", false]);
    const [line] = report.lines;
    assert.deepEqual([line?.verdict, line?.location?.path, line?.location?.line], ["will-be-rejected", "pack.ts", 5]);
  });

  it("a pack that could not be validated is promised nothing", async () => {
    const entry = packFiles({ "pack.ts": `${source("Read")}(Object.prototype as any).toJSON = () => 1;\n` });
    const { code, out } = await call(entry);
    assert.equal(code, 3);
    assert.match(out, /^Could not be judged\n {2}The pack changed how its objects become JSON/m);
    assert.match(out, /\n1 could not be judged\.\n$/);
  });

  const TWO_DOMAINS = 'pack.addNetworkDomain("cdn.example");\n';
  for (const [verdict, text, code, failing] of [
    ["will-be-rejected", source("Read").replace("HeaderBearerToken }", 'HeaderBearerToken, headerName: "X-Key" }'), 1, "will-be-rejected"],
    [
      "needs-approval",
      source("Read").replace("HeaderBearerToken }", 'HeaderBearerToken, networkDomain: "good.com" }') + TWO_DOMAINS,
      0,
      "needs-approval",
    ],
    [
      "fails-when-run",
      source("Read")
        .replace("function ()", "function ([], context)")
        .replace('return "read"', 'return (await context.fetcher.fetch({ method: "GET", url: "https://other.example/" })).body'),
      1,
      "fails-when-run",
    ],
  ] as const)
    it(`check and preflight agree on a pack with the verdict ${verdict}, and --fail-on decides the exit code`, async () => {
      const entry = packFiles({ "pack.ts": text });
      const checked = await callCli(["check", "--format", "json"], { cwd: dirname(entry), env: storedIn(home) });
      const { verdicts } = JSON.parse(checked.out).summary;
      const judged = await call(entry, "--format", "json");
      const { lines } = JSON.parse(judged.out) as PreflightReport;
      const counts = Object.fromEntries(UPLOAD_VERDICTS.map((each) => [each, lines.filter((line) => line.verdict === each).length]));
      assert.deepEqual([counts, counts[verdict]], [verdicts, 1], judged.out);
      assert.equal(judged.code, code);
      assert.equal((await call(entry, "--fail-on", failing)).code, 1);
      assert.equal((await call(entry, "--fail-on", UPLOAD_VERDICTS.filter((each) => each !== failing).join(","))).code, 0);
    });

  it("a verdict that --fail-on does not know is an error that lists them", async () => {
    const { code, err } = await call(good, "--fail-on", "warning");
    assert.equal(code, 2);
    assert.match(err, /--fail-on takes will-be-rejected, needs-approval, fails-when-run, not-judged, separated by commas, not warning\./);
  });

  it("SARIF is valid by its schema, and has an error at the member's line", async () => {
    const { code, out } = await call(bad, "--format", "sarif");
    assert.equal(code, 1);
    const log = JSON.parse(out);
    assert.deepEqual(sarifProblems(log), []);
    if (standardSchema !== undefined) assert.deepEqual(standardProblems(log, standardSchema), []);
    const [result] = log.runs[0].results;
    assert.deepEqual([result.ruleId, result.level], ["preflight-validation", "error"]);
    assert.equal(result.locations[0].physicalLocation.region.startLine, 6);
  });

  it("a machine without a keyring and without a home checks everything but the accounts", async () => {
    const { code, out } = await callCli(["preflight", "pack.ts", "--format", "json"], {
      cwd: dirname(good),
      env: { PACK_AUTH_HOME: join(home, "ci"), PACK_AUTH_SECRET_STORE: "file" },
    });
    assert.equal(code, 0);
    const { lines } = JSON.parse(out) as PreflightReport;
    assert.deepEqual(
      lines.flatMap(({ topic, verdict }) => (topic === "accounts" || topic === "validation" ? [[topic, verdict]] : [])),
      [
        ["validation", "fits"],
        ["accounts", "not-judged"],
      ],
    );
  });

  it("a run of a formula without requests counts, in the sandbox too", async () => {
    const ran = await callCli(["run", "pack.ts", "Read", "--sandbox"], { cwd: dirname(good), env: storedIn(home) });
    assert.equal(ran.code, 0, ran.err);
    assert.equal(readdirSync(join(home, "runs")).length, 1);
    const { out } = await call(good, "--format", "json");
    // A formula without a request runs there as it runs here.
    assert.deepEqual(
      (JSON.parse(out) as PreflightReport).lines.filter(({ topic }) => topic === "formulas").map(({ verdict }) => verdict),
      ["fits"],
    );
  });

  it("a wrong command exits with 2", async () => {
    for (const args of [["pack.ts", "more"], ["pack.ts", "--format", "xml"], ["gone.ts"]])
      assert.equal((await callCli(["preflight", ...args], { cwd: dirname(good) })).code, 2, args.join(" "));
  });
});
