// The one state of the panel, and what its parts do with it: main.ts has it.
import type { FromPanel } from "../../protocol/panel.ts";
import type { PanelState } from "./state.ts";

export interface Panel {
  readonly state: PanelState;
  /** Becomes a part of the state, is drawn, and stays over a reload of the window. */
  update(change: Partial<PanelState>): void;
  /** At once. */
  draw(): void;
  /** Draws at once, then goes to an element by its id. */
  focus(id: string): void;
  post(message: FromPanel): void;
}
