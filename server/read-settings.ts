// Reads the section `packAuth` of an editor's settings, with defaults. Malformed values count as absent, since a typo in a settings file
// must not crash the server.

import { isRecord } from "../base/is-record.ts";
import type { ServerSettings } from "../protocol/editor.ts";
import { DEFAULT_SETTINGS } from "./analysis/settings/settings.ts";
import { isSeverity } from "./analysis/settings/settings-file.ts";

/** Reads the section `packAuth`, or an object that contains it; returns undefined if the value is neither. */
export function readSettings(settings: unknown): ServerSettings | undefined {
  const section = isRecord(settings) && isRecord(settings.packAuth) ? settings.packAuth : settings;
  return isRecord(section) ? readSection(section) : undefined;
}

function readSection({ toolkitModules, rules, inlayHints }: Readonly<Record<string, unknown>>): ServerSettings {
  const modules = Array.isArray(toolkitModules) ? toolkitModules.filter((name) => typeof name === "string" && name !== "") : [];
  const severities = isRecord(rules) ? Object.entries(rules).filter(([, severity]) => isSeverity(severity)) : [];
  return {
    toolkitModules: modules.length > 0 ? modules : DEFAULT_SETTINGS.toolkitModules,
    rules: Object.fromEntries(severities) as ServerSettings["rules"],
    inlayHints: { enabled: isRecord(inlayHints) && inlayHints.enabled === true },
  };
}

/** The settings that apply until the editor sends others. */
export const DEFAULT_SERVER_SETTINGS: ServerSettings = readSection({});
