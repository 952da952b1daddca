// What `pack-auth connect` prints while the browser shows an error that the provider tells nobody else: the reason, the field, the line.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callCli, storedIn } from "../../support/call-cli.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

describe("an error page in the browser", function () {
  this.timeout(60_000);
  const home = mkdtempSync(join(tmpdir(), "pack-auth-page-"));
  const provider = createServer((request, response) =>
    response
      .writeHead(request.url?.startsWith("/authorize") ? 400 : 404)
      .end(`<h1>Error: ${request.url?.includes("nobody") ? "invalid_client" : "invalid_scope"}</h1>`),
  );
  const packOf = (address: string): string =>
    packFiles({
      "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "${address}/authorize",
  tokenUrl: "${address}/token",
  scopes: ["read"],
});
`,
    });
  const base = (): string => `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  before(() => new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve)));
  after(() => {
    provider.close();
    removePackFiles();
    rmSync(home, { recursive: true, force: true });
  });

  /** Signs in as this client, and ends the sign-in once the page was found to show an error. */
  async function endAfterPageError(pack: string, clientId: string): Promise<string> {
    const child = spawn(
      process.execPath,
      [join(root, "dist/cli.cjs"), "connect", "pack.ts", "--no-browser", "--redirect", "http://127.0.0.1:0/oauth"],
      { cwd: dirname(pack), env: { PATH: process.env.PATH, ...storedIn(home) } },
    );
    let text = "";
    let isEnded = false;
    child.stdout.resume();
    child.stderr.on("data", (data: Buffer) => {
      text += data;
      if (isEnded || !/End the sign-in, and show what to change.*\(1–4\) > $/s.test(text)) return;
      isEnded = true;
      child.stdin.end("1\n");
    });
    // The client ID, its secret, and the browser.
    child.stdin.write(`${clientId}\nthe-secret\n1\n`);
    const [code] = (await once(child, "close")) as [number | null];
    assert.equal(code, 1, text);
    return text;
  }

  it("the terminal shows the error and its fix, and the field's position after a cancel", async () => {
    const text = await endAfterPageError(packOf(base()), "the-id");
    const [waiting = "", ...rest] = text.split("Waiting for the browser. It returns by itself after you sign in.");
    assert.match(waiting, /the error that the page shows/);
    assert.match(rest.join(""), /refused the sign-in, because .*scopes.* Its answer: invalid_scope/);
    assert.match(
      text.slice(text.lastIndexOf("(1–4) > ")),
      /invalid_scope.*\n {4}at userAuthentication\.scopes \(pack\.ts:7:3\)\n {4}see pack-auth explain scopes-refused\n$/s,
    );
  });

  it("the waiting message names verbs of the command line, and nothing of the editor", async () => {
    const text = await endAfterPageError(packOf(base()), "nobody");
    assert.match(text, /does not know the client ID.* with pack-auth credentials <pack>\./);
    assert.doesNotMatch(text, /Add OAuth credentials/);
  });

  it("the message names the option for another port when the browser cannot come back", async () => {
    const { err } = await callCli(["connect", packOf(base()), "--no-browser", "--redirect", `${base()}/oauth`], {
      env: storedIn(home),
      lines: ["the-id", "the-secret"],
    });
    assert.match(err, /or choose another port with --redirect and register the new address/);
    assert.doesNotMatch(err, /packAuth\./);
  });
});
