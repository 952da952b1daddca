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
import { createModuleFinder, type ModuleFinder } from "./modules/resolve-module.ts";
import { createToolkitFinder, type InstalledToolkit, type ToolkitFinder } from "./modules/toolkit.ts";
import type { PackageHost } from "./modules/workspace-packages.ts";
import { buildPack } from "./pack/pack.ts";
import { createPackIndex, haveSameShape, mentionsPack, type PackIndex } from "./pack/pack-index.ts";
import { createResolvers, type Resolvers } from "./pack/resolvers.ts";
import { RULES } from "./rules/index.ts";
import { createSettingsFinder, type HostSettings, isSettingsFile, type SettingsFile, type SettingsFinder } from "./settings/settings.ts";
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

export const createAnalysis = (host: AnalysisHost): Analysis => new PackAnalysis(host);

class PackAnalysis implements Analysis {
  readonly #host: AnalysisHost;
  #hostSettings: (path: string) => HostSettings = () => ({});
  readonly #open = new Map<string, Source>();
  /** Facts by path; undefined for a file that cannot be read. */
  readonly #facts = new Map<string, FileFacts | undefined>();
  readonly #candidates = new Set<string>();
  #evidence: readonly Fact[] = [];
  /** Changed files and their facts before the change. What depends on them is renewed on the next request. */
  #stale = new Map<string, FileFacts | undefined>();
  /** Models by entry; undefined for a pack that has changed. */
  readonly #models = new Map<string, PackModel | undefined>();
  readonly #diagnosticsByEntry = new Map<string, readonly Diagnostic[] | undefined>();
  /** By entry. The installed SDK is kept across keystrokes, which cannot install anything. */
  readonly #installed = new Map<string, InstalledToolkit>();
  readonly #settings: SettingsFinder;
  readonly #check: (pack: PackModel) => readonly Diagnostic[];
  readonly #modules: ModuleFinder;
  readonly #toolkits: ToolkitFinder;
  readonly #sources: PackSources;
  readonly #resolvers: Resolvers;
  readonly #index: PackIndex;

