// What `pack-auth connect` prints while the browser shows an error that the provider tells nobody else: the reason, the field, the line.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

describe("a browser that shows an error", function () {
  this.timeout(60_000);
  const home = mkdtempSync(join(tmpdir(), "pack-auth-page-"));
  const provider = createServer((request, response) =>
    response.writeHead(request.url?.startsWith("/authorize") ? 400 : 404).end("<h1>Error: invalid_scope</h1>"),
  );
  before(() => new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve)));
  after(() => {
    provider.close();
    removePackFiles();
    rmSync(home, { recursive: true, force: true });
  });

  it("is told in the terminal with what to change; ended, the field's file and line are printed", async () => {
    const base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const pack = packFiles({
      "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "${base}/authorize",
  tokenUrl: "${base}/token",
  scopes: ["read"],
});
`,
    });
    const child = spawn(
      process.execPath,
      [join(root, "dist/cli.cjs"), "connect", "pack.ts", "--no-browser", "--redirect", "http://127.0.0.1:0/oauth"],
      {
        cwd: dirname(pack),
        env: {
          PATH: process.env.PATH,
          PACK_AUTH_HOME: home,
          PACK_AUTH_SECRET_STORE: "file",
          PACK_AUTH_PASSPHRASE: "correct horse battery staple",
          USER: "me",
        },
      },
    );
    let text = "";
    let ended = false;
    child.stdout.resume();
    child.stderr.on("data", (data: Buffer) => {
      text += data;
      if (ended || !/End the sign-in, and show what to change.*\(1–5\) $/s.test(text)) return;
      ended = true;
      child.stdin.end("1\n");
    });
    // The client ID, its secret, and the browser.
    child.stdin.write("the-id\nthe-secret\n1\n");
    const [code] = (await once(child, "close")) as [number | null];
    assert.equal(code, 1, text);
    const [waiting = "", ...told] = text.split("Waiting for the browser. It returns by itself after you sign in.");
    assert.match(waiting, /The page shows an error…/);
    assert.match(told.join(""), /refused the sign-in, because .*scopes.* Its answer: invalid_scope/);
    assert.match(text.slice(text.lastIndexOf("(1–5)")), /invalid_scope.*\n {4}at userAuthentication\.scopes \(pack\.ts:7:3\)\n$/s);
  });
});
