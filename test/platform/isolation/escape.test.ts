// What pack code must never be able to do, tried from inside a pack, on every Node that the product runs on (security.md 1).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PackAuthError } from "../../../platform/errors.ts";
import { openPack, type Pack } from "../../../platform/process/pack.ts";
import { startPackProcess } from "../../../platform/process/process.ts";
import { FRAME_HEADER } from "../../../protocol/frames.ts";
import { escapeContext, escapeHandlers, escapeProbes, escapesPack, tryProbe } from "../../support/escapes/probes.ts";
import { escapesWithoutWalls } from "../../support/escapes/without-walls.ts";
import { nodesAtHand } from "../../support/nodes.ts";
import { runner } from "../../support/open-packs.ts";
import { packWith, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

after(removePackFiles);

describe("The probes", () => {
  it("probes escape from a bare vm context", async () => {
    const out = await escapesWithoutWalls();
    assert.ok(out.length >= 20, `only these got out: ${out.join(", ")}`);
  });
});

describe("A file that the host has open", () => {
  it("an open file is not inherited by the pack process", function () {
    if (process.platform !== "linux") this.skip();
    const file = join(dirname(packWith("return ''")), "open.txt");
    writeFileSync(file, "canary");
    const [canary, host] = [openSync(file, "r"), join(root, "test/support/open-files-child.ts")];
    // Node closes the first ones of them to its children; a native module's may have any number.
    const stdio = ["ignore", "pipe", "pipe", ...Array<"ignore">(37).fill("ignore"), canary] as const;
    const { stdout, stderr } = spawnSync(process.execPath, ["--import=tsx", host], { cwd: root, stdio: [...stdio], encoding: "utf8" });
    closeSync(canary);
    assert.match(stdout, /pipe|socket/, stderr);
    assert.doesNotMatch(stdout, /open\.txt/);
  }).timeout(30_000);
});

for (const node of nodesAtHand()) {
  describe(`Escapes from a pack, ${node.name}`, function () {
    this.timeout(60_000);
    let pack: Pack;
    let secretFile: string;
    const shared = {};
    before(async () => {
      secretFile = join(dirname(packWith("return ''")), "secret.txt");
      writeFileSync(secretFile, "canary");
      pack = await openPack(escapesPack, { process: { runner, node: node.path } });
    });
    after(() => {
      pack.finish(shared);
      pack.dispose();
    });

    for (const { name, description } of escapeProbes) {
      it(`the pack does not escape: ${description}`, async () => {
        assert.equal(await tryProbe(pack, name, secretFile, shared), "kept");
      });
    }

    for (const [where, body] of [
      [
        "in the receiver of the host's messages",
        "Map.prototype.get = () => { throw watched }; await context.fetcher.fetch({ method: 'GET', url: 'https://example.com' })",
      ],
      [
        "in the callback of a FinalizationRegistry",
        // Reachable, or it goes with what it watches once the loop is optimised; and what is held for a while is what V8 collects the old for.
        "const registry = new FinalizationRegistry(() => { throw watched }); (globalThis as any).registry = registry; for (let i = 0; i < 1_000; i++) registry.register(new Array(100), 1); for (let held: any[] = []; ; held = held.length > 1_000 ? [] : held) { held.push(new Array(10_000).fill(1)); await context.fetcher.fetch({ method: 'GET', url: 'https://example.com' }).catch(() => {}) }",
      ],
    ] as const) {
      it(`an error thrown ${where} ends the process unread`, async () => {
        const watched = `const trap = (_: any, key: any) => { console.log("read: " + String(key)); return undefined }; const watched = new Proxy(new Error("x"), { get: trap, has: trap as any, getPrototypeOf: trap as any, getOwnPropertyDescriptor: trap as any });`;
        const other = await openPack(packWith(`${watched} ${body}`), { process: { runner, node: node.path } });
        const read: string[] = [];
        const handlers = { ...escapeHandlers, console: ({ message }: { readonly message: string }) => void read.push(message) };
        await assert.rejects(
          other.execute({ kind: "formula", name: "Try" }, [], escapeContext, handlers).finally(() => other.dispose()),
          ({ code, hint }: PackAuthError) => code === "process-crashed" && /where nothing could catch it/.test(hint ?? ""),
        );
        assert.deepEqual(read, []);
      });
    }

    it("the pack contains every probe", () => {
      assert.deepEqual(
        pack.definition.formulas.map(({ name, description }) => ({ name, description })),
        escapeProbes,
      );
    });

    // Each layer is tried for itself: a Node that leaves one of them out is told, and runs nothing.
    for (const [layer, flag] of [
      ["no file can be read (it was possible)", "--allow-fs-read=*"],
      ["no file can be written (it was possible)", "--allow-fs-write=*"],
      ["no process can be started (it was possible)", "--allow-child-process"],
      ["no worker can be started (it was possible)", "--allow-worker"],
      ["no secrets in the environment (A_SECRET)", ""],
    ] as const) {
      it(`a missing layer refuses the pack: ${layer.replace(/ \(.*/, "")}`, async function () {
        if (process.platform === "win32") this.skip();
        const wrapper = join(dirname(packWith("return ''")), "node.sh");
        const variable = flag === "" ? "A_SECRET=x" : "";
        // A shell gives names of its own; and asked for its flags, the Node is what it is.
        const script = `#!/bin/sh\n[ "$1" = -p ] && exec "${node.path}" "$@"\nexec env -i ${variable} "${node.path}" ${flag} "$@"\n`;
        writeFileSync(wrapper, script, { mode: 0o755 });
        await assert.rejects(startPackProcess({ runner, node: wrapper }), {
          code: "sandbox-layer-missing",
          message: `The pack was not run: ${layer}.`,
        });
      });
    }

    it("a missing layer keeps the process from running any code", () => {
      const [message, code] = [JSON.stringify({ type: "load", filename: "pack.js" }), "console.log('pack code')"];
      const header = Buffer.alloc(FRAME_HEADER);
      header.writeUInt32BE(message.length, 0);
      header.writeUInt32BE(code.length, 4);
      const input = Buffer.concat([header, Buffer.from(message + code)]);
      // A file that cannot be read for another reason proves nothing.
      const canary = join(dirname(secretFile), "none", "canary");
      const { stdout } = spawnSync(node.path, [runner, canary, ""], { input, env: {}, encoding: "utf8" });
      assert.match(stdout, /"no file can be read","isEnforced":false,"detail":"failed otherwise: ENOENT"/);
      assert.doesNotMatch(stdout, /pack code/);
    });

    const permission = /v20\b/.test(spawnSync(node.path, ["--version"], { encoding: "utf8" }).stdout)
      ? "--experimental-permission"
      : "--permission";
    for (const [flag, layers] of [
      [permission, /no file can be read .*no file can be written .*no process can be started .*no worker can be started/],
      ["--disallow-code-generation-from-strings", /: no code from strings outside the realm \(it was possible\)\.$/],
      ["--frozen-intrinsics", /: intrinsics are frozen \(not in force\)\.$/],
      ["--experimental-vm-modules", /: no dynamic import \(.*\)\.$/],
    ] as const) {
      it(`a Node without ${flag} is refused`, async () => {
        await assert.rejects(
          startPackProcess({ runner, node: node.path, withoutFlags: flag.endsWith("permission") ? [flag, "--allow-fs-read"] : [flag] }),
          { code: "sandbox-layer-missing", message: layers },
        );
      });
    }
  });
}
