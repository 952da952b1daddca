// A pack through its versions: what is kept ready between them, that no run sees another, and that nothing stays behind.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPack, type Pack } from "../../../platform/process/pack.ts";
import { runner } from "../../support/open-packs.ts";
import { packWith, removePackFiles } from "../../support/pack-file.ts";
import { noPackProcess, somePackProcess } from "../../support/pack-processes.ts";
import { root } from "../../support/packs.ts";

const context = {
  invocationToken: "t",
  timezone: "UTC",
  invocationLocation: { protocolAndHost: "https://coda.io", source: "Doc" as const },
};
const handlers = { fetch: async () => ({ name: "Error" as const, message: "no" }), console: () => {} };
const value = async (pack: Pack, run?: object): Promise<unknown> =>
  (await pack.execute({ kind: "formula", name: "Try" }, [], context, handlers, run === undefined ? {} : { run }))?.value;

describe("A pack across its versions", function () {
  this.timeout(30_000);
  const open: Pack[] = [];
  const openTestPack = async (entry: string): Promise<Pack> => {
    const pack = await openPack(entry, { process: { runner, node: process.execPath } });
    open.push(pack);
    return pack;
  };
  after(() => {
    for (const pack of open) pack.dispose();
    removePackFiles();
  });

  it("a renewed pack runs the current files, the old one its former files", async () => {
    const entry = packWith("return 'old'");
    const old = await openTestPack(entry);
    assert.equal(await value(old), "old");
    writeFileSync(entry, readFileSync(entry, "utf8").replace("'old'", "'new'").replace('name: "Try"', 'name: "Try", isExperimental: true'));
    const renewed = await old.renew();
    open.push(renewed);
    assert.deepEqual([await value(renewed), await value(old)], ["new", "old"]);
    old.dispose();
    assert.equal(await value(renewed), "new");
  });
  it("a pack that fails to build can be renewed later", async () => {
    const entry = packWith("return 'first'");
    const source = readFileSync(entry, "utf8");
    const pack = await openTestPack(entry);
    writeFileSync(entry, `${source} (((`);
    await assert.rejects(pack.renew(), { code: "pack-does-not-bundle" });
    writeFileSync(entry, source.replace("'first'", "'second'"));
    const renewed = await pack.renew();
    open.push(renewed);
    assert.equal(await value(renewed), "second");
  });
  it("global state lasts within a run and not across runs", async () => {
    const pack = await openTestPack(
      packWith("(globalThis as any).count = ((globalThis as any).count ?? 0) + 1; return (globalThis as any).count"),
    );
    assert.deepEqual([await value(pack), await value(pack)], [1, 1]);
    const run = {};
    assert.deepEqual([await value(pack, run), await value(pack, run), await value(pack)], [1, 2, 1]);
    pack.finish(run);
    assert.equal(await value(pack, run), 1);
    pack.finish(run);
  });
  it("concurrent runs have a process each", async () => {
    const pack = await openTestPack(
      packWith("(globalThis as any).count = ((globalThis as any).count ?? 0) + 1; return (globalThis as any).count"),
    );
    assert.deepEqual(await Promise.all([value(pack), value(pack), value(pack)]), [1, 1, 1]);
  });
  it("a closed pack leaves no process behind", async function () {
    if (process.platform !== "linux") this.skip();
    for (const each of open.splice(0)) each.dispose();
    await noPackProcess();
    const pack = await openTestPack(packWith("return 1"));
    await value(pack);
    await somePackProcess();
    pack.dispose();
    await noPackProcess();
  });
  it("a host that ends while a process starts leaves no file behind", () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-ending-"));
    try {
      const env = { ...process.env, TMPDIR: folder, TMP: folder, TEMP: folder };
      const host = join(root, "test/support/ending-host.ts");
      const { status, stderr } = spawnSync(process.execPath, ["--import=tsx", host], { cwd: root, env, encoding: "utf8" });
      assert.equal(status, 0, stderr);
      // What tsx keeps for the next time is its own.
      assert.deepEqual(
        readdirSync(folder).filter((name) => !name.startsWith("tsx-")),
        [],
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
