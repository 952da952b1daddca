// Which Nodes are tried for a pack and for its debugger, and what each says that it can.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseNode, describeNode } from "../../../platform/process/choose-node.ts";
import { canInspect, nodeFlags } from "../../../platform/process/node-flags.ts";
import { runner } from "../../support/open-packs.ts";

describe("The choice of a Node", function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-nodes-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  /** A folder with a `node` that ends at once. */
  const withNode = (name: string): string => {
    const place = join(folder, name);
    mkdirSync(place);
    writeFileSync(join(place, "node"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
    return place;
  };

  it("the first Node that enforces every layer is chosen", async () => {
    const good = join(folder, "good");
    mkdirSync(good);
    symlinkSync(process.execPath, join(good, "node"));
    const onPath = [withNode("first"), withNode("second"), good].map((place) => join(place, "node"));
    const chosen = await chooseNode({ own: join(folder, "none"), onPath }, runner);
    assert.equal(chosen.node, join(good, "node"));
    assert.equal(chosen.selfTest.node, process.version);
    assert.ok(chosen.selfTest.layers.every(({ isEnforced }) => isEnforced));
    assert.deepEqual(
      chosen.attempts.map((line) => line.split(": ")[0]),
      [join(folder, "none"), ...onPath.slice(0, 2)],
    );
    const [first = "", ...otherLines] = describeNode(chosen).split("\n");
    assert.ok(first.startsWith(`Packs run in ${join(good, "node")} (${process.version}). Its self-test: no file can be read, `), first);
    assert.deepEqual(
      otherLines,
      chosen.attempts.map((line) => `Not in ${line}`),
    );
  });

  it("a Node's flags are queried without blocking, and again after a failure", async () => {
    const other = join(folder, "other");
    writeFileSync(other, "#!/bin/sh\necho --permission --allow-inspector\n", { mode: 0o755 });
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    assert.equal(await canInspect(other), true);
    clearInterval(turning);
    assert.ok(turns > 0, "timers ran meanwhile");
    const later = join(folder, "later");
    assert.deepEqual(await nodeFlags(later), {});
    writeFileSync(later, "#!/bin/sh\necho --permission\n", { mode: 0o755 });
    assert.deepEqual(await nodeFlags(later), { permission: "--permission" });
  });

  it("the flags come from the program itself, also for the editor's own Node (simulated)", async () => {
    const electron = join(folder, "electron");
    writeFileSync(electron, "#!/bin/sh\necho --experimental-permission\n", { mode: 0o755 });
    const [versions, execPath] = [process.versions, process.execPath];
    Object.defineProperty(process, "versions", { value: { ...versions, electron: "37.0.0" }, configurable: true });
    process.execPath = electron;
    try {
      assert.deepEqual(await nodeFlags(electron), { permission: "--experimental-permission" });
    } finally {
      Object.defineProperty(process, "versions", { value: versions, configurable: true, enumerable: true });
      process.execPath = execPath;
    }
  });
});
