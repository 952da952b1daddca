// One fuzzed workspace: files are opened, edited, saved, closed, and change, come and go on disk, settings and path mappings among them. After
// each step what analysis knows must be what a fresh analysis of the same workspace knows.
import assert from "node:assert/strict";
import { type Analysis, createAnalysis } from "../../server/analysis/analysis.ts";
import { requestsAsText } from "../support/requests-as-text.ts";
import { denseEdit, densePack, statements } from "./dense.ts";
import { applyEdit } from "./mutations.ts";
import { createRandom, type Random } from "./random.ts";

const SETTINGS = "/pack/.packauthrc.json";
const MAPPING = "/pack/tsconfig.json";
const SOURCES = ["/pack/pack.ts", "/pack/a.ts", "/pack/b.ts", "/pack/c/index.ts", "/pack/c/a.ts"];
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

/** How many steps were made. Throws an error that holds them where something goes wrong. The same seed does the same. */
export function fuzzWorkspace(seed: number): number {
  const random = createRandom(seed);
  const state: State = { disk: new Map(Object.entries(densePack(random))), open: new Map() };
  const analysis = createAnalysis({ readFile: (path) => state.disk.get(path) });
  analysis.addCandidates(SOURCES);
  const log: string[] = [];
  const steps = 1 + random.int(12);
  for (let step = 0; step < steps; step++) {
    try {
      log.push(doSomething(analysis, state, random));
      // Now and then two things happen before anybody looks.
      if (random.oneIn(3)) continue;
      assertAsFresh(analysis, state);
    } catch (error) {
      throw new Error(`seed ${seed}, step ${step + 1}:\n${log.join("\n")}\nleaves\n${asText(state)}`, { cause: error });
    }
  }
  return steps;
}

function doSomething(analysis: Analysis, { disk, open }: State, random: Random): string {
  const path = random.pick(random.oneIn(5) ? [SETTINGS, MAPPING] : SOURCES);
  const [buffer, saved] = [open.get(path), disk.get(path)];
  const written = (): string =>
    path === SETTINGS ? random.pick(SETTINGS_TEXTS) : path === MAPPING ? random.pick(MAPPING_TEXTS) : statements(random);
  if (buffer !== undefined && !random.oneIn(3)) {
    const edit = denseEdit(buffer, random);
    open.set(path, applyEdit(buffer, edit));
    analysis.change(path, [edit]);
    return `edit ${path} ${JSON.stringify(edit)}`;
  }
  if (buffer !== undefined && random.oneIn(2)) {
    disk.set(path, buffer);
    analysis.filesChanged([path]);
    return `save ${path}`;
  }
  if (buffer !== undefined) {
    open.delete(path);
    analysis.close(path);
    return `close ${path}`;
  }
  if (random.oneIn(2)) {
    const text = saved ?? written();
    open.set(path, text);
    analysis.open(path, text);
    return `open ${path} ${JSON.stringify(text)}`;
  }
  if (saved !== undefined && random.oneIn(3)) {
    disk.delete(path);
    analysis.filesChanged([path]);
    return `delete ${path}`;
  }
  const isEdit = saved !== undefined && SOURCES.includes(path) && random.oneIn(2);
  const text = isEdit ? applyEdit(saved, denseEdit(saved, random)) : written();
  disk.set(path, text);
  analysis.filesChanged([path]);
  return `write ${path} ${JSON.stringify(text)}`;
}

function assertAsFresh(analysis: Analysis, state: State): void {
  const fresh = createAnalysis({ readFile: (path) => state.disk.get(path) });
  fresh.addCandidates(SOURCES);
  for (const [path, text] of state.open) fresh.open(path, text);
  const all = [...SOURCES, SETTINGS, MAPPING];
  assert.deepEqual([...analysis.packs()].sort(), [...fresh.packs()].sort());
  assert.deepEqual(
    all.map((path) => analysis.diagnostics(path)),
    all.map((path) => fresh.diagnostics(path)),
  );
  for (const path of SOURCES) assert.equal(requestsAsText(analysis, path), requestsAsText(fresh, path));
}

const asText = ({ disk, open }: State): string => JSON.stringify({ disk: [...disk], open: [...open] }, null, 1);
