// Which Nodes are found on the PATH and tried: programs alone, each of them, and as Windows names them there.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { chooseNode, nodesOnPath } from "../../platform/choose-node.ts";
import { canInspect, nodeFlags } from "../../platform/node-flags.ts";
import { runner } from "../support/packs.ts";

describe("the Nodes of the PATH", function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-nodes-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  /** A folder with a `node` that ends at once. */
  const withNode = (name: string, mode = 0o755): string => {
    const place = join(folder, name);
    mkdirSync(place);
    writeFileSync(join(place, "node"), "#!/bin/sh\nexit 3\n");
    chmodSync(join(place, "node"), mode);
    return place;
  };

  it("are files that can be run, each once", () => {
    const [runs, cannot] = [withNode("runs"), withNode("cannot", 0o644)];
    mkdirSync(join(folder, "folder/node"), { recursive: true });
    assert.deepEqual(nodesOnPath([cannot, join(folder, "folder"), runs, join(folder, "none"), runs].join(delimiter)), [join(runs, "node")]);
  });

  it("are node.exe on Windows, in quotation marks or not, and never the script beside it (simulated)", () => {
    const files = [
      "C:\\Program Files\\nodejs\\node.exe",
      "C:\\Program Files\\nodejs\\node",
      "D:\\tools\\node",
      "E:\\pack\\node_modules\\.bin\\node.exe",
    ];
    assert.deepEqual(
      nodesOnPath('"C:\\Program Files\\nodejs";D:\\tools;E:\\pack\\node_modules\\.bin;bin;C:\\Program Files\\nodejs', "win32", (file) =>
        files.includes(file),
      ),
      ["C:\\Program Files\\nodejs\\node.exe"],
    );
  });

  it("are tried one after the other until one keeps packs apart", async () => {
    const good = join(folder, "good");
    mkdirSync(good);
    symlinkSync(process.execPath, join(good, "node"));
    const path = [withNode("first"), withNode("second"), good].join(delimiter);
    assert.equal(await chooseNode({ own: join(folder, "none"), path }, runner), join(good, "node"));
  });

  it("are asked for their flags without keeping this process waiting, and again after one did not answer", async () => {
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

  it("are asked themselves, also the editor's own: its flags are not those of a Node (simulated)", async () => {
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
