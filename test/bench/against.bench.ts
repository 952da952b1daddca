// `npm run bench -- --against <folder>`: this checkout against a built checkout of another commit, in turns. What is compared is the time of
// the processor, which a busy machine hardly changes.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../fuzz/random.ts";
import { judgeRatio, notRun } from "./figures.ts";
import { languageServer } from "./lsp-server.ts";
import { median, milliseconds, shuffled } from "./statistics.ts";
import { editPlace, makeWorkplace, packsBySize, root, samples, type Workplace } from "./workplace.ts";

const EDITS = 500;
const WARM_UP = 200;
/** Edits of one turn. The kernel counts a server's time in hundredths of a second. */
const TURN = 20;
const PROCESSES = 15;
const MOST = 1.05;

type Side = "here" | "there";
type Milliseconds = Record<Side, number[]>;

export async function benchAgainst(folder: string): Promise<void> {
  if (process.platform !== "linux") {
    notRun("the comparison with another checkout: processor time is read from /proc.");
    return;
  }
  const workplace = makeWorkplace();
  const folders: Readonly<Record<Side, string>> = { here: root, there: folder };
  try {
    console.log(`\nProcessor time against ${folder}`);
    for (const [index, pack] of packsBySize().entries()) {
      const path = workplace.write(`pack${index}/pack.ts`, pack.text);
      judgeAgainst(`a key, ${pack.lines} lines`, await keys(folders, path, pack.text), `mean of ${EDITS} edits`);
    }
    cpSync(join(samples, "packs/github/full.ts"), join(workplace.folder, "one.ts"));
    cpSync(samples, join(workplace.folder, "all"), { recursive: true });
    const [, middle] = packsBySize();
    const path = workplace.write("start/pack.ts", middle?.text ?? "");
    const start = await inTurns(PROCESSES, (side) => startTime(folders[side], workplace, side, path, middle?.text ?? ""));
    judgeAgainst("server start → first diagnostics", start, `median of ${PROCESSES} starts`);
    for (const [what, target, rounds] of [
      ["check, one file", "one.ts", PROCESSES],
      ["check, the toolkit's samples", "all", 5],
    ] as const) {
      const times = await inTurns(rounds, (side) => checkTime(folders[side], workplace, side, target));
      judgeAgainst(what, times, `median of ${rounds} processes`);
    }
  } finally {
    workplace.remove();
  }
}

function judgeAgainst(what: string, { here, there }: Milliseconds, how: string): void {
  const [ours, theirs] = [median(here), median(there)];
  judgeRatio(`${what}, processor time`, ours / theirs, MOST, `${how} in turns: ${milliseconds(ours)}, there ${milliseconds(theirs)}`);
}

/** Runs both sides in an order that is drawn. The first round fills caches and is not counted. */
async function inTurns(rounds: number, run: (side: Side) => number | Promise<number>): Promise<Milliseconds> {
  const times: Milliseconds = { here: [], there: [] };
  const random = createRandom(rounds);
  for (let round = 0; round <= rounds; round++)
    for (const side of shuffled<Side>(["here", "there"], random)) {
      const time = await run(side);
      if (round > 0) times[side].push(time);
    }
  return times;
}

async function keys(folders: Readonly<Record<Side, string>>, path: string, text: string): Promise<Milliseconds> {
  const open = (side: Side) => languageServer([join(folders[side], "dist/server.cjs"), "--stdio"], path, text);
  const servers = { here: await open("here"), there: await open("there") };
  const at = editPlace(text);
  const edit = async (side: Side, edits: number): Promise<void> => {
    for (let count = 0; count < edits; count++) await servers[side].edit(text, at, count % 2 === 0);
  };
  const spent: Record<Side, number> = { here: 0, there: 0 };
  for (const side of ["here", "there"] as const) await edit(side, WARM_UP);
  await inTurns(EDITS / TURN - 1, async (side) => {
    const before = processorTime(servers[side].pid);
    await edit(side, TURN);
    spent[side] += processorTime(servers[side].pid) - before;
    return 0;
  });
  for (const server of Object.values(servers)) await server.stop();
  return { here: [spent.here / EDITS], there: [spent.there / EDITS] };
}

async function startTime(folder: string, workplace: Workplace, side: Side, path: string, text: string): Promise<number> {
  const server = await languageServer([join(folder, "dist/server.cjs"), "--stdio"], path, text, {
    environment: { PACK_AUTH_CODE_CACHE: codeCache(workplace, side) },
  });
  const time = processorTime(server.pid);
  await server.stop();
  return time;
}

/** Runs `check` as a child of a shell, which prints the processor time of its children. */
function checkTime(folder: string, workplace: Workplace, side: Side, target: string): number {
  const { stdout, stderr } = spawnSync(
    "sh",
    ["-c", '"$@" > /dev/null; times', "sh", process.execPath, join(folder, "dist/cli.cjs"), "check", target],
    {
      cwd: workplace.folder,
      encoding: "utf8",
      env: { ...process.env, PACK_AUTH_CODE_CACHE: codeCache(workplace, side) },
    },
  );
  const seconds = [...(stdout.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  if (seconds.length !== 2) throw new Error(`The shell printed no times of its children: ${stdout}${stderr}`);
  return 1_000 * seconds.reduce((sum, second) => sum + second, 0);
}

const codeCache = ({ folder }: Workplace, side: Side): string => join(folder, `.code-${side}`);

/** Returns the processor time of a process so far, with all of its threads, in milliseconds. */
function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK;
}

/** Linux reports times to programs in hundredths of a second on every architecture that Node supports. */
const TICK = 10;
