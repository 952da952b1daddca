// Reads case files, the tables of sources with their findings. CONTRIBUTING.md describes the format. Whatever is not read is an error.
import { setUpOf } from "../../server/analysis/rule.ts";
import { RULES } from "../../server/analysis/rules/index.ts";
import { type Files, split, unmark } from "./analyse.ts";

/** What the upload does with a pack: it accepts or rejects its definition, or fails to load it. */
const VERDICTS = ["accepted", "rejected", "unloadable"] as const;
const SEVERITIES = ["error", "warning", "information"];
const OPTIONS = ["bare", "toolkit", "toolkit-only", "either", "upload"] as const;

export type Verdict = (typeof VERDICTS)[number];

/**
 * `bare`: the lines that set a pack up are not prepended. `toolkit`: the Packs SDK is installed. `toolkit-only`: without it, nothing is found. `either`: the findings are the same with and without
 * it. `upload`: the upload judges the pack.
 */
type Option = (typeof OPTIONS)[number];

export interface CaseFix {
  readonly title: string;
  /** The files after the fix; undefined if only its title is checked. */
  readonly files?: Files;
}

export interface Case {
  readonly title: string;
  readonly options: ReadonlySet<Option>;
  readonly files: Files;
  /** `file:line:column severity rule: text`, by file and place. */
  readonly findings: readonly string[];
  readonly verdict: Verdict;
  /** All fixes of the first finding that has fixes. */
  readonly fixes?: readonly CaseFix[];
  /** The files after the fixes that need no confirmation. */
  readonly unasked?: Files;
  /** A part of the first finding's message. */
  readonly message?: string;
  /** The target of each request: a host, a relative path, or `?`. */
  readonly requests?: readonly string[];
}

export interface Frame {
  readonly options: ReadonlySet<Option>;
  readonly text: string;
}

/** A line that begins a case, a section of it, or the frame of the cases below. */
const HEADING = /^(?:=== |--- |@frame\b)/;
const ANNOTATION = /[ \t]*\/\/~ (.*)$/;
const HOLE = "…";
const OTHER_FILE = /^\/\/ @file: /m;

