// What a press in the panel does: it changes the state, or asks the host.
import { t } from "@vscode/l10n";
import { defined } from "../../protocol/defined.ts";
import type { FromPanel } from "../../protocol/panel.ts";
import type { Actions } from "./actions.ts";
import { fieldId } from "./form/field.ts";
import { fieldsOf, fieldTexts } from "./form/parameters.ts";
import type { Starter } from "./form/start-run.ts";
import type { Panel } from "./panel.ts";
import { ACCOUNT, DYNAMIC_URL, optionsField, suggestedValues, TOOL } from "./state.ts";

export function createActions(panel: Panel, starter: Starter): Actions {
  /** Asks the host what a field may hold; what was found before stays until the answer comes. */
  function ask(field: string, search: string, more: Pick<FromPanel & { type: "choices" }, "parameter" | "property">): void {
    if (panel.state.runnable === undefined) return;
    panel.update({
      choices: { ...panel.state.choices, [field]: { search, state: "asked", choices: panel.state.choices[field]?.choices ?? [] } },
    });
    const account = panel.state.account ? { account: panel.state.account } : {};
    panel.post({ type: "choices", field, search, fields: fieldTexts(panel.state.runnable, panel.state.values), ...more, ...account });
  }

  const actions: Actions = {
    run: () => starter.start("run", true),
    debug: () => starter.start("debug", true),
    saveTest: starter.saveTest,
    survey: starter.survey,
    update: (row) => starter.start("run", true, { update: row }),
    readNew: () => starter.start("run", true, { sinceShown: true }),
    cancel: () => panel.post({ type: "cancel" }),
    connect: starter.connect,
    copy: (text, what) => panel.post({ type: "copy", text, what }),
    save: (name, text) => panel.post({ type: "save", name, text }),
    open: (location) => panel.post({ type: "open", location }),
    openLink: (url) => panel.post({ type: "openLink", url }),
    openConfiguration: (configPath) => panel.post({ type: "openConfiguration", configPath }),
    lookAgain: () => panel.post({ type: "ready" }),
    openResult: () => panel.post({ type: "openResult" }),
    applyRemedy: (remedy) => panel.post({ type: "remedy", remedy }),
    addAnswer: (request) => panel.post({ type: "addAnswer", request }),
    useAnswer: (request) => panel.post({ type: "useAnswer", request }),
    makeSchema: (request) => panel.post({ type: "makeSchema", request }),
    setAccount(account) {
      const { [ACCOUNT]: _solved, ...problems } = panel.state.problems;
      panel.update({ account, problems, held: undefined, choices: {} });
      panel.remember();
    },
    setValue(key, value) {
      const { [key]: _solved, ...problems } = panel.state.problems;
      panel.update({ values: { ...panel.state.values, [key]: value }, problems });
      panel.remember();
    },
    setTool(name) {
      const { runnable, values } = panel.state;
      if (runnable?.kind !== "mcpServer") return;
      const tool = runnable.tools.find((each) => each.name === name);
      panel.update({ values: { ...suggestedValues(tool?.parameters ?? []), ...values, [TOOL]: name }, problems: {} });
      panel.remember();
    },
    useTool(name) {
      actions.setTool(name);
      const { runnable, values } = panel.state;
      const [first] = runnable === undefined ? [] : fieldsOf(runnable, values).filter(({ parameter }) => !parameter.optional);
      panel.draw();
      document.getElementById(first === undefined ? "run" : fieldId(first.key))?.focus();
    },
    setDateAsText(key, isText) {
      const others = panel.state.datesAsText.filter((other) => other !== key);
      panel.update({ datesAsText: isText ? [...others, key] : others });
      starter.focusField(key);
    },
    setKept(isKept) {
      panel.update({ isKept });
      panel.remember();
      panel.post({ type: "keepPanel", isKept });
    },
    setRunOnSave(runOnSave) {
      panel.update({ runOnSave });
      panel.remember();
    },
    askChoices: (field, parameter, search) => ask(field, search, defined({ parameter })),
    askOptions(name, row, search) {
      const dynamicUrl = panel.state.values[DYNAMIC_URL]?.trim();
      ask(optionsField(name), search, { property: { name, row, ...(dynamicUrl ? { dynamicUrl } : {}) } });
    },
    setTab: (tab) => panel.update({ tab }),
    setView: (view) => panel.update({ view }),
    setFilter: (filter) => panel.update({ filter, row: undefined }),
    setOrder: (order) => panel.update({ order, row: undefined }),
    setRow: (row) => panel.update({ row }),
    recall: (id) => panel.post({ type: "recall", id }),
    runAgain(id) {
      const entry = panel.state.history.find((known) => known.id === id);
      if (entry === undefined || panel.state.running) return;
      // As it was, or not at all: with another account it would be another run.
      const { account = "", values } = entry.input;
      const isGone = account !== "" && !panel.state.accounts.some(({ id }) => id === account);
      const problem = t`Choose an account. The account ${entry.account ?? t`of that run`} does not exist any more.`;
      panel.update({ values, tab: "result", account: isGone ? "" : account, problems: isGone ? { [ACCOUNT]: problem } : {} });
      if (isGone) {
        panel.draw();
        document.getElementById("account")?.focus();
        return;
      }
      panel.remember();
      actions.run();
    },
    pin: (id, pinned) => panel.post({ type: "pin", id, pinned }),
    rename: (id) => panel.post({ type: "rename", id }),
    forget: (id) => panel.post({ type: "forget", id }),
    choose: (id, chosen) =>
      panel.update({ chosen: chosen ? [...panel.state.chosen, id] : panel.state.chosen.filter((other) => other !== id) }),
    compare() {
      const [first, second] = panel.state.chosen;
      if (first !== undefined && second !== undefined) panel.post({ type: "compare", ids: [first, second] });
    },
  };
  return actions;
}
