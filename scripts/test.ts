// `npm test [-- room…]`: builds, runs every suite, or those of some folders and files of test/ (`e2e/panel` is one), and ends with one line that
// adds them up. What could not run is counted apart. The rooms' files run side by side, and beside the real VS Code, which takes one processor;
// what only computes fills what both leave. What writes into dist/, which others read (`npm start` builds), comes after them.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, constants, setPriority, tmpdir } from "node:os";
import { dirname, join, normalize, sep } from "node:path";
import { build } from "./build.ts";
import { embeddedUnavailable } from "./embedded/install.ts";
import { packageExtension } from "./package.ts";

interface Counts {
  passed: number;
  failed: number;
  notRun: number;
}

/** Many tests wait for a process or a deadline: one file more at a time than there are cores, of which the real VS Code takes one. */
const SIDE_BY_SIDE = Math.min(4, availableParallelism() + 1);

/** What takes longest begins first, so that nothing runs alone at the end. */
const LONG = [
  "fuzz/fuzz",
  "mutants/mutants",
  "mutants/random-configurations",
  "windows/command",
  "platform/requests/large-bodies",
  "platform/process/denial",
  "lsp/repeated-structures",
  "launch/code-cache",
  "platform/runs/toolkit-agreement",
  "interop/sign-in",
  "cli/test/test-verb",
  "windows/storage",
];

/** Rooms that wait for nothing but the processor: they take what the others leave of it, who wait for processes, deadlines and the editor. */
const ONLY_COMPUTE = ["analysis", "fuzz", "mutants"];
/** What is in them and starts a pack's process, which has to answer in time. */
const BUT = [join("analysis", "rules.test.ts")];

/** Node 20 reads all root certificates at each start where there are further ones, which doubles it. Only npm asks anybody beyond this machine. */
const WITHOUT_CERTIFICATES = {
  NODE_EXTRA_CA_CERTS: undefined,
  npm_config_cafile: process.env.npm_config_cafile ?? process.env.NODE_EXTRA_CA_CERTS,
};

const folder = mkdtempSync(join(tmpdir(), "pack-auth-counts-"));
const total: Counts = { passed: 0, failed: 0, notRun: 0 };

interface Beside {
  /** Where its output goes. */
  readonly output?: string;
  /** What others leave of the processor is what it takes: the higher, the later its turn. */
  readonly priority?: number;
}

/** Runs this Node and gives its exit code. */
const node = (args: readonly string[], env: NodeJS.ProcessEnv = {}, { output, priority }: Beside = {}): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const stdio = output === undefined ? "inherit" : openSync(output, "w");
    const child = spawn(process.execPath, args, { stdio: ["ignore", stdio, stdio], env: { ...process.env, ...env } });
    if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
    child.once("error", reject).once("exit", resolve);
  });

/**
 * Runs one mocha process and adds its counts; a process that dies without any counts as one failure. One that runs beside others is shown
 * when it has ended.
 */
async function suite(
  name: string,
  files: readonly string[],
  options: readonly string[] = [],
  beside?: Pick<Beside, "priority">,
): Promise<void> {
  console.log(`\n— ${name}${beside === undefined ? "" : ", beside what follows"}`);
  const id = name.replaceAll(" ", "-");
  const output = beside === undefined ? undefined : join(folder, `${id}.txt`);
  const started = Date.now();
  const counts = join(folder, `${id}.json`);
  const status = await node(
    ["node_modules/mocha/bin/mocha.js", "--exit", "--reporter", "test/support/reporter.cjs", ...options, ...files],
    { ...WITHOUT_CERTIFICATES, PACK_AUTH_COUNTS: counts },
    { ...beside, ...(output === undefined ? {} : { output }) },
  );
  if (output !== undefined) console.log(`\n— ${name}\n${readFileSync(output, "utf8")}`);
  const found: Counts = existsSync(counts) ? (JSON.parse(readFileSync(counts, "utf8")) as Counts) : { passed: 0, failed: 0, notRun: 0 };
  total.passed += found.passed;
  total.failed += found.failed;
  total.notRun += found.notRun;
  if (status !== 0 && found.failed === 0) total.failed++;
  console.log(`— ${name}: ${Math.round((Date.now() - started) / 1000)} s`);
}

