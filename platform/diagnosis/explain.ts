// Explains a failure: the first diagnosis that fits decides.
import { bodyText } from "./api-words.ts";
import type { Cause } from "./diagnosis.ts";
import type { Failure } from "./failure.ts";
import { DIAGNOSES, type DiagnosisId } from "./order.ts";
import { formatQuotation } from "./words.ts";

export interface Explanation extends Cause {
  readonly id: DiagnosisId;
  /** What the API says in the body of its refusal, as a sentence that begins with a blank; empty if it says nothing more. */
  readonly quotation: string;
  /** True if the explanation says no more than the response itself. */
  readonly isGeneral: boolean;
}

/** Returns why the failure happened and what to change, or undefined if there is no response and no error to speak of. */
export function explain(failure: Failure): Explanation | undefined {
  for (const { id, isGeneral = false, when } of DIAGNOSES) {
    const cause = when(failure);
    if (cause !== undefined) return { ...cause, id, isGeneral, quotation: quotationFor(cause, failure) };
  }
  return undefined;
}

/** The sign-in quotes the provider in its own message. */
function quotationFor({ reason }: Cause, failure: Failure): string {
  if (failure.phase !== "resource" || failure.mcp !== undefined || (failure.exchange?.status ?? 0) < 400) return "";
  const text = bodyText(failure) ?? "";
  return reason.includes(text) ? "" : formatQuotation(text);
}
