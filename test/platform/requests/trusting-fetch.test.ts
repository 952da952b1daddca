// Certificates of the author's own: trusted where they are named, and nowhere else.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trustingFetch } from "../../../platform/requests/trusting-fetch.ts";
import { selfSigned } from "../../support/certificates.ts";
import { root } from "../../support/packs.ts";

describe("Trusted certificates of the author", () => {
  let server: Server;
  let url: string;
  let folder: string;
  before(async () => {
    const pair = await selfSigned();
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

  it("a listed certificate is trusted", async () => {
    const fetch = await trustingFetch([join(folder, "cert.pem")]);
    assert.equal(await (await fetch(url, {})).text(), "hello");
  });
  it("a listed certificate is trusted by its own fetch only", async () => {
    const trusting = await trustingFetch([join(folder, "cert.pem")]);
    assert.equal((await trusting(url, {})).status, 200);
    await assert.rejects(async () => (await trustingFetch([]))(url, {}));
    await assert.rejects(fetch(url));
  });
  it("an unreadable or invalid certificate file is named", async () => {
    await assert.rejects(trustingFetch([join(folder, "absent.pem")]), {
      code: "configuration-invalid",
      message: /absent\.pem cannot be read/,
    });
    await assert.rejects(trustingFetch([join(folder, "other.pem")]), { code: "configuration-invalid", message: /no certificate in PEM/ });
  });
  it("a workspace cannot set packAuth.trustedCertificates", () => {
    const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const settings = [contributes.configuration].flat().flatMap(({ properties }) => Object.entries<{ scope?: string }>(properties));
    assert.equal(Object.fromEntries(settings)["packAuth.trustedCertificates"]?.scope, "machine");
  });
});
