// Change → diagnostics in the analyzer's own process, with every rule on, against a bare parse of the same text.
import { ts } from "ts-morph";
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { judgeRatio } from "./figures.ts";
import { median, milliseconds } from "./statistics.ts";
import { editPlace, packsBySize } from "./workplace.ts";

const EDITS = 1_200;
const WARM_UP = 300;

export async function benchKeystroke(): Promise<void> {
  console.log("\nKeystroke → diagnostics in process");
  for (const { text, lines } of packsBySize()) {
    const path = "/pack/pack.ts";
    const analysis = createAnalysis({ readFile: () => undefined });
    analysis.open(path, text);
    const at = editPlace(text);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let edit = 0; edit < EDITS; edit++) {
      const change = edit % 2 === 0 ? { start: at, end: at, text: "x" } : { start: at, end: at + 1, text: "" };
      let started = performance.now();
      analysis.change(path, [change]);
      analysis.diagnostics(path);
      if (edit >= WARM_UP) ours.push(performance.now() - started);
      const whole = edit % 2 === 0 ? `${text.slice(0, at)}x${text.slice(at)}` : text;
      started = performance.now();
      ts.createSourceFile(path, whole, ts.ScriptTarget.Latest);
      if (edit >= WARM_UP) bare.push(performance.now() - started);
    }
    judgeRatio(
      `change → diagnostics in process, ${lines} lines`,
      median(ours) / median(bare),
      lines < 500 ? 1 : 0.6,
      `p50 of ${EDITS - WARM_UP} edits of the type in the configuration: ${milliseconds(median(ours))}, bare parse ${milliseconds(median(bare))}`,
    );
  }
}
