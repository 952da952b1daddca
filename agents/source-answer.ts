// Turns the analysis' answer about sources into a result or the platform's error. The analysis has no error class of its own.

import { PackAuthError } from "../platform/errors.ts";
import type { SourceAnswer } from "../protocol/agents.ts";

/** Throws sources-unreadable or settings-invalid. */
export function resultOf<Result>(answer: SourceAnswer<Result>): Result {
  if ("result" in answer) return answer.result;
  const { code, message, hint } = answer.problem;
  throw new PackAuthError(code, message, { hint });
}
