/**
 * Returns settings that switch off rules that most tests do not concern. Sources in memory have no SDK beside them, and many correct packs
 * need the platform's approval or have a configuration that cannot be read. `about` is a rule that stays on.
 */
export const quietRules = (about?: string): Record<string, "off"> =>
  Object.fromEntries(
    ["toolkit-missing", "approval-needed", "configuration-not-read"].filter((rule) => rule !== about).map((rule) => [rule, "off"]),
  );
