// The dependencies that a window passes to the session of a panel.
import type { LeftForm, ToPanel } from "../../protocol/panel.ts";
import type { ResultDocuments } from "./result-documents.ts";
import type { RunHistory } from "./run-history.ts";

export interface SessionParts {
  readonly history: RunHistory;
  readonly documents: ResultDocuments;
  /** Whether the webview is already loaded and shows another formula. */
  readonly isReady: boolean;
  /** The form as the author left it in the last panel. */
  readonly form?: LeftForm;
  post(message: ToPanel): void;
}
