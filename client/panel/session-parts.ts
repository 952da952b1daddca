// What a panel's session is given by its window.
import type { LeftForm, ToPanel } from "../../protocol/panel.ts";
import type { ResultDocuments } from "./result-documents.ts";
import type { RunHistory } from "./run-history.ts";

export interface SessionParts {
  readonly history: RunHistory;
  readonly documents: ResultDocuments;
  /** Whether the webview is there already, and shows another formula. */
  readonly isReady: boolean;
  /** As it was left when a panel showed it last. */
  readonly form?: LeftForm;
  post(message: ToPanel): void;
}
