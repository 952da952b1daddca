// One fuzzed input: a pack is opened, edited a few times, and after each edit what analysis knows must be what a fresh analysis of the
// same texts knows.
import assert from "node:assert/strict";
import { type Analysis, createAnalysis, type OffsetEdit } from "../../server/analysis/analysis.ts";
import { createSource } from "../../server/analysis/source.ts";
import type { Files } from "../support/analyse.ts";
import { factsAsText } from "../support/facts-as-text.ts";
import { answerOf } from "./answer.ts";
import { denseEdit, densePack } from "./dense.ts";
import { applyEdit, MUTATIONS } from "./mutations.ts";
import { createRandom } from "./random.ts";
import { askReference } from "./reference.ts";

export interface FuzzResult {
  /** How many texts were analysed: one per edit. */
  readonly inputs: number;
  /** Milliseconds that the slowest edit took, from the change to its diagnostics, without what other processes took meanwhile. */
  readonly slowest: number;
}

const EXTENSIONS = ["ts", "ts", "ts", "tsx", "js", "mts", "cjs"];

/** How often fixes are compared, too, and made: at all inputs, or at one of so many. */
const FIXES_AT = 20;

/** Throws an error that holds the texts and edits where something goes wrong. The same seed does the same. */
export async function fuzzOnce(
  sources: readonly Files[],
  seed: number,
  { fixesAt = FIXES_AT }: { readonly fixesAt?: number } = {},
): Promise<FuzzResult> {
  const random = createRandom(seed);
  const extension = random.pick(EXTENSIONS);
  const isDense = random.oneIn(4);
  const files = Object.fromEntries(
    Object.entries(isDense ? densePack(random) : random.pick(sources)).map(([path, text]) => [
      path.replace(/\.[cm]?[jt]sx?$/, `.${extension}`),
      text,
    ]),
  );
  const paths = Object.keys(files);
  const analysis = open(files);
  const lone = new Map(paths.map((path) => [path, createSource(path, files[path] ?? "")]));
  const log: string[] = [];
  let slowest = 0;
  const edits = 1 + random.int(6);
  for (let edit = 0; edit < edits; edit++) {
    const path = random.pick(paths);
    const withFixes = random.oneIn(fixesAt);
    const fixes = withFixes ? analysis.diagnostics(path).flatMap((found) => found.fixes) : [];
    const own = fixes.filter((fix) => fix.edits.length > 0 && fix.edits.every(({ file }) => file === path));
    const changes =
      own.length > 0 && random.oneIn(2)
        ? inTurn(random.pick(own).edits)
        : isDense && !random.oneIn(4)
          ? [denseEdit(files[path] ?? "", random)]
          : someEdits(files[path] ?? "", random, log);
    for (const change of changes) files[path] = applyEdit(files[path] ?? "", change);
    log.push(JSON.stringify({ path, changes }));
    try {
      const elapsed = stopwatch();
      analysis.change(path, changes);
      for (const file of paths) analysis.diagnostics(file);
      slowest = Math.max(slowest, elapsed());
      const [found, expected] = [answerOf(analysis, paths, withFixes), await askReference({ files, paths, withFixes })];
      if (found !== expected.text) assert.deepEqual(JSON.parse(found), JSON.parse(expected.text));
      assert.deepEqual(expected.wronglyUnasked, [], "a rule that was not asked finds something");
      const source = lone.get(path);
      for (const change of changes) source?.edit(change);
      assert.equal(source?.text(), files[path]);
      assert.equal(factsAsText(source), factsAsText(createSource(path, files[path] ?? "")));
    } catch (error) {
      throw new Error(`seed ${seed}, edit ${edit + 1}:\n${log.join("\n")}\nleaves\n${JSON.stringify(files, null, 1)}`, { cause: error });
    }
  }
  return { inputs: edits, slowest };
}

/** Edits of one text, as edits one after another. */
const inTurn = (edits: readonly OffsetEdit[]): readonly OffsetEdit[] => [...edits].sort((a, b) => b.start - a.start || b.end - a.end);

/** Milliseconds from now on: by the clock, or of the processor where that is less, since a busy machine's clock goes on without us. */
function stopwatch(): () => number {
  const started = performance.now();
  const used = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(used);
    return Math.min(performance.now() - started, (user + system) / 1_000);
  };
}

function open(files: Files): Analysis {
  const analysis = createAnalysis({ readFile: (path) => files[path] });
  for (const [path, text] of Object.entries(files)) analysis.open(path, text);
  return analysis;
}

/** One edit, at times several at once, as editors send them. */
function someEdits(text: string, random: ReturnType<typeof createRandom>, log: string[]): readonly OffsetEdit[] {
  const edits: OffsetEdit[] = [];
  let current = text;
  for (let count = random.oneIn(5) ? 1 + random.int(3) : 1; count > 0; count--) {
    // Mostly what people do; a text that is cut off at both ends has little left to find.
    const name = random.oneIn(2) ? random.pick(["insert", "retype a word", "replace", "delete"]) : random.pick(Object.keys(MUTATIONS));
    const edit = MUTATIONS[name]?.(current, random);
    if (edit === undefined) throw new Error(`there is no mutation ${name}`);
    log.push(name);
    current = applyEdit(current, edit);
    edits.push(edit);
  }
  return edits;
}
