// Certificates of the author's own: trusted where they are named, and nowhere else.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trustingFetch } from "../../platform/trusting-fetch.ts";
import { selfSigned } from "../support/faulty-server.ts";

describe("certificates of the author's own", () => {
  let server: Server;
  let url: string;
  let folder: string;
  before(async () => {
    const pair = selfSigned();
    folder = mkdtempSync(join(tmpdir(), "pack-auth-ca-"));
    writeFileSync(join(folder, "cert.pem"), pair.cert);
    writeFileSync(join(folder, "other.pem"), "no certificate");
    server = createServer(pair, (_request, response) => response.end("hello"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  it("are trusted where they are named", async () => {
    const fetch = await trustingFetch([join(folder, "cert.pem")]);
    assert.equal(await (await fetch(url, {})).text(), "hello");
  });
  it("are trusted nowhere else", async () => {
    const trusting = await trustingFetch([join(folder, "cert.pem")]);
    assert.equal((await trusting(url, {})).status, 200);
    await assert.rejects(async () => (await trustingFetch([]))(url, {}));
    await assert.rejects(fetch(url));
  });
  it("that cannot be read, or are none, are named", async () => {
    await assert.rejects(trustingFetch([join(folder, "absent.pem")]), {
      code: "configuration-invalid",
      message: /absent\.pem cannot be read/,
    });
    await assert.rejects(trustingFetch([join(folder, "other.pem")]), { code: "configuration-invalid", message: /no certificate in PEM/ });
  });
});
