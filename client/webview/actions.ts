// What the parts of the panel can do: made once, in panel-actions.ts.

import type { Survey } from "../../protocol/panel.ts";
import type { AuthScope, Remedy, RowUpdate, SourceLocation } from "../../protocol/run.ts";
import type { Order } from "./result/rows.ts";
import type { ResultView, Tab } from "./state.ts";

export interface Actions {
  run(): void;
  debug(): void;
  /** The form, run once and recorded. */
  saveTest(): void;
  /** With every account, or on the bad days of the sandbox. */
  survey(kind: Survey["kind"]): void;
  cancel(): void;
  /** Reads what is new in the table since the result that is shown. */
  readNew(): void;
  /** Writes a row back (two-way sync). */
  update(row: RowUpdate): void;
  /** Another account, or the picked one again where it needs that. */
  connect(scope: AuthScope, account?: string): void;
  /** `what` is named in the confirmation. */
  copy(text: string, what: string): void;
  save(name: string, text: string): void;
  open(location: SourceLocation): void;
  openLink(url: string): void;
  openConfiguration(configPath: string): void;
  applyRemedy(remedy: Remedy): void;
  /** At a pack that did not build or load. */
  lookAgain(): void;
  openResult(): void;
  /** For a request that the sandbox echoed. */
  addAnswer(request: number): void;
  /** For one that has an answer. */
  useAnswer(request: number): void;
  makeSchema(request: number): void;
  setAccount(id: string): void;
  setValue(key: string, value: string): void;
  /** Which tool of an MCP server is called; empty: its tools are listed. */
  setTool(name: string): void;
  /** The same, and the form is gone to. */
  useTool(name: string): void;
  /** Whether a date is written, and not picked. */
  setDateAsText(key: string, isText: boolean): void;
  setKept(isKept: boolean): void;
  setRunOnSave(on: boolean): void;
  /** What may be chosen for a property of a row that is edited. */
  askOptions(property: string, row: Readonly<Record<string, unknown>>, search: string): void;
  askChoices(key: string, parameter: string | undefined, search: string): void;
  setTab(tab: Tab): void;
  setView(view: ResultView): void;
  setFilter(filter: string): void;
  setOrder(order: Order | undefined): void;
  setRow(row: number | undefined): void;
  recall(id: string): void;
  runAgain(id: string): void;
  pin(id: string, pinned: boolean): void;
  rename(id: string): void;
  forget(id: string): void;
  choose(id: string, chosen: boolean): void;
  compare(): void;
}
