// Which settings hold for a file: what the host gives (the editor's), then the nearest `.packauthrc.json` above it, then the defaults.

import { getOrInsert } from "../../../base/get-or-insert.ts";
import { DEFAULT_TOOLKIT } from "../../../spec/toolkit.ts";
import type { Severity } from "../model/findings.ts";
import { joinPath, parent } from "../modules/paths.ts";
import type { FileReader } from "../modules/toolkit.ts";
import { compileGlob, expandBraces } from "./glob.ts";
import { type FileSettings, type ReadSettings, readSettingsFile, SETTINGS_FILE } from "./settings-file.ts";

export interface AnalysisSettings {
  readonly toolkitModules: readonly string[];
  readonly rules: Readonly<Record<string, Severity | "off">>;
}

/** What a host sets itself; absent where it leaves the choice to the file. */
export type HostSettings = Partial<AnalysisSettings>;

export const DEFAULT_SETTINGS: AnalysisSettings = { toolkitModules: [DEFAULT_TOOLKIT], rules: {} };

/** A `.packauthrc.json` that settings were looked for in. */
export interface SettingsFile extends ReadSettings {
  readonly path: string;
  readonly text: string;
}

export interface SettingsFinder {
  /** The settings in force for a file. */
  of(file: string): AnalysisSettings;
  /** Whether a `.packauthrc.json` leaves the file out. */
  ignores(file: string): boolean;
  /** The settings files met so far; the same list as long as there is no other. */
  files(): readonly SettingsFile[];
  /** A settings file may have changed, come or gone. */
  forget(): void;
}

export const isSettingsFile = (path: string): boolean => path.endsWith(`/${SETTINGS_FILE}`);

export function createSettingsFinder(
  host: FileReader,
  hostSettings: (file: string) => HostSettings,
  rules: readonly string[],
): SettingsFinder {
  const byFolder = new Map<string, SettingsFile | undefined>();
  const merged = new Map<string, AnalysisSettings>();
  const matchers = new Map<SettingsFile, (path: string) => boolean>();
  let settingsFiles: readonly SettingsFile[] = [];

  const find = (folder: string): SettingsFile | undefined =>
    getOrInsert(byFolder, folder, () => {
      const path = joinPath(folder, SETTINGS_FILE);
      const text = host.readFile(path);
      if (text === undefined) return parent(folder) === folder ? undefined : find(parent(folder));
      const file = { path, text, ...readSettingsFile(text, rules) };
      settingsFiles = [...settingsFiles, file];
      return file;
    });

  return {
    of: (file) => getOrInsert(merged, parent(file), (folder) => merge(hostSettings(file), find(folder)?.settings)),
    ignores(file) {
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
      settingsFiles = [];
    },
  };
}

/** Folders without settings share theirs, and with it all that is made from settings. */
function merge(hostSettings: HostSettings, file: FileSettings | undefined): AnalysisSettings {
  if (file === undefined && hostSettings.rules === undefined && hostSettings.toolkitModules === undefined) return DEFAULT_SETTINGS;
  return {
    toolkitModules: hostSettings.toolkitModules ?? file?.toolkitModules ?? DEFAULT_SETTINGS.toolkitModules,
    rules: { ...file?.rules, ...hostSettings.rules },
  };
}

/** A glob without a slash holds in every folder, and what names a folder means all that is in it. */
function ignoring(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.flatMap((glob) => {
    const plain = glob.replace(/^\.?\//, "").replace(/\/$/, "");
    const isAnchored = plain.includes("/") || glob.startsWith("/") || glob.startsWith("./");
    return (expandBraces(isAnchored ? plain : `**/${plain}`) ?? []).flatMap((one) => [compileGlob(one), compileGlob(`${one}/**`)]);
  });
  return (path) => {
    const segments = path.split("/");
    return matchers.some((matches) => matches(segments));
  };
}
