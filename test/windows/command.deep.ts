// The command line as Windows runs it: the built bundles under Node for Windows, in Wine. What Wine cannot do is said where it is left out.
import assert from "node:assert/strict";
import { browse } from "../support/browser.ts";
import { notRun } from "../support/not-run.ts";
import { root } from "../support/packs.ts";
import { windowsOfSuite, windowsPath } from "./wine.ts";

/** What Node 24 says in a Wine that has no room for it just now. */
const NO_ROOM = /^# Fatal process out of memory: SegmentedTable/m;

/** The line of the run's request. */
const REQUEST_LINE = /^GET https:\/\/api\.todo\.example\/v1\/tasks\/7 200 sandbox \(Authorization → api\.todo\.example\)$/m;

describe("The command line on Windows (Wine)", function () {
  this.timeout(120_000);
  const windows = windowsOfSuite();
  if (windows === undefined) return;

  for (const { node, isNative } of [
    { node: 20, isNative: false },
    { node: 22, isNative: true },
    { node: 24, isNative: true },
  ]) {
    const whyNot = windows.whyNot(node);
    if (whyNot !== undefined) {
      notRun(`Node ${node} does not start in this Wine (${whyNot})`);
      continue;
    }
    const product = windows.install({ node, isNative });

    it(`the examples are checked on Node ${node}`, async function () {
      const { code, out, err } = await product.call(["check", "examples", "--format", "json"]);
      if (NO_ROOM.test(err)) this.skip();
      assert.equal(code, 1, err);
      const { files } = JSON.parse(out) as { files: readonly { path: string; diagnostics: readonly unknown[] }[] };
      assert.ok(files.length > 5, `${files.length} files`);
      assert.deepEqual(
        files.flatMap(({ path, diagnostics }) => (diagnostics.length > 0 ? [path.replaceAll("\\", "/")] : [])),
        // Custom authentication is to be approved, which is information.
        ["examples/custom-placeholders/pack.ts", "examples/mistakes/pack.ts"],
      );
    });

    // The life of an account below is such a run.
    if (node === 22) continue;
    const builtBy = isNative ? "the native esbuild" : "esbuild in WebAssembly, no node on the PATH";
    it(`a formula runs in the sandbox on Node ${node}, built by ${builtBy}`, async function () {
      const { code, out, err } = await product.call(["run", "examples\\todo-oauth2", "GetTask", "7", "--sandbox"]);
      // The sandbox and the pack's process are further ones.
      if (NO_ROOM.test(err)) this.skip();
      assert.equal(code, 0, err);
      assert.match(out, /"Name": "Buy milk"/);
      assert.match(err, REQUEST_LINE);
    });
  }

  const untouched = windows.install({ node: 22, isNative: true, keepsWineVariables: true });
  it("an unknown environment variable keeps a pack from running and is named", async () => {
    const { code, err } = await untouched.call(["run", "examples\\todo-oauth2", "GetTask", "7", "--sandbox"]);
    assert.equal(code, 1, err);
    assert.match(err, /The pack was not run: no secrets in the environment \((?:WINE\w+(?:, )?)+\)/);
  });

  const own = windows.install({ node: 22, isNative: true });
  it("a sandbox account is signed in, listed, run, refreshed and removed", async () => {
    const pack = "examples\\todo-oauth2";
    const sandbox = own.start(["sandbox", pack]);
    const [, url = ""] = await sandbox.until(/^PACK_AUTH_SANDBOX='(.+)'/m);
    const env = { PACK_AUTH_SANDBOX: url };
    const connecting = own.start(["connect", pack, "--sandbox", "--no-browser", "--redirect", "http://127.0.0.1:0/oauth"], env);
    const [, page = ""] = await connecting.until(/Open this address in your browser:\s+(http:\S+)/);
    assert.equal((await browse(page, "approve")).status, 200);
    const connected = await connecting.result;
    assert.equal(connected.out, "Connected alice@todo.example (sandbox) to todo-oauth2.\n", connected.err);

    const listed = await own.call(["accounts", "list", "--json"]);
    const { accounts } = JSON.parse(listed.out) as { accounts: readonly { label: string; type: string; state: string }[] };
    assert.deepEqual(
      accounts.map(({ label, type, state }) => [label, type, state]),
      [["alice@todo.example", "OAuth2", "ready"]],
    );
    // By another name of the same folder.
    const ran = await own.call(["run", `${windowsPath(root).replace("Z:", "z:")}\\EXAMPLES\\Todo-OAuth2`, "GetTask", "7"], env);
    assert.match(ran.out, /"Name": "Buy milk"/, ran.err);
    assert.match(ran.err, REQUEST_LINE);
    const refreshed = await own.call(["accounts", "refresh", "alice@todo.example"], env);
    assert.match(refreshed.out, /^Refreshed alice@todo\.example, until 20/, refreshed.err);
    const removed = await own.call(["accounts", "remove", "alice@todo.example"], env);
    assert.equal(removed.out, "Removed alice@todo.example.\n", removed.err);
    assert.match((await own.call(["accounts"])).err, /No account is connected/);
  });
});
