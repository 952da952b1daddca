// Code actions: fixes of the diagnostics under the cursor, pages of their rules, all fixes of a kind, `source.fixAll.packAuth`, and
// refactorings. Edits are computed when an action is chosen, if the client supports that.

import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionTriggerKind,
  LSPErrorCodes,
  type Diagnostic as LspDiagnostic,
  ResponseError,
} from "vscode-languageserver/node";
import { defined } from "../../base/defined.ts";
import { CHANGE_TYPE_COMMAND, type ChangeTypeParams, INSTALL_TOOLKIT_COMMAND, type InstallToolkitParams } from "../../protocol/editor.ts";
import type { Analysis } from "../analysis/analysis.ts";
import { createDraft, type Draft } from "../analysis/draft.ts";
import { staysIn, unasked } from "../analysis/features/fixes/fix-all.ts";
import { fixInRounds, type InRounds } from "../analysis/features/fixes/fix-rounds.ts";
import type { Refactoring } from "../analysis/features/refactorings/refactoring.ts";
import { refactoringsAt } from "../analysis/features/refactorings/refactorings.ts";
import type { Diagnostic, Fix, TextEdit } from "../analysis/model/findings.ts";
import { isSettingsFile } from "../analysis/settings/settings.ts";
import { toDiagnostic } from "../convert.ts";
import type { Positions } from "../positions.ts";
import type { Session } from "../session.ts";
import { configureAnalysis } from "../settings.ts";
import { toWorkspaceEdit } from "../workspace-edit.ts";
import { reportFixed, showRule } from "./commands.ts";

const FIX_ALL = "source.fixAll.packAuth";

const REFACTORINGS: Readonly<Record<Refactoring["kind"], CodeActionKind>> = {
  rewrite: CodeActionKind.RefactorRewrite,
  extract: CodeActionKind.RefactorExtract,
};

export const codeActionOptions = {
  codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL, ...Object.values(REFACTORINGS)],
  resolveProvider: true,
};

/** Maximum number of diagnostics under the cursor for which fixes are offered. A whole file is better fixed at once. */
const MOST_HERE = 100;
/** Maximum number of kinds with an action that fixes all of the kind. An editor that does not resolve edits waits for all of these. */
const MOST_KINDS = 3;

/** Maximum number of types to change a configuration to, if the client shows each as an action of its own. */
const MOST_TYPES = 3;

/**
 * Number of characters. Each refactoring parses the source again, so a longer one gets none in an editor that would wait for all of them.
 */
const LONG_SOURCE = 100_000;

/** An action whose edit is computed on demand, or that needs none. */
interface Offer {
  readonly action: CodeAction;
  /** The type that the action changes a configuration to. */
  readonly type?: string;
  make?(): { readonly edits: readonly TextEdit[] } & Partial<InRounds>;
}

/** Converts a diagnostic for the editor. */
type Show = (diagnostic: Diagnostic) => LspDiagnostic;

/** Identifies an action when it is chosen, by its index among the actions of the same request for the same text. */
interface Chosen {
  readonly request: Pick<CodeActionParams, "textDocument" | "range" | "context">;
  readonly index: number;
  readonly versions: Readonly<Record<string, number>>;
}

export function handleCodeActions(session: Session): void {
  session.connection.onCodeAction((request) => {
    const { textDocument, range, context } = request;
    return session.about("code actions", textDocument.uri, [], (path, positions) => {
      const offers = offersFor(session, request, path, positions);
      if (!session.client.resolvesEdits)
        return offers.flatMap((offer) => {
          const outcome = offer.make?.();
          if (outcome === undefined) return [offer.action];
          return outcome.edits.length === 0
            ? []
            : [{ ...offer.action, edit: toWorkspaceEdit(session, outcome.edits), ...telling(outcome, context) }];
        });
      const { only, triggerKind } = context;
      const versions = Object.fromEntries([...session.documents].map(([uri, { version }]) => [uri, version]));
      const actions = offers.map(({ action, make }, index) => {
        if (make === undefined) return action;
        const data: Chosen = {
          request: { textDocument, range, context: { diagnostics: [], ...defined({ only, triggerKind }) } },
          index,
          versions,
        };
        return { ...action, data };
      });
      return session.client.asksForType ? withQuestion(offers, actions) : actions;
    });
  });
  session.connection.onCodeActionResolve((action) => {
    const chosen = action.data as Chosen | undefined;
    if (chosen === undefined) return action;
    // For another text, the list of actions would differ.
    const isSame = [...session.documents].every(([uri, { version }]) => chosen.versions[uri] === version);
    if (!isSame)
      return new ResponseError(LSPErrorCodes.ContentModified, "The file has changed since this was offered.") as unknown as CodeAction;
    return session.about("code action", chosen.request.textDocument.uri, action, (path, positions) => {
      const offer = offersFor(session, chosen.request, path, positions)[chosen.index];
      const outcome = offer?.make?.();
      if (outcome === undefined) return action;
      const edit = toWorkspaceEdit(session, outcome.edits);
      return { ...action, edit, ...(session.client.resolvesCommands ? telling(outcome, chosen.request.context) : {}) };
    });
  });
}

/** Replaces the actions for each type by one that asks for the type. */
function withQuestion(offers: readonly Offer[], actions: readonly CodeAction[]): CodeAction[] {
  const choices = offers.flatMap(({ type }, index) => (type === undefined ? [] : [{ name: type, action: actions[index] }]));
  const otherActions = actions.filter((_, index) => offers[index]?.type === undefined);
  if (choices.length === 0) return otherActions;
  const title = "Change the type…";
  const argument: ChangeTypeParams = { choices };
  return [...otherActions, { title, kind: REFACTORINGS.rewrite, command: { title, command: CHANGE_TYPE_COMMAND, arguments: [argument] } }];
}

