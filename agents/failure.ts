// A failure as an agent reads it.
import { defined } from "../base/defined.ts";
import { reportOf, wordedError } from "../platform/errors.ts";
import type { ErrorReport } from "../protocol/run.ts";
import type { AgentHost } from "./agent-host.ts";
import { nextStepText } from "./next-steps.ts";
import { shownPlace } from "./operation-tool.ts";
import { fromOutside, sentences } from "./outside.ts";

/** Characters of a message or hint. */
const LONGEST_MESSAGE = 4_000;

/** Returns a masked report as an agent reads it. `entry` is the pack's, if there is one. */
export async function failureOf(report: ErrorReport, host: AgentHost, entry?: string) {
  const { code, message, isForeign = false, hint, configPath, diagnosis, stack = [], remedies = [] } = wordedError(report, nextStepText);
  const domain = remedies.find((remedy) => remedy.kind === "addNetworkDomain");
  const edits = domain === undefined || entry === undefined ? [] : await host.sources.declareDomain(entry, domain.host);
  return {
    code,
    message: (isForeign ? fromOutside : sentences)(message, LONGEST_MESSAGE),
    ...defined({ hint: hint === undefined ? undefined : sentences(hint, LONGEST_MESSAGE), field: configPath, diagnosis }),
    stack: stack.flatMap(({ location }) => shownPlace(host, location) ?? []),
    remedies: remedies.map((remedy) => ({ label: remedy.label, edits: remedy === domain ? edits : [] })),
  };
}

export type Failure = Awaited<ReturnType<typeof failureOf>>;

/** Returns any error as an agent reads it. */
export const failureOfError = (error: unknown, host: AgentHost): Promise<Failure> => failureOf(reportOf(error), host);
