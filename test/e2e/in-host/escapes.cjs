// Nothing gets out of a pack that this editor's own extension host runs, by the Node that it chose and the processes that it started; and
// what the host has open, its packs have not. An agent of the editor runs the pack.
const assert = require("node:assert/strict");
const { readdirSync, readFileSync, readlinkSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

describe("A pack that attempts to escape inside the extension host", () => {
  const processes = new Set();
  const earlier = {};
  let report;
  let problem;
  const servers = () => process.getActiveResourcesInfo().filter((name) => name.includes("Server")).length;

  before(async () => {
    const secretFile = join(vscode.workspace.workspaceFolders[0].uri.fsPath, "secret.txt");
    writeFileSync(secretFile, "canary");
    // The schemas of the tools, which load with the first call, have a global name.
    await callTool("explain", {});
    earlier.names = Object.getOwnPropertyNames(globalThis);
    earlier.servers = servers();
    const timer = setInterval(look, 10);
    const input = { pack: "escapes", target: "Together", parameters: [secretFile] };
    report = await callTool("run", input).finally(() => clearInterval(timer));
  });

  async function callTool(name, input) {
    const { content } = await vscode.lm.invokeTool(`packAuth_${name}`, { toolInvocationToken: undefined, input });
    return JSON.parse(content.map(({ value }) => value).join(""));
  }

  /** Looks at each pack process once. */
  function look() {
    if (process.platform !== "linux") return;
    for (const pid of childrenOf("self").filter((each) => !processes.has(each) && read(each, "cmdline").includes("runner.cjs"))) {
      processes.add(pid);
      try {
        inheritsNothing(pid, [...openIn("self").values()]);
      } catch (error) {
        problem = error;
      }
    }
  }

  it("no probe escapes", () => assert.equal(report.result?.text, '"kept"', JSON.stringify(report)));

  it("the host has no new globals or ports afterwards", () => {
    assert.deepEqual(
      Object.getOwnPropertyNames(globalThis).filter((name) => !earlier.names.includes(name)),
      [],
    );
    assert.equal(servers(), earlier.servers);
  });

  it("the pack's processes inherit no file, socket or environment of the host", function () {
    if (process.platform !== "linux") this.skip();
    assert.equal(problem, undefined);
    assert.ok(processes.size > 0, "no pack process is there");
  });

  // Which Node an editor runs packs in only this editor can tell: on a desktop it may be Electron's.
  it("the log names the Node that ran the pack, and each layer of its self-test", async () => {
    await vscode.commands.executeCommand("packAuth.showLog");
    const lineNow = () =>
      vscode.workspace.textDocuments
        .filter(({ uri }) => uri.scheme === "output")
        .map((document) => /Packs run in .*Its self-test: .*/.exec(document.getText())?.[0])
        .find((found) => found !== undefined);
    for (let wait = 0; wait < 150 && lineNow() === undefined; wait++) await new Promise((done) => setTimeout(done, 200));
    const line = lineNow() ?? "";
    console.log(`VS Code ${vscode.version}, its own Node ${process.version}. ${line}`);
    assert.ok(line.split(", ").length >= 10, line);
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
