// A canary through what the command line writes: accounts, runs, saved tests, evidence, drills and reports, of an API that gives back all that
// it got in ten encodings. It is looked for in every file and every output.
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callProgram, storedIn } from "../../support/call-cli.ts";
import { root } from "../../support/packs.ts";

const CANARY = "canary-7f3aZq9+/=secret";

const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  "URL-encoded": encodeURIComponent,
  "URL-encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  JSON: (text) => JSON.stringify({ text }),
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "base64 of base64": (text) => Buffer.from(Buffer.from(text).toString("base64")).toString("base64"),
  hex: (text) => Buffer.from(text).toString("hex"),
  "hex in capitals": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  backwards: (text) => [...text].reverse().join(""),
};
/** That only the proof of a saved test looks for: an output is masked in the encodings that a transport makes. */
const FURTHER = ["base64 of base64", "backwards"];
const formsOf = (names: readonly string[]): readonly string[] =>
  names.map((name) => ENCODERS[name] ?? String).flatMap((encode) => [encode(CANARY), encode(CANARY).slice(4, -6)]);

const SOURCE = (port: number): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
const get = async (context: coda.ExecutionContext, how: string) =>
  (await context.fetcher.fetch({ method: "GET", url: "http://127.0.0.1:${port}/items?how=" + how, cacheTtlSecs: 0 })).body;
pack.addFormula({ name: "Echo", description: "Echoes.", resultType: coda.ValueType.String,
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "how", description: "How." })],
  execute: async function ([how], context) { console.log(how); return JSON.stringify(await get(context, how)); } });
pack.addFormula({ name: "Plain", description: "Does not echo.", parameters: [], resultType: coda.ValueType.Object,
  schema: coda.makeObjectSchema({ properties: { dueDate: { type: coda.ValueType.String } } }),
  execute: async function ([], context) { return get(context, "none"); } });
`;

describe("a canary on the command line", function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-canary-"));
  const home = join(folder, "home");
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const encoderNames = (url.searchParams.get("how") ?? "").split(",");
    const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
    const isRefused = encoderNames.includes("401");
    const echo = isRefused ? `no ${token}` : Object.fromEntries(encoderNames.map((how) => [how, ENCODERS[how]?.(token)]));
    response.writeHead(isRefused ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ due_date: "2026-01-01", echo }));
  });
  const env = storedIn(home);
  const outputs: string[] = [];
  async function cli(...args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
    const result = await callProgram(args, { cwd: folder, env });
    outputs.push(`${args.join(" ")}\n${result.out}\n${result.err}`);
    return result;
  }
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    writeFileSync(join(folder, "package.json"), "{}");
    const { port } = server.address() as AddressInfo;
    const stubs = [{ request: `GET https://127.0.0.1:${port}/items`, body: { due_date: "2026-01-01" } }];
    writeFileSync(join(folder, "sandbox.json"), JSON.stringify({ answers: stubs }));
    writeFileSync(join(folder, "pack.ts"), SOURCE(port));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const { code, err } = await callProgram(["connect", "pack.ts", "--allow-loopback"], { cwd: folder, env, lines: [CANARY, "1"] });
    assert.equal(code, 0, err);
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("the canary is in no file and in no output", async () => {
    const usual = Object.keys(ENCODERS).filter((name) => !FURTHER.includes(name));
    for (const how of [usual.join(","), ...FURTHER]) {
      const { err } = await cli("run", "pack.ts", "Echo", how, "--allow-loopback", "--json", "--save-test", "tests", "--yes");
      // What was masked is saved; what only the proof finds is refused.
      assert.match(err, FURTHER.includes(how) ? /was not saved as a test: .+ contains / : /Saved as tests/, how);
    }
    assert.equal((await cli("run", "pack.ts", "Echo", "401", "--allow-loopback")).code, 1);
    assert.equal((await cli("run", "pack.ts", "Plain", "--allow-loopback", "--save-test", "tests", "--yes")).code, 0);
    await cli("test", "tests");
    for (const format of ["json", "junit"]) await cli("test", "tests", "--format", format);
    assert.match((await cli("drill", "pack.ts", "Plain", "--format", "junit")).out, /<testsuite name="pack-auth drill Plain"/);
    for (const format of ["sarif", "json"]) await cli("check", "pack.ts", "--evidence", "--format", format);
    await cli("accounts", "--json");
    const files = [folder, join(folder, "tests"), home]
      .flatMap((within) => readdirSync(within, { recursive: within !== folder, encoding: "utf8" }).map((name) => join(within, name)))
      .filter((path) => statSync(path).isFile());
    assert.ok(existsSync(join(folder, "tests/Plain.packauth.json")));
    for (const form of formsOf(Object.keys(ENCODERS)))
      assert.deepEqual(
        files.filter((path) => readFileSync(path, "latin1").includes(form)),
        [],
        form,
      );
    for (const form of formsOf(usual))
      assert.deepEqual(
        outputs.filter((text) => text.includes(form)).map((text) => text.split("\n")[0]),
        [],
        form,
      );
    assert.ok(
      files.some((path) => path.includes("evidence")),
      "there is evidence",
    );
  });
});
