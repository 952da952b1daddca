// The answer to "Ready for upload?": one line for each thing that decides it.
import type { SourceLocation } from "./run.ts";

/** What will become of it on the platform. */
export type PreflightVerdict = "fits" | "needs-approval" | "will-be-rejected" | "differs-there" | "never-tried" | "not-checked";

/** What a line is about, in the order of the page. */
export type PreflightTopic =
  | "validation"
  | "approval"
  | "redirect-address"
  | "credentials"
  | "verification"
  | "accounts"
  | "formulas"
  | "saved-tests"
  | "drills"
  | "platform-differences"
  | "published-configuration";

/** The one button of a line. The host does it; every text in it is data. */
export type PreflightAction =
  | { readonly kind: "openSource"; readonly location: SourceLocation }
  | { readonly kind: "openApprovalForm" }
  | { readonly kind: "copy"; readonly text: string }
  | { readonly kind: "connect"; readonly scope: "user" | "system" }
  | { readonly kind: "run"; readonly runnable: { readonly kind: "formula" | "syncTable"; readonly name: string } }
  | { readonly kind: "openTest"; readonly path: string }
  | { readonly kind: "compareWithPublished" }
  | { readonly kind: "sendClientCredentials" }
  | { readonly kind: "installToolkit" };

export interface PreflightLine {
  readonly topic: PreflightTopic;
  readonly verdict: PreflightVerdict;
  /** What it is, and what to do. Whole sentences without markup; parts may be text from outside. */
  readonly text: string;
  readonly location?: SourceLocation;
  readonly action?: PreflightAction;
}

export interface PreflightReport {
  readonly entry: string;
  /** True unless a line will be rejected. */
  readonly isReady: boolean;
  readonly lines: readonly PreflightLine[];
}
