// Nothing gets out of a pack that this editor's own extension host runs, by the Node that it chose and the processes that it started; and
// what the host has open, its packs have not.
const assert = require("node:assert/strict");
const { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const vscode = require("vscode");
const { escapeContext, escapeHandlers, tryProbe } = require("../../support/escapes/host.cjs");

const ENTRY = join(__dirname, "../../support/escapes/pack.ts");

describe("A pack that attempts to escape inside the extension host", () => {
  let pack;
  let folder;
  const earlier = { names: [], servers: 0 };
  const servers = () => process.getActiveResourcesInfo().filter((name) => name.includes("Server")).length;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-escapes-"));
    writeFileSync(join(folder, "secret.txt"), "canary");
    const { openPack } = await vscode.extensions.getExtension("pack-auth.pack-auth").activate();
    earlier.names = Object.getOwnPropertyNames(globalThis);
    earlier.servers = servers();
    pack = await openPack(ENTRY);
  });
  after(() => {
    pack?.dispose();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("no probe escapes", async () => {
    const shared = {};
    const out = [];
    const { formulas } = pack.definition;
    for (const { name, description } of formulas) {
      const found = await tryProbe(pack, name, join(folder, "secret.txt"), shared);
      if (found !== "kept") out.push(`${description}: ${found}`);
    }
    pack.finish(shared);
    assert.deepEqual(out, []);
    assert.ok(formulas.length >= 50, `${formulas.length} probes`);
  });

  it("the host has no new globals or ports afterwards", () => {
    assert.deepEqual(
      Object.getOwnPropertyNames(globalThis).filter((name) => !earlier.names.includes(name)),
      [],
    );
    assert.equal(servers(), earlier.servers);
  });

  it("the pack's processes inherit no file, socket or environment of the host", async function () {
    if (process.platform !== "linux") this.skip();
    // While one of them waits for its request.
    const { name } = pack.definition.formulas.find(({ description }) => description === "through the error of a fetch");
    const processes = [];
    let problem;
    const look = async () => {
      try {
        const own = [...openIn("self").values()];
        processes.push(...childrenOf("self").filter((pid) => read(pid, "cmdline").includes("runner.cjs")));
        for (const pid of processes) inheritsNothing(pid, own);
      } catch (error) {
        problem = error;
      }
      return { name: "Error", message: "refused" };
    };
    await pack.execute({ kind: "formula", name }, [""], escapeContext, { ...escapeHandlers, fetch: look });
    if (problem !== undefined) throw problem;
    assert.ok(processes.length > 0, "no pack process is there");
  });
});

/** Throws where a pack process has something of this one. */
function inheritsNothing(pid, own) {
  const environment = read(pid, "environ").split("\0").filter(Boolean).sort();
  assert.deepEqual(environment, ["ELECTRON_RUN_AS_NODE=1", "TZ=UTC"]);
  const open = openIn(pid);
  // Its ends of the three pipes to the host; all else is of its own making, and none of it is a file or can be connected to.
  for (const number of ["0", "1", "2"]) assert.ok(open.has(number), `no descriptor ${number}`);
  for (const target of open.values()) {
    if (target.startsWith("anon_inode:") || target === "/dev/null") continue;
    assert.ok(!own.includes(target), `${target} is the host's`);
    assert.match(target, /^(?:socket|pipe):/);
    assert.ok(!listening(pid).includes(target), `${target} listens`);
  }
}

const read = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};

const childrenOf = (pid) =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) => read(`${pid}/task/${task}`, "children").split(" ").filter(Boolean));

/** What each file descriptor of a process leads to. */
const openIn = (pid) =>
  new Map(
    readdirSync(`/proc/${pid}/fd`).flatMap((number) => {
      try {
        return [[number, readlinkSync(`/proc/${pid}/fd/${number}`)]];
      } catch {
        return [];
      }
    }),
  );

/** The sockets that listen, as descriptors show them. */
const listening = (pid) =>
  ["net/tcp", "net/tcp6"].flatMap((file) =>
    read(pid, file)
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === "0A")
      .map((fields) => `socket:[${fields[9]}]`),
  );
