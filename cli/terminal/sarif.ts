// Writes a log for code scanning: SARIF 2.1.0 (OASIS). Section numbers refer to that standard.
import { pathToFileURL } from "node:url";
import type { Range } from "../../protocol/editor.ts";
import { shortPath } from "./short-path.ts";

export type SarifLevel = "error" | "warning" | "note";

interface SarifRule {
  readonly id: string;
  /** Markdown. Its first line is a summary. */
  readonly docs: string;
  readonly level: SarifLevel;
}

interface SarifRegion {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

interface SarifResult {
  /** The ID of one of the rules. */
  readonly rule: string;
  readonly level: SarifLevel;
  readonly message: string;
  /** One of the paths. */
  readonly path: string;
  readonly region: SarifRegion;
  readonly fixes: readonly unknown[];
}

interface SarifLog {
  /** The product's version. */
  readonly version: string;
  /** The folder that paths are relative to. */
  readonly root: string;
  readonly rules: readonly SarifRule[];
  /** What could not be done. One with the level `error` says that the log is not complete. */
  readonly notifications: readonly { readonly level: SarifLevel; readonly text: string }[];
  /** The absolute paths of the files. */
  readonly paths: readonly string[];
  readonly results: readonly SarifResult[];
}

/** The symbolic folder that paths are relative to; code scanning replaces it by the root of the checkout. */
const BASE = "%SRCROOT%";

/** Returns the location of a file relative to the root (3.4). */
export const locationOf = (path: string, root: string): object => ({ uri: uriOf(shortPath(path, root)), uriBaseId: BASE });

/** 3.30: numbers start at 1, and the end column is the one after the last character. */
export const regionOf = ({ start, end }: Range): SarifRegion => ({
  startLine: start.line + 1,
  startColumn: start.character + 1,
  endLine: end.line + 1,
  endColumn: end.character + 1,
});

/** Returns the log as JSON. */
export function sarifLog({ version, root, rules, notifications, paths, results }: SarifLog): string {
  const run = {
    tool: {
      driver: {
        name: "Pack Auth",
        semanticVersion: version,
        rules: rules.map(({ id, docs, level }) => ({
          id,
          shortDescription: { text: plain(docs.split("\n")[0] ?? "") },
          fullDescription: { text: plain(docs) },
          help: { text: plain(docs), markdown: docs },
          defaultConfiguration: { level },
          properties: { tags: ["authentication"] },
        })),
      },
    },
    invocations: [
      {
        executionSuccessful: notifications.every(({ level }) => level !== "error"),
        toolExecutionNotifications: notifications.map(({ level, text }) => ({ level, message: { text } })),
      },
    ],
    columnKind: "utf16CodeUnits",
    // 3.14.14: a base URI ends with a slash.
    originalUriBaseIds: { [BASE]: { uri: `${pathToFileURL(root).href.replace(/\/$/, "")}/` } },
    artifacts: paths.map((path) => ({ location: locationOf(path, root) })),
    results: results.map(({ rule, level, message, path, region, fixes }) => ({
      ruleId: rule,
      ruleIndex: rules.findIndex(({ id }) => id === rule),
      level,
      message: { text: message },
      locations: [{ physicalLocation: { artifactLocation: { ...locationOf(path, root), index: paths.indexOf(path) }, region } }],
      fixes,
    })),
  };
  return `${JSON.stringify({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

/** Returns a relative reference (RFC 3986, 4.2). Each part is encoded, including a colon in the first. */
const uriOf = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** Removes the Markdown marks. */
const plain = (markdown: string): string => markdown.replaceAll("`", "");
