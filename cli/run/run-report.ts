// Formats what `pack-auth run` prints: the result on standard output, everything else about the run on standard error.
import { wordedError } from "../../platform/errors.ts";
import type { McpTool } from "../../protocol/mcp.ts";
import type { ErrorReport, RequestTrace, RunReport } from "../../protocol/run.ts";
import { countVerdicts, describeVerdicts, UPLOAD_VERDICT_TEXTS } from "../../protocol/verdict.ts";
import { at } from "../frame/failure.ts";
import type { Paint } from "../terminal/colour.ts";
import { messageOf, nextStepText } from "../terminal/next-steps.ts";
import { formatMessage, joined, type Printed, printable, printableJson } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { contentLines, toolsText } from "./tool-lines.ts";

/** Returns the result for people: strings unchanged, rows as one JSON object per line, everything else as JSON. */
export function resultText({ outcome, sync, target }: RunReport): string {
  if (!("value" in outcome) || outcome.value === undefined) return "";
  const { value } = outcome;
  if (target.kind === "mcpServer") return toolsText(value as readonly McpTool[]);
  // A tool without a text result has its content in the notes.
  if (target.kind === "mcpTool" && value === null) return "";
  // A program that reads row by row gets no line if there are no rows.
  if (sync !== undefined && Array.isArray(value) && value.length === 0) return "";
  if (typeof value === "string") return `${value}\n`;
  if (Array.isArray(value) && value.some((item) => item !== null && typeof item === "object"))
    return printableJson(value.map((item) => `${JSON.stringify(item)}\n`).join(""));
  return printableJson(`${JSON.stringify(value, null, 2)}\n`);
}

export const rowsText = (count: number): Printed => (count === 1 ? formatMessage`1 row` : formatMessage`${count} rows`);

const MOST_REQUESTS = 20;

/**
 * Returns everything about the run but its result. `where`: the lines about the place of a failure (failure.ts). `echoes`: the lines about
 * requests that the sandbox could not answer (echo-lines.ts).
 */
export function notesText(
  terminal: Terminal,
  report: RunReport,
  paint: Paint,
  where: readonly Printed[],
  echoes: readonly Printed[] = [],
): Printed {
  // The reason for a missing response appears once: in the error if it made the run fail, else beside the request.
  const failure = report.outcome.status === "failed" ? report.outcome.error.message : undefined;
  const reasons = [failure, ...report.requests.map(({ failureReason }) => failureReason)];
  const lines = report.requests.slice(0, MOST_REQUESTS).map((request) => requestLine(request, failure, paint));
  if (report.requests.length > MOST_REQUESTS) lines.push(paint("dim", `… ${report.requests.length - MOST_REQUESTS} more requests`));
  for (const { message, location, verdict } of report.platformDifferences)
    lines.push(
      formatMessage`${paint("yellow", verdict === undefined ? "after upload:" : `after upload (${UPLOAD_VERDICT_TEXTS[verdict].toLowerCase()}):`)} ${printable(`${withoutRepeats(message, reasons)}${at(terminal, location)}`)}`,
    );
  for (const { path, message } of report.warnings ?? [])
    lines.push(formatMessage`${paint("yellow", "result:")} ${printable(path === "" ? message : `${path}: ${message}`)}`);
  for (const line of contentLines(report.content ?? [])) lines.push(formatMessage`${paint("dim", "text:")} ${printable(line)}`);
  lines.push(...echoes);
  if (report.outcome.status === "failed") lines.push(...errorLines(report.outcome.error, where, paint));
  const verdicts = describeVerdicts(countVerdicts(report.platformDifferences.map(({ verdict }) => verdict)));
  if (verdicts !== "") lines.push(formatMessage`${paint("yellow", "after upload:")} ${printable(verdicts)}`);
  const rows = "rows" in report.outcome && report.outcome.rows !== undefined ? `${rowsText(report.outcome.rows)}, ` : "";
  const more = report.sync?.limitReached === true ? ", the table has more (--rows)" : "";
  lines.push(paint("dim", `${report.outcome.status}: ${rows}${report.duration} ms${more}`));
  return joined(lines.map((line) => formatMessage`${line}\n`));
}

function withoutRepeats(message: string, reasons: readonly (string | undefined)[]): string {
  const rest = reasons.reduce<string>((text, reason) => (reason ? text.replace(reason, "") : text), message);
  return rest.trim() || message;
}

const NO_RESPONSE: Readonly<Record<NonNullable<RequestTrace["failure"]>, string>> = {
  blocked: "blocked",
  notSent: "not sent",
  failed: "failed",
};

/** `failure`: the message of the run's error, which may already explain why the request has no response. */
function requestLine(request: RequestTrace, failure: string | undefined, paint: Paint): Printed {
  const sandbox = request.sandbox !== true ? "" : request.echoed === undefined ? " sandbox" : " sandbox, no answer: echoed";
  const from = request.cached === true ? " from the cache" : request.merged === true ? " with an identical request" : "";
  const { failureReason: message, nextStep } = request;
  const refusal =
    message === failure && failure !== undefined ? NO_RESPONSE[request.failure ?? "failed"] : message && messageOf({ message, nextStep });
  const result = refusal ?? `${request.status}${sandbox}${from}`;
  const marks = request.credentials.map(({ carrier, host }) => `${carrier} → ${host}`).join(", ");
  const isFailed = message !== undefined || (request.status ?? 0) >= 400;
  const mcp = request.message === undefined ? "" : ` ${request.message}`;
  return formatMessage`${paint("dim", `${request.method} ${request.url}${mcp}`)} ${paint(isFailed ? "red" : "green", result)}${marks === "" ? formatMessage`` : paint("dim", ` (${marks})`)}`;
}

function errorLines(error: ErrorReport, where: readonly Printed[], paint: Paint): Printed[] {
  const { code, message, hint } = wordedError(error, nextStepText);
  return [
    formatMessage`${paint("red", code)}: ${printable(message)}`,
    ...(hint === undefined ? [] : [printable(hint)]),
    ...where.map((line) => paint("dim", line)),
  ];
}
