// The author's settings, however an editor hands them over: asked for, pushed on change, or given at the start. What is malformed counts
// as not given: a typo in a settings file must not take the server down.
import type { ServerSettings } from "../protocol/editor.ts";
import { DEFAULT_SETTINGS } from "./analysis/analysis.ts";

const SEVERITIES: readonly unknown[] = ["off", "information", "warning", "error"];

/** The section `packAuth`, or an object that has it; undefined where there is neither. */
export function readSettings(given: unknown): ServerSettings | undefined {
  const section = isRecord(given) && isRecord(given.packAuth) ? given.packAuth : given;
  if (!isRecord(section)) return undefined;
  const { toolkitModules, rules, inlayHints } = section;
  const modules = Array.isArray(toolkitModules) ? toolkitModules.filter((name) => typeof name === "string" && name !== "") : [];
  return {
    toolkitModules: modules.length > 0 ? modules : DEFAULT_SETTINGS.toolkitModules,
    rules: Object.fromEntries(isRecord(rules) ? Object.entries(rules).filter(([, severity]) => SEVERITIES.includes(severity)) : []),
    inlayHints: { enabled: isRecord(inlayHints) && inlayHints.enabled === true },
  } as ServerSettings;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
