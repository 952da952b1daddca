// Reports a pack's sources to a coding agent: findings with their edits, and what a pack consists of. The command line and the language
// server share it, so that an agent gets the same from both.
import { defined } from "../../../base/defined.ts";
import type {
  CheckedSources,
  OutlinedPack,
  ReportedEdit,
  ReportedFinding,
  ReportedFix,
  RulePage,
  SourceAnswer,
  SourceProblem,
} from "../../../protocol/agents.ts";
import { ACCOUNT_FILE } from "../../../spec/account-file.ts";
import type { Analysis } from "../analysis.ts";
import { fieldValue } from "../configuration/config.ts";
import { declareHost } from "../configuration/declare-domain.ts";
import type { Diagnostic, Fix, TextEdit } from "../model/findings.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { FileSpan } from "../model/values.ts";
import { isModuleConfig, isWithin, relativePath, whyNotChecked } from "../modules/paths.ts";
import { RULES } from "../rules/index.ts";
import { describeProblems } from "../settings/settings-problems.ts";
import { rangeOf } from "../text/lines.ts";
import { fileSpan } from "../text/place.ts";
import { compatible, distinct, unasked } from "./fixes/fix-all.ts";
import { outlineOf } from "./outline.ts";
import { rulePage } from "./rule-page.ts";

/** The file system, as far as it decides what an agent may name. Paths have forward slashes. */
export interface SourceDisk {
  kindOf(path: string): "file" | "folder" | "other" | undefined;
  /** Returns the path with its links resolved, or undefined if nothing exists there. */
  realPath(path: string): string | undefined;
}

export interface CheckOptions {
  /** The files and folders that the agent named. If a file builds a pack, the whole pack is checked. */
  readonly named: readonly string[];
  /** The agent's folder. Paths in the report are relative to it, and no fix edits a file outside it. */
  readonly folder: string;
  /** Runs before each file. Its error ends the check. */
  pause(): Promise<void>;
  /** Returns why the file has no text. */
  whyUnreadable(path: string): string;
}

/** Returns the files beside `paths` that decide uploads: those of the packs that entries build, and the JSON files of every pack. */
export function furtherFiles(analysis: Analysis, entries: readonly string[], paths: readonly string[]): readonly string[] {
  const files = analysis.packs().flatMap((entry) => {
    const own = analysis.packsOf(entry).find((pack) => pack.entry === entry)?.files ?? [];
    return entries.includes(entry) ? own : own.filter(isModuleConfig);
  });
  return [...new Set(files)].filter((file) => !paths.includes(file) && !file.includes("/node_modules/")).sort();
}

/** Fixes that are applied together. The next check has the rest. */
const MOST_SAFE_FIXES = 500;

/** Checks files that are known to be in the folder, in their order. Files that the settings exclude do not count. */
export async function checkSources(
  analysis: Analysis,
  paths: readonly string[],
  { named, folder, pause, whyUnreadable }: CheckOptions,
): Promise<SourceAnswer<CheckedSources>> {
  function* all(): Iterable<string> {
    yield* paths;
    yield* furtherFiles(analysis, named, paths).filter((file) => isInside(file, folder, (path) => analysis.realPath(path)));
  }
  const report = findingReporter(analysis, new Set(paths), folder);
  const findings: ReportedFinding[] = [];
  const safeFixes: Fix[] = [];
  let fileCount = 0;
  for (const path of all()) {
    await pause();
    if (analysis.ignores(path)) continue;
    if (analysis.text(path) === undefined) return { problem: unreadable(relativePath(folder, path), whyUnreadable(path)) };
    const diagnostics = analysis.diagnostics(path);
    findings.push(...diagnostics.map(report));
    safeFixes.push(...diagnostics.flatMap(unasked));
    fileCount++;
  }
  findings.push(...accountFileFindings(analysis, folder));
  const problem = settingsProblem(analysis, folder) ?? (fileCount === 0 ? NOTHING_TO_CHECK : undefined);
  if (problem !== undefined) return { problem };
  const safeEdits = distinct(compatible(safeFixes.slice(0, MOST_SAFE_FIXES)).flatMap(({ edits }) => edits));
  return { result: { fileCount, findings, safeEdits: safeEdits.map(editReporter(analysis, folder)) } };
}

