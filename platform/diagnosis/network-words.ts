// Explains network errors for messages that are not about one failure of a run or a sign-in alone.
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

/** Returns the reason as a clause. */
export const networkMessage = (error: unknown, host: string): string => explainNetwork(error, host).reason;

/** Returns the reason as the end of a sentence. */
export const networkSentence = (error: unknown, host: string): string => `${withoutStop(networkMessage(error, host))}.`;