  constructor(host: AnalysisHost) {
    const readFile = (path: string): string | undefined => this.text(path);
    this.#host = host;
    this.#settings = createSettingsFinder(
      { readFile },
      (path) => this.#hostSettings(path),
      RULES.map((rule) => rule.id),
    );
    this.#check = createCheck(this.#settings);
    this.#modules = createModuleFinder({ ...host, readFile });
    this.#toolkits = createToolkitFinder((file) => this.#settings.of(file).toolkitModules, host);
    this.#sources = {
      facts: (path) => this.#factsOf(path),
      isToolkit: (module, from) => isToolkitModule(module, this.#settings.of(from).toolkitModules),
      closestToolkit: (module, from) => this.#closestToolkit(module, from),
      resolveModule: (from, module) => this.#modules.find(from, module),
      read: readFile,
      evidence: (entry) => this.#evidence.filter((fact) => fact.entry === entry || this.#areOneFile(fact.entry, entry)),
    };
    this.#resolvers = createResolvers(this.#sources);
    this.#index = createPackIndex(() => this.#filesOfPacks(), this.#sources);
  }

  configure(next: HostSettings | ((path: string) => HostSettings)): void {
    this.#hostSettings = typeof next === "function" ? next : () => next;
    this.#forgetSettings();
  }

  open(path: string, text: string): void {
    this.#open.set(path, createSource(path, text));
    this.#facts.delete(path);
    if (isSettingsFile(path)) this.#forgetSettings();
    this.#forgetAll();
  }

  change(path: string, edits: readonly OffsetEdit[]): void {
    const file = this.#open.get(path);
    if (file === undefined) return;
    if (!this.#stale.has(path)) this.#stale.set(path, this.#facts.get(path));
    for (const edit of edits) file.edit(edit);
    if (isSettingsFile(path)) this.#forgetSettings();
  }

  close(path: string): void {
    this.#open.delete(path);
    this.#forgetFile(path);
    if (isSettingsFile(path)) this.#forgetSettings();
    this.#forgetAll();
  }

  filesChanged(paths: readonly string[]): void {
    for (const path of paths) {
      if (!this.#open.has(path)) this.#forgetFile(path);
      // A path that is not a source may be a folder that was removed with its files.
      if (!isSource(path))
        for (const filePath of this.#facts.keys()) if (isWithin(filePath, path) && !this.#open.has(filePath)) this.#facts.delete(filePath);
    }
    if (paths.some(isSettingsFile)) this.#forgetSettings();
    this.#forgetAll();
  }

  addCandidates(paths: readonly string[]): void {
    for (const path of paths) this.#candidates.add(path);
    this.#forgetAll();
  }

  dropCandidates(folder: string, otherFolders: readonly string[]): void {
    const isLeft = (path: string): boolean => isWithin(path, folder) && !otherFolders.some((other) => isWithin(path, other));
    for (const path of this.#candidates) if (isLeft(path)) this.#candidates.delete(path);
    // The host no longer reports changes in a closed folder.
    for (const path of this.#facts.keys()) if (isLeft(path) && !this.#open.has(path)) this.#facts.delete(path);
    this.#forgetAll();
  }

  setEvidence(facts: readonly Fact[]): void {
    if (facts.length === 0 && this.#evidence.length === 0) return;
    this.#evidence = facts;
    this.#models.clear();
    this.#diagnosticsByEntry.clear();
  }

  packs(): readonly string[] {
    this.#renew();
    return this.#index.entries();
  }

  /** A property, since callers pass it on as a function. */
  readonly packsOf = (path: string): readonly PackModel[] => {
    this.#renew();
    const entries = this.#index.entriesOf(path);
    if (entries.length > 0) return entries.map((entry) => this.#modelOf(entry));
    // A file that sets authentication and that no known pack imports is checked by itself, and nothing absent is flagged in it. The same
    // holds for a file that builds a pack by a module or function whose name only resembles the SDK's.
    const own = mentionsPack(this.text(path) ?? "") ? this.#factsOf(path) : undefined;
    if (own === undefined) return [];
    const isPart =
      own.importsToolkit &&
      (own.exports.has("pack") ||
        own.calls.some(({ method }) => method === "setUserAuthentication" || method === "setSystemAuthentication"));
    const isIntendedPack = own.buildsBy.some(
      ([local = ""]) => this.#closestToolkit(own.imports.get(local)?.module ?? "", path) !== undefined,
    );
    return isPart || isIntendedPack ? [this.#modelOf(path)] : [];
  };

  diagnostics(path: string): readonly Diagnostic[] {
    if (this.#settings.ignores(path)) return [];
    const packs = this.packsOf(path);
    const facts = this.#facts.get(path);
    const { rules } = this.#settings.of(path);
    const severities = this.#host.reportsSyntax === true ? rules : { ...rules, "syntax-error": "off" as const };
    if (facts?.unread !== undefined) return mentionsPack(facts.text) ? notChecked(facts, severities) : [];
    const inPacks = ofSharedFile(packs.map((pack) => this.#packDiagnostics(pack).filter(({ place }) => place.file === path)));
    if (facts === undefined) return [];
    const unparsed = notParsed(facts, severities);
    // A file that does not parse may be part of a pack, so only its syntax error is reported.
    if (packs.length === 0)
      return facts.importsToolkit ? afterSuppressions(unparsed, facts, severities).filter(({ rule }) => rule === "syntax-error") : [];
    const here = [...inPacks, ...unparsed];
    const left = facts.suppressions.length === 0 ? here : afterSuppressions(here, facts, severities);
    return left.length < 2 ? left : [...left].sort(inOrder);
  }

  disableAll(path: string, diagnostics: readonly Diagnostic[]): readonly (readonly Fix[])[] {
    const text = this.text(path);
    const facts = this.#facts.get(path);
    if (diagnostics.length === 0 || text === undefined || facts?.unread !== undefined) return diagnostics.map(() => []);
    const tree = parse(path, text);
    return diagnostics.map((diagnostic) => disabling(diagnostic, tree, facts?.suppressions ?? []));
  }

  text(path: string): string | undefined {
    return this.#open.get(path)?.text() ?? this.#host.readFile(path);
  }

  realPath(path: string): string | undefined {
    return this.#host.realPath?.(path);
  }

  settingsFiles(): readonly SettingsFile[] {
    return this.#settings.files();
  }

  ignores(path: string): boolean {
    return this.#settings.ignores(path);
  }

  #factsOf(path: string): FileFacts | undefined {
    return getOrInsert(this.#facts, path, () => this.#readFacts(path));
  }

  #readFacts(path: string): FileFacts | undefined {
    if (!isSource(path)) return undefined;
    const openSource = this.#open.get(path);
    const text = openSource === undefined ? this.#host.readFile(path) : undefined;
    return (openSource ?? (text === undefined ? undefined : createSource(path, text)))?.facts(this.#settings.of(path).toolkitModules);
  }

  #closestToolkit(module: string, from: string): string | undefined {
    const toolkitModule = namedLike(module, this.#settings.of(from).toolkitModules);
    const leads = toolkitModule === undefined || this.#modules.find(from, module) !== undefined || this.#toolkits.isThere(module, from);
    return leads ? undefined : toolkitModule;
  }

  /** Two paths are one file if one of them passes through a link. */
  #areOneFile(a: string, b: string): boolean {
    return this.realPath(a) !== undefined && this.realPath(a) === this.realPath(b);
  }

  /**
   * Returns the files that may build a pack or add to one. Searching the text first avoids parsing files unrelated to packs. Parsed files are
   * searched too, so that the result does not depend on the order of requests.
   */
  #filesOfPacks(): readonly string[] {
    const paths = [...new Set([...this.#candidates, ...this.#open.keys()])].sort();
    return paths.filter((path) => mentionsPack(this.#facts.get(path)?.text ?? this.text(path) ?? ""));
  }

  /** Drops all derived state. Any file may depend on any other when files come and go; a keystroke affects only its own file's packs. */
  #forgetAll(): void {
    this.#modules.forget();
    for (const path of this.#stale.keys()) this.#facts.delete(path);
    this.#stale.clear();
    this.#models.clear();
    this.#diagnosticsByEntry.clear();
    this.#index.forget();
    this.#resolvers.forget();
    this.#toolkits.forget();
    this.#installed.clear();
  }

  /** Drops settings and facts: settings decide which modules count as the SDK, and facts depend on that. */
  #forgetSettings(): void {
    this.#settings.forget();
    this.#facts.clear();
    this.#forgetAll();
  }

  /**
   * Drops files that are gone or unrelated to packs from the candidates, since every candidate is read again whenever files come and go.
   */
  #forgetFile(path: string): void {
    this.#facts.delete(path);
    if (this.#candidates.has(path) && !mentionsPack(this.#host.readFile(path) ?? "")) this.#candidates.delete(path);
  }

  /**
   * Updates what depends on the changed files. It deletes no map entries at a keystroke, since V8 then keeps earlier states of the map,
   * some 13 KB for each edit.
   */
  #renew(): void {
    if (this.#stale.size === 0) return;
    const changedFiles = [...this.#stale];
    this.#stale = new Map();
    // All changed files are read before the comparison, since renaming a symbol changes several files at once.
    for (const [path] of changedFiles) this.#facts.set(path, this.#readFacts(path));
    const isOtherShape = changedFiles.some(([path, before]) => isModuleConfig(path) || !haveSameShape(before, this.#factsOf(path)));
    if (isOtherShape || !this.#index.stillBuilds()) {
      this.#forgetAll();
      return;
    }
    // The index cannot answer this: a file that is checked by itself belongs to no pack, but has imports.
    for (const [entry, model] of this.#models) {
      if (model === undefined || !changedFiles.some(([path]) => model.files.includes(path))) continue;
      this.#models.set(entry, undefined);
      this.#diagnosticsByEntry.set(entry, undefined);
    }
  }

  #modelOf(entry: string): PackModel {
    const cachedModel = this.#models.get(entry);
    if (cachedModel !== undefined) return cachedModel;
    const files = this.#index.files(entry);
    const toolkit = this.#installed.get(entry) ?? this.#toolkits.find(entry);
    this.#installed.set(entry, toolkit);
    const model = buildPack(entry, files, this.#sources, this.#resolvers.of(entry, files), toolkit);
    this.#models.set(entry, model);
    return model;
  }

  #packDiagnostics(pack: PackModel): readonly Diagnostic[] {
    const cachedDiagnostics = this.#diagnosticsByEntry.get(pack.entry);
    if (cachedDiagnostics !== undefined) return cachedDiagnostics;
    const diagnostics = this.#check(pack);
    this.#diagnosticsByEntry.set(pack.entry, diagnostics);
    return diagnostics;
  }
}
