// A pack that attacks the machine and the host which run it: from every place where pack code is called it is stopped or bounded with a clear
// message, the host goes on, the next run is fine, and no process stays behind. What a Node's own V8 decides is tried on every Node.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, open, openSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ErrorCode, PackAuthError } from "../../../platform/errors.ts";
import { openPack, type Pack } from "../../../platform/process/pack.ts";
import type { RunTarget } from "../../../protocol/run.ts";
import { ATTACKS, attackingPack, formula, PLACES } from "../../support/attacks.ts";
import { whileWatched } from "../../support/event-loop-lag.ts";
import { nodesAtHand } from "../../support/nodes.ts";
import { runner } from "../../support/open-packs.ts";
import { packWith, removePackFiles } from "../../support/pack-file.ts";
import { noPackProcess } from "../../support/pack-processes.ts";
import { run } from "../../support/run.ts";

/** Well above what the attacks on the time reach, which is up to 190 MB: V8 is slow to collect the bytes of many large requests. */
const MEMORY = 256 * 1024 * 1024;
const TRY: RunTarget = { kind: "formula", name: "Try" };
const nodes = nodesAtHand();
/** For what is the runner's and the host's matter, from where pack code is called among it. */
const oneNode = nodes.slice(-1);
/** Where memory and the stack end is V8's matter; an endless loop shows that each Node is stopped in time. */
const nodesFor = (name: string, code: ErrorCode): typeof nodes =>
  code === "memory-limit" || name === "an endless loop" || name === "a recursion without end" ? nodes : oneNode;

/** Milliseconds of processor time: a guard against a host that hangs; how long it is held up is measured by the bench. */
const HANG = 2_000;

const openOn = (entry: string, node: string, loadTime = 20_000): Promise<Pack> =>
  openPack(entry, { process: { runner, node, limits: { memory: MEMORY, loadTime } } });

const offline = {
  fetch: (url: string | URL | Request): Promise<Response> =>
    String(url).includes("never") ? new Promise(() => {}) : Promise.reject(new Error("no network here")),
  lookup: async () => ["93.184.216.34"],
};

/** Runs the target, which must end as it should. */
async function endsWith(code: ErrorCode, pack: Pack, target: RunTarget): Promise<void> {
  const { outcome } = await run(pack, target, [], { ...offline, ...(code === "time-limit" ? { timeLimit: 200 } : {}) });
  assert.ok(outcome.status === "failed", `it ${outcome.status}: ${JSON.stringify(outcome).slice(0, 200)}`);
  const { message, hint } = outcome.error;
  if (code === "pack-threw") assert.match(outcome.error.code, /Error$/, message);
  else assert.deepEqual([outcome.error.code, (hint ?? "").length > 10], [code, true], message);
  assert.ok(message.length > 1 && message.length < 70_000, message.slice(0, 100));
}

const onNodes = async (versions: typeof nodes, work: (node: string) => Promise<void>): Promise<void> => {
  await Promise.all(
    versions.map(({ name, path }) =>
      work(path).catch((error: Error) => {
        error.message = `${name}: ${error.message}`;
        throw error;
      }),
    ),
  );
};

/** The work holds the host up for no long time. */
async function hangsNobody(work: () => Promise<void>): Promise<void> {
  const { longest } = await whileWatched(work);
  assert.ok(longest < HANG, `the host hung for ${longest} ms`);
}

interface Attempt {
  /** Where it stands, and the name of its formula there. */
  readonly what: string;
  readonly statement: string;
  readonly target: RunTarget;
  readonly code: ErrorCode;
  readonly on: typeof nodes;
}

const attempts: Attempt[] = [];
for (const [name, { body, endsWith: code }] of Object.entries(ATTACKS)) {
  const own = `A${attempts.length}`;
  attempts.push({
    what: name,
    statement: formula(own, body),
    target: { kind: "formula", name: own },
    code,
    on: nodesFor(name, code),
  });
}
const anywhere = Object.entries(ATTACKS).filter(([, attack]) => attack.anywhere === true);
for (const [place, put] of Object.entries(PLACES)) {
  for (const [name, { body, endsWith: code }] of anywhere) {
    const own = `A${attempts.length}`;
    const target: RunTarget =
      place === "an autocomplete" ? { kind: "autocomplete", formula: own, parameter: "text", search: "" } : { kind: "formula", name: own };
    attempts.push({ what: `${name} from ${place}`, statement: put(own, body), target, code, on: oneNode });
  }
}

describe("A pack that attacks", function () {
  this.timeout(120_000);
  after(removePackFiles);

  describe("An attack at run time", () => {
    const packs = new Map<string, Pack>();
    before(() =>
      onNodes(nodes, async (node) => {
        const statements = attempts.map(({ statement }) => statement);
        packs.set(node, await openOn(attackingPack([formula("Fine", "return 'fine'"), ...statements].join("\n")), node));
      }),
    );
    after(() => {
      for (const pack of packs.values()) pack.dispose();
    });
    for (const { what, target, code, on } of attempts) {
      const isElsewhere = what.includes(" from ");
      it(`${what} is stopped, and the next run works`, () =>
        hangsNobody(() =>
          onNodes(on, async (node) => {
            const pack = packs.get(node) as Pack;
            await endsWith(code, pack, target);
            // From another place it is the next attack that shows it.
            if (isElsewhere) return;
            const { outcome } = await run(pack, { kind: "formula", name: "Fine" }, [], offline);
            assert.deepEqual(outcome, { status: "succeeded", value: "fine" });
          }),
        ));
    }
  });

  for (const [name, attack] of anywhere) {
    it(`${name} while loading is stopped`, () =>
      hangsNobody(() =>
        onNodes(oneNode, async (node) => {
          const opening = openOn(attackingPack(`(() => { ${attack.body} })();`), node, attack.endsWith === "time-limit" ? 2_000 : 20_000);
          const code = attack.endsWith === "pack-threw" ? "pack-throws-while-loading" : attack.endsWith;
          await assert.rejects(opening, (error: PackAuthError) => error.code === code && error.message.length > 10);
        }),
      ));
  }

  it("the memory limit stops a pack while every thread of the host waits", async function () {
    if (process.platform !== "linux") this.skip();
    const pack = await openOn(packWith(ATTACKS["an ArrayBuffer bomb"]?.body ?? ""), process.execPath);
    // Opened by a thread each, until somebody writes: what a resolver that does not answer does to them.
    const pipe = join(dirname(pack.entry), "pipe");
    spawnSync("mkfifo", [pipe]);
    const handles = Array.from({ length: 16 }, () => new Promise<number>((resolve) => open(pipe, "r", (_, file) => resolve(file))));
    try {
      await endsWith("memory-limit", pack, TRY);
    } finally {
      pack.dispose();
      // To read and to write: that waits for nobody, and lets all of them go on.
      const writer = openSync(pipe, "r+");
      for (const file of await Promise.all(handles)) closeSync(file);
      closeSync(writer);
    }
  });

  it("no process is left behind", async function () {
    if (process.platform !== "linux") this.skip();
    await noPackProcess();
  });
});
