// The runs of a panel, one at a time: with the selected account, with live progress, and masked before they are shown or stored.

import { randomUUID } from "node:crypto";
import { defined } from "../../base/defined.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { failedReport, PackAuthError, reportOf, wordedRun } from "../../platform/errors.ts";
import { keepRunFacts } from "../../platform/evidence/run-facts.ts";
import { isSameFile } from "../../platform/files/file-names.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { type RunRecord, recordRun } from "../../platform/recordings/record-run.ts";
import { createFetchCache } from "../../platform/requests/fetch-cache.ts";
import { inputOf } from "../../platform/runs/run-input.ts";
import { observe } from "../../platform/runs/run-observer.ts";
import { worldOf } from "../../platform/runs/run-world.ts";
import { expectedResult } from "../../platform/sandbox/propose-stub.ts";
import { switchRemedies } from "../../platform/sandbox/switch-remedies.ts";
import { SWITCHES_OFF } from "../../platform/sandbox/switches.ts";
import { createRedactor } from "../../platform/secrets/redact.ts";
import type { McpTarget, McpTool } from "../../protocol/mcp.ts";
import type { FromPanel, RunnableArgument } from "../../protocol/panel.ts";
import type { ParameterValue, RunReport, RunTarget } from "../../protocol/run.ts";
import { runAccount } from "../accounts/run-account.ts";
import { createSampleStubs } from "../commands/add-stub.ts";
import { startDebugRun } from "../debugging/debug-run.ts";
import type { Services } from "../services.ts";
import { confirm } from "../shown/messages.ts";
import { nextStepText, shownReport } from "../shown/next-steps.ts";
import { callOf, timezone, worldSettings } from "../window/settings.ts";
import type { AccountsOfPanel } from "./panel-accounts.ts";
import { type ReadForm, readForm } from "./read-form.ts";
import { reportUnderWay } from "./report-under-way.ts";
import { runnableKeyOf } from "./run-history.ts";
import { findRunnable, mcpTargetOf, requireRunnable, targetOf, toolForm } from "./runnable.ts";
import type { SessionParts } from "./session-parts.ts";

/** The most attempts for one run, each with more samples of the sandbox. */
const MOST_ATTEMPTS = 5;

type StartMessage = FromPanel & { readonly type: "run" | "debug" };

interface PanelParts extends Pick<SessionParts, "history" | "post"> {
  readonly services: Services;
  readonly target: RunnableArgument;
  readonly accounts: AccountsOfPanel;
}

export class PanelRuns {
  readonly #parts: PanelParts;
  #running: PanelRun | undefined;
  /** The responses that the pack caches between runs (cacheTtlSecs). */
  readonly fetchCache = createFetchCache();
  /** The tools of the MCP server from its last list. */
  tools: readonly McpTool[] = [];
  /** The report in view: of the last run, or one from the history. */
  shownReport: RunReport | undefined;
  /** The requests and responses of the run in view; undefined if it came from the history. */
  record: RunRecord<RunTarget | McpTarget> | undefined;
  /** The ID of the account of that run. An account of an account file is not stored, so the run itself has no ID of it. */
  recordedWith: string | undefined;

  constructor(parts: PanelParts) {
    this.#parts = parts;
  }

  /** Does nothing while another run is in progress. */
  async start(message: StartMessage): Promise<void> {
    if (this.#running !== undefined) return;
    this.#running = new PanelRun(this.#parts, this, message);
    const storeFacts = await this.#running.execute().finally(() => {
      this.#running = undefined;
    });
    // The panel may start the next run as soon as it has the report, and a file that another process locks may take longer.
    await storeFacts?.();
  }

  cancel(): void {
    this.#running?.cancel();
  }

  isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Returns the pack of the run in progress; undefined if nothing runs. */
  async packOfRun(): Promise<Pack | undefined> {
    return this.#running?.pack;
  }

  show(report: RunReport, record?: RunRecord<RunTarget | McpTarget>, account?: Account): void {
    this.shownReport = report;
    this.record = record;
    this.recordedWith = account?.id;
  }
}

/** One run, from the message of the form to the entry of the history. */
class PanelRun {
  readonly #parts: PanelParts;
  readonly #runs: PanelRuns;
  readonly #message: StartMessage;
  readonly #abort = new AbortController();
  readonly #debug: ReturnType<typeof startDebugRun> | undefined;
  readonly #underWay: ReturnType<typeof reportUnderWay>;
  readonly #startedAt = Date.now();
  readonly #redactor = createRedactor();
  #target: RunTarget | McpTarget;
  #account: Account | undefined;
  /** The pack as this run opened it; undefined if it does not build. */
  readonly pack: Promise<Pack | undefined>;

