// A short hash of plain data that detects changes. The hash is not resistant to deliberate collisions.
import { isRecord } from "./is-record.ts";

/** Returns the same fingerprint for equal data, whatever the order of an object's members. An undefined member counts as absent. */
export function fingerprintOf(data: unknown): string {
  const text = JSON.stringify(data, (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return [0x811c9dc5, 0x01000193].map((seed) => fnv1a(text ?? "", seed)).join("");
}

/** FNV-1a, 32 bits, over UTF-16 code units. */
function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
