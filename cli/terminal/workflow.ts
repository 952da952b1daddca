// Writes for a GitHub runner: commands in the log of a step, and the summary of the job.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { printable } from "../../base/printable.ts";
import { formatMessage, printable as printableOutput } from "./printable.ts";
import { slashes } from "./short-path.ts";
import type { Terminal } from "./terminal.ts";

/** Returns `::error file=…,line=…::message`, without a line end. */
export function workflowCommand(name: string, properties: Readonly<Record<string, string | number>>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(printable(String(value)))}`);
  return `::${name}${list.length > 0 ? ` ${list.join(",")}` : ""}::${escapeData(printable(message))}`;
}

/** Escapes as actions/toolkit does (packages/core, command). */
const escapeData = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string): string => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Returns the root of the workflow's checkout if the working directory is in it, else the working directory. */
export const checkoutRoot = (cwd: string, { GITHUB_WORKSPACE: workspace }: NodeJS.ProcessEnv): string =>
  workspace && !slashes(relative(workspace, cwd)).startsWith("..") ? workspace : cwd;

/** Appends Markdown to the summary of the job; does nothing if no runner names its file. */
export function writeJobSummary({ environment, errorOutput }: Terminal, markdown: string): void {
  const path = environment.GITHUB_STEP_SUMMARY;
  if (!path) return;
  try {
    appendFileSync(path, markdown);
  } catch (error) {
    errorOutput.write(formatMessage`pack-auth: the summary of the job could not be written: ${printableOutput(errorMessage(error))}.\n`);
  }
}
