// What the handlers share: the analysis, the open documents, the client's abilities, and where things are reported.
import type { Connection } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { ServerSettings } from "../protocol/editor.ts";
import { type Analysis, createAnalysis } from "./analysis/analysis.ts";
import type { SettingsFile } from "./analysis/settings/settings.ts";
import { type ClientAbilities, NO_ABILITIES } from "./client-abilities.ts";
import { toPath, toUri } from "./convert.ts";
import { createDisk } from "./disk.ts";
import { createPositions, type Positions } from "./positions.ts";
import { DEFAULT_SERVER_SETTINGS } from "./read-settings.ts";

/** What was last told about settings files. */
interface ReportedSettings {
  files: readonly SettingsFile[];
  readonly faulty: Set<string>;
}

export interface Session {
  readonly connection: Connection;
  readonly analysis: Analysis;
  /** The open ones by URI, as the editor spells it. */
  readonly documents: Map<string, TextDocument>;
  /** URI → the other open files of its packs, when last looked at. */
  readonly beside: Map<string, readonly string[]>;
  /** URI → what was last reported of a file to a client that pulls, as JSON, and the id that it was given. */
  readonly reported: Map<string, { readonly id: string; readonly content: string }>;
  client: ClientAbilities;
  /** Those of the window; a folder may have its own. */
  settings: ServerSettings;
  folderSettings: ReadonlyMap<string, ServerSettings>;
  folders: readonly string[];
  readonly reportedSettings: ReportedSettings;
  /** Paths of files read from disk that have changed since, for clients that watch none. */
  changedOnDisk(): readonly string[];
  /** The address of a rule's docs page. */
  docs(rule: string): string;
  path(uri: string): string | undefined;
  /** A file with its lines, as the analysis has it now. */
  document(path: string, uri?: string): TextDocument;
  /** For one answer. */
  positions(): Positions;
  /** Answers what is asked about a file, with `otherwise` where it is none; see {@link safely}. */
  about<T>(what: string, uri: string, otherwise: T, work: (path: string, positions: Positions) => T): T;
  /** Runs a handler's work; a fault is logged and answered with `otherwise`. */
  safely<T>(what: string, otherwise: T, work: () => T): T;
}

export function createSession(connection: Connection, pages: string): Session {
  const disk = createDisk(() => session.folders);
  const analysis = createAnalysis({ readFile: disk.read, realPath: disk.realPath });
  const session: Session = {
    connection,
    analysis,
    documents: new Map(),
    beside: new Map(),
    reported: new Map(),
    client: NO_ABILITIES,
    settings: DEFAULT_SERVER_SETTINGS,
    folderSettings: new Map(),
    folders: [],
    reportedSettings: { files: [], faulty: new Set() },
    changedOnDisk: disk.findChanges,
    docs: (rule) => `${session.client.rulePages ?? pages}${rule}.md`,
    path: toPath,
    document(path, uri = openUri(session, path)) {
      const text = analysis.text(path) ?? "";
      const open = session.documents.get(uri);
      // Should an edit have failed in the analysis, or a file be open under two names, the analysis' text is the one that counts.
      return open?.getText() === text ? open : TextDocument.create(uri, "", 0, text);
    },
    positions: () => createPositions(session.document, session.client.encoding),
    about(what, uri, otherwise, work) {
      const path = session.path(uri);
      return path === undefined ? otherwise : session.safely(what, otherwise, () => work(path, session.positions()));
    },
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

/** As the client spells it, where the file is open: `file:///c%3A/…` and `file:///C:/…` are one. */
export function openUri({ documents, path }: Session, file: string): string {
  const uri = toUri(file);
  if (documents.has(uri)) return uri;
  return [...documents.keys()].find((open) => path(open) === file) ?? uri;
}
