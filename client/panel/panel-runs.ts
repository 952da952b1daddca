// The runs of a panel, one at a time: with the selected account, with live progress, and masked before they are shown or stored.

import { randomUUID } from "node:crypto";
import { defined } from "../../base/defined.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import { reportOf } from "../../platform/errors.ts";
import { keepRunFacts } from "../../platform/evidence/run-facts.ts";
import { isSameFile } from "../../platform/files/file-names.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { type RunRecord, recordRun } from "../../platform/recordings/record-run.ts";
import { createFetchCache } from "../../platform/requests/fetch-cache.ts";
import { loopbackRemedies } from "../../platform/runs/remedies.ts";
import { expectedResult } from "../../platform/sandbox/propose-stub.ts";
import { switchRemedies } from "../../platform/sandbox/switch-remedies.ts";
import { SWITCHES_OFF } from "../../platform/sandbox/switches.ts";
import { createRedactor } from "../../platform/secrets/redact.ts";
import type { McpTarget, McpTool } from "../../protocol/mcp.ts";
import type { FromPanel, RunnableArgument } from "../../protocol/panel.ts";
import type { ConsoleEntry, ParameterValue, RequestTrace, RunReport, RunTarget } from "../../protocol/run.ts";
import { runAccount } from "../accounts/run-account.ts";
import { createSampleStubs } from "../commands/add-stub.ts";
import { startDebugRun } from "../debugging/debug-run.ts";
import type { Services } from "../services.ts";
import { runSettings } from "../settings.ts";
import { confirm } from "../shown/messages.ts";
import type { AccountsOfPanel } from "./panel-accounts.ts";
import { type ReadForm, readForm } from "./read-form.ts";
import { reportUnderWay } from "./report-under-way.ts";
import { runnableKeyOf } from "./run-history.ts";
import { findRunnable, mcpTargetOf, requireRunnable, targetOf, toolForm } from "./runnable.ts";
import type { SessionParts } from "./session-parts.ts";

/** The most attempts for one run, each with more samples of the sandbox. */
const MOST_ATTEMPTS = 5;

export interface PanelRuns {
  /** Does nothing while another run is in progress. */
  start(message: FromPanel & { type: "run" | "debug" }): Promise<void>;
  cancel(): void;
  isRunning(): boolean;
  /** The report in view: of the last run, or one from the history. */
  readonly shownReport: RunReport | undefined;
  /** The requests and responses of the run in view; undefined if it came from the history. */
  readonly record: RunRecord<RunTarget | McpTarget> | undefined;
  show(report: RunReport): void;
  /** The tools of the MCP server from its last list. */
  readonly tools: readonly McpTool[];
}