  constructor(parts: PanelParts, runs: PanelRuns, message: StartMessage) {
    const { target, post } = parts;
    this.#parts = parts;
    this.#runs = runs;
    this.#message = message;
    this.#target = this.#targetOf([]);
    this.#debug =
      message.type === "debug"
        ? startDebugRun(target.name, target.entry, { stop: () => this.cancel(), paused: (isPaused) => post({ type: "paused", isPaused }) })
        : undefined;
    post({ type: "started" });
    this.#underWay = reportUnderWay((requests) => post({ type: "underWay", requests }));
    this.pack = this.#openPack();
  }

  /** Returns what stores the run's facts. */
  async execute(): Promise<(() => Promise<void>) | undefined> {
    try {
      const pack = await this.pack;
      if (pack === undefined) return undefined;
      const { parameters, problems } = this.#readForm(pack);
      if (Object.keys(problems).length > 0) {
        this.#parts.post({ type: "notStarted", problems });
        return undefined;
      }
      this.#target = this.#targetOf(parameters);
      const account = await this.#chooseAccount(pack);
      const recorded = await this.#recordRun(pack, parameters, account);
      this.#finish(this.#withEditorRemedies(recorded.report), recorded);
      return () => keepRunFacts(this.#parts.services.host(), pack, recorded.report, account);
    } catch (error) {
      this.#fail(error);
      return undefined;
    } finally {
      this.#underWay.stop();
      this.#debug?.dispose();
    }
  }

  cancel(): void {
    this.#abort.abort();
  }

  /** `values`: the values of the form, in the order of its fields. */
  #targetOf(values: readonly ParameterValue[]): RunTarget | McpTarget {
    const { target } = this.#parts;
    const { kind, name } = target;
    return kind === "mcpServer"
      ? mcpTargetOf(name, this.#tool(), values)
      : targetOf({ ...target, kind }, this.#message, this.#runs.shownReport);
  }

  #tool(): McpTool | undefined {
    return this.#runs.tools.find(({ name }) => name === this.#message.tool);
  }

  /** Returns undefined after it showed why the pack is unavailable. Nothing runs then, so the previous result stays. */
  async #openPack(): Promise<Pack | undefined> {
    const { services, target, post } = this.#parts;
    try {
      const pack = await services.packs.saveAndOpen(target.entry);
      requireRunnable(pack, target);
      return pack;
    } catch (error) {
      post({ type: "notStarted", problems: {} });
      // The pack itself builds, so the next change of a file would remove this reason from the panel.
      if (error instanceof PackAuthError && error.code === "storage-failed") void services.showError(error, target.entry);
      else post({ type: "unavailable", error: shownReport(error) });
      return undefined;
    }
  }

