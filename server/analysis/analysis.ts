// The façade of analysis: files go in as texts and edits, diagnostics and models come out. Pure: what it reads, it is given.
import { ts } from "ts-morph";
import { collectFacts, parse } from "./facts.ts";
import type { Diagnostic, FileFacts, PackModel, Severity } from "./model.ts";
import { buildPack, filesOf, type PackSources } from "./pack.ts";
import { RULES } from "./rules/index.ts";
import { findToolkit, parent } from "./toolkit.ts";

export interface AnalysisHost {
  /** The text of a file on disk; undefined where there is none. */
  readFile(path: string): string | undefined;
}

export interface AnalysisSettings {
  readonly toolkitModules: readonly string[];
  readonly rules: Readonly<Record<string, Severity | "off">>;
}

export interface OffsetEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Analysis {
  configure(settings: AnalysisSettings): void;
  open(path: string, text: string): void;
  /** Applies edits in order, each to the text that the one before it left. */
  change(path: string, edits: readonly OffsetEdit[]): void;
  close(path: string): void;
  /** Files that changed, came or went on disk. */
  filesChanged(paths: readonly string[]): void;
  /** Files that may build a pack: found in the workspace, or given on the command line. */
  addCandidates(paths: readonly string[]): void;
  /** The entries of the packs that are known. */
  packs(): readonly string[];
  /** The packs that a file belongs to. */
  packsOf(path: string): readonly PackModel[];
  /** The diagnostics in this file, of every pack that it belongs to. */
  diagnostics(path: string, signal?: AbortSignal): readonly Diagnostic[];
  text(path: string): string | undefined;
}

export const DEFAULT_SETTINGS: AnalysisSettings = { toolkitModules: ["@codahq/packs-sdk"], rules: {} };

interface OpenFile {
  source: ts.SourceFile;
}

const EXTENSIONS = ["", ".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", "/index.ts", "/index.tsx", "/index.js"];

