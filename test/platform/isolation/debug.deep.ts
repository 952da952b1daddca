// A debugger on a pack: the way VS Code's does it, over the inspector's own protocol, on every Node that the product runs on.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { WebSocket } from "undici";
import { canInspect } from "../../../platform/process/node-flags.ts";
import { openPack, type Pack } from "../../../platform/process/pack.ts";
import { debuggableNode, nodeVersions } from "../../support/nodes.ts";
import { runner } from "../../support/open-packs.ts";
import { packWith, removePackFiles } from "../../support/pack-file.ts";
import { noPackProcess } from "../../support/pack-processes.ts";
import { run } from "../../support/run.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
}

/** Nothing else holds a socket that only waits: it would be collected, and its answers with it. */
const sockets = new Set<WebSocket>();

/** As much of a debugger as a breakpoint takes. What it waits for when the pack process lets go of it fails at once, with all that was heard. */
async function attach(url: string) {
  const socket = new WebSocket(url);
  sockets.add(socket);
  const heard: Message[] = [];
  const waiting = new Set<() => void>();
  let end: string | undefined;
  const wake = (): void => {
    for (const each of [...waiting]) each();
  };
  socket.addEventListener("message", ({ data }) => {
    heard.push(JSON.parse(String(data)) as Message);
    wake();
  });
  const ends = (how: string): void => {
    end ??= how;
    sockets.delete(socket);
    wake();
  };
  socket.addEventListener("close", ({ code }) => ends(`was closed (${code})`));
  socket.addEventListener("error", ({ message }) => ends(`failed (${message})`));
  const until = async (what: string, fits: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const match = heard.find(fits);
      if (match !== undefined) return match;
      if (end !== undefined) {
        const all = heard.map(({ id, method }) => method ?? `answer ${id}`).join(", ");
        throw new Error(`The debugger's socket ${end} while it waited for ${what}. It heard: ${all || "nothing"}`);
      }
      await new Promise<void>((resolve) => {
        const once = (): void => {
          waiting.delete(once);
          resolve();
        };
        waiting.add(once);
      });
    }
  };
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    waiting.add(() => reject(new Error(`The debugger's socket ${end}.`)));
  });
  waiting.clear();
  let id = 0;
  return {
    until,
    async send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
      const own = ++id;
      socket.send(JSON.stringify({ id: own, method, params }));
      return (await until(`the answer ${own} to ${method}`, (message) => message.id === own)).result ?? {};
    },
  };
}

