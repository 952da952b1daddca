// `pack-auth api-token`: real processes, and an encrypted file in place of a keyring.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCli, storedIn } from "../../support/call-cli.ts";

const TOKEN = "canary-api-token-77f0c1";

describe("API tokens on the command line", function () {
  this.timeout(60_000);
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-api-token-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  async function call(args: readonly string[], ...lines: readonly string[]) {
    const result = await callCli(["api-token", ...args], { env: storedIn(home), lines });
    assert.ok(!`${result.out}${result.err}`.includes(TOKEN), "no token is shown");
    return result;
  }

  it("a token from standard input is stored encrypted, listed by its host, and removed", async () => {
    assert.deepEqual(
      [(await call([])).code, (await call([])).err],
      [0, "No API token is stored. Store one with pack-auth api-token add.\n"],
    );
    const added = await call(["add"], TOKEN);
    assert.equal(added.code, 0, added.err);
    assert.match(added.err, /which is sent to coda\.io only\. .*Stored the API token of coda\.io\. It is not tried yet\.\n$/s);
    assert.equal((await call(["add", "--host", "packs.example.com"], TOKEN)).code, 0);
    assert.equal((await call(["list"])).out, "coda.io\npacks.example.com\n");
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length > 2);
    for (const file of files) assert.ok(!readFileSync(join(file.parentPath, file.name), "latin1").includes(TOKEN), file.name);
    const removed = await call(["remove"]);
    assert.deepEqual([removed.code, removed.err], [0, "Removed the API token of coda.io. Delete it there too: it stays valid.\n"]);
    assert.equal((await call([])).out, "packs.example.com\n");
    assert.deepEqual([(await call(["remove"])).code, (await call(["remove"])).err], [0, "No API token is stored for coda.io.\n"]);
  });

  it("the end of input stores nothing, and the exit code says cancelled", async () => {
    const { code, err } = await call(["add"]);
    assert.equal(code, 130);
    assert.match(err, /Nothing was changed\.\n$/);
    assert.equal((await call([])).out, "");
  });

  it("a host that hides another is refused before the question", async () => {
    for (const host of ["http://coda.io", "coda.io:8443", "coda.io@evil.example", "127.0.0.1"]) {
      const { code, err } = await call(["add", "--host", host], TOKEN);
      assert.deepEqual(
        [code, /^pack-auth: The host is not https:\/\/ with a plain host name; nothing was sent\. Use an origin/.test(err)],
        [1, true],
        err,
      );
    }
  });

  it("a token as an argument is a wrong command", async () => {
    assert.equal((await call(["add", TOKEN])).code, 2);
    assert.equal((await call(["show"])).code, 2);
  });
});
