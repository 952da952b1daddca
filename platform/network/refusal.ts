// The error of a request that was refused.
import type { NextStep } from "../../protocol/next-step.ts";
import { PackAuthError } from "../errors.ts";

/** Returns the error with the reason. Pack code receives it unmasked, so the caller masks text that the pack did not write. */
export const refusal = (reason: string, hint?: string, nextStep?: NextStep): PackAuthError =>
  new PackAuthError("request-refused", `Not sent: ${reason}.`, { hint, nextStep });
