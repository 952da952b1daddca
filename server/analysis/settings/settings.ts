// The settings that apply to a file: the host's (the editor's), then those of the nearest `.packauthrc.json` above it, then the defaults.

import picomatch from "picomatch/posix.js";
import { isBoundedPath } from "../../../base/bounded-glob.ts";
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { ACCOUNT_FILE } from "../../../spec/account-file.ts";
import { DEFAULT_TOOLKIT } from "../../../spec/toolkit.ts";
import type { Severity } from "../model/findings.ts";
import { joinPath, parent } from "../modules/paths.ts";
import type { FileReader } from "../modules/toolkit.ts";
import { accountFileProblems } from "./account-file.ts";
import { type FileSettings, type ReadSettings, readSettingsFile, SETTINGS_FILE, type SettingsProblem } from "./settings-file.ts";

export interface AnalysisSettings {
  readonly toolkitModules: readonly string[];
  readonly rules: Readonly<Record<string, Severity | "off">>;
}

/** The settings that a host sets itself. An absent setting is left to the settings file. */
export type HostSettings = Partial<AnalysisSettings>;

export const DEFAULT_SETTINGS: AnalysisSettings = { toolkitModules: [DEFAULT_TOOLKIT], rules: {} };

/** A file whose problems are reported: a `.packauthrc.json`, or the account file of a pack. */
export interface SettingsFile {
  readonly path: string;
  readonly text: string;
  readonly problems: readonly SettingsProblem[];
}

/** A `.packauthrc.json` that applies to a file. */
interface RulesFile extends SettingsFile, ReadSettings {}

export interface SettingsFinder {
  /** Returns the settings that apply to a file. */
  of(file: string): AnalysisSettings;
  /** Whether a `.packauthrc.json` excludes the file. */
  ignores(file: string): boolean;
  /** Returns the settings files and account files met so far. The list keeps its identity until it changes. */
  files(): readonly SettingsFile[];
  /** Drops cached settings, for when a settings file may have changed, appeared or disappeared. */
  forget(): void;
}

export const isSettingsFile = (path: string): boolean => [SETTINGS_FILE, ACCOUNT_FILE].some((name) => path.endsWith(`/${name}`));

export function createSettingsFinder(
  host: FileReader,
  hostSettings: (file: string) => HostSettings,
  rules: readonly string[],
): SettingsFinder {
  const byFolder = new Map<string, RulesFile | undefined>();
  const merged = new Map<string, AnalysisSettings>();
  const matchers = new Map<RulesFile, (path: string) => boolean>();
  const accountFiles = new Map<string, SettingsFile | undefined>();
  let settingsFiles: readonly SettingsFile[] = [];

  /** Reads the account file in a folder of sources, since it belongs to the pack whose entry is beside it. */
  const readAccounts = (folder: string): SettingsFile | undefined =>
    getOrInsert(accountFiles, folder, () => {
      const path = joinPath(folder, ACCOUNT_FILE);
      const text = host.readFile(path);
      if (text === undefined) return undefined;
      const file = { path, text, problems: accountFileProblems(text) };
      settingsFiles = [...settingsFiles, file];
      return file;
    });

  const find = (folder: string): RulesFile | undefined =>
    getOrInsert(byFolder, folder, () => {
      const path = joinPath(folder, SETTINGS_FILE);
      const text = host.readFile(path);
      if (text === undefined) return parent(folder) === folder ? undefined : find(parent(folder));
      const file = { path, text, ...readSettingsFile(text, rules) };
      settingsFiles = [...settingsFiles, file];
      return file;
    });

  return {
    of: (file) =>
      getOrInsert(merged, parent(file), (folder) => {
        readAccounts(folder);
        return merge(hostSettings(file), find(folder)?.settings);
      }),
    ignores(file) {
      readAccounts(parent(file));
      const settingsFile = find(parent(file));
      if (settingsFile === undefined || settingsFile.settings.ignore.length === 0) return false;
      const matches = getOrInsert(matchers, settingsFile, () => ignoring(settingsFile.settings.ignore));
      return matches(file.slice(parent(settingsFile.path).length).replace(/^\//, ""));
    },
    files: () => settingsFiles,
    forget() {
      byFolder.clear();
      merged.clear();
      matchers.clear();
      accountFiles.clear();
      settingsFiles = [];
    },
  };
}

/** Merges the settings. Without any, all folders share the default object, and so everything that is cached by it. */
function merge(hostSettings: HostSettings, file: FileSettings | undefined): AnalysisSettings {
  if (file === undefined && hostSettings.rules === undefined && hostSettings.toolkitModules === undefined) return DEFAULT_SETTINGS;
  return {
    toolkitModules: hostSettings.toolkitModules ?? file?.toolkitModules ?? DEFAULT_SETTINGS.toolkitModules,
    rules: { ...file?.rules, ...hostSettings.rules },
  };
}

/** Returns a test for ignored paths. A glob without a slash applies in every folder, and the name of a folder covers everything in it. */
function ignoring(globs: readonly string[]): (path: string) => boolean {
  const matches = picomatch(
    globs.flatMap((glob) => {
      const plain = glob.replace(/^\.?\//, "").replace(/\/$/, "");
      const isAnchored = plain.includes("/") || glob.startsWith("/") || glob.startsWith("./");
      const anchored = isAnchored ? plain : `**/${plain}`;
      return plain === "" ? [] : [anchored, `${anchored}/**`];
    }),
    // `posix` is for `[!a]`; without `regex` no `+` becomes a quantifier.
    { dot: true, posix: true, noextglob: true, nonegate: true, regex: false },
  );
  return (path) => isBoundedPath(path) && matches(path);
}
