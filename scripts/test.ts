// Runs the tests in tiers, which the names of their files say (CONTRIBUTING.md):
// - `npm test [-- room…]`: the core, *.test.ts, and the journeys *.e2e.ts.
// - `npm run test:rest [-- room…]`: what starts or waits for much, *.deep.ts and *.deep-e2e.ts, and a desktop VS Code.
// - `npm run test:all [-- room…]`: both.
// - `npm run test:changed [-- base]`: the suites of both that the changes since `base` can reach.
// A room is a folder or a file of test/, such as `platform/oauth` or `e2e/panel`. The last line has the totals, below the lists of tests that
// failed or could not run and of the dearest suites. `.ci/run` sets TESTS_RESULTS to a folder, so that the last run totals all of them.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, constants, setPriority, tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { errorMessage } from "../base/error-message.ts";
import { findBrowser } from "./browser/find-browser.ts";
import { build } from "./build.ts";
import { packages as editorPackages } from "./embedded/install.ts";
import { installFolder, installPackages } from "./npm-packages.ts";
import { packageExtension } from "./package.ts";
import { endProcessesBelow } from "./processes.ts";
import { suitesOfChanges } from "./test-changed.ts";
import { runOnDesktop } from "./test-electron.ts";
import { SUITE } from "./test-titles.ts";

/** The output of test/support/reporter.cjs, summed up over runs. */
interface Results {
  passed: number;
  /** The titles of tests that failed, with the first line of the error. */
  readonly failed: string[];
  /** The titles of tests that could not run, with the reason. */
  readonly notRun: string[];
  /** The processor time of each suite, from test/support/suite-seconds.ts. */
  readonly seconds: Record<string, number>;
}

interface Run {
  readonly name: string;
  /** Paths relative to test/. */
  readonly files: readonly string[];
  /** Options for mocha. */
  readonly options: readonly string[];
  /** After these minutes all of its processes are ended, so that a suite that hangs is named and the totals are printed. */
  readonly minutes: number;
  readonly env: NodeJS.ProcessEnv;
  /** Shows the output when the run has ended, because another one takes place at the same time. */
  readonly isShownAfter?: true;
  /** Runs with low priority. */
  readonly isBackground?: true;
}

interface Tier {
  readonly name: string;
  readonly suites: string;
  readonly journeys: string;
  readonly minutes: number;
  readonly env: NodeJS.ProcessEnv;
}

const CORE: Tier = { name: "core", suites: ".test.ts", journeys: ".e2e.ts", minutes: 25, env: {} };
const REST: Tier = { name: "rest", suites: ".deep.ts", journeys: ".deep-e2e.ts", minutes: 57, env: { TESTS_DEEP: "1" } };
const TIERS: Readonly<Record<string, readonly Tier[]>> = { core: [CORE], rest: [REST], all: [CORE, REST], changed: [CORE, REST] };

/** One file more than there are processors, because many tests wait for a process or a deadline. */
const JOBS = Math.min(4, availableParallelism() + 1);

/** Suites that share the processor may exceed their time limits. */
const UNHURRIED = ["--require", "./test/support/unhurried.ts"];

/** How many of the dearest suites are listed. */
const DEAREST = 20;

/**
 * With additional certificates, Node 20 reads all root certificates at each start, which doubles its duration. Only npm connects to other
 * machines.
 */
const WITHOUT_CERTIFICATES = {
  NODE_EXTRA_CA_CERTS: undefined,
  npm_config_cafile: process.env.npm_config_cafile ?? process.env.NODE_EXTRA_CA_CERTS,
};

process.chdir(join(import.meta.dirname, ".."));
const temporary = mkdtempSync(join(tmpdir(), "pack-auth-counts-"));
const resultsFolder = process.env.TESTS_RESULTS ?? temporary;
const results: Results = { passed: 0, failed: [], notRun: [], seconds: {} };
const running = new Set<ChildProcess>();
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
for (const [signal, number] of [
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15],
] as const)
  process.once(signal, () => {
    endProcessesBelow(process.pid, [...running]);
    process.exit(128 + number);
  });

