// The command line's way to the network: what the environment's proxy does not take is checked like everything else.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleProgram } from "../../support/bundle-program.ts";

describe("fetch of the command line", function () {
  this.timeout(60_000);
  let server: Server;
  let port: number;
  let folder: string;
  let child: string;
  const requestLog: string[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-fetch-"));
    child = await bundleProgram("test/support/fetch-child.ts", folder);
    server = createServer((request, response) => {
      requestLog.push(`asked for ${request.url}`);
      response.end("ok");
    });
    server.on("connect", (request, socket) => {
      requestLog.push(`told to connect to ${request.url}`);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    requestLog.length = 0;
  });

  const ask = async (url: string, env: NodeJS.ProcessEnv): Promise<string> =>
    (await promisify(execFile)(process.execPath, [child, url], { env })).stdout;

  it("a private address is refused without a proxy", async () => {
    assert.match(await ask(`http://inside.example:${port}/`, {}), /an address of a private network/);
    assert.deepEqual(requestLog, []);
  });
  it("a private address is refused when NO_PROXY bypasses the proxy", async () => {
    const env = { HTTP_PROXY: `http://proxy.example:${port}`, NO_PROXY: "inside.example" };
    assert.match(await ask(`http://inside.example:${port}/`, env), /an address of a private network/);
    assert.deepEqual(requestLog, []);
  });
  for (const [what, proxy, why] of [
    ["refuses connections", "http://user:canary@nowhere.example:1", /connect ECONNREFUSED 127\.0\.0\.1:1/],
    ["is not a URL", "canary", /HTTPS_PROXY is not a URL such as http:/],
    [
      "is a SOCKS proxy",
      "socks5://user:canary@nowhere.example:1080",
      /HTTPS_PROXY names a SOCKS proxy, which is not supported\b.*Set it to/,
    ],
    ["has no host", "canary:8080", /HTTPS_PROXY is not a URL such as http:/],
  ] as const)
    it(`a proxy that ${what} is named in the error`, async () => {
      const message = await ask("https://api.example/", { HTTPS_PROXY: proxy });
      assert.match(message, /^never sent: the proxy cannot be used, so the request to api\.example was not sent \(/);
      assert.match(message, why);
      assert.match(message, /Check the proxy\./);
      assert.doesNotMatch(message, /canary/);
    });
  it("ALL_PROXY is named where it alone sets a proxy, also a SOCKS one", async () => {
    const message = await ask("https://api.example/", { ALL_PROXY: "socks5h://user:canary@nowhere.example:1080" });
    assert.match(message, /ALL_PROXY names a SOCKS proxy, which is not supported/);
    assert.doesNotMatch(message, /canary/);
    await ask("http://api.example/", { all_proxy: "socks5://nowhere.example", HTTP_PROXY: `http://proxy.example:${port}` });
    await ask("http://b.example/", { ALL_PROXY: `http://proxy.example:${port}` });
    assert.deepEqual(requestLog, ["told to connect to api.example:80", "told to connect to b.example:80"]);
  });
  it("each proxy variable is read, in either spelling", async () => {
    for (const name of ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
      await ask("https://api.example/", { [name]: `http://proxy.example:${port}` });
    for (const name of ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
      await ask("http://api.example/", { [name]: `http://proxy.example:${port}` });
    assert.deepEqual(
      requestLog,
      [443, 80].flatMap((to) => Array(4).fill(`told to connect to api.example:${to}`)),
    );
  });
  it("a proxy in the private network is reached", async () => {
    await ask("http://api.example/", { HTTP_PROXY: `http://proxy.example:${port}`, NO_PROXY: "inside.example" });
    assert.deepEqual(requestLog, ["told to connect to api.example:80"]);
  });
});
