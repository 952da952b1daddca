// `npm test [-- room…]` builds and runs the tests for a change: the files *.test.ts of test/, and the journeys in a real VS Code, *.e2e.ts.
// `npm run test:deep [-- room…]` runs tests that only compute or wait for long, *.deep.ts. A room is a folder or a file of test/, such as
// `platform/oauth` or `e2e/panel`. The last line has the totals, below the lists of tests that failed or could not run.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, constants, setPriority, tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { errorMessage } from "../base/error-message.ts";
import { findBrowser } from "./browser/find-browser.ts";
import { build } from "./build.ts";
import { packages as editorPackages } from "./embedded/install.ts";
import { installFolder, installPackages } from "./npm-packages.ts";
import { packageExtension } from "./package.ts";

/** The output of test/support/reporter.cjs. */
interface Counts {
  readonly passed: number;
  /** The titles of tests that failed, with the first line of the error. */
  readonly failed: readonly string[];
  /** The titles of tests that could not run, with the reason. */
  readonly notRun: readonly string[];
}

interface Suite {
  readonly name: string;
  /** Paths relative to test/. */
  readonly files: readonly string[];
  /** Options for mocha. */
  readonly options: readonly string[];
  /** Shows the output when the suite has ended, because another suite runs at the same time. */
  readonly isShownAfter?: true;
  /** Runs with low priority. */
  readonly isBackground?: true;
}

/** One file more than there are processors, because many tests wait for a process or a deadline. */
const JOBS = Math.min(4, availableParallelism() + 1);

/** Suites that share the processor may exceed their time limits. */
const UNHURRIED = ["--require", "./test/support/unhurried.ts"];

/** `npm start` writes to dist/, from which all other tests start programs. This test therefore runs after them. */
const START = "scripts/start.test.ts";

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
let passed = 0;
const failed: string[] = [];
const notRun: string[] = [];

/** Runs one mocha process and adds its counts. A process that ends with an error and without failed tests is one failure. */
async function run({ name, files, options, isShownAfter, isBackground }: Suite): Promise<void> {
  if (files.length === 0) return;
  const output = join(temporary, `${name}.txt`);
  const countsFile = join(temporary, `${name}.json`);
  const stdio = isShownAfter ? openSync(output, "w") : "inherit";
  const start = performance.now();
  console.log(`\n— ${name}${isShownAfter ? ", shown when they have ended" : ""}`);
  const paths = files.map((file) => join("test", file));
  const child = spawn(
    process.execPath,
    ["node_modules/mocha/bin/mocha.js", "--exit", "--reporter", "test/support/reporter.cjs", ...options, ...paths],
    { stdio: ["ignore", stdio, stdio], env: { ...process.env, ...WITHOUT_CERTIFICATES, PACK_AUTH_COUNTS: countsFile } },
  );
  if (isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const code = await new Promise<number | null>((resolve, broken) => child.once("error", broken).once("exit", resolve));
  if (isShownAfter) console.log(`\n— ${name}\n${readFileSync(output, "utf8")}`);
  console.log(`— ${name}: ${Math.round((performance.now() - start) / 1_000)} s`);
  const counts = existsSync(countsFile) ? (JSON.parse(readFileSync(countsFile, "utf8")) as Counts) : { passed: 0, failed: [], notRun: [] };
  passed += counts.passed;
  failed.push(...counts.failed);
  notRun.push(...counts.notRun);
  if (code !== 0 && counts.failed.length === 0) failed.push(`FAILED: ${name} ended with exit code ${code}`);
}

/** Counts tests that cannot run. They are a failure in CI, which has everything installed. */
function reportNotRun(reason: string): void {
  if (!process.env.CI) notRun.push(reason);
  else {
    console.error(`\n${reason}`);
    failed.push(`FAILED: ${reason}`);
  }
}

const isDeep = process.argv[2] === "--deep";
const rooms = process.argv.slice(isDeep ? 3 : 2).map((path) => join(path));
const sources = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((name) => !name.includes("node_modules"));
const isIn = (room: string, name: string): boolean => name.startsWith(join(room, sep)) || name.replace(/\.\w+\.ts$/, "") === room;
const filesOf = (tier: string): readonly string[] =>
  sources.filter((name) => name.endsWith(`.${tier}.ts`) && (rooms.length === 0 || rooms.some((room) => isIn(room, name)))).sort();

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

async function runDeepTests(): Promise<void> {
  const files = filesOf("deep");
  await installForTests(files);
  await build({ watch: false });
  process.env.PACK_AUTH_DEEP = "1";
  await run({ name: "deep tests", files, options: ["--parallel", "--jobs", String(JOBS), ...UNHURRIED] });
}

async function runTests(): Promise<void> {
  const tests = filesOf("test");
  const journeys = filesOf("e2e");
  const needsEditor = journeys.length > 0 || tests.includes(START);
  // The installation mostly uses the network, so it continues while tests run.
  const editorFailure = needsEditor ? installEditor().then(() => undefined, errorMessage) : undefined;
  await installForTests([...tests, ...journeys]);
  await build({ watch: false });
  const runJourneys = async (): Promise<void> => {
    if (!needsEditor || (await editorFailure) !== undefined) return;
    packageExtension();
    await run({
      name: "journeys in the real VS Code",
      files: journeys,
      options: ["--timeout", "120000", "--require", "./test/e2e/support/report-failures.ts"],
      isShownAfter: true,
    });
  };
  await Promise.all([
    run({
      name: "rooms",
      files: (await withoutBrowserTests(tests)).filter((name) => name !== START),
      options: ["--parallel", "--jobs", String(JOBS), ...UNHURRIED],
      isBackground: true,
    }),
    runJourneys(),
  ]);
  const failure = await editorFailure;
  if (failure !== undefined) reportNotRun(`NOT RUN: the real VS Code, and npm start in the browser. ${failure}`);
  else if (tests.includes(START)) await run({ name: "npm start", files: [START], options: [] });
}

/** Throws a one-line error if no window can be opened here. */
async function installEditor(): Promise<void> {
  await findBrowser();
  await installPackages(editorPackages);
}

if (rooms.some((room) => !sources.some((name) => isIn(room, name)))) {
  const roomNames = new Set(sources.filter((name) => /\.(?:test|e2e|deep)\.ts$/.test(name)).map(dirname));
  console.error(`No tests are in ${rooms.join(", ")}. There are: ${[...roomNames].filter((room) => room !== ".").join(", ")}.`);
  process.exit(1);
}
try {
  await (isDeep ? runDeepTests() : runTests());
} catch (error) {
  console.error(`\n${errorMessage(error)}`);
  failed.push(`FAILED: ${errorMessage(error)}`);
}
rmSync(temporary, { recursive: true, force: true });
if (notRun.length > 0) console.log(`\n${notRun.join("\n")}\n\n${notRun.length} NOT RUN`);
if (failed.length > 0) console.log(`\n${failed.join("\n")}`);
console.log(`\n${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