/** Runs one mocha process and adds its counts. A process that ends with an error and without failed tests is one failure. */
async function run({ name, files, options, minutes, env, isShownAfter, isBackground }: Run): Promise<void> {
  if (files.length === 0) return;
  const [output, countsFile, secondsFile] = ["txt", "json", "seconds"].map((type) => join(temporary, `${name}.${type}`)) as [
    string,
    string,
    string,
  ];
  const stdio = isShownAfter ? openSync(output, "w") : "inherit";
  const start = performance.now();
  console.log(`\n— ${name}${isShownAfter ? ", shown when they have ended" : ""}`);
  const requires = ["--reporter", "test/support/reporter.cjs", "--require", "./test/support/suite-seconds.ts"];
  const child = spawn(
    process.execPath,
    ["node_modules/mocha/bin/mocha.js", "--exit", ...requires, ...options, ...files.map((file) => join("test", file))],
    {
      stdio: ["ignore", stdio, stdio],
      env: { ...process.env, ...WITHOUT_CERTIFICATES, ...env, TESTS_COUNTS: countsFile, TESTS_SECONDS: secondsFile },
      // Ctrl-C in the terminal goes to this process only, which then ends all others.
      detached: process.platform !== "win32",
    },
  );
  running.add(child);
  if (isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let isEnded = false;
  const limit = setTimeout(() => {
    isEnded = true;
    if (child.pid !== undefined) endProcessesBelow(child.pid, [child]);
  }, minutes * 60_000);
  const code = await new Promise<number | null>((resolve, broken) => child.once("error", broken).once("exit", resolve));
  clearTimeout(limit);
  running.delete(child);
  if (isShownAfter) console.log(`\n— ${name}\n${readFileSync(output, "utf8")}`);
  console.log(`— ${name}: ${Math.round((performance.now() - start) / 1_000)} s`);
  const counts = existsSync(countsFile) ? (JSON.parse(readFileSync(countsFile, "utf8")) as Results) : { passed: 0, failed: [], notRun: [] };
  results.passed += counts.passed;
  results.failed.push(...counts.failed);
  results.notRun.push(...counts.notRun);
  const unfinished = new Set<string>();
  for (const line of existsSync(secondsFile) ? readFileSync(secondsFile, "utf8").trim().split("\n") : []) {
    const [seconds, file = ""] = line.split(" ");
    if (seconds === "start") unfinished.add(file);
    else {
      unfinished.delete(file);
      results.seconds[file] = (results.seconds[file] ?? 0) + Number(seconds);
    }
  }
  if (isEnded) {
    const waiting = files.filter((file) => !unfinished.has(file) && results.seconds[file] === undefined);
    for (const file of unfinished) results.failed.push(`FAILED: ${file} had not ended after ${minutes} minutes of the ${name}`);
    results.failed.push(
      `FAILED: the ${name} were ended after ${minutes} minutes. Not begun: ${waiting.length || "none"}${listed(waiting)}`,
    );
  } else if (code !== 0 && counts.failed.length === 0)
    results.failed.push(`FAILED: ${name} ended with exit code ${code}${listed([...unfinished])}`);
}

const listed = (files: readonly string[]): string => files.map((file) => `\n  ${file}`).join("");

/** Counts tests that cannot run. They are a failure in CI, which has everything installed. */
function reportNotRun(reason: string): void {
  if (!process.env.CI) results.notRun.push(reason);
  else {
    console.error(`\n${reason}`);
    results.failed.push(`FAILED: ${reason}`);
  }
}

const isIn = (room: string, name: string): boolean => name.startsWith(join(room, sep)) || name.replace(SUITE, "") === room;

/** Removes the tests that need a browser if there is none, and reports that in one line. */
async function withoutBrowserTests(files: readonly string[]): Promise<readonly string[]> {
  const inBrowser = files.filter((name) => isIn("webview", name));
  if (inBrowser.length === 0) return files;
  try {
    await findBrowser();
    return files;
  } catch (error) {
    reportNotRun(`NOT RUN: the panel in a browser. ${errorMessage(error)}`);
    return files.filter((name) => !inBrowser.includes(name));
  }
}

/** Installs the packages of some suites once, because parallel test files would each do it. If this fails, those suites report it. */
async function installForTests(files: readonly string[]): Promise<void> {
  await installFolder("test/nodes");
  for (const room of ["interop", "mcp-clients", "setup-judges"])
    if (files.some((name) => isIn(room, name))) await installFolder(join("test", room));
}

/** Throws a one-line error if no window can be opened here. */
async function installEditor(): Promise<void> {
  await findBrowser();
  await installPackages(editorPackages);
}

/** Does the work unless a run with the same folder of results, and so of the same tree, has done it. */
async function once(name: string, work: () => unknown): Promise<void> {
  const mark = join(resultsFolder, name);
  if (existsSync(mark)) return;
  await work();
  writeFileSync(mark, "");
}

/** Runs the chosen suites of tiers, one tier after the other. */
async function runTiers(tiers: readonly Tier[], chosen: readonly string[]): Promise<void> {
  const filesOf = (ending: string): readonly string[] => chosen.filter((name) => name.endsWith(ending));
  const needsEditor = tiers.some(({ journeys }) => filesOf(journeys).length > 0);
  // The installation mostly uses the network, so it continues while tests run.
  const editorFailure = needsEditor ? installEditor().then(() => undefined, errorMessage) : undefined;
  await installForTests(chosen);
  await once("built", () => build({ watch: false }));
  for (const { name, suites, journeys, minutes, env } of tiers) {
    const runJourneys = async (): Promise<void> => {
      if (filesOf(journeys).length === 0 || (await editorFailure) !== undefined) return;
      await once("packaged", packageExtension);
      await run({
        name: `journeys of the ${name} in the real VS Code`,
        files: filesOf(journeys),
        options: ["--timeout", "120000", "--require", "./test/e2e/support/report-failures.ts"],
        minutes,
        env,
        isShownAfter: true,
      });
    };
    await Promise.all([
      run({
        name: `suites of the ${name}`,
        files: await withoutBrowserTests(filesOf(suites)),
        options: ["--parallel", "--jobs", String(JOBS), ...UNHURRIED],
        minutes,
        env,
        isBackground: true,
      }),
      runJourneys(),
    ]);
  }
  const failure = await editorFailure;
  if (failure !== undefined) reportNotRun(`NOT RUN: the real VS Code. ${failure}`);
}

/** Runs the tests inside a desktop VS Code. Where none can be downloaded that is no failure, because `.ci/run` cannot install it. */
async function runDesktop(): Promise<void> {
  const { isRun, isPassed, reason } = await runOnDesktop();
  if (!isRun) results.notRun.push(reason);
  else if (isPassed) results.passed++;
  else results.failed.push(`FAILED: ${reason}`);
}

/** Prints the results of this run and of those before it in the same folder, and sets the exit code. */
function report(): void {
  const runs = readdirSync(resultsFolder)
    .filter((name) => name.startsWith("results-"))
    .map((name) => JSON.parse(readFileSync(join(resultsFolder, name), "utf8")) as Results);
  const failed = runs.flatMap((run) => run.failed);
  const notRun = runs.flatMap((run) => run.notRun);
  const passed = runs.reduce((sum, run) => sum + run.passed, 0);
  const dearest = runs
    .flatMap((run) => Object.entries(run.seconds))
    .sort(([, one], [, other]) => other - one)
    .slice(0, DEAREST);
  if (notRun.length > 0) console.log(`\n${notRun.join("\n")}\n\n${notRun.length} NOT RUN`);
  if (failed.length > 0) console.log(`\n${failed.join("\n")}`);
  console.log("\nThe dearest suites, in seconds of processor time:");
  for (const [file, seconds] of dearest) console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);
  console.log(`\n${passed} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
}

const [mode = "", ...args] = process.argv.slice(2);
const tiers = TIERS[mode] ?? [];
const sources = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => !name.includes("node_modules"))
  .filter((name) => tiers.some(({ suites, journeys }) => name.endsWith(suites) || name.endsWith(journeys)))
  .sort();
const rooms = mode === "changed" ? [] : args.map((path) => join(path));
if (rooms.some((room) => !sources.some((name) => isIn(room, name)))) {
  const roomNames = [...new Set(sources.map(dirname))].filter((room) => room !== ".");
  console.error(`No tests of this tier are in ${rooms.join(", ")}. It has tests in: ${roomNames.join(", ")}.`);
  process.exit(1);
}
const resultsFile = join(resultsFolder, `results-${mode}.json`);
// If this process is killed, the next run in this folder reports that.
writeFileSync(resultsFile, JSON.stringify({ ...results, failed: [`FAILED: the tests (${mode}) did not end`] }));
try {
  const isChanged = mode === "changed" ? suitesOfChanges(args[0]) : undefined;
  const chosen = sources.filter((name) =>
    isChanged === undefined ? rooms.length === 0 || rooms.some((room) => isIn(room, name)) : isChanged.has(join("test", name)),
  );
  if (isChanged !== undefined)
    console.log(`${chosen.length} of ${sources.length} suites can be reached by the changes.\n${chosen.join("\n")}`);
  await runTiers(tiers, chosen);
  if (tiers.includes(REST) && rooms.length === 0 && isChanged === undefined) await runDesktop();
} catch (error) {
  console.error(`\n${errorMessage(error)}`);
  results.failed.push(`FAILED: ${errorMessage(error)}`);
}
writeFileSync(resultsFile, JSON.stringify(results));
report();
