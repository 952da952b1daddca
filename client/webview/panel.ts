// The interface to the panel's single state, which main.ts owns.
import type { FromPanel } from "../../protocol/panel.ts";
import type { PanelState } from "./state.ts";

export interface Panel {
  readonly state: PanelState;
  /** Changes the state, schedules a drawing, and stores the state for a reload of the window. */
  update(change: Partial<PanelState>): void;
  /** Draws immediately. */
  draw(): void;
  /** Draws immediately, then focuses an element by its ID. */
  focus(id: string): void;
  post(message: FromPanel): void;
}
