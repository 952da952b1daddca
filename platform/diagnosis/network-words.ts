// Explains network errors for messages that are not about one failure of a run or a sign-in alone.
import type { NextStep } from "../../protocol/next-step.ts";
import { networkFailureOf } from "../network/network-failure.ts";
import { type Explanation, explain } from "./explain.ts";
import { withoutStop } from "./facts.ts";
import { type Failure, NO_AUTHENTICATION } from "./failure.ts";

/** Returns why a request got no response. The step decides which address the advice names. */
export function explainNetwork(error: unknown, host: string, step: Pick<Failure, "phase" | "mcp"> = { phase: "resource" }): Explanation {
  const explanation = explain({ ...step, auth: NO_AUTHENTICATION, network: networkFailureOf(error, host) });
  if (explanation === undefined) throw new Error("every kind of network failure has a diagnosis");
  return explanation;
}

/** Returns the reason as the end of a sentence, and what to do next. */
export function networkProblem(error: unknown, host: string): { readonly sentence: string; readonly nextStep: NextStep | undefined } {
  const { reason, nextStep } = explainNetwork(error, host);
  return { sentence: `${withoutStop(reason)}.`, nextStep };
}