/** Returns the pack that the file builds; null if it builds none. */
export function outlineSources(analysis: Analysis, entry: string, folder: string): SourceAnswer<OutlinedPack | null> {
  const pack = analysis.packs().includes(entry) ? analysis.packsOf(entry).find((each) => each.entry === entry) : undefined;
  const problem = settingsProblem(analysis, folder);
  if (problem !== undefined) return { problem };
  return { result: pack === undefined ? null : outlinePack(pack, folder) };
}

/** Returns the edits that declare a network domain in the pack; none if the source does not show where, or if they would leave the folder. */
export function declareDomain(analysis: Analysis, entry: string, host: string, folder: string): readonly ReportedEdit[] {
  const pack = analysis.packsOf(entry).find((each) => each.entry === entry);
  const [fix] = pack === undefined || !isHostName(host) ? [] : declareHost(pack, host);
  const edits = fix?.edits ?? [];
  return edits.every(({ file }) => isInside(file, folder, (path) => analysis.realPath(path)))
    ? edits.map(editReporter(analysis, folder))
    : [];
}

/** Whether the text can be a network domain: names of hosts come from the addresses that packs requested. */
export const isHostName = (host: string): boolean => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host);

export const rulePages = (): readonly RulePage[] => RULES.map((rule) => ({ id: rule.id, severity: rule.severity, page: rulePage(rule) }));

/** Returns why a path that an agent named cannot be checked; undefined if it can. Links count as what they lead to. */
export function problemWith(path: string, folder: string, { kindOf, realPath }: SourceDisk): SourceProblem | undefined {
  const name = relativePath(folder, path) || ".";
  // The first test, so that an agent does not learn which files exist outside.
  if (!isInside(path, folder, realPath)) return unreadable(name, `it is outside ${folder}`);
  const kind = kindOf(path);
  if (kind === undefined)
    return { code: "sources-unreadable", message: `There is no file or folder ${name}.`, hint: `Paths are relative to ${folder}.` };
  const why = kind === "folder" ? undefined : (whyNotChecked(path) ?? (kind === "other" ? "it is not a regular file" : undefined));
  return why === undefined ? undefined : unreadable(name, why);
}

/** Whether the path, with its links resolved, is in the folder. A path that does not exist counts as written. */
export function isInside(path: string, folder: string, realPath: SourceDisk["realPath"]): boolean {
  const [real, root] = [path, folder].map((each) => realPath(each) ?? each) as [string, string];
  return real === root || isWithin(real, root);
}

/** Whether the analysis may read the path for an agent: it is in the folder by its real path, or an installed package. */
export function isReadable(path: string, folder: string, realPath: SourceDisk["realPath"]): boolean {
  const isInstalled = (file: string): boolean => file.includes("/node_modules/");
  return isInside(path, folder, realPath) || (isInstalled(path) && isInstalled(realPath(path) ?? path));
}

export const unreadable = (name: string, why: string): SourceProblem => ({
  code: "sources-unreadable",
  message: `${name} cannot be checked: ${why}.`,
  hint: "Name TypeScript or JavaScript files, or folders, that can be read.",
});

const NOTHING_TO_CHECK: SourceProblem = {
  code: "sources-unreadable",
  message: "There is nothing to check.",
  hint: "Name TypeScript or JavaScript files, or a folder that has some. What git or a .packauthrc.json ignores is left out.",
};

const isAccountFile = ({ path }: { readonly path: string }): boolean => path.endsWith(`/${ACCOUNT_FILE}`);

