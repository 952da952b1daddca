// Explains a request that the sandbox could not answer, and what to add to sandbox.json for it.
import { relative } from "node:path";
import { defined } from "../../base/defined.ts";
import { expectedResult, proposeStub } from "../../platform/sandbox/propose-stub.ts";
import { stubsFilePath } from "../../platform/sandbox/stubs.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { ResponseReads, RunReport, SourceLocation } from "../../protocol/run.ts";
import type { Paint } from "../terminal/colour.ts";
import { formatMessage, type Printed, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

const MOST = 5;

/** Returns two lines for each distinct request, for at most {@link MOST} requests. */
export async function echoLines(
  { folder }: Terminal,
  report: RunReport,
  definition: PackDefinition,
  entry: string,
  paint: Paint,
): Promise<Printed[]> {
  const file = relative(folder, stubsFilePath(entry));
  const expected = expectedResult(report, definition);
  const linesByMessage = new Map<string, Printed[]>();
  for (const request of report.requests) {
    if (request.echoed === undefined || linesByMessage.size === MOST) continue;
    const reads = await readBySource(request.echoed.calls ?? []);
    linesByMessage.set(request.echoed.message, [
      formatMessage`${paint("yellow", "sandbox:")} ${printable(`${request.echoed.message} Add to ${file}:`)}`,
      formatMessage`    ${printable(JSON.stringify(proposeStub(request, { ...expected, ...defined({ reads }) })))}`,
    ]);
  }
  return [...linesByMessage.values()].flat();
}

async function readBySource(calls: readonly SourceLocation[]): Promise<ResponseReads | undefined> {
  try {
    const { readsOf } = await import("../sources/analysis.ts");
    return readsOf(calls);
  } catch {
    // The schema of the result is enough without the source.
    return undefined;
  }
}
