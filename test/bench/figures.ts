// The figures that are judged: each with its target, how it was measured, and whether it is met. `npm run bench` without a name writes
// them to docs/performance.md.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "./workplace.ts";

export interface Figure {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  /** Undefined where there is no target of its own. */
  readonly isMet?: boolean;
  readonly how: string;
}

const figures: Figure[] = [];

const missing: string[] = [];

/** What could not be measured, and why. */
export function notRun(why: string): void {
  missing.push(why);
  console.log(`  NOT RUN: ${why}`);
}

export function judge(figure: Figure): void {
  figures.push(figure);
  const verdict = figure.isMet === undefined ? "" : figure.isMet ? "met" : "MISSED";
  console.log(`  ${figure.what}: ${figure.measured} (target ${figure.target}) ${verdict}`);
}

/** A ratio that must not be above the most. */
export function judgeRatio(what: string, ratio: number, most: number, how: string): void {
  judge({ what, target: `≤ ${most} ×`, measured: `${ratio.toFixed(2)} ×`, isMet: ratio <= most, how });
}

/** A ratio that must not be below the least: how many times faster. */
export function judgeFaster(what: string, ratio: number, least: number, how: string): void {
  judge({ what, target: `≥ ${least} × faster`, measured: `${ratio.toFixed(1)} ×`, isMet: ratio >= least, how });
}

/** Writes what was judged; `others` names what could not be measured and why, beside what benches said themselves. */
export function writePerformance(unmeasured: readonly string[]): void {
  const left = [...missing, ...unmeasured];
  const metText = (figure: Figure): string => (figure.isMet === undefined ? "–" : figure.isMet ? "yes" : "**no**");
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const rows = figures.map(
    (figure) => `| ${[figure.what, figure.target, figure.measured, metText(figure), figure.how].map(cell).join(" | ")} |`,
  );
  const text = `# Performance

Written by \`npm run bench\`: Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown processor"}. Milliseconds differ from machine to
machine and from day to day; ratios are taken in one run, with ours and the peer in turns, and hold.

| what | target | measured | met | how |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
${left.length === 0 ? "" : `\nNot measured in this run:\n\n${left.map((line) => `- ${line}`).join("\n")}\n`}`;
  writeFileSync(join(root, "docs/performance.md"), text);
  console.log("\ndocs/performance.md is written.");
}
