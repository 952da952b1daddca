// What `pack-auth run` says where the sandbox had no answer: which request, and what to add to sandbox.json for it.
import { relative } from "node:path";
import { defined } from "../../base/defined.ts";
import { answersFileOf } from "../../platform/sandbox/answers.ts";
import { expectedResult, proposeAnswer } from "../../platform/sandbox/propose-answer.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AnswerReads, RunReport, SourceLocation } from "../../protocol/run.ts";
import type { Paint } from "../terminal/colour.ts";
import { type Printed, printable, told } from "../terminal/printable.ts";

const MOST = 5;

/** Two lines for each request, at most so many; each request once. */
export async function echoLines(report: RunReport, definition: PackDefinition, entry: string, paint: Paint): Promise<Printed[]> {
  const file = relative(process.cwd(), answersFileOf(entry));
  const expected = expectedResult(report, definition);
  const answers = new Map<string, Printed[]>();
  for (const request of report.requests) {
    if (request.echoed === undefined || answers.size === MOST) continue;
    const reads = await readBySource(request.echoed.calls ?? []);
    answers.set(request.echoed.message, [
      told`${paint("yellow", "sandbox:")} ${printable(`${request.echoed.message} Add to ${file}:`)}`,
      told`    ${printable(JSON.stringify(proposeAnswer(request, { ...expected, ...defined({ reads }) })))}`,
    ]);
  }
  return [...answers.values()].flat();
}

async function readBySource(calls: readonly SourceLocation[]): Promise<AnswerReads | undefined> {
  try {
    const { readsOf } = await import("../analysis.ts");
    return readsOf(calls);
  } catch {
    // The result's schema has to do.
    return undefined;
  }
}
