// The state that handlers share: the analysis, the open documents, the client's capabilities, and the reporting of faults.
import type { Connection } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { ServerSettings } from "../protocol/editor.ts";
import type { Fact } from "../protocol/evidence.ts";
import { type Analysis, createAnalysis } from "./analysis/analysis.ts";
import type { SettingsFile } from "./analysis/settings/settings.ts";
import { type ClientAbilities, NO_ABILITIES } from "./client-abilities.ts";
import { toPath, toUri } from "./convert.ts";
import { createDisk } from "./disk.ts";
import { createPositions, type Positions } from "./positions.ts";
import { DEFAULT_SERVER_SETTINGS } from "./read-settings.ts";

/** The settings problems that were last reported. */
interface ReportedSettings {
  files: readonly SettingsFile[];
  readonly faulty: Set<string>;
}

export interface Session {
  readonly connection: Connection;
  readonly analysis: Analysis;
  /** The open documents by URI, as the editor spells it. */
  readonly documents: Map<string, TextDocument>;
  /** By URI: the other open files of its packs, at the last request. */
  readonly beside: Map<string, readonly string[]>;
  /** By URI: the last report on a file to a pulling client, as JSON, and its id. */
  readonly reported: Map<string, { readonly id: string; readonly content: string }>;
  client: ClientAbilities;
  /** The settings of the window; a folder may have its own. */
  settings: ServerSettings;
  folderSettings: ReadonlyMap<string, ServerSettings>;
  folders: readonly string[];
  /** What sign-ins and runs showed, as the client last sent it. */
  evidence: readonly Fact[];
  readonly reportedSettings: ReportedSettings;
  /** Returns the paths of files that were read and have changed on disk since, for clients that watch no files. */
  changedOnDisk(): readonly string[];
  /** Returns the address of a rule's page. */
  docs(rule: string): string;
  path(uri: string): string | undefined;
  /** Returns a document with the text that the analysis has now. */
  document(path: string, uri?: string): TextDocument;
  /** Returns positions for one answer. */
  positions(): Positions;
  /** Returns the result for a file, or `otherwise` if the URI is not a file; see {@link safely}. */
  about<T>(what: string, uri: string, otherwise: T, work: (path: string, positions: Positions) => T): T;
  /** Runs a handler's work. An exception is logged, and the result is `otherwise`. */
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
    evidence: [],
    reportedSettings: { files: [], faulty: new Set() },
    changedOnDisk: disk.findChanges,
    docs: (rule) => `${session.client.rulePages ?? pages}${rule}.md`,
    path: toPath,
    document(path, uri = openUri(session, path)) {
      const text = analysis.text(path) ?? "";
      const open = session.documents.get(uri);
      // If an edit failed in the analysis, or a file is open under two names, the text of the analysis takes precedence.
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

/** Returns the URI of a file. An open file has the client's spelling, since `file:///c%3A/…` and `file:///C:/…` are the same. */
export function openUri({ documents, path }: Session, file: string): string {
  const uri = toUri(file);
  if (documents.has(uri)) return uri;
  return [...documents.keys()].find((open) => path(open) === file) ?? uri;
}
