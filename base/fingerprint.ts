// A short sum of plain data, to see that it is another than it was: of no use against somebody who wants two to be equal.
import { isRecord } from "./is-record.ts";

/** Equal for equal data, whatever the order of an object's members; what is undefined counts as absent. */
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
