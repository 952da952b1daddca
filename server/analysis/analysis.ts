// The façade of the analysis: files go in as texts and edits, diagnostics and models come out. It is pure and reads only through its host.

import { getOrInsert } from "../../base/get-or-insert.ts";
import type { Fact } from "../../protocol/evidence.ts";
import { afterSuppressions, notChecked, notParsed } from "./checking/check-file.ts";
import { createCheck, ofSharedFile } from "./checking/check-pack.ts";
import { disabling } from "./checking/disabling.ts";
import type { FileFacts } from "./model/facts.ts";
import type { Diagnostic, Fix } from "./model/findings.ts";
import type { PackModel, PackSources } from "./model/pack.ts";
import { isModuleConfig, isSource, isWithin } from "./modules/paths.ts";
import { createModuleFinder } from "./modules/resolve-module.ts";
import { createToolkitFinder, type InstalledToolkit } from "./modules/toolkit.ts";
import type { PackageHost } from "./modules/workspace-packages.ts";
import { buildPack } from "./pack/pack.ts";
import { createPackIndex, haveSameShape, mentionsPack } from "./pack/pack-index.ts";
import { createResolvers } from "./pack/resolvers.ts";
import { RULES } from "./rules/index.ts";
import { createSettingsFinder, type HostSettings, isSettingsFile, type SettingsFile } from "./settings/settings.ts";
import { createSource, type OffsetEdit, type Source } from "./source/source.ts";
import { isToolkitModule, namedLike } from "./syntax/toolkit-names.ts";
import { parse } from "./text/parse.ts";

export type { OffsetEdit };

export interface Analysis {
  /** Sets the host's settings, for all files or for each; a `.packauthrc.json` sets the rest. */
  configure(hostSettings: HostSettings | ((path: string) => HostSettings)): void;
  open(path: string, text: string): void;
  /** Applies edits in order, each to the text that results from the previous edit. */
  change(path: string, edits: readonly OffsetEdit[]): void;
  close(path: string): void;
  /** Reports files or whole folders that changed, appeared or disappeared on disk. Files unrelated to packs stop being candidates. */
  filesChanged(paths: readonly string[]): void;
  /** Adds files that may build a pack, from the workspace or the command line. */
  addCandidates(paths: readonly string[]): void;
  /** Removes the candidates in a folder that was closed, except files that one of the other folders contains too. */
  dropCandidates(folder: string, otherFolders: readonly string[]): void;
  /** Sets what sign-ins and runs showed of all packs. This replaces the previous evidence. */
  setEvidence(facts: readonly Fact[]): void;
  /** Returns the entry files of the known packs. */
  packs(): readonly string[];
  /** Returns the packs that a file belongs to. */
  packsOf(path: string): readonly PackModel[];
  /** The diagnostics in this file, of every pack that it belongs to. */
  diagnostics(path: string): readonly Diagnostic[];
  /** Returns, for each of the file's diagnostics, the fixes that suppress it by a comment; empty if it cannot be suppressed. */
  disableAll(path: string, diagnostics: readonly Diagnostic[]): readonly (readonly Fix[])[];
  text(path: string): string | undefined;
  /** Returns the path with its links resolved, as the host reports it. */
  realPath(path: string): string | undefined;
  /** Returns the settings files met so far and the problems in them. The list keeps its identity until it changes. */
  settingsFiles(): readonly SettingsFile[];
  /** Whether a settings file excludes the file, so that it has no diagnostics. */
  ignores(path: string): boolean;
}

/** Orders diagnostics by place, then by rule and message, so that the order does not depend on which pack was checked first. */
const inOrder = (a: Diagnostic, b: Diagnostic): number =>
  a.place.start - b.place.start || a.place.end - b.place.end || compare(a.rule, b.rule) || compare(a.message, b.message);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface AnalysisHost extends PackageHost {
  /** Whether to report syntax errors; false in an editor, where TypeScript reports them. */
  readonly reportsSyntax?: boolean;
}

