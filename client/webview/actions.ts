// The actions of the panel's parts: they change the state, or send a message to the host.
import { defined } from "../../base/defined.ts";
import type { FromPanel, ResultView } from "../../protocol/panel.ts";
import type { AuthScope, RowUpdate } from "../../protocol/run.ts";
import { dynamicUrlOf, fieldId, fieldsOf, fieldTexts } from "./form/parameters.ts";
import { suggestedValues } from "./form/prefilled.ts";
import { REPETITIONS, repeatedKey, repetitions } from "./form/repetitions.ts";
import type { Starter } from "./form/start-run.ts";
import type { Panel } from "./panel.ts";
import type { Order } from "./result/rows.ts";
import { ACCOUNT, optionsField, type Tab, TOOL } from "./state.ts";

export type Actions = ReturnType<typeof createActions>;

export const createActions = (panel: Panel, starter: Starter) => ({
  /** Sends a message that changes nothing in the panel's state. */
  post: panel.post,
  ...runActions(panel, starter),
  ...formActions(panel),
  ...choiceActions(panel),
  ...viewActions(panel),
  ...historyActions(panel, starter),
});

const runActions = (panel: Panel, starter: Starter) => ({
  run: () => starter.start("run", true),
  debug: () => starter.start("debug", true),
  saveTest: () => starter.saveTest(),
  /** Writes a row back (two-way sync). */
  update: (row: RowUpdate) => starter.start("run", true, { update: row }),
  /** Reads what is new in the table since the shown result. */
  readNew: () => starter.start("run", true, { sinceShown: true }),
  cancel: () => panel.post({ type: "cancel" }),
  connect: (scope: AuthScope, account?: string) => starter.connect(scope, account),
});

function formActions(panel: Panel) {
  function setTool(name: string): void {
    const { runnable, values } = panel.state;
    if (runnable?.kind !== "mcpServer") return;
    const tool = runnable.tools.find((each) => each.name === name);
    panel.update({ values: { ...suggestedValues(tool?.parameters ?? []), ...values, [TOOL]: name }, problems: {} });
  }

  return {
    setAccount(account: string) {
      const { [ACCOUNT]: _solved, ...problems } = panel.state.problems;
      panel.update({ account, problems, startPrompt: undefined, choices: {} });
    },
    setValue(key: string, value: string) {
      const { [key]: _solved, ...problems } = panel.state.problems;
      panel.update({ values: { ...panel.state.values, [key]: value }, problems });
    },
    /** Adds a group of the repeated parameters, and focuses its first field. */
    addRepetition() {
      const { runnable, values } = panel.state;
      const count = repetitions(values);
      panel.update({ values: { ...values, [REPETITIONS]: String(count + 1) } });
      const [first] = runnable?.definition.varargParameters ?? [];
      if (first !== undefined) panel.focus(fieldId(repeatedKey(first.name, count)));
    },
    /** Selects the tool of an MCP server; an empty name lists the tools. */
    setTool,
    /** Selects a tool, and focuses the form. */
    useTool(name: string) {
      setTool(name);
      const { runnable, values } = panel.state;
      const first = runnable && fieldsOf(runnable, values).find(({ parameter }) => !parameter.optional);
      panel.focus(first === undefined ? "run" : fieldId(first.key));
    },
    /** Sets whether a date is typed instead of picked. */
    setDateAsText(key: string, isText: boolean) {
      const otherKeys = panel.state.datesAsText.filter((other) => other !== key);
      panel.update({ datesAsText: isText ? [...otherKeys, key] : otherKeys });
      panel.focus(fieldId(key));
    },
  };
}

function choiceActions(panel: Panel) {
  /** Requests the possible values of a field from the host. The previous values stay until the response. */
  function ask(field: string, search: string, more: Pick<FromPanel & { type: "choices" }, "parameter" | "property">): void {
    const { account, choices, runnable, values } = panel.state;
    if (runnable === undefined) return;
    panel.update({ choices: { ...choices, [field]: { search, state: "loading", choices: choices[field]?.choices ?? [] } } });
    const fields = fieldTexts(runnable, values);
    panel.post({ type: "choices", field, search, fields, ...more, ...defined({ account: account || undefined }) });
  }

  return {
    askChoices: (field: string, parameter: string | undefined, search: string) => ask(field, search, defined({ parameter })),
    /** Requests the possible values of a property in an edited row. */
    askOptions(name: string, row: Readonly<Record<string, unknown>>, search: string) {
      const dynamicUrl = dynamicUrlOf(panel.state.values);
      ask(optionsField(name), search, { property: { name, row, ...defined({ dynamicUrl }) } });
    },
  };
}

const viewActions = (panel: Panel) => ({
  setPinned(isPinned: boolean) {
    panel.update({ isPinned });
    panel.post({ type: "keepPanel", isPinned });
  },
  setRunOnSave: (runOnSave: boolean) => panel.update({ runOnSave }),
  setTab: (tab: Tab) => panel.update({ tab }),
  setView: (view: ResultView) => panel.update({ view }),
  setFilter: (filter: string) => panel.update({ filter, row: undefined }),
  setOrder: (order: Order | undefined) => panel.update({ order, row: undefined }),
  setRow: (row: number | undefined) => panel.update({ row }),
});

const historyActions = (panel: Panel, starter: Starter) => ({
  runAgain(id: string) {
    const entry = panel.state.history.find((candidate) => candidate.id === id);
    if (entry === undefined || panel.state.running) return;
    // The run is repeated with the same account or not at all: another account would make it another run.
    const { account = "", values } = entry.input;
    const isGone = account !== "" && !panel.state.accounts.some(({ id }) => id === account);
    const problem = `Choose an account. The account ${entry.account ?? "of that run"} does not exist any more.`;
    panel.update({ values, tab: "result", account: isGone ? "" : account, problems: isGone ? { [ACCOUNT]: problem } : {} });
    if (isGone) panel.focus(fieldId(ACCOUNT));
    else starter.start("run", true);
  },
  choose(id: string, chosen: boolean) {
    const otherIds = panel.state.chosen.filter((other) => other !== id);
    panel.update({ chosen: chosen ? [...otherIds, id] : otherIds });
  },
  compare() {
    const [first, second] = panel.state.chosen;
    if (first !== undefined && second !== undefined) panel.post({ type: "compare", ids: [first, second] });
  },
});
