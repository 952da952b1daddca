// Proposes answers for requests that the sandbox could only echo.
import { defined } from "../../base/defined.ts";
import { expectedResult, proposeStub } from "../../platform/sandbox/propose-stub.ts";
import type { Stub } from "../../platform/sandbox/stubs.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import type { SourceReader } from "../source-reader.ts";
import type { EndedRun } from "./run.ts";

interface ProposedAnswer {
  readonly request: RequestTrace;
  readonly stub: Stub;
}

/** Returns one answer for each address, for at most `most` of them. `readsOf` returns what the source reads of a response. */
export async function proposedAnswers(
  { report, definition }: Pick<EndedRun, "report" | "definition">,
  readsOf: SourceReader["responseReads"],
  most: number,
): Promise<readonly ProposedAnswer[]> {
  const expected = expectedResult(report, definition);
  const answers = new Map<string, ProposedAnswer>();
  for (const request of report.requests) {
    if (request.echoed === undefined || answers.size === most) continue;
    // The schema of the result is enough without the source.
    const reads = await readsOf(request.echoed.calls ?? []).catch(() => undefined);
    const stub = proposeStub(request, { ...expected, ...defined({ reads }) });
    answers.set(`${request.method} ${request.url}`, { request, stub });
  }
  return [...answers.values()];
}
