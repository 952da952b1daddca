// Extracts domains under which anybody can have a host from the public suffix list in tldts. The rule that warns about them uses this
// extract, because loading the library takes longer than a whole check.
import { getPublicSuffix } from "tldts";

interface Trie {
  readonly nodeFlags: Uint8Array;
  readonly edgeStart: Uint16Array;
  readonly edgeLength: Uint8Array;
  readonly edgeChild: Uint16Array;
  readonly labelText: string;
  readonly rulesRoot: number;
}

/** The flag of a suffix in the list's private section. */
const PRIVATE = 2;

/** Listed domains that a single company uses for its own services. */
const NOT_SHARED = new Set(["googleapis.com", "googlecode.com", "withgoogle.com", "withyoutube.com"]);

/** Domains that are not suffixes, but have only suffixes below them. */
const ALL_SHARED = ["on.aws", "run.app"];

/** Returns the private suffixes of two labels, such as `vercel.app`, in alphabetical order. */
export async function sharedHosts(): Promise<readonly string[]> {
  const { nodeFlags, edgeStart, edgeLength, edgeChild, labelText, rulesRoot } = (await import(
    new URL("../node_modules/tldts/dist/es6/src/data/trie.js", import.meta.url).href
  )) as Trie;
  const offsets: number[] = [];
  for (let edge = 0, offset = 0; edge < edgeLength.length; offset += edgeLength[edge++] ?? 0) offsets.push(offset);
  const children = (node: number): readonly { readonly label: string; readonly node: number }[] =>
    Array.from({ length: (edgeStart[node + 1] ?? 0) - (edgeStart[node] ?? 0) }, (_, index) => {
      const edge = (edgeStart[node] ?? 0) + index;
      const start = offsets[edge] ?? 0;
      return { label: labelText.slice(start, start + (edgeLength[edge] ?? 0)), node: edgeChild[edge] ?? 0 };
    });
  const suffixes = children(rulesRoot)
    .flatMap((top) => children(top.node).flatMap(({ label, node }) => (nodeFlags[node] === PRIVATE ? `${label}.${top.label}` : [])))
    .filter((host) => /^[a-z0-9-]+\.[a-z0-9-]+$/.test(host) && !host.includes("xn--") && !NOT_SHARED.has(host))
    // The library's own result decides. It excludes domains of which only a deeper level is shared.
    .filter((host) => getPublicSuffix(`some.${host}`, { allowPrivateDomains: true }) === host);
  if (suffixes.length < 1000) throw new Error(`tldts keeps its list in another way than before: ${suffixes.length} private suffixes`);
  return [...suffixes, ...ALL_SHARED].sort();
}
