// Quick fixes of the diagnostics under the cursor, all of a kind in the file, and everything on save (`source.fixAll.packAuth`).
import { type CodeAction, CodeActionKind } from "vscode-languageserver/node";
import { compatible, onlyFix } from "../analysis/fix-all.ts";
import type { Diagnostic } from "../analysis/model.ts";
import { toDiagnostic, toOffset } from "../convert.ts";
import type { Session } from "../session.ts";
import { toWorkspaceEdit } from "../workspace-edit.ts";

export const FIX_ALL = "source.fixAll.packAuth";

export const codeActionOptions = { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL] };

export function handleCodeActions(session: Session): void {
  session.connection.onCodeAction(({ textDocument, range, context }) => {
    const path = session.path(textDocument.uri);
    if (path === undefined) return [];
    return session.safely("code actions", [], () => {
      const text = session.text(path);
      const all = session.analysis.diagnostics(path);
      const wants = (kind: string): boolean =>
        context.only === undefined || context.only.some((only) => kind === only || kind.startsWith(`${only}.`));
      const start = toOffset(text, range.start, session.client.encoding);
      const end = toOffset(text, range.end, session.client.encoding);
      const here = all.filter(({ place }) => place.start <= end && place.end >= start);
      const actions: CodeAction[] = [];
      if (wants(CodeActionKind.QuickFix))
        actions.push(
          ...here.flatMap((diagnostic) => quickFixes(session, diagnostic, text)),
          ...allOfKind(session, here, all),
          ...disabling(session, here, text),
        );
      if (wants(FIX_ALL)) {
        const fixes = compatible(all.flatMap(onlyFix));
        if (fixes.length > 0)
          actions.push({
            title: "Fix all Pack Auth problems",
            kind: FIX_ALL,
            edit: toWorkspaceEdit(
              session,
              fixes.flatMap(({ edits }) => edits),
            ),
          });
      }
      return actions;
    });
  });
}

function quickFixes(session: Session, diagnostic: Diagnostic, text: string): readonly CodeAction[] {
  return (diagnostic.fixes ?? []).map((fix, index) => ({
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [toDiagnostic(diagnostic, text, session.client.encoding, session.docs)],
    isPreferred: index === 0,
    edit: toWorkspaceEdit(session, fix.edits),
  }));
}

function allOfKind(session: Session, here: readonly Diagnostic[], all: readonly Diagnostic[]): readonly CodeAction[] {
  return [...new Set(here.map((diagnostic) => diagnostic.rule))].flatMap((rule) => {
    const same = all.filter((diagnostic) => diagnostic.rule === rule && diagnostic.fixes?.[0] !== undefined);
    if (same.length < 2) return [];
    const fixes = compatible(same.flatMap((diagnostic) => diagnostic.fixes?.slice(0, 1) ?? []));
    return [
      {
        title: `Fix all ${rule} problems in this file`,
        kind: CodeActionKind.QuickFix,
        edit: toWorkspaceEdit(
          session,
          fixes.flatMap(({ edits }) => edits),
        ),
      },
    ];
  });
}

/** The last resort, below what mends. */
function disabling(session: Session, here: readonly Diagnostic[], text: string): readonly CodeAction[] {
  return here.flatMap((diagnostic) => {
    const fix = session.analysis.disable(diagnostic);
    if (fix === undefined) return [];
    const { encoding } = session.client;
    return [
      {
        title: fix.title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [toDiagnostic(diagnostic, text, encoding, session.docs)],
        edit: toWorkspaceEdit(session, fix.edits),
      },
    ];
  });
}
