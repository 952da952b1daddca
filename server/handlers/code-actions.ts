// Quick fixes of the diagnostics under the cursor, all of a kind in the file, everything on save (`source.fixAll.packAuth`), and
// refactorings. Edits are made when an action is chosen, where the client can wait for that.
import { type CodeAction, CodeActionKind, type CodeActionParams, LSPErrorCodes, ResponseError } from "vscode-languageserver/node";
import { createDraft, type Draft } from "../analysis/draft.ts";
import { onlyFix } from "../analysis/fix-all.ts";
import { fixInRounds, fixUnasked, staysIn, unasked } from "../analysis/fix-rounds.ts";
import type { Diagnostic, TextEdit } from "../analysis/model.ts";
import { type Refactoring, refactoringsAt } from "../analysis/refactorings/refactoring.ts";
import { toDiagnostic, toOffset } from "../convert.ts";
import type { Session } from "../session.ts";
import { configureAnalysis } from "../settings.ts";
import { toWorkspaceEdit } from "../workspace-edit.ts";

export const FIX_ALL = "source.fixAll.packAuth";

const REFACTORINGS: Readonly<Record<Refactoring["kind"], CodeActionKind>> = {
  rewrite: CodeActionKind.RefactorRewrite,
  extract: CodeActionKind.RefactorExtract,
};

export const codeActionOptions = {
  codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL, ...Object.values(REFACTORINGS)],
  resolveProvider: true,
};

/** Nobody chooses from a longer list: what a whole file has is fixed at once. */
const MOST_HERE = 100;

/** An action without its edit. */
interface Offer {
  readonly action: CodeAction;
  edits(): readonly TextEdit[];
}

/** Names an action again when it is chosen: by its place in the list that the same request makes of the same text. */
interface Chosen {
  readonly request: Pick<CodeActionParams, "textDocument" | "range" | "context">;
  readonly index: number;
  readonly versions: Readonly<Record<string, number>>;
}

export function handleCodeActions(session: Session): void {
  session.connection.onCodeAction((request) => {
    const { textDocument, range, context } = request;
    return session.safely("code actions", [], () => {
      const offers = offersFor(session, request);
      if (!session.client.resolvesEdits)
        return offers.flatMap(({ action, edits }) => {
          const made = edits();
          return made.length === 0 ? [] : [{ ...action, edit: toWorkspaceEdit(session, made) }];
        });
      const { only } = context;
      const versions = Object.fromEntries(session.versions);
      return offers.map(({ action }, index) => {
        const data: Chosen = {
          request: { textDocument, range, context: { diagnostics: [], ...(only === undefined ? {} : { only }) } },
          index,
          versions,
        };
        return { ...action, data };
      });
    });
  });
  session.connection.onCodeActionResolve((action) => {
    const chosen = action.data as Chosen | undefined;
    if (chosen === undefined) return action;
    // The list would be another one.
    const isSame = [...session.versions].every(([uri, version]) => chosen.versions[uri] === version);
    if (!isSame)
      return new ResponseError(LSPErrorCodes.ContentModified, "The text has changed since this was offered.") as unknown as CodeAction;
    return session.safely("code action", action, () => {
      const offer = offersFor(session, chosen.request)[chosen.index];
      return offer === undefined ? action : { ...action, edit: toWorkspaceEdit(session, offer.edits()) };
    });
  });
}

function offersFor(session: Session, { textDocument, range, context }: Chosen["request"]): readonly Offer[] {
  const path = session.path(textDocument.uri);
  if (path === undefined) return [];
  const { analysis, client } = session;
  const text = session.text(path);
  const wants = (kind: string): boolean =>
    context.only === undefined || context.only.some((only) => kind === only || kind.startsWith(`${only}.`));
  const start = toOffset(text, range.start, client.encoding);
  const end = toOffset(text, range.end, client.encoding);
  const draft = (): Draft => createDraft(analysis, path, (other) => configureAnalysis(session, other));
  const all = analysis.diagnostics(path);
  const here = all.filter(({ place }) => place.start <= end && place.end >= start).slice(0, MOST_HERE);
  return [
    ...(wants(CodeActionKind.QuickFix)
      ? [...quickFixes(session, here, text), ...allOfKind(here, all, path, draft), ...disabling(session, here, text)]
      : []),
    ...(wants(FIX_ALL) && all.some((diagnostic) => unasked(diagnostic, path, text).length > 0)
      ? [{ action: { title: "Fix all Pack Auth problems", kind: FIX_ALL }, edits: () => fixUnasked(draft(), path) }]
      : []),
    ...(Object.values(REFACTORINGS).some(wants)
      ? refactoringsAt(analysis, path, start)
          .filter(({ kind }) => wants(REFACTORINGS[kind]))
          .map(({ title, kind, edits }) => ({ action: { title, kind: REFACTORINGS[kind] }, edits: () => edits(draft) }))
      : []),
  ];
}

function quickFixes({ client, docs }: Session, here: readonly Diagnostic[], text: string): readonly Offer[] {
  return here.flatMap((diagnostic) =>
    diagnostic.fixes.map(({ title, edits }) => ({
      action: {
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [toDiagnostic(diagnostic, text, client.encoding, docs)],
        // Where there are several ways, which one is meant is the author's to say.
        isPreferred: onlyFix(diagnostic).length > 0,
      },
      edits: () => edits,
    })),
  );
}

/** Of each kind under the cursor, where the file has it more than once. */
function allOfKind(here: readonly Diagnostic[], all: readonly Diagnostic[], path: string, draft: () => Draft): readonly Offer[] {
  const firstFix = ({ fixes }: Diagnostic) => fixes.slice(0, 1);
  return [...new Set(here.map(({ rule }) => rule))].flatMap((rule) => {
    const same = all.filter((diagnostic) => diagnostic.rule === rule && firstFix(diagnostic).some((fix) => staysIn(fix, path)));
    return same.length < 2
      ? []
      : [
          {
            action: { title: `Fix all ${rule} problems in this file`, kind: CodeActionKind.QuickFix },
            edits: () => fixInRounds(draft(), path, (diagnostic) => (diagnostic.rule === rule ? firstFix(diagnostic) : [])),
          },
        ];
  });
}

/** The last resort, below what mends. */
function disabling({ analysis, client, docs }: Session, here: readonly Diagnostic[], text: string): readonly Offer[] {
  const fixes = analysis.disableAll(here);
  return here.flatMap((diagnostic, index) => {
    const fix = fixes[index];
    if (fix === undefined) return [];
    const diagnostics = [toDiagnostic(diagnostic, text, client.encoding, docs)];
    return [{ action: { title: fix.title, kind: CodeActionKind.QuickFix, diagnostics }, edits: () => fix.edits }];
  });
}
