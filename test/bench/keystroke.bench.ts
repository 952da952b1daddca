// Change → diagnostics in the analyzer's own process, with every rule on, against a bare parse of the same text. The targets are those of
// one edit; others stand beside it, so that no edit is made fast at the cost of the rest. The analysis is bundled like the product: what
// runs the bench from its sources would put its own work into every closure.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { ts } from "ts-morph";
import type { Analysis, createAnalysis, OffsetEdit } from "../../server/analysis/analysis.ts";
import { judge, judgeRatio } from "./figures.ts";
import { median, milliseconds } from "./statistics.ts";
import { editPlace, packsBySize, root } from "./workplace.ts";

const EDITS = 1_200;
const WARM_UP = 300;
/** The edits without a target take fewer. */
const OTHER_EDITS = 600;

const PATH = "/pack/pack.ts";

interface Typing {
  readonly what: string;
  /** Where it is typed. */
  readonly at: number;
  readonly typed: string;
}

type CreateAnalysis = typeof createAnalysis;

export async function benchKeystroke(): Promise<void> {
  console.log("\nKeystroke → diagnostics in process");
  const create = await bundled();
  for (const { text, lines } of packsBySize()) {
    const type = { what: "the type in the configuration", at: editPlace(text), typed: "x" };
    const measured = measure(create, text, type, EDITS);
    judgeRatio(`change → diagnostics in process, ${lines} lines`, measured.ratio, lines < 500 ? 1 : 0.6, measured.how);
    const withPlaceholder = addPlaceholder(text);
    for (const typing of otherTypings(withPlaceholder)) {
      const { ratio, how } = measure(create, withPlaceholder, typing, OTHER_EDITS);
      judge({ what: `… ${typing.what}, ${lines} lines`, target: "–", measured: `${ratio.toFixed(2)} ×`, how });
    }
  }
}

/** In a folder of its own inside the tree, from where the same TypeScript is found as the bare parse uses. */
async function bundled(): Promise<CreateAnalysis> {
  const folder = mkdtempSync(join(root, "dist/bench-"));
  try {
    const outfile = join(folder, "analysis.cjs");
    const entryPoints = [join(root, "server/analysis/analysis.ts")];
    await build({
      entryPoints,
      outfile,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "cjs",
      minify: true,
      external: ["ts-morph"],
    });
    return (createRequire(import.meta.url)(outfile) as { createAnalysis: CreateAnalysis }).createAnalysis;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Types and takes back in turns, each followed by a bare parse of the same text. */
function measure(
  create: CreateAnalysis,
  text: string,
  { what, at, typed }: Typing,
  edits: number,
): { readonly ratio: number; readonly how: string } {
  const analysis = create({ readFile: () => undefined });
  analysis.open(PATH, text);
  const ours: number[] = [];
  const bare: number[] = [];
  const type = { start: at, end: at, text: typed };
  const takeBack = { start: at, end: at + typed.length, text: "" };
  const after = text.slice(0, at) + typed + text.slice(at);
  for (let edit = 0; edit < edits; edit++) {
    const isTyping = edit % 2 === 0;
    const own = time(() => change(analysis, isTyping ? type : takeBack));
    const parse = time(() => ts.createSourceFile(PATH, isTyping ? after : text, ts.ScriptTarget.Latest));
    if (edit < WARM_UP) continue;
    ours.push(own);
    bare.push(parse);
  }
  const how = `p50 of ${edits - WARM_UP} edits of ${what}: ${milliseconds(median(ours))}, bare parse ${milliseconds(median(bare))}`;
  return { ratio: median(ours) / median(bare), how };
}

function change(analysis: Analysis, edit: OffsetEdit): void {
  analysis.change(PATH, [edit]);
  analysis.diagnostics(PATH);
}

function time(run: () => void): number {
  const started = performance.now();
  run();
  return performance.now() - started;
}

const PLACEHOLDER = "`Token {{key-";

/** The first request gets a header with a Custom placeholder. */
function addPlaceholder(text: string): string {
  const at = place(text, 'method: "', text.indexOf("fetcher.fetch("));
  return `${text.slice(0, at)}headers: { "X-Key": ${PLACEHOLDER}\${context.invocationToken}}}\` },\n        ${text.slice(at)}`;
}

function otherTypings(text: string): readonly Typing[] {
  const formula = place(text, "execute:", Math.max(text.indexOf("pack.addFormula("), 0));
  return [
    { what: "a name in a formula's body", at: place(text, "let ", formula) + "let ".length, typed: "x" },
    { what: "a text with a placeholder", at: place(text, PLACEHOLDER, 0) + "`Tok".length, typed: "x" },
    { what: "a comment", at: place(text, "// ", 0) + "// ".length, typed: "x" },
    { what: "a new line between statements", at: place(text, "\n\n", 0) + 1, typed: "\n" },
  ];
}

function place(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  if (at < 0) throw new Error(`The bench's pack has no ${what}.`);
  return at;
}
