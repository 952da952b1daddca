// What will become of a pack on the platform, as `check`, `run` and `preflight` say it.

/** The verdicts that stand between a pack and its users. The most serious one comes first. */
export const UPLOAD_VERDICTS = ["will-be-rejected", "needs-approval", "fails-when-run", "not-judged"] as const;
export type UploadVerdict = (typeof UPLOAD_VERDICTS)[number];

/** The verdicts as people read them. */
export const UPLOAD_VERDICT_TEXTS: Readonly<Record<UploadVerdict, string>> = {
  "will-be-rejected": "The upload rejects it",
  "needs-approval": "Needs approval",
  "fails-when-run": "Fails when it runs",
  "not-judged": "Could not be judged",
};

export type VerdictCounts = Readonly<Record<UploadVerdict, number>>;

/** Returns how often each verdict occurs; other verdicts are ignored. */
export function countVerdicts(verdicts: readonly (string | undefined)[]): VerdictCounts {
  const count = (verdict: UploadVerdict): number => verdicts.filter((each) => each === verdict).length;
  return Object.fromEntries(UPLOAD_VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<UploadVerdict, number>;
}

const COUNT_TEXTS: Readonly<Record<UploadVerdict, (count: number) => string>> = {
  "will-be-rejected": (count) => `the upload rejects ${count}`,
  "needs-approval": (count) => `${count} ${count === 1 ? "needs" : "need"} approval`,
  "fails-when-run": (count) => `${count} ${count === 1 ? "fails when it runs" : "fail when they run"}`,
  "not-judged": (count) => `${count} could not be judged`,
};

/** Returns the counts that are not zero as one sentence without a full stop; empty if all are zero. */
export function describeVerdicts(counts: VerdictCounts): string {
  const parts = UPLOAD_VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => COUNT_TEXTS[verdict](counts[verdict]));
  const text = parts.join(", ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Returns the verdict about what the platform rejects today, for a pack with this version of the Packs SDK. The validator of a version
 * before `since` accepts it, and it is not known what the platform says of such a pack.
 */
export const rejectionOf = (toolkitVersion: string | undefined, since: string): "will-be-rejected" | "not-judged" =>
  toolkitVersion !== undefined && toolkitVersion.localeCompare(since, "en", { numeric: true }) < 0 ? "not-judged" : "will-be-rejected";

/** The first version of the Packs SDK whose validator demands networkDomain beside several network domains. */
export const NETWORK_DOMAIN_CHOICE_SINCE = "1.8.6";

/** Returns the sentence that follows a message about a rejection that could not be judged. */
export const unjudgedNote = (toolkitVersion: string | undefined): string =>
  `Whether that is so with the installed ${describeToolkit(toolkitVersion)} could not be judged. Update the Packs SDK.`;

/** Returns the Packs SDK with its version, which a manifest may lack. */
export const describeToolkit = (version = ""): string => `Packs SDK ${version}`.trimEnd();
