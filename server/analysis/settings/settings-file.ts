// Reads and checks `.packauthrc.json`, for the editor and the command line. Each problem is reported at its place, and the valid settings
// around it still apply.
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser/lib/esm/main.js";
import { isBoundedGlob, LONGEST_GLOB, MOST_WILDCARDS } from "../../../base/bounded-glob.ts";
import { closest } from "../../../base/closest.ts";
import { DEEPEST_FILE, isTooDeepForFile } from "../../../base/json-depth.ts";
import type { Severity } from "../model/findings.ts";

export const SETTINGS_FILE = ".packauthrc.json";

export interface FileSettings {
  readonly toolkitModules?: readonly string[];
  readonly rules: Readonly<Record<string, Severity | "off">>;
  /** Globs, relative to the file's folder. */
  readonly ignore: readonly string[];
}

export interface SettingsProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** What replaces the text from start to end. */
  readonly fix?: { readonly title: string; readonly text: string };
}

export interface ReadSettings {
  readonly settings: FileSettings;
  readonly problems: readonly SettingsProblem[];
}

const SEVERITIES: readonly (Severity | "off")[] = ["off", "information", "warning", "error"];

const KEYS = ["$schema", "rules", "toolkitModules", "ignore"];

/** Reads a settings file. Comments and trailing commas are allowed. */
export function readSettingsFile(text: string, rules: readonly string[]): ReadSettings {
  const problems: SettingsProblem[] = [];
  const settings: { -readonly [Key in keyof FileSettings]: FileSettings[Key] } & { rules: Record<string, Severity | "off"> } = {
    rules: {},
    ignore: [],
  };
  // For a text that ends in `/*`, the parser's length is one too many. For an unclosed part, the length may not be positive.
  const flag = ({ offset, length }: { readonly offset: number; readonly length: number }, message: string): void => {
    if (problems.length >= MOST_PROBLEMS) return;
    problems.push({ start: offset, end: Math.min(Math.max(offset, offset + length), text.length), message });
  };
  if (isTooDeepForFile(text)) {
    flag({ offset: 0, length: 1 }, `The settings nest more than ${DEEPEST_FILE} levels deep.`);
    return { settings, problems };
  }
  // A byte order mark is not valid JSON; a space in its place keeps the offsets.
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\ufeff/, " "), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) flag(first, `This is not valid JSON: ${sayParseError(first)}.`);
  if (root === undefined) return { settings, problems };
  if (root.type !== "object") {
    flag(root, `The settings must be an object, such as { "rules": {} }.`);
    return { settings, problems };
  }

  for (const { key, name, value } of members(root)) {
    if (name === "rules") readRules(value);
    else if (name === "toolkitModules") {
      const modules = readTexts(value, "toolkitModules", "the names of modules");
      if (modules?.length === 0) flag(value, "toolkitModules is empty, so that no file would count as a pack. Remove it for the default.");
      else if (modules !== undefined) settings.toolkitModules = modules;
    } else if (name === "ignore") settings.ignore = readGlobs(value);
    else if (name !== "$schema")
      flag(key, `There is no setting ${name}.${guess(name, KEYS, "There are rules, toolkitModules and ignore.")}`);
  }
  return { settings, problems };

  function readRules(value: Node): void {
    if (value.type !== "object") flag(value, `rules must be an object, such as { "field-unknown": "warning" }.`);
    for (const { key, name, value: severity } of members(value)) {
      if (!rules.includes(name)) flag(key, `There is no rule ${name}.${guess(name, rules, "See pack-auth explain for all of them.")}`);
      else if (isSeverity(severity.value)) settings.rules[name] = severity.value;
      else flag(severity, `The severity of ${name} must be "off", "information", "warning" or "error".`);
    }
  }

  function readGlobs(value: Node): readonly string[] {
    const items = (value.children ?? []).slice(0, MOST_GLOBS);
    const more = value.children?.[MOST_GLOBS];
    if (more !== undefined) flag(more, `At most ${MOST_GLOBS} globs are read. Name folders instead of files.`);
    return (readTexts(more === undefined ? value : { ...value, children: items }, "ignore", "globs") ?? []).filter((glob) => {
      const problem = globProblem(glob);
      if (problem !== undefined) flag(items.find((item) => item.value === glob) ?? value, problem);
      return problem === undefined;
    });
  }

  function readTexts(value: Node, name: string, what: string): readonly string[] | undefined {
    if (value.type !== "array") {
      flag(value, `${name} must be a list of ${what}.`);
      return undefined;
    }
    return (value.children ?? []).flatMap((item) => {
      if (typeof item.value === "string" && item.value.trim() !== "") return [item.value];
      flag(item, `${name} must be a list of ${what}: each a string that is not empty.`);
      return [];
    });
  }
}

/** More of them are not written by hand. */
const MOST_GLOBS = 200;

/** Maximum number of reported problems. */
export const MOST_PROBLEMS = 100;

function globProblem(glob: string): string | undefined {
  if (/(?<!\\)[!?*+@]?\(/.test(glob))
    return `Write {a,b} for alternatives, and \\\\( for a parenthesis in a name. These globs have no groups in parentheses.`;
  if (glob.length > LONGEST_GLOB) return `This glob has ${glob.length} characters, and at most ${LONGEST_GLOB} are read. Divide it.`;
  return isBoundedGlob(glob) ? undefined : `This glob has more than ${MOST_WILDCARDS} wildcards and groups in braces. Divide it.`;
}

function members(object: Node): readonly { readonly key: Node; readonly name: string; readonly value: Node }[] {
  return (object.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ key, name: String(key.value), value }],
  );
}

export const isSeverity = (value: unknown): value is Severity | "off" => SEVERITIES.some((severity) => severity === value);

function guess(name: string, names: readonly string[], otherwise: string): string {
  const near = closest(name, names);
  return near === undefined ? ` ${otherwise}` : ` Did you mean ${near}?`;
}

/** Returns a parser error in words: "property name expected" for `PropertyNameExpected`. */
export const sayParseError = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
