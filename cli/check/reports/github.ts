// The report for a GitHub workflow: one command a finding, which the runner turns into an annotation at its line.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
import { relative } from "node:path";
import { printable } from "../../../platform/printable.ts";
import { slashes } from "../files.ts";
import { rangeOf } from "../lines.ts";
import { plural, type Report, summarise } from "./report.ts";

const COMMANDS = { error: "error", warning: "warning", information: "notice" } as const;

/** `workspace` is the root of the checkout, which the runner takes paths relative to. */
export function githubReport({ files, cwd, failures }: Report, workspace: string | undefined): string {
  const root = workspace !== undefined && !slashes(relative(workspace, cwd)).startsWith("..") ? workspace : cwd;
  const lines = files.flatMap(({ path, text, diagnostics }) =>
    diagnostics.map(({ place, severity, rule, message }) => {
      const { start, end } = rangeOf(text, place);
      // The runner takes columns only within one line.
      const columns = start.line === end.line ? { col: start.character + 1, endColumn: end.character + 1 } : {};
      const properties = { file: slashes(relative(root, path)), line: start.line + 1, endLine: end.line + 1, ...columns, title: rule };
      return command(COMMANDS[severity], properties, message);
    }),
  );
  const { errors, warnings, informations, files: count } = summarise(files);
  const summary = `${plural(errors, "error")}, ${plural(warnings, "warning")}, ${plural(informations, "notice")} in ${plural(count, "file")}`;
  return `${[...lines, ...failures.map((failure) => command("error", {}, failure)), summary].join("\n")}\n`;
}

function command(name: string, properties: Readonly<Record<string, string | number>>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(printable(String(value)))}`);
  return `::${name}${list.length > 0 ? ` ${list.join(",")}` : ""}::${escapeData(printable(message))}`;
}

/** As actions/toolkit does it (packages/core, command). */
const escapeData = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string): string => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
