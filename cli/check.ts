// `pack-auth check`: the editor's analysis over files, for CI.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type AnalysisHost, createAnalysis } from "../server/analysis/analysis.ts";
import { findFiles } from "./files.ts";
import { type CheckedFile, jsonReport, prettyReport, summarise } from "./report.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = `Usage: pack-auth check [paths…] [options]

Flags mistakes in the authentication of packs. Paths are files, folders or globs; the default is the current folder.

Options:
  --format pretty|json   how to report (default: pretty)
  --max-warnings N       fail when there are more warnings (default: unlimited)
  --help                 this text

Exit code: 0 no error, 1 errors (or too many warnings), 2 the call is wrong or a file cannot be read.
`;

export async function check(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === undefined) {
    process.stdout.write(USAGE);
    return 0;
  }
  const cwd = process.cwd();
  const paths = await findFiles(options.paths, cwd);
  const cache = new Map<string, string | undefined>();
  const host: AnalysisHost = {
    readFile(path) {
      if (!cache.has(path)) cache.set(path, readText(path));
      return cache.get(path);
    },
  };
  const analysis = createAnalysis(host);
  analysis.addCandidates(paths);
  const files = paths.map((path): CheckedFile => {
    const text = host.readFile(path);
    if (text === undefined) throw new UsageError(`${path} cannot be read.`);
    return { path, text, diagnostics: analysis.diagnostics(path) };
  });
  const context = {
    cwd,
    docs: join(__dirname, "../docs/rules").replaceAll("\\", "/"),
    colour: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
    text: (path: string) => host.readFile(path) ?? "",
  };
  process.stdout.write(`${options.format === "json" ? jsonReport(files, context) : prettyReport(files, context)}\n`);
  const { errors, warnings } = summarise(files);
  return errors > 0 || warnings > options.maxWarnings ? 1 : 0;
}

interface CheckOptions {
  readonly paths: readonly string[];
  readonly format: "pretty" | "json";
  readonly maxWarnings: number;
}

function readOptions(args: readonly string[]): CheckOptions | undefined {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)} See pack-auth check --help.`);
  }
  const { values, positionals } = parsed;
  if (values.help) return undefined;
  const format = values.format ?? "pretty";
  if (format !== "pretty" && format !== "json") throw new UsageError(`--format takes pretty or json, not ${format}.`);
  const maxWarnings = values["max-warnings"] === undefined ? Number.POSITIVE_INFINITY : Number(values["max-warnings"]);
  if (Number.isNaN(maxWarnings) || maxWarnings < 0) throw new UsageError(`--max-warnings takes a number, not ${values["max-warnings"]}.`);
  return { paths: positionals, format, maxWarnings };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { format: { type: "string" }, "max-warnings": { type: "string" }, help: { type: "boolean", short: "h" } },
  });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