export function createAnalysis(host: AnalysisHost): Analysis {
  let settings = DEFAULT_SETTINGS;
  const open = new Map<string, OpenFile>();
  /** Facts by path; undefined where the file cannot be read. */
  const facts = new Map<string, FileFacts | undefined>();
  const resolved = new Map<string, string | undefined>();
  const candidates = new Set<string>();
  let models = new Map<string, PackModel>();
  let found = new Map<string, readonly Diagnostic[]>();

  const invalidate = (path?: string): void => {
    if (path === undefined) facts.clear();
    else facts.delete(path);
    models = new Map();
    found = new Map();
  };
  const factsOf = (path: string): FileFacts | undefined => {
    if (!facts.has(path)) {
      const opened = open.get(path);
      const text = opened === undefined ? host.readFile(path) : undefined;
      const source = opened?.source ?? (text === undefined || !mayMatter(path) ? undefined : parse(path, text));
      facts.set(path, source === undefined ? undefined : collectFacts(path, source, settings.toolkitModules));
    }
    return facts.get(path);
  };
  const sources: PackSources = {
    facts: factsOf,
    resolveModule(from, module) {
      const base = join(parent(from), module);
      if (!resolved.has(base)) {
        const stems = [base, base.replace(/\.([cm]?)js$/, ".$1ts"), base.replace(/\.js$/, ".tsx")];
        resolved.set(
          base,
          stems
            .flatMap((stem) => EXTENSIONS.map((extension) => stem + extension))
            .find((path) => /\.[cm]?[jt]sx?$/.test(path) && (open.has(path) || host.readFile(path) !== undefined)),
        );
      }
      return resolved.get(base);
    },
  };
  const model = (entry: string): PackModel => {
    const known = models.get(entry);
    if (known !== undefined) return known;
    const made = buildPack(entry, sources, findToolkit(entry, settings.toolkitModules, host));
    models.set(entry, made);
    return made;
  };
  const entries = (): readonly string[] =>
    [...new Set([...candidates, ...open.keys()])].filter((path) => factsOf(path)?.buildsPack === true);

  function packsOf(path: string): readonly PackModel[] {
    const own = factsOf(path);
    if (own === undefined) return [];
    const packs = entries()
      .filter((entry) => entry === path || filesOf(entry, sources).includes(path))
      .map(model);
    if (packs.length > 0) return packs;
    // A file that sets authentication and that no known pack imports is looked at by itself; nothing absent is flagged in it.
    const setsAuthentication =
      own.importsToolkit && own.calls.some((call) => call.method === "setUserAuthentication" || call.method === "setSystemAuthentication");
    return setsAuthentication ? [model(path)] : [];
  }

  function packDiagnostics(pack: PackModel, signal: AbortSignal | undefined): readonly Diagnostic[] {
    const known = found.get(pack.entry);
    if (known !== undefined) return known;
    const all: Diagnostic[] = [];
    for (const rule of RULES) {
      if (signal?.aborted) return [];
      const configured = settings.rules[rule.id];
      if (configured === "off") continue;
      for (const finding of rule.check(pack))
        all.push({ ...finding, rule: rule.id, severity: configured ?? finding.severity ?? rule.severity });
    }
    const kept = withoutSuperseded(all);
    found.set(pack.entry, kept);
    return kept;
  }

  return {
    configure(next) {
      settings = next;
      invalidate();
    },
    open(path, text) {
      open.set(path, { source: parse(path, text) });
      resolved.clear();
      invalidate(path);
    },
    change(path, edits) {
      const file = open.get(path);
      if (file === undefined) return;
      for (const edit of edits) {
        const before = file.source.text;
        const after = before.slice(0, edit.start) + edit.text + before.slice(edit.end);
        // Invariant: the old tree is invalid from here on; only facts of it are kept.
        file.source = ts.updateSourceFile(file.source, after, {
          span: { start: edit.start, length: edit.end - edit.start },
          newLength: edit.text.length,
        });
      }
      invalidate(path);
    },
    close(path) {
      open.delete(path);
      resolved.clear();
      invalidate(path);
    },
    filesChanged(paths) {
      resolved.clear();
      for (const path of paths) if (!open.has(path)) invalidate(path);
    },
    addCandidates(paths) {
      for (const path of paths) candidates.add(path);
      models = new Map();
      found = new Map();
    },
    packs: entries,
    packsOf,
    diagnostics(path, signal) {
      const seen = new Set<string>();
      return packsOf(path)
        .flatMap((pack) => packDiagnostics(pack, signal))
        .filter((diagnostic) => diagnostic.place.file === path)
        .filter((diagnostic) => {
          // A file that two packs share has each finding once.
          const key = `${diagnostic.rule}:${diagnostic.place.start}:${diagnostic.message}`;
          return seen.has(key) ? false : seen.add(key) !== undefined;
        })
        .sort((a, b) => a.place.start - b.place.start || a.place.end - b.place.end);
    },
    text: (path) => open.get(path)?.source.text ?? host.readFile(path),
  };

  /** A cheap look before parsing: files without any of these words have nothing to say. */
  function mayMatter(path: string): boolean {
    return /\.[cm]?[jt]sx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path);
  }
}

/** One finding per cause: the most specific rule wins on the same spot. */
function withoutSuperseded(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const silences = new Map(RULES.map((rule) => [rule.id, rule.supersedes ?? []]));
  return all.filter(
    (weaker) =>
      !all.some(
        (stronger) =>
          silences.get(stronger.rule)?.includes(weaker.rule) === true &&
          stronger.place.file === weaker.place.file &&
          stronger.place.start < Math.max(weaker.place.end, weaker.place.start + 1) &&
          weaker.place.start < Math.max(stronger.place.end, stronger.place.start + 1),
      ),
  );
}

function join(folder: string, relative: string): string {
  const parts = folder.replaceAll("\\", "/").split("/");
  for (const part of relative.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/") || "/";
}
