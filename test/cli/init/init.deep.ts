// `pack-auth init`: a cURL command becomes a pack, which is shown, proved and written. What was pasted is written nowhere.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCli, storedIn } from "../../support/call-cli.ts";
import { hasTerminal, onTerminal } from "../../support/on-terminal.ts";
import { installToolkit, root } from "../../support/packs.ts";

const SECRET = "canary-5f3a9c7e1b";
const CURL = `curl 'https://api.acme.example/v1/issues?state=open' -H 'X-Api-Key: ${SECRET}' -H 'Accept: application/json'`;

describe("pack-auth init", function () {
  this.timeout(120_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-init-"));
    installToolkit(folder);
    writeFileSync(join(folder, "request.txt"), CURL);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const call = (...args: string[]) => callCli(["init", ...args], { cwd: folder });
  const read = (...names: string[]): string => readFileSync(join(folder, ...names), "utf8");

  it("an empty folder gets a proved pack with its settings, and nothing has the pasted credential", async () => {
    const { code, out, err } = await call("acme", "--from", "request.txt", "--yes");
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /✓ checks clean\n {2}✓ loads\n {2}✓ signs in at the sandbox\n {2}✓ its formula runs there\n/);
    assert.match(
      out,
      /Written: acme\/pack\.ts, acme\/tsconfig\.json, acme\/package\.json\.\nSign in with pack-auth connect acme\/pack\.ts\. The credential that you pasted is stored nowhere\.\n$/,
    );
    assert.deepEqual(readdirSync(join(folder, "acme")).sort(), ["pack.ts", "package.json", "tsconfig.json"]);
    assert.match(read("acme", "pack.ts"), /headerName: "X-Api-Key",\n/);
    assert.match(
      out,
      /\nWhere it comes from:\n {2}api\.acme\.example: the URL of the cURL command\n {2}CustomHeaderToken, headerName: the header X-Api-Key/,
    );
    assert.equal(out.includes(SECRET), false);
    for (const name of readdirSync(join(folder, "acme"))) assert.equal(read("acme", name).includes(SECRET), false);
  });

  it("a call without a terminal and --yes shows the diff, and writes nothing", async () => {
    const { code, out, err } = await call("acme", "--from", "request.txt");
    assert.deepEqual([code, err], [2, "pack-auth: Nothing is written yet. Add --yes to write it.\n"]);
    assert.match(out, /^--- \/dev\/null\n\+\+\+ acme\/pack\.ts\n@@ -0,0 \+1,\d+ @@\n\+import/);
    assert.equal(existsSync(join(folder, "acme")), false);
  });

  it("an existing pack is edited in place, other files stay, and the diff shows only what changes", async () => {
    const source =
      'import * as coda from "@codahq/packs-sdk";\r\nexport const pack = coda.newPack();\r\n\r\npack.addNetworkDomain("acme.example");\r\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\r\n// The end.\r\n';
    writeFileSync(join(folder, "pack.ts"), source);
    writeFileSync(join(folder, "package.json"), "{}");
    const { code, out } = await call("--from", "request.txt", "--yes");
    assert.equal(code, 0);
    const written = read("pack.ts");
    assert.ok(written.startsWith(source.slice(0, source.indexOf("pack.setUser"))) && written.endsWith("// The end.\r\n"));
    assert.equal(written.replaceAll("\r\n", "").includes("\n"), false);
    assert.match(
      out,
      /^--- pack\.ts\n\+\+\+ pack\.ts\n@@ -5,1 \+5,\d+ @@\n-pack\.setUserAuthentication\(\{ type: coda\.AuthenticationType\.WebBasic \}\);\n\+/,
    );
    assert.equal(out.includes("The end"), false);
    assert.deepEqual([read("package.json"), existsSync(join(folder, "tsconfig.json"))], ["{}", false]);
    const again = await call("--from", "request.txt", "--yes");
    assert.match(again.out, /GetIssues2/);
  });

  it("a literal secret of the former configuration is in no output: the line is named", async () => {
    const old = "4f9d21c07be8a1";
    writeFileSync(
      join(folder, "pack.ts"),
      `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.WebBasic,\n  instructionsUrl: "https://acme.example/?key=${old}",\n});\nconst other = "${old}";\n`,
    );
    const shown = await call("--from", "request.txt");
    assert.match(shown.out, /^-\(line 6 may contain a secret, and is not shown\)$/m);
    const json = await call("--from", "request.txt", "--yes", "--json");
    assert.equal((JSON.parse(json.out) as { outcome: string }).outcome, "written");
    assert.ok(!(shown.out + json.out).includes(old));
  });

  it("a pack without the Packs SDK is written unproved, and the call says how to install it", async () => {
    rmSync(join(folder, "node_modules"), { recursive: true });
    const { code, out, err } = await call("acme", "--from", "request.txt", "--yes");
    assert.equal(code, 0);
    assert.match(
      out,
      /✗ loads\n[\s\S]*It is not proved yet, because the Packs SDK is missing\. Run: npm install --save-dev @codahq\/packs-sdk\.\n/,
    );
    assert.match(err, /is not installed/);
  });

  it("a source that does not show its pack, and one that does not load, stay as they are", async () => {
    for (const [source, message] of [
      ['import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack(;\n', /^pack-auth: pack\.ts has a syntax error/],
      ['import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\nthrow new Error("broken");\n', /broken/],
    ] as const) {
      writeFileSync(join(folder, "pack.ts"), source);
      const { code, err } = await call("--from", "request.txt", "--yes");
      assert.equal(code, 1);
      assert.match(err, message);
      assert.equal(read("pack.ts"), source);
    }
  });

  it("an open question is printed with its ID and its answers, and --answer settles it", async () => {
    writeFileSync(join(folder, "request.txt"), `curl https://api.acme.example/items -H 'X-A: ${SECRET}' -H 'X-B: plain'`);
    const open = await call("acme", "--from", "request.txt", "--yes");
    assert.equal(open.code, 2);
    const [, id] = /Add --answer ([\w-]+)=none/.exec(open.err) ?? [];
    assert.match(open.err, /^pack-auth: [\s\S]*\npack-auth: {3}header-X-A: /);
    const json = await call("acme", "--from", "request.txt", "--json");
    assert.deepEqual([json.code, (JSON.parse(json.out) as { question: { id: string } }).question.id], [2, id]);
    const settled = await call("acme", "--from", "request.txt", "--yes", "--answer", `${id}=header-X-A`);
    assert.deepEqual([settled.code, settled.err], [0, ""]);
    assert.match(read("acme", "pack.ts"), /headerName: "X-A"/);
    assert.equal([open.err, json.out, settled.out].join("").includes(SECRET), false);
    const wrong = await call("other", "--from", "request.txt", "--answer", `${id}=perhaps`);
    assert.match(wrong.err, /^pack-auth: The answer to credential is not accepted\. It must be one of none, header-X-A, /);
  });

  it("a value that may be secret is a parameter with --yes, a question without it, and is in no file and no output", async () => {
    writeFileSync(join(folder, "request.txt"), `${CURL} -H 'X-Pin: 90210733' -H 'X-Seal: 9f8e7d6c5b4a3928'`);
    const open = await call("acme", "--from", "request.txt");
    assert.equal(open.code, 2);
    assert.match(
      open.err,
      /1\. the header X-Pin \(8 characters\); 2\. the header X-Seal \(16 characters\)[\s\S]*Add --answer values=1=user/,
    );
    const { code, out, err } = await call("acme", "--from", "request.txt", "--yes");
    assert.deepEqual([code, err], [0, ""]);
    assert.match(
      out,
      /The header X-Pin, the header X-Seal: the value may be secret, so it is in no file\. It is a parameter of the formula\./,
    );
    assert.match(read("acme", "pack.ts"), /"X-Pin": pin, "X-Seal": seal/);
    const texts = [open.err, out, ...readdirSync(join(folder, "acme")).map((name) => read("acme", name))].join("");
    assert.ok(!/90210733|9f8e7d6c/.test(texts));
    const wrong = await call("other", "--from", "request.txt", "--yes", "--answer", "values=3=user");
    assert.match(wrong.err, /^pack-auth: The answer to values is not accepted\. Enter user, pack, constant or parameter/);
  });

  it("an answer to a question that nobody asked is refused", async () => {
    const { code, err } = await call("acme", "--from", "request.txt", "--yes", "--answer", "valeus=user");
    assert.equal(code, 1);
    assert.match(err, /^pack-auth: No question has the ID valeus\./);
    assert.equal(existsSync(join(folder, "acme")), false);
  });

  it("an impossible authentication exits with 1, the reason and the way out", async () => {
    writeFileSync(
      join(folder, "request.txt"),
      'curl https://api.acme.example/x -H \'Authorization: OAuth oauth_consumer_key="a", oauth_signature="b"\'',
    );
    const { code, err } = await call("acme", "--from", "request.txt", "--yes");
    assert.equal(code, 1);
    assert.match(err, /^pack-auth: The platform cannot do OAuth 1\.0a [\s\S]*\nLook in the API's documentation/);
    assert.equal(existsSync(join(folder, "acme")), false);
    const json = await call("acme", "--from", "request.txt", "--json");
    assert.deepEqual([json.code, (JSON.parse(json.out) as { reason: string }).reason], [1, "oauth1"]);
  });

  it("--json reports what was written, with its edits and its proof, and never a credential", async () => {
    const { code, out, err } = await call("acme", "--from", "request.txt", "--yes", "--json");
    const report = JSON.parse(out) as { outcome: string; written: { files: { text: string }[] }; proof: { steps: { passed: boolean }[] } };
    assert.deepEqual([code, err, report.outcome], [0, "", "written"]);
    assert.equal(report.written.files[0]?.text, read("acme", "pack.ts"));
    assert.equal(
      report.proof.steps.every(({ passed }) => passed),
      true,
    );
    assert.equal(out.includes(SECRET), false);
  });

  it("a command or an answer among the arguments is refused, and is not repeated", async () => {
    for (const args of [
      ["--from", CURL],
      ["--from", `curl -u me:${SECRET}`],
      ["--from", "request.txt", "--answer", SECRET],
    ]) {
      const { code, out, err } = await call("acme", ...args);
      assert.equal(code, 2);
      assert.match(err, /--from -\.|ID=VALUE/);
      assert.equal((out + err).includes(SECRET), false);
    }
  });

  it("a file of 20 MB is refused for its size, one of 5 MB is read, and a missing source file gets no folder of its name", async () => {
    writeFileSync(join(folder, "api.json"), `{"openapi": "4.0.0", "x": "${"x".repeat(5_000_000)}"}`);
    assert.match((await call("--from", "api.json")).err, /version OpenAPI 4\.0\.0/);
    writeFileSync(join(folder, "api.json"), "x".repeat(21_000_000));
    assert.match((await call("--from", "api.json")).err, /at most 20 MB/);
    assert.match(
      (await call("new.ts", "--from", "request.txt", "--yes")).err,
      /There is no file new\.ts\. For a new pack, name its folder/,
    );
    assert.equal(existsSync(join(folder, "new.ts")), false);
  });

  it("evidence that cannot be read, and calls that are wrong, say what to do", async () => {
    writeFileSync(join(folder, "half.txt"), "curl 'https://api.acme.example/x");
    for (const [args, code, message] of [
      [["--from", "half.txt"], 1, /ends inside quotes/],
      [["--from", "missing.txt"], 2, /There is no file missing\.txt/],
      [["--from", "nobody-knows-this"], 1, /no evidence that can be read/],
      [[], 2, /Add --from/],
      [["src/new.ts", "--from", "half.txt"], 2, /There is no file src\/new\.ts\. For a new pack, name its folder\./],
      [["a", "b", "--from", "x"], 2, /init takes fewer words/],
      [["--from", "x", "--kind", "har"], 2, /--kind must be curl/],
      [["--from", "x", "--answer", "yes"], 2, /Write --answer ID=VALUE/],
    ] as const) {
      const result = await call(...args);
      assert.match(result.err, message);
      assert.equal(result.code, code, args.join(" "));
    }
  });

  describe("look-ups", () => {
    let server: Server;
    const requests: string[] = [];
    before(async () => {
      server = createServer((request, response) => {
        requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
        response.writeHead(401, { "www-authenticate": "Bearer" }).end();
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    });
    after(() => server.close());

    it("nothing is sent before --look-up names the host", async () => {
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const args = ["--from", `http://${host}/me`, "--kind", "address", "--allow-loopback"];
      const open = await call(...args);
      assert.deepEqual([open.code, requests], [2, []]);
      assert.match(open.err, new RegExp(`Add --look-up ${host} to allow it`));
      await call(...args, "--look-up", host);
      assert.equal(requests.length > 0 && requests.every((request) => request.endsWith("undefined")), true);
    });
  });

  (hasTerminal ? it : it.skip)(
    "on a terminal the author is asked, and the pasted credential becomes the account without a second prompt",
    async () => {
      const accounts = join(folder, "accounts");
      mkdirSync(accounts);
      const questions = ["Write it?", "Save the credential that you pasted"];
      const { code, text } = await onTerminal([process.execPath, join(root, "dist/cli.cjs"), "init", "acme", "--from", "request.txt"], {
        env: { ...storedIn(accounts), TERM: "dumb" },
        cwd: folder,
        columns: 200,
        type(shown) {
          const [next] = questions;
          if (next === undefined || !shown.includes(next) || !shown.slice(shown.indexOf(next)).includes("> ")) return undefined;
          questions.shift();
          return "1\n";
        },
      });
      assert.equal(code, 0, text);
      assert.equal(text.includes(SECRET), false);
      const { out } = await callCli(["accounts", "list"], { env: storedIn(accounts) });
      assert.match(out, /acme/);
      for (const name of readdirSync(accounts, { recursive: true, withFileTypes: true }))
        if (name.isFile()) assert.equal(readFileSync(join(name.parentPath, name.name)).includes(SECRET), false);
    },
  );

  (hasTerminal ? it : it.skip)("a refusal on a terminal writes nothing, and exits with 130", async () => {
    let hasAnswered = false;
    const { code, text } = await onTerminal([process.execPath, join(root, "dist/cli.cjs"), "init", "acme", "--from", "request.txt"], {
      env: { TERM: "dumb" },
      cwd: folder,
      type(shown) {
        if (hasAnswered || !shown.includes("Write it?")) return undefined;
        hasAnswered = true;
        return "2\n";
      },
    });
    assert.equal(code, 130, text);
    assert.equal(existsSync(join(folder, "acme")), false);
  });
});
