// The sandbox as a process: how it is started, attached to, asked twice, and how it ends.
import assert from "node:assert/strict";
import { type ChildProcess, fork, type SpawnSyncOptionsWithStringEncoding, spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PackAuthError } from "../../../platform/errors.ts";
import { type Sandbox, startSandbox } from "../../../platform/sandbox/launch.ts";
import { launchSandbox, sandboxOfSuite } from "../../support/open-packs.ts";
import { root } from "../../support/packs.ts";
import {
  auth,
  bearer,
  definition,
  oauth2,
  registered,
  removeStubsFiles,
  requestToken,
  signIn,
  type Tokens,
  writeStubsFile,
} from "../../support/sandbox.ts";

const MODULE = join(root, "dist/sandbox.cjs");

describe("The sandbox's process", () => {
  const sandbox = sandboxOfSuite();
  after(removeStubsFiles);

  it("a pack that registers again keeps its address, credentials and tokens", async () => {
    const shape = oauth2();
    const first = await registered(sandbox, definition(shape));
    const tokens = await signIn(first, shape);
    const more = definition(
      { ...shape, scopes: ["orders:read", "more"], useProofKeyForCodeExchange: true },
      { networkDomains: ["shop.example", "cdn.example"] },
    );
    const stubs = { answers: [{ request: "GET https://api.shop.example/new", body: "new" }] };
    const second = await registered(sandbox, more, { entry: first.entry, stubs });
    assert.deepEqual({ ...second, api: undefined }, { ...first, api: undefined });
    assert.equal((await second.api("https://api.shop.example/new", bearer(tokens.access_token))).body, "new");
    const refreshed = await requestToken(second, String(shape.tokenUrl), {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
    });
    assert.equal((await second.api("https://api.shop.example/", bearer((refreshed.body as Tokens).access_token))).status, 200);
  });

  it("a changed type keeps the address, and its former credentials when it returns", async () => {
    const first = await registered(sandbox, definition({ type: "HeaderBearerToken" }));
    const custom = { type: "Custom", params: [{ name: "key", description: "" }] };
    const second = await registered(sandbox, definition(custom), { entry: first.entry });
    assert.equal(second.origin, first.origin);
    assert.equal(second.user.credential?.kind, "values");
    const both = { ...custom, params: [...custom.params, { name: "site", description: "" }] };
    const third = await registered(sandbox, definition(both), { entry: first.entry });
    assert.ok(second.user.credential?.kind === "values" && third.user.credential?.kind === "values");
    assert.equal(third.user.credential.values.key, second.user.credential.values.key);
    assert.deepEqual(Object.keys(third.user.credential.values), ["key", "site"]);
  });

  it("concurrent registrations get one address for each pack", async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => registered(sandbox, definition(oauth2()), { entry: `/many/${index % 4}/pack.ts` })),
    );
    assert.equal(new Set(all.map(({ origin }) => origin)).size, 4);
    assert.equal(new Set(all.map(({ user }) => user.clientCredentials.clientId)).size, 4);
  });

  it("a bad sandbox.json is refused with its place, and the former answers stay", async () => {
    const pack = await registered(sandbox, definition({ type: "None" }));
    const file = writeStubsFile('{\n  "answers": [\n    { "request": "get /x" }\n  ]\n}');
    await assert.rejects(
      sandbox.register({ entry: pack.entry, name: "shop", definition: definition({ type: "None" }), stubsFile: file }),
      (error: PackAuthError) => {
        assert.equal(error.code, "sandbox-failed");
        assert.match(error.message, /sandbox\.json, line 3: answers\[0\]\.request must be a method and an https URL/);
        assert.deepEqual(error.location, { path: file, line: 2, character: 17 });
        assert.ok(error.hint);
        return true;
      },
    );
    assert.equal((await pack.api("https://api.shop.example/")).status, 200);
  });

  it("a pack with missing or invalid OAuth URLs can be registered", async () => {
    for (const tokenUrl of ["", "no url", undefined]) {
      const { tokenUrl: _token, ...shape } = oauth2();
      const pack = await registered(sandbox, definition({ ...shape, ...(tokenUrl === undefined ? {} : { tokenUrl }) }));
      assert.equal((await pack.api("https://api.shop.example/")).status, 401);
    }
  });

  it("a request without the control token is refused", async () => {
    const { origin } = new URL(sandbox.url);
    for (const headers of [{}, { authorization: "Bearer wrong" }])
      assert.equal((await fetch(`${origin}/packs`, { method: "POST", headers, body: "{}" })).status, 401);
    const stranger = await startSandbox({ url: `${origin}/#wrong` });
    const request = { entry: "/x", name: "x", definition: definition(undefined) };
    await assert.rejects(stranger.register(request), { code: "sandbox-failed", message: /token is not its own/ });
  });

  it("a running sandbox is reached by its address, and a wrong address is reported", async () => {
    const attached = await startSandbox({ url: sandbox.url });
    const pack = await registered(sandbox, definition(oauth2()));
    assert.equal((await registered(attached, definition(oauth2()), { entry: pack.entry })).origin, pack.origin);
    attached.stop();
    assert.equal((await pack.api("https://api.shop.example/")).status, 401, "whoever attached does not stop it");
    for (const url of ["", "nothing", "http://127.0.0.1:1/", "https://evil.example/#token"])
      await assert.rejects(startSandbox({ url }), { code: "sandbox-failed", message: /must be like/ });
    const deadSandbox = await startSandbox({ url: "http://127.0.0.1:1/#token" });
    await assert.rejects(deadSandbox.register({ entry: "/x", name: "x", definition: definition(undefined) }), {
      code: "sandbox-failed",
      message: "The sandbox does not answer. It may have been stopped.",
    });
  });

  it("an unreadable registration is reported", async () => {
    const odd = { entry: "/x", name: "x", definition: {} } as unknown as Parameters<Sandbox["register"]>[0];
    await assert.rejects(sandbox.register(odd), { code: "sandbox-failed", message: /does not understand this registration/ });
  });

  it("both setters of a pack are served", async () => {
    const system = auth({ type: "WebBasic" });
    const pack = await registered(sandbox, definition({ type: "HeaderBearerToken" }, { systemAuthentication: system }));
    assert.equal(pack.user.credential?.kind, "token");
    assert.ok(pack.system?.credential?.kind === "basic");
    const { username, password } = pack.system.credential;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    assert.equal((await pack.api("https://api.shop.example/", { headers: { authorization } })).status, 200);
  });

  it("the process runs from any folder, prints only its address, and ends with its input", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sandbox-alone-"));
    try {
      copyFileSync(MODULE, join(folder, "sandbox.cjs"));
      const child = spawn(process.execPath, [join(folder, "sandbox.cjs")], { cwd: folder, env: {}, stdio: ["pipe", "pipe", "pipe"] });
      let output = "";
      let noise = "";
      child.stderr.on("data", (data) => {
        noise += data;
      });
      await new Promise<void>((resolve) =>
        child.stdout.on("data", (data) => {
          output += data;
          if (output.endsWith("\n")) resolve();
        }),
      );
      const own = await startSandbox({ url: output.trim() });
      const pack = await registered(own, definition(oauth2()));
      const tokens = await signIn(pack, oauth2());
      assert.equal((await pack.api("https://api.shop.example/", bearer(tokens.access_token))).status, 200);
      child.stdin.end();
      assert.deepEqual(await exitOf(child), { code: 0, signal: null });
      assert.equal(noise, "");
      assert.match(output, /^http:\/\/127\.0\.0\.1:\d+\/#\S{20,}\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("the process ends with its parent, on SIGTERM and on SIGINT", async () => {
    const ends: readonly ((child: ChildProcess) => void)[] = [
      (child) => child.disconnect(),
      (child) => child.kill("SIGTERM"),
      (child) => child.kill("SIGINT"),
    ];
    for (const end of ends) {
      const child = fork(MODULE, { execArgv: [], stdio: ["ignore", "ignore", "ignore", "ipc"] });
      await new Promise((resolve) => child.once("message", resolve));
      end(child);
      assert.deepEqual(await exitOf(child), { code: 0, signal: null });
    }
  });

  it("a failed start is reported with what to do", async () => {
    await assert.rejects(startSandbox({ modulePath: join(root, "dist/missing.cjs") }), {
      code: "sandbox-failed",
      hint: "Run: npm run build",
    });
    const folder = mkdtempSync(join(tmpdir(), "sandbox-broken-"));
    try {
      const modulePath = join(folder, "broken.cjs");
      writeFileSync(modulePath, 'throw new Error("on purpose");');
      await assert.rejects(startSandbox({ modulePath }), { code: "sandbox-failed", message: /did not start/, hint: /on purpose/ });
      const nodePath = join(folder, "no-node");
      await assert.rejects(startSandbox({ modulePath: MODULE, nodePath }), { code: "sandbox-failed", message: /did not start/ });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("a stopped sandbox answers no request", async () => {
    const own = await launchSandbox();
    const pack = await registered(own, definition(oauth2()));
    own.stop();
    await assert.rejects(async () => {
      for (;;) await pack.api("https://api.shop.example/");
    });
    await assert.rejects(own.register({ entry: "/x", name: "x", definition: definition(undefined) }), { code: "sandbox-failed" });
  });

  it("too many open files are reported for any number of free handles", function () {
    if (process.platform === "win32") this.skip();
    const source = `
      import { closeSync, openSync } from "node:fs";
      import { startSandbox } from ${JSON.stringify(pathToFileURL(join(root, "platform/sandbox/launch.ts")).href)};
      const held = [];
      for (let free = 0; free <= 12; free++) {
        try { for (;;) held.push(openSync("/dev/null")); } catch {}
        for (let i = 0; i < free; i++) closeSync(held.pop());
        const { code, message, hint } = await startSandbox({ modulePath: ${JSON.stringify(MODULE)} }).then(
          (sandbox) => (sandbox.stop(), {}),
          (error) => error,
        );
        console.log(JSON.stringify({ free, code, message, hint }));
      }`;
    const run = 'ulimit -n 80; exec "$@"';
    const { stdout, stderr } = spawnSync(
      "/bin/sh",
      ["-c", run, "sh", process.execPath, "--import", "tsx", "--input-type=module", "-e", source],
      {
        encoding: "utf8",
        cwd: root,
        detached: true,
      } as SpawnSyncOptionsWithStringEncoding,
    );
    const results = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { code?: string; message?: string; hint?: string });
    assert.equal(results.length, 13, stderr);
    assert.ok(results.some(({ code }) => code === "sandbox-failed"));
    for (const each of results.filter(({ code }) => code !== undefined)) {
      assert.equal(each.code, "sandbox-failed", JSON.stringify(each));
      assert.match(`${each.message} ${each.hint}`, /raise the limit of open files/);
    }
  });
});

const exitOf = (child: ChildProcess): Promise<{ code: number | null; signal: string | null }> =>
  new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
