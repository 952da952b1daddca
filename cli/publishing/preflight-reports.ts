// Reports the result of `pack-auth preflight`: for people, as JSON, and for code scanning.
import { defined } from "../../base/defined.ts";
import type { PreflightAction, PreflightLine, PreflightReport, PreflightTopic, PreflightVerdict } from "../../protocol/preflight.ts";
import { conclusionOf, VERDICT_TEXTS, VERDICTS } from "../../protocol/preflight.ts";
import type { SourceLocation } from "../../protocol/run.ts";
import type { Paint } from "../terminal/colour.ts";
import { formatMessage, joined, type Printed, printable } from "../terminal/printable.ts";
import { regionOf, type SarifLevel, sarifLog } from "../terminal/sarif.ts";
import { shortPath } from "../terminal/short-path.ts";

const COLOURS: Readonly<Record<PreflightVerdict, "red" | "yellow" | "cyan" | "green" | "dim">> = {
  "will-be-rejected": "red",
  "needs-approval": "yellow",
  "fails-when-run": "red",
  "differs-there": "cyan",
  "never-tried": "cyan",
  "not-judged": "dim",
  fits: "green",
};

/** The lines by verdict, the most serious first. */
export function preflightText(report: PreflightReport, cwd: string, paint: Paint): Printed {
  const { isReady, lines } = report;
  const groups = VERDICTS.flatMap((verdict): readonly Printed[] => {
    const own = lines.filter((line) => line.verdict === verdict);
    if (own.length === 0) return [];
    return [
      formatMessage`${paint(COLOURS[verdict], VERDICT_TEXTS[verdict])}\n`,
      ...own.map(({ text, location }) =>
        joined([formatMessage`  ${printable(oneLine(text))}\n`, ...(location === undefined ? [] : [place(location, cwd, paint)])]),
      ),
      formatMessage`\n`,
    ];
  });
  const conclusion = `${conclusionOf(report)}.`;
  const summary = isReady ? printable(conclusion) : paint("red", conclusion);
  return joined([...groups, formatMessage`${summary}\n`]);
}

const place = ({ path, line, character }: SourceLocation, cwd: string, paint: Paint): Printed =>
  formatMessage`    ${paint("dim", `${shortPath(path, cwd)}:${line + 1}:${character + 1}`)}\n`;

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

/** The report with paths relative to the working directory. */
export function preflightJson({ entry, isReady, lines }: PreflightReport, cwd: string) {
  const at = (location: SourceLocation): SourceLocation => ({ ...location, path: shortPath(location.path, cwd) });
  const act = (action: PreflightAction): PreflightAction =>
    action.kind === "openTest" ? { ...action, path: shortPath(action.path, cwd) } : action;
  const shown = lines.map(
    ({ location, action, ...line }): PreflightLine => ({
      ...line,
      ...defined({ location: location && at(location), action: action && act(action) }),
    }),
  );
  return { entry: shortPath(entry, cwd), isReady, lines: shown };
}

const LEVELS: Readonly<Record<Exclude<PreflightVerdict, "fits">, SarifLevel>> = {
  "will-be-rejected": "error",
  "needs-approval": "warning",
  "fails-when-run": "error",
  "differs-there": "note",
  "never-tried": "note",
  "not-judged": "note",
};

const TOPICS: Readonly<Record<PreflightTopic, string>> = {
  validation: "The upload validator of the Packs SDK accepts the pack.",
  mistakes: "The sources have no error that decides what becomes of the pack.",
  approval: "The platform has approved what needs its approval.",
  "redirect-address": "The provider knows the redirect address of the published pack.",
  credentials: "The platform has the credentials that the pack needs.",
  verification: "The provider has verified the application.",
  accounts: "A real account was connected since the authentication last changed.",
  formulas: "Every formula and table ran.",
  "saved-tests": "The saved tests pass.",
  drills: "The formulas end well on bad days.",
  "platform-differences": "The pack behaves on the platform as it does here.",
  "published-configuration": "The published configuration is the one of the source.",
};

/** What fits is no result. A line without a place stands at the beginning of the entry file. */
export function preflightSarif({ entry, lines }: PreflightReport, root: string, version: string): string {
  const results = lines.flatMap(({ topic, verdict, text, location }) => {
    if (verdict === "fits") return [];
    const { path, ...start } = location ?? { path: entry, line: 0, character: 0 };
    return [
      { rule: `preflight-${topic}`, level: LEVELS[verdict], message: text, path, region: regionOf({ start, end: start }), fixes: [] },
    ];
  });
  const used = Object.entries(TOPICS).flatMap(([topic, docs]) => {
    const own = results.filter(({ rule }) => rule === `preflight-${topic}`);
    const [first] = own;
    return first === undefined ? [] : [{ id: first.rule, level: first.level, docs }];
  });
  return sarifLog({ version, root, notifications: [], rules: used, paths: [...new Set(results.map(({ path }) => path))], results });
}