export function createAnalysis(host: AnalysisHost): Analysis {
  let hostSettings: (path: string) => HostSettings = () => ({});
  const open = new Map<string, Source>();
  /** Facts by path; undefined for a file that cannot be read. */
  const facts = new Map<string, FileFacts | undefined>();
  const candidates = new Set<string>();
  let evidence: readonly Fact[] = [];
  /** Changed files and their facts before the change. What depends on them is renewed on the next request. */
  let stale = new Map<string, FileFacts | undefined>();
  /** Models by entry; undefined for a pack that has changed. */
  const models = new Map<string, PackModel | undefined>();
  const diagnosticsByEntry = new Map<string, readonly Diagnostic[] | undefined>();
  /** By entry. The installed SDK is kept across keystrokes, which cannot install anything. */
  const installed = new Map<string, InstalledToolkit>();

  const textOf = (path: string): string | undefined => open.get(path)?.text() ?? host.readFile(path);
  const settings = createSettingsFinder(
    { readFile: (path) => textOf(path) },
    (path) => hostSettings(path),
    RULES.map((rule) => rule.id),
  );
  const check = createCheck(settings);
  const modules = createModuleFinder({ ...host, readFile: textOf });
  const factsOf = (path: string): FileFacts | undefined => getOrInsert(facts, path, readFacts);
  const readFacts = (path: string): FileFacts | undefined => {
    if (!isSource(path)) return undefined;
    const openSource = open.get(path);
    const text = openSource === undefined ? host.readFile(path) : undefined;
    return (openSource ?? (text === undefined ? undefined : createSource(path, text)))?.facts(settings.of(path).toolkitModules);
  };
  const sources: PackSources = {
    facts: factsOf,
    isToolkit: (module, from) => isToolkitModule(module, settings.of(from).toolkitModules),
    closestToolkit: (module, from) => {
      const toolkitModule = namedLike(module, settings.of(from).toolkitModules);
      const leads = toolkitModule === undefined || modules.find(from, module) !== undefined || toolkits.isThere(module, from);
      return leads ? undefined : toolkitModule;
    },
    resolveModule: (from, module) => modules.find(from, module),
    read: textOf,
    evidence: (entry) => evidence.filter((fact) => fact.entry === entry || areOneFile(fact.entry, entry)),
  };
  /** Two paths are one file if one of them passes through a link. */
  const areOneFile = (a: string, b: string): boolean => host.realPath?.(a) !== undefined && host.realPath(a) === host.realPath(b);
  const toolkits = createToolkitFinder((file) => settings.of(file).toolkitModules, host);
  const resolvers = createResolvers(sources);
  const index = createPackIndex(
    // Searching the text first avoids parsing files unrelated to packs. Parsed files are searched too, so that the result does not depend
    // on the order of requests.
    () => [...new Set([...candidates, ...open.keys()])].sort().filter((path) => mentionsPack(facts.get(path)?.text ?? textOf(path) ?? "")),
    sources,
  );

  /** Drops all derived state. Any file may depend on any other when files come and go; a keystroke affects only its own file's packs. */
  function forgetAll(): void {
    modules.forget();
    for (const path of stale.keys()) facts.delete(path);
    stale.clear();
    models.clear();
    diagnosticsByEntry.clear();
    index.forget();
    resolvers.forget();
    toolkits.forget();
    installed.clear();
  }
  /**
   * Updates what depends on the changed files. It deletes no map entries at a keystroke, since V8 then keeps earlier states of the map,
   * some 13 KB for each edit.
   */
  function renew(): void {
    if (stale.size === 0) return;
    const changedFiles = [...stale];
    stale = new Map();
    // All changed files are read before the comparison, since renaming a symbol changes several files at once.
    for (const [path] of changedFiles) facts.set(path, readFacts(path));
    if (changedFiles.some(([path, before]) => isModuleConfig(path) || !haveSameShape(before, factsOf(path))) || !index.stillBuilds()) {
      forgetAll();
      return;
    }
    // The index cannot answer this: a file that is checked by itself belongs to no pack, but has imports.
    for (const [entry, model] of models) {
      if (model === undefined) continue;
      const { files } = model;
      if (!changedFiles.some(([path]) => files.includes(path))) continue;
      models.set(entry, undefined);
      diagnosticsByEntry.set(entry, undefined);
    }
  }

  function modelOf(entry: string): PackModel {
    const cachedModel = models.get(entry);
    if (cachedModel !== undefined) return cachedModel;
    const files = index.files(entry);
    const toolkit = installed.get(entry) ?? toolkits.find(entry);
    installed.set(entry, toolkit);
    const model = buildPack(entry, files, sources, resolvers.of(entry, files), toolkit);
    models.set(entry, model);
    return model;
  }

  function packsOf(path: string): readonly PackModel[] {
    renew();
    const entries = index.entriesOf(path);
    if (entries.length > 0) return entries.map(modelOf);
    // A file that sets authentication and that no known pack imports is checked by itself, and nothing absent is flagged in it. The same
    // holds for a file that builds a pack by a module or function whose name only resembles the SDK's.
    const own = mentionsPack(textOf(path) ?? "") ? factsOf(path) : undefined;
    if (own === undefined) return [];
    const isPart =
      own.importsToolkit &&
      (own.exports.has("pack") ||
        own.calls.some(({ method }) => method === "setUserAuthentication" || method === "setSystemAuthentication"));
    const isIntendedPack = own.buildsBy.some(
      ([local = ""]) => sources.closestToolkit(own.imports.get(local)?.module ?? "", path) !== undefined,
    );
    return isPart || isIntendedPack ? [modelOf(path)] : [];
  }

  function packDiagnostics(pack: PackModel): readonly Diagnostic[] {
    const cachedDiagnostics = diagnosticsByEntry.get(pack.entry);
    if (cachedDiagnostics !== undefined) return cachedDiagnostics;
    const diagnostics = check(pack);
    diagnosticsByEntry.set(pack.entry, diagnostics);
    return diagnostics;
  }

  /**
   * Drops files that are gone or unrelated to packs from the candidates, since every candidate is read again whenever files come and go.
   */
  function forgetFile(path: string): void {
    facts.delete(path);
    if (candidates.has(path) && !mentionsPack(host.readFile(path) ?? "")) candidates.delete(path);
  }

  /** Drops settings and facts: settings decide which modules count as the SDK, and facts depend on that. */
  function forgetSettings(): void {
    settings.forget();
    facts.clear();
    forgetAll();
  }

  return {
    configure(next) {
      hostSettings = typeof next === "function" ? next : () => next;
      forgetSettings();
    },
    open(path, text) {
      open.set(path, createSource(path, text));
      facts.delete(path);
      if (isSettingsFile(path)) forgetSettings();
      forgetAll();
    },
    change(path, edits) {
      const file = open.get(path);
      if (file === undefined) return;
      if (!stale.has(path)) stale.set(path, facts.get(path));
      for (const edit of edits) file.edit(edit);
      if (isSettingsFile(path)) forgetSettings();
    },
    close(path) {
      open.delete(path);
      forgetFile(path);
      if (isSettingsFile(path)) forgetSettings();
      forgetAll();
    },
    filesChanged(paths) {
      for (const path of paths) {
        if (!open.has(path)) forgetFile(path);
        // A path that is not a source may be a folder that was removed with its files.
        if (!isSource(path))
          for (const filePath of facts.keys()) if (isWithin(filePath, path) && !open.has(filePath)) facts.delete(filePath);
      }
      if (paths.some(isSettingsFile)) forgetSettings();
      forgetAll();
    },
    addCandidates(paths) {
      for (const path of paths) candidates.add(path);
      forgetAll();
    },
    dropCandidates(folder, otherFolders) {
      const isLeft = (path: string): boolean => isWithin(path, folder) && !otherFolders.some((other) => isWithin(path, other));
      for (const path of candidates) if (isLeft(path)) candidates.delete(path);
      // The host no longer reports changes in a closed folder.
      for (const path of facts.keys()) if (isLeft(path) && !open.has(path)) facts.delete(path);
      forgetAll();
    },
    setEvidence(facts) {
      if (facts.length === 0 && evidence.length === 0) return;
      evidence = facts;
      models.clear();
      diagnosticsByEntry.clear();
    },
    packs() {
      renew();
      return index.entries();
    },
    packsOf,
    diagnostics(path) {
      if (settings.ignores(path)) return [];
      const packs = packsOf(path);
      const fileFacts = facts.get(path);
      const { rules } = settings.of(path);
      const severities = host.reportsSyntax === true ? rules : { ...rules, "syntax-error": "off" as const };
      if (fileFacts?.unread !== undefined) return mentionsPack(fileFacts.text) ? notChecked(fileFacts, severities) : [];
      const inPacks = ofSharedFile(packs.map((pack) => packDiagnostics(pack).filter(({ place }) => place.file === path)));
      if (fileFacts === undefined) return [];
      const unparsed = notParsed(fileFacts, severities);
      // A file that does not parse may be part of a pack, so only its syntax error is reported.
      if (packs.length === 0)
        return fileFacts.importsToolkit
          ? afterSuppressions(unparsed, fileFacts, severities).filter(({ rule }) => rule === "syntax-error")
          : [];
      const here = [...inPacks, ...unparsed];
      const left = fileFacts.suppressions.length === 0 ? here : afterSuppressions(here, fileFacts, severities);
      return left.length < 2 ? left : [...left].sort(inOrder);
    },
    disableAll(path, diagnostics) {
      const text = textOf(path);
      const fileFacts = facts.get(path);
      if (text === undefined || fileFacts?.unread !== undefined) return diagnostics.map(() => []);
      const tree = parse(path, text);
      return diagnostics.map((diagnostic) => disabling(diagnostic, tree, fileFacts?.suppressions ?? []));
    },
    text: textOf,
    realPath: (path) => host.realPath?.(path),
    settingsFiles: settings.files,
    ignores: settings.ignores,
  };
}