/** Returns the problems of a team's account files. They change no other finding. No fix is reported, since its text would be the secret. */
const accountFileFindings = (analysis: Analysis, folder: string): readonly ReportedFinding[] =>
  analysis
    .settingsFiles()
    .filter((file) => isAccountFile(file) && isInside(file.path, folder, (path) => analysis.realPath(path)))
    .flatMap(({ path, text, problems }) =>
      problems.map(({ message, ...span }) => ({
        rule: "account-file-invalid",
        severity: "error" as const,
        message,
        path: relativePath(folder, path),
        range: rangeOf(text, span),
        fixes: [],
      })),
    );

/** Returns a problem if a settings file has one: results with settings that the author did not intend would mislead. */
function settingsProblem(analysis: Analysis, folder: string): SourceProblem | undefined {
  const problems = describeProblems(
    analysis.settingsFiles().filter((file) => !isAccountFile(file)),
    (path) => relativePath(folder, path),
  );
  return problems.length === 0
    ? undefined
    : { code: "settings-invalid", message: problems.join("\n"), hint: "Correct the settings, and check again." };
}

/** Returns a function that reports diagnostics. A fix that edits a file outside the folder is left out. */
function findingReporter(analysis: Analysis, checked: ReadonlySet<string>, folder: string): (diagnostic: Diagnostic) => ReportedFinding {
  const textOf = (path: string): string => analysis.text(path) ?? "";
  const mayEdit = ({ file }: TextEdit): boolean => checked.has(file) || isInside(file, folder, (path) => analysis.realPath(path));
  const reportEdit = editReporter(analysis, folder);
  const reportFix = ({ title, kind, edits }: Fix): ReportedFix => ({
    title,
    isProposal: kind === "proposal",
    edits: edits.map(reportEdit),
  });
  return ({ rule, severity, verdict, message, place, fixes }) => ({
    rule,
    severity,
    ...defined({ verdict }),
    message,
    path: relativePath(folder, place.file),
    range: rangeOf(textOf(place.file), place),
    fixes: fixes.filter(({ edits }) => edits.every(mayEdit)).map(reportFix),
  });
}

const editReporter =
  (analysis: Analysis, folder: string) =>
  (edit: TextEdit): ReportedEdit => {
    const text = analysis.text(edit.file) ?? "";
    return {
      path: relativePath(folder, edit.file),
      range: rangeOf(text, edit),
      oldText: text.slice(edit.start, edit.end),
      newText: edit.text,
    };
  };

function outlinePack(pack: PackModel, folder: string): OutlinedPack {
  const { runnables, mcpServers } = outlineOf(pack);
  const placed = (place: FileSpan) => ({ path: relativePath(folder, place.file), range: rangeOf(pack.text(place.file), place) });
  const part = ({ name, place }: { readonly name: string; readonly place: FileSpan }) => ({ name, ...placed(place) });
  return {
    entry: relativePath(folder, pack.entry),
    authentications: pack.auths.map((auth) => ({
      scope: auth.scope,
      ...defined({ type: auth.type, scopes: scopesOf(pack, auth) }),
      ...placed(fileSpan(auth.place)),
    })),
    formulas: runnables.filter(({ kind }) => kind === "formula").map(part),
    syncTables: runnables.filter(({ kind }) => kind === "syncTable").map(part),
    mcpServers: mcpServers.map(part),
    networkDomains: [...new Set(pack.domains.declared.map(({ value }) => value))],
  };
}

/** Returns undefined if the source does not show every scope. */
function scopesOf(pack: PackModel, auth: AuthConfig): readonly string[] | undefined {
  const list = fieldValue(pack, auth, "scopes");
  if (list?.kind !== "array" || list.open) return undefined;
  const scopes = list.items.flatMap((item) => {
    const value = pack.resolve(item);
    return value.kind === "string" ? [value.value] : [];
  });
  return scopes.length === list.items.length ? scopes : undefined;
}
