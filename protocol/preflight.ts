// The answer to "Ready for upload?": one line for each thing that decides it.
import type { SourceLocation } from "./run.ts";
import { countVerdicts, describeVerdicts, UPLOAD_VERDICT_TEXTS, UPLOAD_VERDICTS } from "./verdict.ts";

/** What will become of it on the platform. The most serious verdict comes first. */
export const VERDICTS = [
  "will-be-rejected",
  "needs-approval",
  "fails-when-run",
  "differs-there",
  "never-tried",
  "not-judged",
  "fits",
] as const;
export type PreflightVerdict = (typeof VERDICTS)[number];

/** The verdicts as people read them. */
export const VERDICT_TEXTS: Readonly<Record<PreflightVerdict, string>> = {
  ...UPLOAD_VERDICT_TEXTS,
  "differs-there": "Differs there",
  "never-tried": "Never tried",
  fits: "Fits",
};

/** What a line is about, in the order of the page. */
export type PreflightTopic =
  | "validation"
  | "mistakes"
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

/** The one button of a line, beside the link to its location. The host does it; every text in it is data. */
export type PreflightAction =
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

/** Returns what the report says of the whole pack, without a full stop. Nothing is promised of a pack that was not judged. */
export function conclusionOf(report: PreflightReport): string {
  const counts = countVerdicts(report.lines.map(({ verdict }) => verdict));
  const text = describeVerdicts(counts);
  const isFine = isJudged(report) && UPLOAD_VERDICTS.every((verdict) => verdict === "not-judged" || counts[verdict] === 0);
  return isFine ? ["Nothing will be rejected", ...(text === "" ? [] : [text])].join(", ") : text;
}

/** Returns whether the pack itself was judged: what cannot be read beside it, such as its accounts, does not count. */
export const isJudged = ({ lines }: PreflightReport): boolean =>
  !lines.some(({ topic, verdict }) => verdict === "not-judged" && (topic === "validation" || topic === "mistakes"));

/** The texts of the buttons. */
export const ACTION_TEXTS: Readonly<Record<PreflightAction["kind"], string>> = {
  openApprovalForm: "Open the form",
  copy: "Copy",
  connect: "Connect",
  run: "Run",
  openTest: "Open test",
  compareWithPublished: "Compare",
  sendClientCredentials: "Send the client ID and secret",
  installToolkit: "Install the Packs SDK",
};

/** Messages from the host to the page. */
export type ToPreflightPage =
  | { readonly type: "checking"; readonly pack: string; readonly step: string }
  | { readonly type: "report"; readonly pack: string; readonly report: PreflightReport }
  /** The check did not end: it was stopped, or failed. */
  | { readonly type: "ended"; readonly pack: string; readonly text: string };

/** Messages from the page to the host. `line` is an index of the last report's lines. */
export type FromPreflightPage =
  | { readonly type: "ready" }
  | { readonly type: "check" }
  | { readonly type: "cancel" }
  | { readonly type: "upload" }
  | { readonly type: "openSource"; readonly line: number }
  | { readonly type: "act"; readonly line: number };
