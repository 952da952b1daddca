// Problems of a `.packauthrc.json` and of an account file: pushed for the file itself, open or not, once it is read.
import { DiagnosticSeverity } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { isSettingsFile } from "../analysis/settings/settings.ts";
import { toUri } from "../convert.ts";
import { createPositions } from "../positions.ts";
import type { Session } from "../session.ts";

/**
 * Pushes the problems after diagnostics were computed, if the settings files have changed. `changedPaths` are files that changed on disk.
 */
export function reportSettings(session: Session, changedPaths: readonly string[] = []): void {
  const { analysis, connection, reportedSettings } = session;
  if (changedPaths.some(isSettingsFile))
    for (const path of [...changedPaths.filter(isSettingsFile), ...reportedSettings.faulty]) analysis.ignores(path);
  const files = analysis.settingsFiles();
  if (files === reportedSettings.files) return;
  reportedSettings.files = files;
  for (const { path, text, problems } of files) {
    if (problems.length === 0 && !reportedSettings.faulty.delete(path)) continue;
    if (problems.length > 0) reportedSettings.faulty.add(path);
    const positions = createPositions(() => TextDocument.create("", "", 0, text), session.client.encoding);
    const diagnostics = problems.map(({ message, fix: _, ...span }) => ({
      range: positions.range(path, span),
      severity: DiagnosticSeverity.Error,
      source: "pack-auth",
      message,
    }));
    void connection.sendDiagnostics({ uri: toUri(path), diagnostics });
  }
  for (const path of reportedSettings.faulty) {
    if (analysis.text(path) !== undefined) continue;
    reportedSettings.faulty.delete(path);
    void connection.sendDiagnostics({ uri: toUri(path), diagnostics: [] });
  }
}