  #readForm(pack: Pack): ReadForm {
    const definition = findRunnable(pack, this.#parts.target)?.definition;
    const tool = this.#tool();
    const formDefinition = definition === undefined || tool === undefined ? definition : { ...definition, ...toolForm(tool) };
    return readForm(this.#message.fields, formDefinition, timezone());
  }

  /** Returns the account with its credential. A stored credential is masked even if it turns out to be unusable. */
  async #chooseAccount(pack: Pack): Promise<RunAccount | undefined> {
    const { services, accounts } = this.#parts;
    const account = await accounts.choose(pack, this.#message.account);
    if (account === undefined) return undefined;
    this.#account = account;
    // The editor stores secrets in another process, so concurrent requests for them save time.
    const pendingAccount = runAccount(services, pack, account, { signal: this.#abort.signal });
    pendingAccount.catch(() => {});
    await accounts.remember(account);
    const stored = await services.accounts.credential(account.id);
    if (stored !== undefined) this.#redactor.addCredential(stored);
    const usable = await pendingAccount;
    this.#redactor.addCredential(usable.credential);
    return usable;
  }

  /** Runs again after samples of the sandbox were added: each attempt may reach a further request that the sandbox cannot answer. */
  async #recordRun(
    pack: Pack,
    parameters: readonly ParameterValue[],
    account: RunAccount | undefined,
  ): Promise<RunRecord<RunTarget | McpTarget>> {
    const { services, post } = this.#parts;
    const world = worldOf(pack, services.host().fetch, {
      signal: this.#abort.signal,
      redactor: this.#redactor,
      fetchCache: this.#runs.fetchCache,
      ...worldSettings(),
      ...defined({
        debug: await this.#debug?.options,
        account,
        sandboxOrigin: this.#message.atSandbox === true ? await services.packs.sandboxes.origin(pack) : undefined,
      }),
      mayCall: (tool) => mayCall(tool, this.#account),
    });
    const observer = observe({
      onSending: this.#underWay.begin,
      onSent: this.#underWay.end,
      onRequest: (request) => post({ type: "request", request }),
      onConsole: (entry) => post({ type: "console", entry }),
      onRows: (count) => post({ type: "rows", count }),
    });
    const input = inputOf(this.#target, parameters, callOf(this.#message));
    for (let attempts = 1; ; attempts++) {
      const recorded = await recordRun(input, world, observer);
      if (attempts === MOST_ATTEMPTS || !(await this.#addSamples(pack, recorded.report))) return recorded;
      post({ type: "started" });
    }
  }

  /** Returns whether the sandbox now has samples for echoed requests on which the run failed. */
  async #addSamples({ definition }: Pack, report: RunReport): Promise<boolean> {
    if (report.outcome.status !== "failed" || this.#debug !== undefined) return false;
    if (this.#message.update !== undefined || this.#abort.signal.aborted) return false;
    const { services, target } = this.#parts;
    const samples = await createSampleStubs(services.server, report.requests, expectedResult(report, definition));
    if (samples.length === 0) return false;
    // A sandbox outside the editor may have a version without samples.
    return services.packs.sandboxes.addSamples(target.entry, samples).then(
      () => true,
      () => false,
    );
  }

  /**
   * Adds the remedies that only the editor has: turning off the sandbox's switches that caused the failure, and the setting for requests to
   * this machine.
   */
  #withEditorRemedies(report: RunReport): RunReport {
    const { outcome, requests } = report;
    if (outcome.status !== "failed") return report;
    const { services, target } = this.#parts;
    const switches = services.packs.sandboxes.list().find(({ entry }) => isSameFile(entry, target.entry))?.switches ?? SWITCHES_OFF;
    const remedies = [
      ...(outcome.error.remedies ?? []),
      ...switchRemedies(switches, outcome.error, requests),
      ...(outcome.error.nextStep?.do === "allowLoopback" ? [{ kind: "allowLoopback", label: "Allow this machine" } as const] : []),
    ];
    return remedies.length === 0 ? report : { ...report, outcome: { ...outcome, error: { ...outcome.error, remedies } } };
  }

  #fail(error: unknown): void {
    const target = this.#redactor.redactValue(this.#target);
    const report = failedReport(target, this.#startedAt, this.#redactor.redactValue(reportOf(error)));
    this.#finish(this.#withEditorRemedies(report));
  }

  /** Shows the report, and adds it to the history. */
  #finish(runReport: RunReport, recorded?: RunRecord<RunTarget | McpTarget>): void {
    const { services, target, history, post } = this.#parts;
    const { values: typedValues, account, update } = this.#message;
    const report = { ...wordedRun(runReport, nextStepText), duration: Math.max(0, runReport.duration - (this.#debug?.pausedTime() ?? 0)) };
    this.#runs.show(report, recorded, this.#account);
    if (report.target.kind === "mcpServer" && report.outcome.status === "succeeded") {
      this.#runs.tools = report.outcome.value as readonly McpTool[];
      post({ type: "tools", tools: this.#runs.tools.map(toolForm) });
    }
    const id = randomUUID();
    const values = this.#redactor.redactValue(typedValues);
    const isMasked = JSON.stringify(values) !== JSON.stringify(typedValues);
    post({ type: "finished", report, id, ...(isMasked ? { values } : {}) });
    // An edit must not be repeatable from the history with a click.
    if (update !== undefined) return;
    // The history is stored, so the values are masked: a field may contain a typed credential.
    const input = { values, ...defined({ account }) };
    history
      .add(runnableKeyOf(target), input, report, this.#account?.label, id)
      .catch((error: unknown) => services.showError(error, target.entry));
  }
}

/** Asks as the platform asks its users. */
function mayCall({ name, title = name }: Pick<McpTool, "name" | "title">, account: Account | undefined): Promise<boolean> {
  const whose = account === undefined ? "" : ` with the real account ${account.label}`;
  return confirm(`Call ${title}? It may change data${whose}: its server does not mark it as read-only.`, "Call it");
}
