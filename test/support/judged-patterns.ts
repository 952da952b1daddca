// The regular expressions of the product's source, and whether each takes linear time for any input. The judge is recheck, an independent
// tool. It takes minutes for all patterns, so its safe ones are in a list, which a run with TESTS_KEEP_PATTERNS updates.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { root } from "./packs.ts";

const LIST = "test/support/judged-patterns.txt";

const ROOMS = ["server", "spec", "cli", "client", "platform", "operations", "agents", "protocol", "base", "launch"];

export interface Pattern {
  /** The pattern as written: `/a+/g`. */
  readonly text: string;
  readonly places: readonly string[];
}

/** Returns each distinct pattern with its places. */
export function patternsInSource(): readonly Pattern[] {
  const places = new Map<string, string[]>();
  for (const room of ROOMS)
    for (const name of readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).sort()) {
      if (!/\.tsx?$/.test(name)) continue;
      const path = `${room}/${name.replaceAll("\\", "/")}`;
      const source = ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.Latest);
      const visit = (node: ts.Node): void => {
        if (ts.isRegularExpressionLiteral(node)) {
          const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
          places.set(node.text, [...(places.get(node.text) ?? []), `${path}:${line}`]);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
  return [...places].map(([text, where]) => ({ text, places: where }));
}

/** Returns whether the pattern has no `*`, `+` or `{n,}`, so that each attempt reads at most as many characters as the pattern has. */
export const isBounded = (pattern: string): boolean => {
  const plain = pattern.replaceAll(/\\[\s\S]/g, "x").replaceAll(/\[[^\]]*\]/g, "x");
  return !/[*+]|\{\d+,\}/.test(plain);
};

/** Patterns that people judged: they match any text at a place and never backtrack. recheck assumes that every pattern can fail. */
export const CANNOT_FAIL: readonly string[] = [
  "/(?:[ \\t\\r\\n]+|\\/\\/[^\\r\\n\\u2028\\u2029]*|\\/\\*[\\s\\S]*?\\*\\/)*/y",
  "/(?:\\s+|\\/\\/[^\\r\\n]*|\\/\\*[\\s\\S]*?\\*\\/)*/y",
];

/**
 * Patterns that people judged, with the attacks that recheck reports. Such a pattern is tried only once in each run of characters, because
 * of what precedes the place or ends the run. recheck does not see that.
 */
export const ONCE_A_STRETCH: Readonly<Record<string, readonly string[]>> = {
  "/^(?:void )?(?=[\\w.]*\\bfetcher\\.fetch\\()/": [".fetcher.", "fetceher"],
  "/import\\s*\\*\\s*as\\s+([\\w$]{1,100})\\s+from\\s+[\"'][^\"'\\n]{0,100}packs-sdk[\"']/": [
    "import*as\ta",
    "import*as\t",
    "import",
    'import*as\ta\tfrom\n"p\t',
  ],
  "/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8}/": ["eyJ-ee", "yeyJ-ee", "eyJeyJeyJ."],
  "/\\bSG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16}/": ["SG.GS--000S0GSS-00S.", "SG.", "SG"],
  "/(?<=\\/)[^/]*\\d[^/]*/g": ["/", "a", "/a", "1"],
};

export const judgedBefore = (): ReadonlySet<string> => new Set(readFileSync(join(root, LIST), "utf8").split("\n"));

export const keepJudged = (safe: readonly string[]): void => writeFileSync(join(root, LIST), `${[...safe].sort().join("\n")}\n`);

/** Returns the problem of a pattern, or undefined if the pattern is safe. */
export async function judge(pattern: string): Promise<string | undefined> {
  // The pure backend runs in this process, on every system.
  process.env.RECHECK_BACKEND = "pure";
  const { checkSync } = await import("recheck");
  const end = pattern.lastIndexOf("/");
  const diagnostics = checkSync(pattern.slice(1, end), pattern.slice(end + 1), { timeout: 200_000 });
  if (diagnostics.status === "safe") return undefined;
  return diagnostics.status === "vulnerable"
    ? `${diagnostics.complexity.summary}, as for ${diagnostics.attack.pattern}`
    : diagnostics.status;
}
