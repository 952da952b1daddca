// One fuzzed workspace: files are opened, edited, saved, closed, and change, come and go on disk, settings and path mappings among them. After
// each step what analysis knows must be what a fresh analysis of the same workspace knows.
import { type Analysis, createAnalysis } from "../../server/analysis/analysis.ts";
import { describeAnalysis } from "./answer.ts";
import { assertAsFresh, type Step } from "./as-fresh.ts";
import { denseEdit, densePack, statements } from "./dense.ts";
import { applyEdit } from "./mutations.ts";
import { createRandom, type Random } from "./random.ts";
import type { FuzzResult } from "./seeds.ts";

const SETTINGS = "/pack/.packauthrc.json";
const MAPPING = "/pack/tsconfig.json";
const SOURCES = ["/pack/pack.ts", "/pack/a.ts", "/pack/b.ts", "/pack/c/index.ts", "/pack/c/a.ts"];
const ALL = [...SOURCES, SETTINGS, MAPPING];
const SETTINGS_TEXTS = [
  "{}",
  "{",
  '{ "rules": { "auth-type-missing": "off", "field-unknown": "information" } }',
  '{ "rules": { "suppression-unused": "off", "placeholder-undeclared": "off" } }',
  '{ "toolkitModules": ["./b"] }',
  '{ "ignore": ["a.ts"] }',
];
const MAPPING_TEXTS = [
  "{}",
  "{",
  '{ "compilerOptions": { "baseUrl": ".", "paths": { "./b": ["./c/index.ts"] } } }',
  '{ "compilerOptions": { "paths": { "@codahq/packs-sdk": ["./a.ts"] } } }',
];

interface State {
  readonly disk: Map<string, string>;
  readonly open: Map<string, string>;
}

/** Throws an error that holds the steps where something goes wrong. The same seed does the same. */
export async function fuzzWorkspace(seed: number, { fixesAt }: { readonly fixesAt: number }): Promise<FuzzResult> {
  const random = createRandom(seed);
  const state: State = { disk: new Map(Object.entries(densePack(random))), open: new Map() };
  const analysis = createAnalysis({ readFile: (path) => state.disk.get(path) });
  analysis.addCandidates(ALL);
  const log: string[] = [];
  const looks: Step[] = [];
  const steps = 1 + random.int(12);
  for (let step = 0; step < steps; step++) {
    try {
      log.push(doSomething(analysis, state, random));
      // Now and then two things happen before anybody looks.
      if (random.oneIn(3)) continue;
      const withFixes = random.oneIn(fixesAt);
      const question = { disk: Object.fromEntries(state.disk), open: Object.fromEntries(state.open), paths: ALL, withFixes };
      looks.push({ description: describeAnalysis(analysis, ALL, withFixes), question, story: story(seed, step, log, state) });
    } catch (error) {
      throw new Error(story(seed, step, log, state), { cause: error });
    }
  }
  await assertAsFresh(looks);
  return { inputs: steps, slowest: 0 };
}

function doSomething(analysis: Analysis, { disk, open }: State, random: Random): string {
  const path = random.pick(random.oneIn(5) ? [SETTINGS, MAPPING] : SOURCES);
  const [buffer, savedText] = [open.get(path), disk.get(path)];
  const createText = (): string =>
    path === SETTINGS ? random.pick(SETTINGS_TEXTS) : path === MAPPING ? random.pick(MAPPING_TEXTS) : statements(random);
  // As the language server does with what the editor tells.
  const reportChange = (changedPath: string): void => {
    analysis.addCandidates([changedPath]);
    analysis.filesChanged([changedPath]);
  };
  if (buffer !== undefined && !random.oneIn(3)) {
    const edit = denseEdit(buffer, random);
    open.set(path, applyEdit(buffer, edit));
    analysis.change(path, [edit]);
    return `edit ${path} ${JSON.stringify(edit)}`;
  }
  if (buffer !== undefined && random.oneIn(2)) {
    disk.set(path, buffer);
    reportChange(path);
    return `save ${path}`;
  }
  if (buffer !== undefined) {
    open.delete(path);
    analysis.close(path);
    return `close ${path}`;
  }
  if (random.oneIn(2)) {
    const text = savedText ?? createText();
    open.set(path, text);
    analysis.open(path, text);
    return `open ${path} ${JSON.stringify(text)}`;
  }
  if (savedText !== undefined && random.oneIn(3)) {
    disk.delete(path);
    reportChange(path);
    return `delete ${path}`;
  }
  const isEdit = savedText !== undefined && SOURCES.includes(path) && random.oneIn(2);
  const text = isEdit ? applyEdit(savedText, denseEdit(savedText, random)) : createText();
  disk.set(path, text);
  reportChange(path);
  return `write ${path} ${JSON.stringify(text)}`;
}

const story = (seed: number, step: number, log: readonly string[], { disk, open }: State): string =>
  `seed ${seed}, step ${step + 1}:\n${log.join("\n")}\nleaves\n${JSON.stringify({ disk: [...disk], open: [...open] }, null, 1)}`;
