// `pack-auth upload` as a shell calls it, up to the point where it needs a keyring, which a machine without a desktop lacks.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCli, storedIn } from "../support/call-cli.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { type PublicApiStandIn, STAND_IN, startPublicApi } from "../support/public-api.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
`;

describe("pack-auth upload", function () {
  this.timeout(120_000);
  let home: string;
  let standIn: PublicApiStandIn;
  before(async () => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-upload-"));
    standIn = await startPublicApi();
  });
  after(async () => {
    await standIn.close();
    removePackFiles();
    rmSync(home, { recursive: true, force: true });
  });
  const upload = (entry: string, ...more: readonly string[]) =>
    callCli(["upload", entry, ...more], { env: { ...storedIn(home), ...standIn.env } });

  it("a call without a pack is a wrong command", async () => {
    const { code, err } = await callCli(["upload"]);
    assert.equal(code, 2);
    assert.match(err, /upload needs one pack/);
  });

  it("a pack without an ID is refused with the command that registers it", async () => {
    const { code, err } = await upload(packFiles({ "pack.ts": SOURCE }), "--yes");
    assert.equal(code, 1);
    assert.match(err, /The pack has no ID at coda\.io\. Run packs create/);
  });

  it("code of the workspace does not run beside the passphrase, and nothing reaches the platform", async () => {
    const entry = packFiles({ "pack.ts": SOURCE, ".coda-pack.json": JSON.stringify({ packId: STAND_IN.packId }) });
    const { code, out, err } = await upload(entry, "--yes");
    assert.equal(code, 1);
    assert.match(err, /PACK_AUTH_PASSPHRASE is in the environment/);
    assert.match(err, /unset PACK_AUTH_SECRET_STORE and PACK_AUTH_PASSPHRASE/);
    assert.doesNotMatch(out + err, /correct horse/);
    assert.deepEqual((await standIn.state()).requests, []);
  });
});