async function step(name: string, work: () => Promise<void> | void): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    console.error(`\n${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    total.failed++;
    return false;
  }
}

/** A program of this tree that installs something once; it says itself what went wrong. */
async function install(program: string): Promise<void> {
  const status = await node(["--import=tsx", program]);
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}

process.chdir(join(import.meta.dirname, ".."));
const sources = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => !name.includes("node_modules"))
  .sort();
/** Those that run side by side: all but the journeys, and what writes into dist/. */
const tests = sources.filter((name) => name.endsWith(".test.ts") && name !== "start.test.ts");
const journeys = sources.filter((name) => name.endsWith(".e2e.ts"));
const asked = process.argv.slice(2).map(normalize);
const isWhole = asked.length === 0;
const isIn = (room: string, name: string): boolean =>
  name.startsWith(join(room, sep)) || [`${room}.test.ts`, `${room}.e2e.ts`].includes(name);
const isAsked = (name: string): boolean => isWhole || asked.some((room) => isIn(room, name));
const unknown = asked.filter((room) => ![...tests, ...journeys].some((name) => isIn(room, name)));
if (unknown.length > 0) {
  const tested = [...new Set([...tests, ...journeys].map(dirname))].filter((room) => room !== ".").sort();
  console.error(`No tests are in ${unknown.map((room) => `test/${room}`).join(", ")}. There are: ${tested.join(", ")}.`);
  process.exit(1);
}
/** What takes longest first. */
function inOrder(names: readonly string[]): readonly string[] {
  const first = LONG.map((name) => join(`${name}.test.ts`)).filter((name) => names.includes(name));
  return [...new Set([...first, ...names])].map((name) => join("test", name));
}
const onlyComputes = (name: string): boolean => isWhole && ONLY_COMPUTE.some((room) => isIn(room, name)) && !BUT.includes(name);
const aside = inOrder(tests.filter(onlyComputes));
const files = inOrder(tests.filter((name) => !onlyComputes(name) && isAsked(name)));
// At once: it needs nothing that is installed or built first.
const computing =
  aside.length > 0 &&
  suite("rooms that only compute", aside, ["--parallel", "--jobs", "2", "--require", "./test/support/unhurried.ts"], {
    priority: constants.priority.PRIORITY_LOW,
  });
const withoutEditor = embeddedUnavailable();
// Mostly the network: it is there when the rooms are done.
const embedded =
  withoutEditor !== undefined || !journeys.some(isAsked)
    ? false
    : step("Installing the embedded VS Code", () => install("scripts/embedded/install.ts"));
// Once, before files that run side by side would each do it.
const otherNodes = step("Installing the other Node versions", () => install("test/support/nodes.ts"));
// Where one fails, its suites say why: NOT RUN on a desk, a failure in CI.
const servers =
  tests.some((name) => isIn("interop", name) && isAsked(name)) &&
  install("test/interop/install.ts").catch(() => {
    process.env.PACK_AUTH_NO_SERVERS = "1";
  });
const windows =
  tests.some((name) => isIn("windows", name) && isAsked(name)) &&
  install("test/windows/install.ts").catch(() => {
    process.env.PACK_AUTH_NO_WINDOWS = "1";
  });
await build({ watch: false });
await Promise.all([servers, windows]);
/** The journeys; whether the editor is there for `npm start`, too. */
async function inRealEditor(): Promise<boolean> {
  if (!(await embedded) || !(await step("Packaging the extension", () => void packageExtension()))) return false;
  await suite(
    "real VS Code",
    journeys.filter(isAsked).map((name) => join("test", name)),
    ["--timeout", "120000", "--require", "./test/e2e/support/tell-failures.ts", "--ignore", "**/node_modules/**"],
    isWhole ? {} : undefined,
  );
  return true;
}

const inEditor = inRealEditor();
if (files.length > 0 && (await otherNodes))
  await suite(
    "rooms",
    files,
    ["--parallel", "--jobs", String(SIDE_BY_SIDE)],
    isWhole ? { priority: constants.priority.PRIORITY_BELOW_NORMAL } : undefined,
  );
const isThere = await inEditor;
await computing;
if (withoutEditor !== undefined && journeys.some(isAsked)) {
  console.log(`\nNOT RUN: the real VS Code, and npm start in the browser. ${withoutEditor}`);
  total.notRun++;
} else if (isThere && isWhole) await suite("npm start", ["test/start.test.ts"]);
rmSync(folder, { recursive: true, force: true });
if (total.notRun > 0) console.log(`\n${total.notRun} NOT RUN (see above)`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
