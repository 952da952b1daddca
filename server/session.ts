// What the handlers share: the analysis, the open documents' versions, the client's abilities, and where things are reported.
import type { Connection } from "vscode-languageserver/node";
import type { ServerSettings } from "../protocol/editor.ts";
import { type Analysis, createAnalysis } from "./analysis/analysis.ts";
import { DEFAULT_SETTINGS } from "./analysis/settings.ts";
import type { AtOnce } from "./at-once.ts";
import { type ClientAbilities, NO_ABILITIES } from "./client-abilities.ts";
import { toPath } from "./convert.ts";
import { createDisk } from "./disk.ts";
import type { ToldSettings } from "./handlers/settings-problems.ts";

export interface Session {
  readonly connection: Connection;
  /** Where messages can be answered in the turn in which they come: over standard input. */
  readonly atOnce: AtOnce | undefined;
  readonly analysis: Analysis;
  /** URI → version of the open documents. */
  readonly versions: Map<string, number>;
  /** URI → the other open files of its packs, when last looked at. */
  readonly beside: Map<string, readonly string[]>;
  /** URI → what was last reported of a file to a client that pulls, as JSON, and the id that it was given. */
  readonly reported: Map<string, { readonly id: string; readonly content: string }>;
  client: ClientAbilities;
  /** Those of the window; a folder may have its own. */
  settings: ServerSettings;
  folderSettings: ReadonlyMap<string, ServerSettings>;
  folders: readonly string[];
  readonly told: ToldSettings;
  /** Paths of files read from disk that have changed since, for clients that watch none. */
  changedOnDisk(): readonly string[];
  /** The address of a rule's docs page. */
  docs(rule: string): string;
  path(uri: string): string | undefined;
  text(path: string): string;
  /** Runs a handler's work; a fault is logged and answered with `otherwise`. */
  safely<T>(what: string, otherwise: T, work: () => T): T;
}

export function createSession(connection: Connection, pages: string, atOnce?: AtOnce): Session {
  const disk = createDisk(() => session.folders);
  const analysis = createAnalysis({ readFile: disk.read, realPath: disk.realPath });
  const session: Session = {
    connection,
    atOnce,
    analysis,
    versions: new Map(),
    beside: new Map(),
    reported: new Map(),
    client: NO_ABILITIES,
    settings: { ...DEFAULT_SETTINGS, inlayHints: { enabled: false } },
    folderSettings: new Map(),
    folders: [],
    told: { files: [], faulty: new Set() },
    changedOnDisk: disk.changed,
    docs: (rule) => `${session.client.rulePages ?? pages}${rule}.md`,
    path: toPath,
    text: (path) => analysis.text(path) ?? "",
    safely(what, otherwise, work) {
      try {
        return work();
      } catch (error) {
        connection.console.error(`${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        return otherwise;
      }
    },
  };
  return session;
}
