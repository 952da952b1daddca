// The section `packAuth` of an editor's settings, with its defaults. What is malformed counts as not given: a typo in a settings file must
// not take the server down.

import { isRecord } from "../base/is-record.ts";
import type { ServerSettings } from "../protocol/editor.ts";
import { DEFAULT_SETTINGS } from "./analysis/settings/settings.ts";
import { isSeverity } from "./analysis/settings/settings-file.ts";

/** The section `packAuth`, or an object that has it; undefined where there is neither. */
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

/** What holds until the editor says more. */
export const DEFAULT_SERVER_SETTINGS: ServerSettings = readSection({});
