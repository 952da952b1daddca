// One fuzzed input: a pack is opened, edited a few times, and after each edit what analysis knows must be what a fresh analysis of the
// same texts knows.
import assert from "node:assert/strict";
import { type Analysis, createAnalysis, type OffsetEdit } from "../../server/analysis/analysis.ts";
import { createSource } from "../../server/analysis/source/source.ts";
import type { Files } from "../support/analyse.ts";
import { factsAsText } from "../support/facts-as-text.ts";
import { describeAnalysis } from "./answer.ts";
import { assertAsFresh, type Step } from "./as-fresh.ts";
import { denseEdit, densePack } from "./dense.ts";
import { applyEdit, MUTATIONS } from "./mutations.ts";
import { createRandom } from "./random.ts";
import type { FuzzResult } from "./seeds.ts";

const EXTENSIONS = ["ts", "ts", "ts", "tsx", "js", "mts", "cjs"];

/** Throws an error that holds the texts and edits where something goes wrong. The same seed does the same. */
export async function fuzzOnce(sources: readonly Files[], seed: number, { fixesAt }: { readonly fixesAt: number }): Promise<FuzzResult> {
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
  const steps: Step[] = [];
  const stopwatch = createStopwatch();
  let slowest = 0;
  const edits = 1 + random.int(6);
  for (let edit = 0; edit < edits; edit++) {
    const path = random.pick(paths);
    const withFixes = random.oneIn(fixesAt);
    const fixes = withFixes ? analysis.diagnostics(path).flatMap((diagnostic) => diagnostic.fixes) : [];
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
      const question = { disk: {}, open: { ...files }, paths, withFixes };
      steps.push({ description: describeAnalysis(analysis, paths, withFixes), question, story: story(seed, edit, log, files) });
      const source = lone.get(path);
      for (const change of changes) source?.edit(change);
      assert.equal(source?.text(), files[path]);
      if (withFixes) assert.equal(factsAsText(source), factsAsText(createSource(path, files[path] ?? "")));
    } catch (error) {
      throw new Error(story(seed, edit, log, files), { cause: error });
    }
  }
  await assertAsFresh(steps);
  return { inputs: edits, slowest };
}

const story = (seed: number, edit: number, log: readonly string[], files: Files): string =>
  `seed ${seed}, edit ${edit + 1}:\n${log.join("\n")}\nleaves\n${JSON.stringify(files, null, 1)}`;

/** Edits of one text, as edits one after another. */
const inTurn = (edits: readonly OffsetEdit[]): readonly OffsetEdit[] => [...edits].sort((a, b) => b.start - a.start || b.end - a.end);

/**
 * Milliseconds from each start on: by the clock, or of the processor where that is less, since a busy machine's clock goes on without us.
 * To ask for the processor's takes long itself: it is counted from the beginning of the seed, and only where the clock says much.
 */
function createStopwatch(): () => () => number {
  const initialUsage = process.cpuUsage();
  return () => {
    const startTime = performance.now();
    return () => {
      const elapsed = performance.now() - startTime;
      if (elapsed < 100) return elapsed;
      const { user, system } = process.cpuUsage(initialUsage);
      return Math.min(elapsed, (user + system) / 1_000);
    };
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
