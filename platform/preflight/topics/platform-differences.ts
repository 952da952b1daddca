// What the last runs showed that is different on the platform.
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { atRunnable, type PreflightFacts, runnablesOf } from "../preflight-input.ts";

/** Returns a line for each difference, with the formulas and tables that showed it. */
export function platformDifferences(facts: PreflightFacts): readonly PreflightLine[] {
  const runnablesByMessage = new Map<string, ReturnType<typeof runnablesOf>>();
  for (const runnable of runnablesOf(facts.definition))
    for (const message of facts.recordOf(runnable)?.run?.platformDifferences ?? [])
      runnablesByMessage.set(message, [...(runnablesByMessage.get(message) ?? []), runnable]);
  return [...runnablesByMessage].map(([message, runnables]): PreflightLine => {
    const [first] = runnables;
    return {
      topic: "platform-differences",
      verdict: "differs-there",
      text: `${namesOf(runnables.map(({ name }) => name))}: ${message}`,
      ...(first && atRunnable(facts, first)),
    };
  });
}

const MOST_NAMES = 3;

const namesOf = (names: readonly string[]): string =>
  names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(", ")} and ${names.length - MOST_NAMES} more` : names.join(", ");
