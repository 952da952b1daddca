// Programs are started by their whole path, and what the workspace puts in front of the PATH or into the current folder is none of them.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openCliHost, terminalReach } from "../../../cli/terminal/host.ts";
import { openMemoryShell } from "../../../platform/child-process/windows-memory.ts";
import { programEnvironment, programsOnPath, THIS_MACHINE, windowsProgram } from "../../../platform/files/programs.ts";
import { portOwner } from "../../../platform/oauth/port-owner.ts";
import { openTerminal } from "../../support/call-cli.ts";
import { root } from "../../support/packs.ts";

describe("Programs of this machine", () => {
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

  it("programs on the PATH are executable, listed once, and never the workspace's", () => {
    const [runs, cannot, own] = [withProgram("runs"), withProgram("cannot", "node", 0o644), withProgram("node_modules/.bin")];
    mkdirSync(join(folder, "folder/node"), { recursive: true });
    assert.deepEqual(onPath(own, "", ".", "bin", cannot, join(folder, "folder"), runs, join(folder, "none"), runs), [join(runs, "node")]);
  });

  it("programs on Windows end in .exe, quoted in the PATH or not (simulated)", () => {
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

  it("programs are never started by a bare name", () => {
    for (const room of ["platform", "client", "cli"])
      for (const name of readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts")))
        assert.doesNotMatch(
          readFileSync(join(root, room, name), "utf8"),
          /\b(?:spawn|spawnSync|execFile|execFileSync|exec|output|promisify\(execFile\))\(\s*"[^"/\\]+"/,
          `${room}/${name}`,
        );
  });

  it("programs get an environment of named variables and a PATH without the workspace", () => {
    const environment = {
      PATH: ["/repository/node_modules/.bin", ".", "/usr/bin"].join(":"),
      HOME: "/places/me",
      LC_ALL: "C",
      DISPLAY: ":0",
      XDG_RUNTIME_DIR: "/run/user/1",
      https_proxy: "http://proxy.example:8080",
      PACK_AUTH_PASSPHRASE: "a-secret",
      GITHUB_TOKEN: "a-secret",
      HOME_TOKEN: "a-secret",
      NODE_OPTIONS: "--require=./code.js",
      GIT_SSH_COMMAND: "code",
    };
    assert.deepEqual(programEnvironment({ ...THIS_MACHINE, platform: "linux", environment }), {
      PATH: "/usr/bin",
      HOME: "/places/me",
      LC_ALL: "C",
      DISPLAY: ":0",
      XDG_RUNTIME_DIR: "/run/user/1",
      https_proxy: "http://proxy.example:8080",
    });
  });

  it("no program gets a secret of the environment", async function () {
    // Elsewhere the programs are named by their places.
    if (process.platform !== "linux") this.skip();
    const dump = join(folder, "environment");
    const programs = join(folder, "dumping");
    mkdirSync(programs);
    for (const name of ["lsof", "xdg-open"])
      writeFileSync(join(programs, name), `#!/bin/sh\nenv > '${dump}.part' && mv '${dump}.part' '${dump}'\n`, { mode: 0o755 });
    const variables = {
      PATH: `${programs}:${process.env.PATH}`,
      PACK_AUTH_HOME: join(folder, "home"),
      PACK_AUTH_SECRET_STORE: "file",
      PACK_AUTH_PASSPHRASE: "canary-of-the-environment",
      PACK_AUTH_CLIENT_SECRET: "canary-of-the-environment",
    };
    const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
    Object.assign(process.env, variables);
    const starts: Readonly<Record<string, () => Promise<unknown>>> = {
      lsof: () => portOwner(1),
      "xdg-open": async () => {
        const { terminal } = openTerminal({ env: variables });
        const host = await openCliHost(terminal, terminalReach(terminal));
        await host.openBrowser("https://example.com/");
        host.close();
      },
      "the shell that looks at memory": () =>
        openMemoryShell(["/bin/sh", "-c", `env > '${dump}.part' && mv '${dump}.part' '${dump}'`]).residentBytes(1),
    };
    try {
      for (const [name, start] of Object.entries(starts)) {
        rmSync(dump, { force: true });
        await start();
        for (let left = 500; left > 0 && !existsSync(dump); left--) await setTimeout(10);
        const variables = readFileSync(dump, "utf8");
        assert.match(variables, /^PATH=/m, name);
        assert.doesNotMatch(variables, /canary/, name);
      }
    } finally {
      for (const [name, value] of Object.entries(before))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });

  it("child processes never get the whole environment", () => {
    for (const room of ["platform", "client", "cli", "server", "launch"])
      for (const name of readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))) {
        const text = readFileSync(join(root, room, name), "utf8");
        // The self-test shows that it can start none.
        if (name === "runner/self-test.ts" || !/from "node:child_process"/.test(text)) continue;
        const starts = text.match(/(?<![\w.])(?:spawn|spawnSync|execFile|execFileSync|exec|execSync|fork)\(/g) ?? [];
        const environments = text.match(/\benv: (?:programEnvironment\((?:machine)?\)|nodeEnvironment\(\)|\{)/g) ?? [];
        // esbuild's library is given a `spawn` of ours.
        const methods = name === "bundle/esbuild.ts" ? 1 : 0;
        assert.equal(environments.length, starts.length - methods, `${room}/${name}`);
        assert.doesNotMatch(text, /\.\.\.process\.env/, `${room}/${name}`);
      }
  });

  it("programs open no window on Windows", () => {
    for (const room of ["platform", "client"])
      for (const name of readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))) {
        const text = readFileSync(join(root, room, name), "utf8");
        // The self-test shows that it can start none, ps is not on Windows, and esbuild's own library hides its process.
        if (["runner/self-test.ts", "child-process/resident-memory.ts", "bundle/esbuild.ts"].includes(name)) continue;
        if (/from "node:child_process"/.test(text) && /\b(?:spawn|execFile)\(/.test(text))
          assert.match(text, /windowsHide: true/, `${room}/${name}`);
      }
  });
});
