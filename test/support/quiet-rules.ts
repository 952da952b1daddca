/**
 * Rules that most tests are not about, switched off: that no toolkit is installed beside sources in memory, and what the platform has to
 * approve, which is so of many packs that are right. `about`: a rule that stays on.
 */
export const quietRules = (about?: string): Record<string, "off"> =>
  Object.fromEntries(["toolkit-missing", "approval-needed"].filter((rule) => rule !== about).map((rule) => [rule, "off"]));
