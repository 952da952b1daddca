/** Whether JSON, or what looks like it, is an object with fields: no list, not null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
