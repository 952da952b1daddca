// What is wrong in a `.packauthrc.json`: pushed for the file itself, whether it is open or not, as soon as its settings are looked up.
import { DiagnosticSeverity } from "vscode-languageserver/node";
import { isSettingsFile, type SettingsFile } from "../analysis/settings.ts";
import { toRange, toUri } from "../convert.ts";
import type { Session } from "../session.ts";

/** What was last told about settings files. */
export interface ToldSettings {
  files: readonly SettingsFile[];
  readonly faulty: Set<string>;
}

/** After every look at diagnostics; does nothing as long as no other settings file was met. `changed`: files that are new on disk. */
export function reportSettings(session: Session, changed: readonly string[] = []): void {
  const { analysis, connection, told } = session;
  if (changed.some(isSettingsFile)) for (const path of [...changed.filter(isSettingsFile), ...told.faulty]) analysis.ignores(path);
  const files = analysis.settingsFiles();
  if (files === told.files) return;
  told.files = files;
  for (const { path, text, problems } of files) {
    if (problems.length === 0 && !told.faulty.delete(path)) continue;
    if (problems.length > 0) told.faulty.add(path);
    const diagnostics = problems.map(({ message, ...span }) => ({
      range: toRange(text, span, session.client.encoding),
      severity: DiagnosticSeverity.Error,
      source: "pack-auth",
      message,
    }));
    void connection.sendDiagnostics({ uri: toUri(path), diagnostics });
  }
  for (const path of told.faulty) {
    if (analysis.text(path) !== undefined) continue;
    told.faulty.delete(path);
    void connection.sendDiagnostics({ uri: toUri(path), diagnostics: [] });
  }
}
