// What the platform has to approve. A rule of the analysis decides it, and the author may switch the rule off after the approval.
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { PackAuthError, wholeMessage } from "../../errors.ts";
import { locationIn, type PackSources, type PreflightFacts } from "../preflight-input.ts";

const APPROVAL_RULE = "approval-needed";

/** Returns a line for each approval that the sources need, or one that none is needed. */
export const approval = ({ sources }: PreflightFacts): readonly PreflightLine[] => {
  const lines = approvalsIn(sources);
  return lines.length > 0 ? lines : [{ topic: "approval", verdict: "fits", text: "Nothing in the sources needs the platform's approval." }];
};

/** Returns the approvals that the sources need; a line without a check if the sources could not be read. */
export function approvalsIn(sources: PackSources): readonly PreflightLine[] {
  const { findings } = sources;
  if (findings instanceof PackAuthError) return [{ topic: "approval", verdict: "not-judged", text: wholeMessage(findings) }];
  return findings.findings
    .filter(({ rule }) => rule === APPROVAL_RULE)
    .map((finding) => ({
      topic: "approval",
      verdict: "needs-approval",
      text: finding.message,
      location: locationIn(sources, finding),
      action: { kind: "openApprovalForm" },
    }));
}
