// Durations for people.

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Returns the seconds in the largest unit of which there are two or more, rounded: `24 hours`, `90 seconds`, `1 second`. */
export function durationInWords(seconds: number): string {
  const [name, length] = UNITS.find(([, unit]) => seconds >= 2 * unit) ?? ["second", 1];
  const count = Math.max(1, Math.round(seconds / length));
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
