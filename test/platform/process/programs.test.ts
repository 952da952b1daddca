// Programs are started by their whole path, and what the workspace puts in front of the PATH or into the current folder is none of them.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { programsOnPath, THIS_MACHINE, windowsProgram } from "../../../platform/files/programs.ts";
import { root } from "../../support/packs.ts";

describe("programs of this machine", () => {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-programs-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const withProgram = (place: string, name = "node", mode = 0o755): string => {
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(join(folder, place, name), `#!/bin/sh\necho run >> '${join(folder, "told")}'\n`);
    chmodSync(join(folder, place, name), mode);
    return join(folder, place);
  };
  const onPath = (...folders: readonly string[]): readonly string[] =>
    programsOnPath("node", { ...THIS_MACHINE, environment: { PATH: folders.join(delimiter) } });

  it("are files that can be run, each once, and none of the workspace's", () => {
    const [runs, cannot, own] = [withProgram("runs"), withProgram("cannot", "node", 0o644), withProgram("node_modules/.bin")];
    mkdirSync(join(folder, "folder/node"), { recursive: true });
    assert.deepEqual(onPath(own, "", ".", "bin", cannot, join(folder, "folder"), runs, join(folder, "none"), runs), [join(runs, "node")]);
  });

  it("are named .exe on Windows, in quotation marks or not (simulated)", () => {
    const files = [
      "C:\\Program Files\\nodejs\\node.exe",
      "C:\\Program Files\\nodejs\\node",
      "D:\\tools\\node",
      "E:\\pack\\node_modules\\.bin\\node.exe",
      "node.exe",
    ];
    const PATH = '"C:\\Program Files\\nodejs";D:\\tools;E:\\pack\\node_modules\\.bin;.;;C:\\Program Files\\nodejs';
    assert.deepEqual(programsOnPath("node", { platform: "win32", environment: { PATH }, isProgram: (file) => files.includes(file) }), [
      "C:\\Program Files\\nodejs\\node.exe",
    ]);
    assert.equal(
      windowsProgram("tasklist.exe", { ...THIS_MACHINE, environment: { SystemRoot: "D:\\Win" } }),
      "D:\\Win\\System32\\tasklist.exe",
    );
  });

  it("are never started by a bare name", () => {
    for (const room of ["platform", "client", "cli"])
      for (const name of readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts")))
        assert.doesNotMatch(
          readFileSync(join(root, room, name), "utf8"),
          /\b(?:spawn|spawnSync|execFile|execFileSync|exec|output|promisify\(execFile\))\(\s*"[^"/\\]+"/,
          `${room}/${name}`,
        );
  });

  it("open no window of their own on Windows, where the editor starts them", () => {
    for (const room of ["platform", "client"])
      for (const name of readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))) {
        const text = readFileSync(join(root, room, name), "utf8");
        // The self-test shows that it can start none, ps is not on Windows, and esbuild's own library hides its process.
        if (["runner/self-test.ts", "process/resident-memory.ts", "bundle/esbuild.ts"].includes(name)) continue;
        if (/from "node:child_process"/.test(text) && /\b(?:spawn|execFile)\(/.test(text))
          assert.match(text, /windowsHide: true/, `${room}/${name}`);
      }
  });
});
