// `pack-auth run`: the platform's stand-in from the command line, with credentials of the environment.
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { chooseNode } from "../platform/choose-node.ts";
import { PackAuthError, reportOf } from "../platform/errors.ts";
import { openPack, type Pack } from "../platform/pack.ts";
import { run as runTarget } from "../platform/run.ts";
import type { RunReport } from "../protocol/run.ts";
import { hasColours, type Paint, painter } from "./colour.ts";
import { accountFromEnvironment } from "./environment-account.ts";
import { openFetch } from "./fetch.ts";
import { type RunCall, readRunCall } from "./run-options.ts";
import { jsonReport, notesText, resultText } from "./run-report.ts";
import { type Asked, askedOf } from "./run-target.ts";
import { UsageError } from "./usage-error.ts";

/** As shells have it: 128 and the number of the signal. */
const STOPPED = 130;

export async function run(args: readonly string[]): Promise<number> {
  const call = readRunCall(args);
  if (call === undefined) return 0;
  const entry = findEntry(call.pack);
  const paint = painter(hasColours(process.stderr, process.env));
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  let pack: Pack | undefined;
  try {
    pack = await open(entry, call);
    const report = await execute(pack, call, stop.signal, paint);
    process.stdout.write(call.asJson ? jsonReport(report) : resultText(report));
    if (!call.asJson) process.stderr.write(notesText(report, paint));
    return report.outcome.status === "succeeded" ? 0 : report.outcome.status === "cancelled" ? STOPPED : 1;
  } catch (error) {
    if (!(error instanceof PackAuthError)) throw error;
    if (error.code === "invalid-parameter") throw new UsageError([error.message, error.hint].filter(Boolean).join(" "));
    return failed(error, call, paint);
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
    pack?.dispose();
  }
}

async function execute(pack: Pack, call: RunCall, signal: AbortSignal, paint: Paint): Promise<RunReport> {
  const asked: Asked = askedOf(call, pack.definition);
  const { account, wanted } = accountFromEnvironment(pack.definition, call.account, process.env);
  if (call.account !== undefined && account === undefined)
    throw new UsageError(
      `There is no account ${call.account} in the environment. Set ${wanted.join(" and ") || "nothing: the pack takes no account"}.`,
    );
  const { fetch, behindProxy } = await openFetch(process.env);
  const progress = process.stderr.isTTY === true;
  const report = await runTarget(pack, asked.target, asked.parameters, {
    fetch,
    behindProxy,
    signal,
    allowLoopback: call.allowLoopback,
    ...(account === undefined ? {} : { account }),
    ...(call.rows === undefined ? {} : { rowLimit: call.rows }),
    ...(call.timeLimit === undefined ? {} : { timeLimit: call.timeLimit * 1000 }),
    ...(call.timezone === undefined ? {} : { timezone: call.timezone }),
    onConsole: ({ level, message }) => {
      process.stderr.write(`${paint(level === "error" ? "red" : level === "warn" ? "yellow" : "dim", `${level}:`)} ${message}\n`);
    },
    onRows: (count) => {
      process.stderr.write(progress ? `\r${count} rows…` : `${count} rows\n`);
    },
  });
  if (progress && report.sync !== undefined) process.stderr.write("\r\u001b[K");
  return hinted(report, wanted);
}

/** What an account is missing is known here: the variables. */
function hinted(report: RunReport, wanted: readonly string[]): RunReport {
  if (report.outcome.status !== "failed" || report.outcome.error.code !== "account-required") return report;
  const hint = `Set ${wanted.join(" and ")} in the environment; see pack-auth run --help.`;
  return { ...report, outcome: { status: "failed", error: { ...report.outcome.error, hint } } };
}

function failed(error: PackAuthError, call: RunCall, paint: Paint): number {
  const report: RunReport = {
    target: { kind: "formula", name: call.target },
    startedAt: Date.now(),
    duration: 0,
    outcome: { status: "failed", error: reportOf(error) },
    requests: [],
    console: [],
    parity: [],
  };
  if (call.asJson) process.stdout.write(jsonReport(report));
  else process.stderr.write(notesText(report, paint));
  return 1;
}

const ENTRIES = ["pack.ts", "pack.js", "src/pack.ts", "src/pack.js", "manifest.ts", "index.ts"];

function findEntry(path: string): string {
  if (!existsSync(path)) throw new UsageError(`There is no ${path}. Give the file that builds the pack, or its folder.`);
  if (!statSync(path).isDirectory()) return resolve(path);
  const entry = ENTRIES.map((name) => join(path, name)).find((file) => existsSync(file));
  if (entry === undefined)
    throw new UsageError(`The folder ${path} has none of ${ENTRIES.join(", ")}. Give the file that builds the pack.`);
  return resolve(entry);
}

/** With this Node where it keeps packs apart, else with one that does. */
async function open(entry: string, { node }: RunCall): Promise<Pack> {
  const runner = join(__dirname, "runner.cjs");
  const esbuildWasm = join(__dirname, "esbuild-wasm");
  try {
    return await openPack(entry, { process: { runner, node: node ?? process.execPath }, esbuildWasm });
  } catch (error) {
    if (!(error instanceof PackAuthError) || error.code !== "sandbox-layer-missing" || node !== undefined) throw error;
    const other = await chooseNode({ own: process.execPath, path: process.env.PATH ?? "" }, runner);
    return openPack(entry, { process: { runner, node: other }, esbuildWasm });
  }
}
