// The author's settings, however an editor hands them over: asked for, pushed on change, or given at the start.

import type { ServerSettings } from "../protocol/editor.ts";
import type { Analysis } from "./analysis/analysis.ts";
import { DEFAULT_SETTINGS, type HostSettings } from "./analysis/settings/settings.ts";
import { toUri } from "./convert.ts";
import { readSettings } from "./read-settings.ts";
import type { Session } from "./session.ts";

/** Asks the editor for the window's settings and those of each folder; `pushed` are those of an editor that cannot be asked. */
export async function renewSettings(session: Session, pushed?: unknown): Promise<void> {
  const { connection, client, folders } = session;
  try {
    if (!client.readsConfiguration) return applySettings(session, readSettings(pushed));
    const section = "packAuth";
    const configurationItems = [{ section }, ...folders.map((folder) => ({ section, scopeUri: toUri(folder) }))];
    const [window, ...own] = ((await connection.workspace.getConfiguration(configurationItems)) as unknown[]).map(readSettings);
    const folderSettings = new Map(folders.flatMap((folder, index) => (own[index] === undefined ? [] : [[folder, own[index]] as const])));
    applySettings(session, window, folderSettings);
  } catch (error) {
    connection.console.warn(`The settings could not be read: ${String(error)}`);
  }
}

/** Settings that are not given leave those in force. */
export function applySettings(
  session: Session,
  settings: ServerSettings | undefined,
  folderSettings: ReadonlyMap<string, ServerSettings> = new Map(),
): void {
  session.settings = settings ?? session.settings;
  session.folderSettings = folderSettings;
  configureAnalysis(session, session.analysis);
}

/** The settings in force, for an analysis. */
export function configureAnalysis(session: Session, analysis: Analysis): void {
  analysis.configure((path) => toHostSettings(settingsOf(session, path)));
}

/** Those of the innermost folder that holds the file. */
export function settingsOf({ settings, folderSettings }: Session, path: string): ServerSettings {
  const [folder] = [...folderSettings.keys()].filter((root) => path.startsWith(`${root}/`)).sort((a, b) => b.length - a.length);
  return (folder === undefined ? undefined : folderSettings.get(folder)) ?? settings;
}

/** An editor hands the default over too: that leaves the choice to a `.packauthrc.json`. */
function toHostSettings({ toolkitModules, rules }: ServerSettings): HostSettings {
  const isDefault = toolkitModules.join() === DEFAULT_SETTINGS.toolkitModules.join();
  return { rules, ...(isDefault ? {} : { toolkitModules }) };
}
