// Quick fixes of the diagnostics under the cursor, all of a kind in the file, everything on save (`source.fixAll.packAuth`), and
// refactorings. Edits are made when an action is chosen, where the client can wait for that.
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionTriggerKind,
  LSPErrorCodes,
  MessageType,
  ResponseError,
  ShowMessageNotification,
} from "vscode-languageserver/node";
import { INSTALL_TOOLKIT_COMMAND, type InstallToolkitParams } from "../../protocol/editor.ts";
import { createDraft, type Draft } from "../analysis/draft.ts";
import { fixedText, staysIn, unasked } from "../analysis/fix-all.ts";
import { fixInRounds, type InRounds } from "../analysis/fix-rounds.ts";
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
/** What more kinds have is fixed at once, too: an editor that does not resolve edits waits for all of them. */
const MOST_KINDS = 3;

/** Says what fixing all came to, once it is done. */
const TELL_FIXED = "packAuth.tellFixed";

export const commandOptions = { commands: [TELL_FIXED] };

/** An action without its edit. */
interface Offer {
  readonly action: CodeAction;
  make(): { readonly edits: readonly TextEdit[] } & Partial<InRounds>;
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
      const installing = installations(session, request);
      if (!session.client.resolvesEdits)
        return [
          ...installing,
          ...offers.flatMap((offer) => {
            const made = offer.make();
            return made.edits.length === 0
              ? []
              : [{ ...offer.action, edit: toWorkspaceEdit(session, made.edits), ...telling(made, context) }];
          }),
        ];
      const { only, triggerKind } = context;
      const versions = Object.fromEntries(session.versions);
      const toResolve = offers.map(({ action }, index) => {
        const data: Chosen = {
          request: {
            textDocument,
            range,
            context: { diagnostics: [], ...(only === undefined ? {} : { only }), ...(triggerKind === undefined ? {} : { triggerKind }) },
          },
          index,
          versions,
        };
        return { ...action, data };
      });
      return [...installing, ...toResolve];
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
      if (offer === undefined) return action;
      const made = offer.make();
      const edit = toWorkspaceEdit(session, made.edits);
      return { ...action, edit, ...(session.client.resolvesCommands ? telling(made, chosen.request.context) : {}) };
    });
  });
  session.connection.onExecuteCommand(({ command, arguments: [fixed, left] = [] }) => {
    if (command === TELL_FIXED && Number.isInteger(fixed) && Number.isInteger(left))
      void session.connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message: fixedText(fixed, left) });
  });
}

/** Where fixing all was asked for, the author is told what it came to; on save nobody asked. */
function telling({ fixed, left }: Partial<InRounds>, { triggerKind }: CodeActionParams["context"]): Pick<CodeAction, "command"> {
  return fixed === undefined || left === undefined || triggerKind !== CodeActionTriggerKind.Invoked
    ? {}
    : { command: { title: "Say what was fixed", command: TELL_FIXED, arguments: [fixed, left] } };
}

/** What edits no text: the client runs it in a terminal. One that has no such command shows it in the message. */
function installations(session: Session, { textDocument, range, context: { only } }: CodeActionParams): readonly CodeAction[] {
  const { analysis, client, docs } = session;
  const path = session.path(textDocument.uri);
  if (path === undefined || !client.installsToolkit || (only !== undefined && !only.includes(CodeActionKind.QuickFix))) return [];
  const text = session.text(path);
  const start = toOffset(text, range.start, client.encoding);
  const end = toOffset(text, range.end, client.encoding);
  const missing = analysis
    .diagnostics(path)
    .find(({ rule, place }) => rule === "toolkit-missing" && place.start <= end && place.end >= start);
  if (missing === undefined) return [];
  const title = "Install in terminal";
  const argument: InstallToolkitParams = { uri: textDocument.uri };
  const diagnostics = [toDiagnostic(missing, text, client.encoding, docs)];
  const command = { title, command: INSTALL_TOOLKIT_COMMAND, arguments: [argument] };
  return [{ title, kind: CodeActionKind.QuickFix, diagnostics, isPreferred: true, command }];
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
    ...(wants(FIX_ALL) && all.some((diagnostic) => unasked(diagnostic).length > 0)
      ? [{ action: { title: "Fix all Pack Auth problems", kind: FIX_ALL }, make: () => fixInRounds(draft(), path, unasked) }]
      : []),
    ...(Object.values(REFACTORINGS).some(wants)
      ? refactoringsAt(analysis, path, start)
          .filter(({ kind }) => wants(REFACTORINGS[kind]))
          .map(({ title, kind, edits }) => ({ action: { title, kind: REFACTORINGS[kind] }, make: () => ({ edits: edits(draft) }) }))
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
        isPreferred: unasked(diagnostic)[0]?.title === title,
      },
      make: () => ({ edits }),
    })),
  );
}

/** Of each kind under the cursor, where the file has it more than once. */
function allOfKind(here: readonly Diagnostic[], all: readonly Diagnostic[], path: string, draft: () => Draft): readonly Offer[] {
  const firstFix = ({ fixes }: Diagnostic) => fixes.slice(0, 1);
  const kinds = [...new Set(here.map(({ rule }) => rule))].slice(0, MOST_KINDS);
  return kinds.flatMap((rule) => {
    const same = all.filter((diagnostic) => diagnostic.rule === rule && firstFix(diagnostic).some((fix) => staysIn(fix, path)));
    return same.length < 2
      ? []
      : [
          {
            action: { title: `Fix all ${rule} problems in this file`, kind: CodeActionKind.QuickFix },
            make: () => ({
              edits: fixInRounds(draft(), path, (diagnostic) => (diagnostic.rule === rule ? firstFix(diagnostic) : [])).edits,
            }),
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
    return [{ action: { title: fix.title, kind: CodeActionKind.QuickFix, diagnostics }, make: () => ({ edits: fix.edits }) }];
  });
}