export function createPanelRuns(
  services: Services,
  target: RunnableArgument,
  { history, post }: Pick<SessionParts, "history" | "post">,
  accounts: AccountsOfPanel,
): PanelRuns {
  let running: AbortController | undefined;
  /** The responses that the pack caches between runs (cacheTtlSecs). */
  const fetchCache = createFetchCache();
  let tools: readonly McpTool[] = [];
  let shownReport: RunReport | undefined;
  let record: RunRecord<RunTarget | McpTarget> | undefined;
  return {
    start,
    cancel: () => running?.abort(),
    isRunning: () => running !== undefined,
    get shownReport() {
      return shownReport;
    },
    get record() {
      return record;
    },
    show(report) {
      shownReport = report;
      record = undefined;
    },
    get tools() {
      return tools;
    },
  };

  /** `values`: the values of the form, in the order of its fields. */
  function runTargetOf(message: FromPanel & { type: "run" | "debug" }, values: readonly ParameterValue[]): RunTarget | McpTarget {
    const { kind, name } = target;
    return kind === "mcpServer" ? mcpTargetOf(name, toolOf(message), values) : targetOf({ ...target, kind }, message, shownReport);
  }

  function toolOf({ tool }: FromPanel & { type: "run" | "debug" }): McpTool | undefined {
    return tools.find(({ name }) => name === tool);
  }

  /**
   * Adds the remedies that only the editor has: turning off the sandbox's switches that caused the failure, and the setting for requests to
   * this machine.
   */
  function withEditorRemedies(report: RunReport, domains: readonly string[]): RunReport {
    const { outcome, requests } = report;
    if (outcome.status !== "failed") return report;
    const switches = services.packs.sandboxes.list().find(({ entry }) => isSameFile(entry, target.entry))?.switches ?? SWITCHES_OFF;
    const remedies = [
      ...(outcome.error.remedies ?? []),
      ...switchRemedies(switches, outcome.error, requests),
      ...loopbackRemedies(requests, domains, runSettings().allowLoopback),
    ];
    return remedies.length === 0 ? report : { ...report, outcome: { ...outcome, error: { ...outcome.error, remedies } } };
  }

  async function start(message: FromPanel & { type: "run" | "debug" }): Promise<void> {
    if (running !== undefined) return;
    const abort = new AbortController();
    running = abort;
    const debug =
      message.type === "debug"
        ? startDebugRun(target.name, target.entry, {
            stop: () => abort.abort(),
            paused: (isPaused) => post({ type: "paused", isPaused }),
          })
        : undefined;
    post({ type: "started" });
    const underWay = reportUnderWay((requests) => post({ type: "underWay", requests }));
    const startedAt = Date.now();
    let runTarget = runTargetOf(message, []);
    const redactor = createRedactor();
    let account: Account | undefined;
    try {
      const pack = await openWithTarget().catch(unavailable);
      if (pack === undefined) return;
      const form = read(pack);
      if (Object.keys(form.problems).length > 0) {
        post({ type: "notStarted", problems: form.problems });
        return;
      }
      runTarget = runTargetOf(message, form.parameters);
      account = await accounts.choose(pack, message.account);
      // The editor stores secrets in another process, so concurrent requests for them save time.
      const pendingAccount = account === undefined ? undefined : runAccount(services, pack, account);
      pendingAccount?.catch(() => {});
      if (account !== undefined) {
        await accounts.remember(account);
        // A stored credential is masked even if it turns out to be unusable.
        const stored = await services.accounts.credential(account.id);
        if (stored !== undefined) redactor.addCredential(stored);
      }
      const usable = await pendingAccount;
      if (usable !== undefined) redactor.addCredential(usable.credential);
      const options = {
        fetch: services.host().fetch,
        signal: abort.signal,
        redactor,
        fetchCache,
        ...runSettings(),
        ...defined({
          debug: await debug?.options,
          account: usable,
          rowLimit: message.rowLimit,
          source: message.asAssistant === true ? ("Go" as const) : undefined,
          sandboxOrigin: message.atSandbox === true ? await services.packs.sandboxes.origin(pack) : undefined,
        }),
        mayCall: (tool: McpTool) => mayCall(tool, account),
        onSending: underWay.begin,
        onSent: underWay.end,
        onRequest: (request: RequestTrace) => post({ type: "request", request }),
        onConsole: (entry: ConsoleEntry) => post({ type: "console", entry }),
        onRows: (count: number) => post({ type: "rows", count }),
      };
      let recorded = await recordRun(pack, runTarget, form.parameters, options);
      // Each attempt may reach a further request that the sandbox cannot answer.
      for (let attempts = 1; attempts < MOST_ATTEMPTS && (await addSamples(pack, recorded.report)); attempts++) {
        post({ type: "started" });
        recorded = await recordRun(pack, runTarget, form.parameters, options);
      }
      finish(recorded.report, recorded, pack.definition.networkDomains);
      await keepRunFacts(services.host(), pack, recorded.report, usable);
    } catch (error) {
      const outcome = { status: "failed", error: redactor.redactValue(reportOf(error)) } as const;
      finish({
        target: redactor.redactValue(runTarget),
        startedAt,
        duration: Date.now() - startedAt,
        outcome,
        requests: [],
        console: [],
        platformDifferences: [],
      });
    } finally {
      underWay.stop();
      debug?.dispose();
      running = undefined;
    }

    /** Returns whether the sandbox now has samples for echoed requests on which the run failed. */
    async function addSamples({ definition }: Pack, report: RunReport): Promise<boolean> {
      if (report.outcome.status !== "failed" || debug !== undefined || message.update !== undefined || abort.signal.aborted) return false;
      const samples = await createSampleStubs(services.server, report.requests, expectedResult(report, definition));
      if (samples.length === 0) return false;
      // A sandbox outside the editor may have a version without samples.
      return services.packs.sandboxes.addSamples(target.entry, samples).then(
        () => true,
        () => false,
      );
    }

    async function openWithTarget(): Promise<Pack> {
      const pack = await services.packs.saveAndOpen(target.entry);
      requireRunnable(pack, target);
      return pack;
    }

    /** Nothing ran, so the previous result stays. */
    function unavailable(error: unknown): undefined {
      post({ type: "notStarted", problems: {} });
      post({ type: "unavailable", error: reportOf(error) });
    }

    function read(pack: Pack): ReadForm {
      const definition = findRunnable(pack, target)?.definition;
      const tool = toolOf(message);
      const formDefinition = definition === undefined || tool === undefined ? definition : { ...definition, ...toolForm(tool) };
      return readForm(message.fields, formDefinition, runSettings().timezone);
    }

    function finish(runReport: RunReport, recorded?: RunRecord<RunTarget | McpTarget>, domains: readonly string[] = []): void {
      const withRemedies = withEditorRemedies(runReport, domains);
      const pausedTime = debug?.pausedTime() ?? 0;
      const report = { ...withRemedies, duration: Math.max(0, withRemedies.duration - pausedTime) };
      shownReport = report;
      record = recorded;
      if (report.target.kind === "mcpServer" && report.outcome.status === "succeeded") {
        tools = report.outcome.value as readonly McpTool[];
        post({ type: "tools", tools: tools.map(toolForm) });
      }
      const id = randomUUID();
      const values = redactor.redactValue(message.values);
      const isMasked = JSON.stringify(values) !== JSON.stringify(message.values);
      post({ type: "finished", report, id, ...(isMasked ? { values } : {}) });
      // An edit must not be repeatable from the history with a click.
      if (message.update !== undefined) return;
      // The history is stored, so the values are masked: a field may contain a typed credential.
      const input = { values, ...defined({ account: message.account }) };
      history
        .add(runnableKeyOf(target), input, report, account?.label, id)
        .catch((error: unknown) => services.showError(error, target.entry));
    }
  }
}

/** Asks as the platform asks its users. */
function mayCall({ name, title = name }: Pick<McpTool, "name" | "title">, account: Account | undefined): Promise<boolean> {
  const whose = account === undefined ? "" : ` with the real account ${account.label}`;
  return confirm(`Call ${title}? It may change data${whose}: its server does not mark it as read-only.`, "Call it");
}
