// Reports what `pack-auth test --live` found as SARIF.
import { resolve } from "node:path";
import { PRODUCT_VERSION } from "../../base/product-version.ts";
import type { TestResult } from "../../operations/tests/test-result.ts";
import { LIVE_RULES, type LiveRule } from "../../platform/recordings/compare-answers.ts";
import { sarifLog } from "../terminal/sarif.ts";

const NEXT_STEP = "Correct the pack, and record the test again with `pack-auth test --update`.";

/**
 * Returns the changes as SARIF. Paths of results begin at `folder`. What could not be compared is a notification, so that no result is
 * missing unnoticed.
 */
export function liveSarif(results: readonly TestResult[], folder: string, root: string): string {
  const changes = results.flatMap(({ path, problems }) =>
    problems.flatMap(({ rule, message, line = 1 }) => (rule === undefined ? [] : [{ path: resolve(folder, path), rule, message, line }])),
  );
  const rules = (Object.keys(LIVE_RULES) as LiveRule[]).filter((id) => changes.some(({ rule }) => rule === id));
  return sarifLog({
    version: PRODUCT_VERSION,
    root,
    rules: rules.map((id) => ({ id, docs: `${LIVE_RULES[id]}\n${NEXT_STEP}`, level: "error" })),
    notifications: results.flatMap(({ path, status, problems }) =>
      problems
        .filter(({ rule }) => rule === undefined)
        .map(({ message }) => ({ level: status === "notTried" ? "note" : "error", text: `${path}: ${message}` }) as const),
    ),
    paths: results.map(({ path }) => resolve(folder, path)),
    results: changes.map(({ path, rule, message, line }) => ({
      rule,
      level: "error",
      message,
      path,
      region: { startLine: line, startColumn: 1, endLine: line + 1, endColumn: 1 },
      fixes: [],
    })),
  });
}
