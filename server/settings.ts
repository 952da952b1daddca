// The author's settings, whether the editor is asked for them, pushes them on change, or sends them at the start.

import type { ServerSettings } from "../protocol/editor.ts";
import type { Analysis } from "./analysis/analysis.ts";
import { DEFAULT_SETTINGS, type HostSettings } from "./analysis/settings/settings.ts";
import { toUri } from "./convert.ts";
import { readSettings } from "./read-settings.ts";
import type { Session } from "./session.ts";

/** Requests the settings of the window and of each folder from the editor; `pushed` are the settings of an editor that cannot be asked. */
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

/** Applies settings. If they are undefined, the current ones stay. */
export function applySettings(
  session: Session,
  settings: ServerSettings | undefined,
  folderSettings: ReadonlyMap<string, ServerSettings> = new Map(),
): void {
  session.settings = settings ?? session.settings;
  session.folderSettings = folderSettings;
  configureAnalysis(session, session.analysis);
}

/** Gives an analysis the current settings. */
export function configureAnalysis(session: Session, analysis: Analysis): void {
  analysis.configure((path) => toHostSettings(settingsOf(session, path)));
}

/** Returns the settings of the innermost folder that contains the file. */
export function settingsOf({ settings, folderSettings }: Session, path: string): ServerSettings {
  const [folder] = [...folderSettings.keys()].filter((root) => path.startsWith(`${root}/`)).sort((a, b) => b.length - a.length);
  return (folder === undefined ? undefined : folderSettings.get(folder)) ?? settings;
}

/** Returns the settings for the analysis. Editors send default values too, so a default leaves the choice to a `.packauthrc.json`. */
function toHostSettings({ toolkitModules, rules }: ServerSettings): HostSettings {
  const isDefault = toolkitModules.join() === DEFAULT_SETTINGS.toolkitModules.join();
  return { rules, ...(isDefault ? {} : { toolkitModules }) };
}
