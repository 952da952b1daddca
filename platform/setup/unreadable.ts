// The error of evidence that cannot be read.
import type { NextStep } from "../../protocol/next-step.ts";
import { PackAuthError } from "../errors.ts";

/** Returns the error: what happened, then what to do. Neither may quote evidence, because that may contain a credential. */
export const unreadable = (message: string, hint: string, cause?: unknown, nextStep?: NextStep): PackAuthError =>
  new PackAuthError("evidence-unreadable", message, { hint, nextStep, cause });

/** What to do if an address says too little. */
export const ANOTHER_WAY = "Or use a cURL command from the API's documentation, its OpenAPI file, or the provider's name.";
