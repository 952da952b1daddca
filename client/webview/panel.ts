// The one state of the panel, and what its parts do with it: main.ts has it.
import type { FromPanel } from "../../protocol/panel.ts";
import type { PanelState } from "./state.ts";

export interface Panel {
  readonly state: PanelState;
  /** Becomes a part of the state, and is drawn. */
  update(change: Partial<PanelState>): void;
  /** At once: for what looks at the document next. */
  draw(): void;
  /** Keeps the form over a reload of the window. */
  remember(): void;
  post(message: FromPanel): void;
}