describe("Debugging a pack", function () {
  this.timeout(60_000);
  const open: Pack[] = [];
  after(() => {
    for (const pack of open) pack.dispose();
    removePackFiles();
  });
  const body = "const seen = args.length + 41;\n    debugger;\n    return 'seen ' + seen;";
  const openOnNode = async (node: string): Promise<Pack> => {
    const pack = await openPack(packWith(body), { process: { runner, node } });
    open.push(pack);
    return pack;
  };
  const noNetwork = { fetch: () => Promise.reject(new Error("no network here")) };

  for (const { name, path: node } of nodeVersions()) {
    it(`${name} stops in the author's source with locals, or names what to install`, async () => {
      const pack = await openOnNode(node);
      let session: Promise<void> | undefined;
      const stop = new AbortController();
      const debugged = async (url: string): Promise<void> => {
        assert.match(url, /^ws:\/\/127\.0\.0\.1:\d+\//);
        const debug = await attach(url);
        await debug.send("Runtime.enable");
        await debug.send("Debugger.enable");
        const script = await debug.until(
          "the bundle",
          ({ method, params }) => method === "Debugger.scriptParsed" && params?.url === "pack-bundle.js",
        );
        const map = String(script.params?.sourceMapURL);
        const { sources } = JSON.parse(Buffer.from(map.slice(map.indexOf(",") + 1), "base64").toString()) as { sources: string[] };
        assert.ok(sources.includes(pathToFileURL(pack.entry).href), sources.join());
        await debug.send("Runtime.runIfWaitingForDebugger");
        const paused = await debug.until("the pause", ({ method }) => method === "Debugger.paused");
        // Longer than the run's time limit.
        await new Promise((resolve) => setTimeout(resolve, 600));
        const [frame] = (paused.params?.callFrames ?? []) as { callFrameId: string }[];
        const evaluate = async (expression: string) =>
          (
            (await debug.send("Debugger.evaluateOnCallFrame", { callFrameId: frame?.callFrameId, expression })).result as {
              value?: unknown;
            }
          ).value;
        assert.equal(await evaluate("seen"), 41);
        assert.equal(await evaluate("typeof globalThis.process + typeof require"), "undefinedundefined");
        // The run is over before it hears of it: the process waits for that.
        await debug.send("Debugger.resume");
        await debug.until("the end", ({ method }) => method === "Runtime.executionContextDestroyed");
      };
      const report = await run(pack, { kind: "formula", name: "Try" }, [], {
        ...noNetwork,
        timeLimit: 500,
        signal: stop.signal,
        debug: {
          node,
          onListening: (url) => {
            session = debugged(url);
            session.catch(() => stop.abort());
          },
        },
      });
      if (!(await canInspect(node))) {
        assert.ok(report.outcome.status === "failed");
        assert.equal(report.outcome.error.code, "debugger-unavailable");
        assert.deepEqual(report.outcome.error.nextStep, { do: "chooseNode", versions: "24 or newer" });
        return;
      }
      await session;
      assert.deepEqual(report.outcome, { status: "succeeded", value: "seen 41" });
    });
  }
  it("a run waits until the debugger listens", async function () {
    const node = (await debuggableNode())?.path;
    if (node === undefined) this.skip();
    const pack = await openOnNode(node);
    const late = join(mkdtempSync(join(tmpdir(), "pack-auth-late-")), "node");
    writeFileSync(late, `#!/bin/bash\nexec env -u PWD -u SHLVL -u _ '${node}' "$@" 2> >(sleep 1; exec cat >&2)\n`, { mode: 0o755 });
    const stop = new AbortController();
    let url = "";
    const onListening = (where: string): void => {
      url = where;
      stop.abort();
    };
    await run(pack, { kind: "formula", name: "Try" }, [], { ...noNetwork, signal: stop.signal, debug: { node: late, onListening } });
    assert.match(url, /^ws:/);
    rmSync(dirname(late), { recursive: true });
  });

  it("a process waits for the debugger once and stops in each table page", async function () {
    const node = (await debuggableNode())?.path;
    if (node === undefined) this.skip();
    this.timeout(30_000);
    const pack = await openPack(
      packWith(
        "",
        `pack.addSyncTable({
  name: "Pages", identityName: "Page", connectionRequirement: coda.ConnectionRequirement.None,
  schema: coda.makeObjectSchema({ idProperty: "id", displayProperty: "id", properties: { id: { type: coda.ValueType.Number } } }),
  formula: {
    name: "SyncPages", description: "Gives two pages.", parameters: [],
    execute: async function (args: any, context: any): Promise<any> {
      const id = context.sync.continuation?.id ?? 1;
      debugger;
      return { result: [{ id }], ...(id === 1 ? { continuation: { id: 2 } } : {}) };
    },
  },
});`,
      ),
      { process: { runner, node } },
    );
    open.push(pack);
    const sessions: Promise<readonly unknown[]>[] = [];
    const debugged = async (url: string): Promise<readonly unknown[]> => {
      const debug = await attach(url);
      await debug.send("Runtime.enable");
      await debug.send("Debugger.enable");
      await debug.send("Runtime.runIfWaitingForDebugger");
      const pauses: Message[] = [];
      const pages: unknown[] = [];
      for (const page of ["first", "second"]) {
        const paused = await debug.until(
          `the pause in the ${page} page`,
          (message) => message.method === "Debugger.paused" && !pauses.includes(message),
        );
        pauses.push(paused);
        const [frame] = (paused.params?.callFrames ?? []) as { callFrameId: string }[];
        const { result } = await debug.send("Debugger.evaluateOnCallFrame", { callFrameId: frame?.callFrameId, expression: "id" });
        pages.push((result as { value?: unknown }).value);
        await debug.send("Debugger.resume");
      }
      await debug.until("the end", ({ method }) => method === "Runtime.executionContextDestroyed");
      return pages;
    };
    const report = await run(pack, { kind: "syncTable", name: "Pages" }, [], {
      ...noNetwork,
      debug: { node, onListening: (url) => sessions.push(debugged(url)) },
    });
    assert.equal(report.outcome.status, "succeeded", JSON.stringify(report.outcome));
    assert.deepEqual(await Promise.all(sessions), [[1, 2]]);
    assert.equal(report.sync?.pages, 2);
  });
  it("no process is left behind a debugger that never detaches", async function () {
    if (process.platform !== "linux") this.skip();
    for (const pack of open.splice(0)) pack.dispose();
    await noPackProcess();
  });
  it("a debuggable Node is available for these tests", async () => {
    assert.ok(process.platform !== "linux" || process.arch !== "x64" || (await debuggableNode()) !== undefined);
  });
});
