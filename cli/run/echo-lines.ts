// Explains a request that the sandbox could not answer, and what to add to sandbox.json for it.
import { relative } from "node:path";
import { proposedAnswers } from "../../operations/run/proposed-answers.ts";
import type { EndedRun } from "../../operations/run/run.ts";
import { stubsFilePath } from "../../platform/sandbox/stubs.ts";
import type { Paint } from "../terminal/colour.ts";
import { formatMessage, type Printed, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

const MOST = 5;

/** Returns two lines for each distinct request, for at most {@link MOST} requests. */
export async function echoLines({ folder }: Terminal, run: EndedRun, paint: Paint): Promise<readonly Printed[]> {
  const file = relative(folder, stubsFilePath(run.entry));
  const answers = await proposedAnswers(run, async (calls) => (await import("../sources/analysis.ts")).readsOf(calls), MOST);
  return answers.flatMap(({ request, stub }) => [
    formatMessage`${paint("yellow", "sandbox:")} ${printable(`${request.echoed?.message ?? ""} Add to ${file}:`)}`,
    formatMessage`    ${printable(JSON.stringify(stub))}`,
  ]);
}