export function parseCases(text: string): readonly Case[] {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => HEADING.test(line));
  if (first < 0) throw new Error("there is no case");
  const stray = lines.slice(0, first).findIndex((line) => line !== "" && !line.startsWith("# "));
  if (stray >= 0) throw new Error(`line ${stray + 1}: text before the first case must begin with "# "`);
  const cases: Case[] = [];
  let frame: Frame = { options: new Set(), text: HOLE };
  for (let at = first; at < lines.length; ) {
    const next = lines.findIndex((line, index) => index > at && /^(?:=== |@frame\b)/.test(line));
    const end = next < 0 ? lines.length : next;
    try {
      const heading = lines[at] ?? "";
      if (heading.startsWith("@frame")) frame = parseFrame(heading, lines.slice(at + 1, end));
      else {
        const parsed = parseCase(heading.slice("=== ".length), lines.slice(at + 1, end), frame);
        if (cases.some(({ title }) => title === parsed.title)) throw new Error("there are two cases with this title");
        cases.push(parsed);
      }
    } catch (error) {
      throw new Error(`line ${at + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
    at = end;
  }
  if (cases.length === 0) throw new Error("there is no case");
  return cases;
}

function parseFrame(heading: string, lines: readonly string[]): Frame {
  const options = heading.split(" ").slice(1);
  const unknown = options.find((option) => !(OPTIONS as readonly string[]).includes(option));
  if (unknown !== undefined) throw new Error(`there is no option "${unknown}"`);
  const text = lines.join("\n").trimEnd();
  if (/[«»]|\/\/~ /.test(text)) throw new Error("a frame has no marks");
  if (text !== "" && !text.includes(HOLE)) throw new Error(`the frame has no ${HOLE} for the source`);
  return { options: new Set(options as Option[]), text: text === "" ? HOLE : text };
}

function parseCase(title: string, lines: readonly string[], frame: Frame): Case {
  if (title.trim() !== title || title === "") throw new Error("the title is empty, or has spaces around it");
  const starts = [...lines.keys()].filter((index) => lines[index]?.startsWith("--- "));
  const [body = [], ...sections] = [0, ...starts].map((start, index) => lines.slice(start, starts[index] ?? lines.length));
  const { marked, annotations } = annotated(body);
  const { files, marks } = unmark(compose(marked, frame));
  const findings = expectedFindings(files, marks, annotations);
  const hasErrors = findings.some((line) => / error /.test(line));
  const result: { -readonly [Key in keyof Case]: Case[Key] } = {
    title,
    options: frame.options,
    files,
    findings,
    verdict: annotations.verdict ?? (hasErrors ? "rejected" : "accepted"),
    ...(annotations.requests && { requests: annotations.requests }),
  };
  for (const [heading = "", ...content] of sections) {
    const [, kind = "", argument = ""] = /^--- (\S+) ?(.*)$/.exec(heading) ?? [];
    const source = content.join("\n").trimEnd();
    if (/[«»]|\/\/~ /.test(source)) throw new Error(`"${heading}" has no marks`);
    if (kind === "fix" && argument !== "")
      result.fixes = [...(result.fixes ?? []), { title: argument, ...(source !== "" && { files: compose(source, frame) }) }];
    else if (heading === "--- no fix") result.fixes = [];
    else if (heading === "--- unasked") result.unasked = source === "" ? files : compose(source, frame);
    else if (kind === "message" && argument !== "" && source === "") result.message = argument;
    else throw new Error(`"${heading}" is no section`);
  }
  return result;
}

interface Annotations {
  readonly ids: readonly string[];
  readonly verdict?: Verdict | undefined;
  readonly requests?: readonly string[] | undefined;
}

/** Takes the annotations out of a source. */
function annotated(lines: readonly string[]): { readonly marked: string; readonly annotations: Annotations } {
  const texts = lines.flatMap((line) => ANNOTATION.exec(line)?.slice(1) ?? []);
  const [targets, ...more] = texts.flatMap((text) => text.split(" ->").slice(1));
  if (more.length > 0) throw new Error("there are two lists of requests");
  const requests = targets
    ?.split(",")
    .map((target) => target.trim())
    .filter((target) => target !== "");
  const items = texts.flatMap((text) => text.replace(/ ->.*/, "").split(", "));
  if (items.length === 0) throw new Error("the source has no annotation, such as //~ nothing");
  const marked = lines
    .map((line) => line.replace(ANNOTATION, ""))
    .join("\n")
    .trimEnd();
  if (marked.trim() === "") throw new Error("the case has no source");
  const verdict = VERDICTS.find((name) => items.includes(name));
  const ids = items.filter((item) => item !== verdict && item !== "nothing");
  if (items.includes("nothing") !== (ids.length === 0))
    throw new Error("//~ nothing must be the only annotation of a case without findings");
  return { marked, annotations: { ids, verdict, requests } };
}

/** The source fills the holes of the frame in order, with a line `…` between two parts; holes that are left stay empty. */
export function compose(source: string, { text: frame, options }: Frame): Record<string, string> {
  const at = source.search(OTHER_FILE);
  const start = at === 0 ? source.indexOf("\n") + 1 : 0;
  const second = source.slice(start).search(OTHER_FILE);
  const end = second < 0 ? source.length : start + second;
  const parts = source.slice(start, end).trimEnd().split(`\n${HOLE}\n`);
  const holes = frame.split(HOLE);
  if (parts.length >= holes.length) throw new Error(`the source has more parts than its frame has ${HOLE}`);
  const text = `${holes
    .map((piece, index) => piece + (parts[index] ?? ""))
    .join("")
    .replace(/\n+$/, "")}\n`;
  const name = /^\/\/ @file: (.*)\n/.exec(at === 0 ? source : frame)?.[1] ?? "pack.ts";
  const isWhole = options.has("bare") || /\bnewPack\b/.test(frame + source) || text.includes('"@codahq/packs-sdk"');
  const whole = `${isWhole ? "" : name.endsWith("js") ? javaScriptSetUpOf(text) : setUpOf(text)}${text}`;
  return split(
    `${at === 0 || frame.startsWith("// @file: ") ? "" : `// @file: ${name}\n`}${source.slice(0, start)}${whole}${source.slice(end)}${end < source.length ? "\n" : ""}`,
  );
}

function expectedFindings(files: Files, marks: ReturnType<typeof unmark>["marks"], { ids }: Annotations): readonly string[] {
  if (ids.length !== marks.length) throw new Error(`${marks.length} places are marked, and ${ids.length} rules are named`);
  const opened = [...marks].sort(
    (a, b) => Object.keys(files).indexOf(a.file) - Object.keys(files).indexOf(b.file) || a.start - b.start || b.end - a.end,
  );
  return opened.map((mark, index) => {
    const [, severity = "", rule = ""] = /^(\S+) (\S+)$/.exec(ids[index] ?? "") ?? [];
    if (!SEVERITIES.includes(severity)) throw new Error(`"${ids[index]}" is no severity and rule`);
    if (!RULES.some(({ id }) => id === rule)) throw new Error(`there is no rule ${rule}`);
    return findingLine(files, severity, rule, mark);
  });
}

const javaScriptSetUpOf = (text: string): string =>
  setUpOf(text)
    .replace('import * as coda from "@codahq/packs-sdk"', 'const coda = require("@codahq/packs-sdk")')
    .replace(/export (const pack = .*\n)/, "$1exports.pack = pack;\n");

interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

export function findingLine(files: Files, severity: string, rule: string, { file, start, end }: Place): string {
  const text = files[file] ?? "";
  const before = text.slice(0, start).split("\n");
  const where = `${file.slice("/pack/".length)}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
  return `${where} ${severity} ${rule}: ${text.slice(start, end)}`;
}
