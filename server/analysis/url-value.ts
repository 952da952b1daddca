// What a value says of itself as a URL, without guessing at what is computed.
import type { Value } from "./model.ts";

/** The text, or the known beginning of one. */
export function knownStart(value: Value | undefined): string | undefined {
  if (value?.kind === "string") return value.value;
  const first = value?.kind === "template" ? value.parts[0] : undefined;
  return first?.kind === "string" && first.value !== "" ? first.value : undefined;
}

export function isAbsoluteUrl(value: Value | undefined): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(knownStart(value) ?? "");
}