/** Returns the command that reports the result to an author who requested fix-all. A fix-all on save is not reported. */
function telling({ fixed, left }: Partial<InRounds>, { triggerKind }: CodeActionParams["context"]): Pick<CodeAction, "command"> {
  return fixed === undefined || left === undefined || triggerKind !== CodeActionTriggerKind.Invoked
    ? {}
    : { command: reportFixed(fixed, left) };
}

function offersFor(
  session: Session,
  { textDocument, range, context }: Chosen["request"],
  path: string,
  positions: Positions,
): readonly Offer[] {
  const { analysis, client, docs } = session;
  const wants = (kind: string): boolean =>
    context.only === undefined || context.only.some((only) => kind === only || kind.startsWith(`${only}.`));
  const start = positions.offset(path, range.start);
  const end = positions.offset(path, range.end);
  if (isSettingsFile(path)) return wants(CodeActionKind.QuickFix) ? settingsFixes(analysis, path, start, end) : [];
  const show: Show = (diagnostic) => toDiagnostic(diagnostic, positions, docs);
  const draft = (): Draft => createDraft(analysis, path, (other) => configureAnalysis(session, other));
  const all = analysis.diagnostics(path);
  const here = all.filter(({ place }) => place.start <= end && place.end >= start).slice(0, MOST_HERE);
  return [
    ...(wants(CodeActionKind.QuickFix)
      ? [
          ...(client.installsToolkit ? installations(here, show, textDocument.uri) : []),
          ...quickFixes(here, show),
          ...allOfKind(here, all, path, draft),
          ...disabling(analysis.disableAll(path, here), here, show),
          ...(client.showsDocuments ? pages(here, show) : []),
        ]
      : []),
    ...(wants(FIX_ALL) && all.some((diagnostic) => unasked(diagnostic).length > 0)
      ? [{ action: { title: "Fix all Pack Auth problems", kind: FIX_ALL }, make: () => fixInRounds(draft(), path, unasked) }]
      : []),
    ...(Object.values(REFACTORINGS).some(wants) && (client.resolvesEdits || positions.text(path).length <= LONG_SOURCE)
      ? refactoringsAt(analysis, path, start)
          .filter(({ kind, type }, index) => wants(REFACTORINGS[kind]) && (type === undefined || client.asksForType || index < MOST_TYPES))
          .map(({ title, kind, type, edits }) => ({
            action: { title, kind: REFACTORINGS[kind] },
            ...defined({ type }),
            make: () => ({ edits: edits(draft) }),
          }))
      : []),
  ];
}

/** Returns the fixes of an account file's problems. Its diagnostics are pushed, so the actions do not name them. */
function settingsFixes(analysis: Analysis, path: string, from: number, to: number): readonly Offer[] {
  analysis.ignores(path);
  const problems = analysis.settingsFiles().find((file) => file.path === path)?.problems ?? [];
  return problems
    .filter(({ start, end }) => start <= to && end >= from)
    .flatMap(({ start, end, fix }) =>
      fix === undefined
        ? []
        : [
            {
              action: { title: fix.title, kind: CodeActionKind.QuickFix, isPreferred: true },
              make: () => ({ edits: [{ file: path, start, end, text: fix.text }] }),
            },
          ],
    );
}

/** Returns the action that installs the SDK in a terminal. For a client without this command, the diagnostic's message contains it. */
function installations(here: readonly Diagnostic[], show: Show, uri: string): readonly Offer[] {
  const missing = here.find(({ rule }) => rule === "toolkit-missing");
  if (missing === undefined) return [];
  const title = "Install in terminal";
  const argument: InstallToolkitParams = { uri };
  const command = { title, command: INSTALL_TOOLKIT_COMMAND, arguments: [argument] };
  return [{ action: { title, kind: CodeActionKind.QuickFix, diagnostics: [show(missing)], isPreferred: true, command } }];
}

function quickFixes(here: readonly Diagnostic[], show: Show): readonly Offer[] {
  return here.flatMap((diagnostic) =>
    diagnostic.fixes.map(({ title, edits }) => ({
      action: {
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [show(diagnostic)],
        // If there are several fixes, the author has to choose.
        isPreferred: unasked(diagnostic)[0]?.title === title,
      },
      make: () => ({ edits }),
    })),
  );
}

/** Returns the actions that fix all diagnostics of a kind, for each kind under the cursor that occurs more than once in the file. */
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

/** Returns the actions that disable a rule. They come after the fixes, as a last resort. */
function disabling(fixes: readonly (readonly Fix[])[], here: readonly Diagnostic[], show: Show): readonly Offer[] {
  const offers = here.flatMap((diagnostic, index) => {
    const diagnostics = [show(diagnostic)];
    return (fixes[index] ?? []).map(({ title, edits }, position) => ({
      // The first fix is for the line.
      isForFile: position > 0,
      action: { title, kind: CodeActionKind.QuickFix, diagnostics },
      make: () => ({ edits }),
    }));
  });
  // A rule with two diagnostics here is offered once for the file.
  return offers.filter(
    ({ action, isForFile }, index) => !isForFile || offers.findIndex((other) => other.action.title === action.title) === index,
  );
}

/** Returns the actions that open the rules' pages, for clients that can open them. */
function pages(here: readonly Diagnostic[], show: Show): readonly Offer[] {
  return [...new Set(here.map(({ rule }) => rule))].map((rule) => ({
    action: {
      title: `Show documentation for ${rule}`,
      kind: CodeActionKind.QuickFix,
      diagnostics: here.filter((diagnostic) => diagnostic.rule === rule).map(show),
      command: showRule(rule),
    },
  }));
}
