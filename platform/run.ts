// Runs a formula, a sync table or an auth function of a pack: its process, the broker that sends for it, and the report of what
// happened. Invariant: everything in a report went through the run's redactor.
import { randomUUID } from "node:crypto";
import type { AuthenticationDefinition, ConnectionRequirement } from "../protocol/definition.ts";
import type {
  AuthScope,
  ConsoleEntry,
  ParameterValue,
  ParityNote,
  RequestTrace,
  RunContext,
  RunOutcome,
  RunReport,
  RunTarget,
} from "../protocol/run.ts";
import { createBroker } from "./broker.ts";
import type { Credential } from "./credential.ts";
import { PackAuthError, reportOf } from "./errors.ts";
import type { Fetch } from "./host.ts";
import type { Pack } from "./pack.ts";
import { checkParameters, type TakesParameters } from "./parameters.ts";
import { createRedactor, type Redactor } from "./redact.ts";

/** An account as a run uses it. */
export interface RunAccount {
  readonly scope: AuthScope;
  readonly credential: Credential;
  readonly endpoint?: string;
  readonly sandboxOrigin?: string;
  /** A fresh credential after a 401, or undefined where there is none. */
  readonly refresh?: () => Promise<Credential | undefined>;
}

export interface RunOptions {
  readonly fetch: Fetch;
  readonly account?: RunAccount;
  readonly timezone?: string;
  readonly allowLoopback?: boolean;
  /** Milliseconds for one execution; 60,000 by default. */
  readonly timeLimit?: number;
  /** Rows of a sync table; 1,000 by default, 10,000 at most. */
  readonly rowLimit?: number;
  readonly signal?: AbortSignal;
  /** Knows further secrets than the account's. */
  readonly redactor?: Redactor;
  readonly lookup?: (host: string) => Promise<readonly string[]>;
  /** A proxy resolves host names, so that their addresses cannot be checked here. */
  readonly behindProxy?: boolean;
  onRequest?(trace: RequestTrace): void;
  onConsole?(entry: ConsoleEntry): void;
  onRows?(count: number): void;
  onParity?(note: ParityNote): void;
  /** Executions that share it share a process; see {@link PackExecuteOptions.run}. */
  readonly run?: object;
}

const DEFAULT_ROWS = 1_000;
const MOST_ROWS = 10_000;
/** Pages without a row, one after the other, until a table counts as endless. */
const MOST_EMPTY_PAGES = 100;

/** Runs a target and reports; a failure is an outcome, not an exception. */
export async function run(pack: Pack, target: RunTarget, parameters: readonly ParameterValue[], options: RunOptions): Promise<RunReport> {
  const startedAt = Date.now();
  const requests: RequestTrace[] = [];
  const console: ConsoleEntry[] = [];
  const parity = new Set<string>();
  const process = {};
  const redactor = options.redactor ?? createRedactor();
  const account = options.account === undefined ? undefined : keepFresh(options.account);
  const observed: RunOptions = {
    ...options,
    ...(account === undefined ? {} : { account }),
    redactor,
    run: process,
    onRequest: (trace) => {
      requests.push(trace);
      options.onRequest?.(trace);
    },
    onConsole: (entry) => {
      console.push(entry);
      options.onConsole?.(entry);
    },
    onParity: (note) => {
      if (!parity.has(note.message)) options.onParity?.(note);
      parity.add(note.message);
    },
  };
  let outcome: RunOutcome;
  try {
    const given = checkedParameters(pack, target, parameters);
    outcome =
      target.kind === "syncTable"
        ? await runSyncTable(pack, target, given, observed)
        : succeeded(await execute(pack, target, given, observed));
  } catch (error) {
    outcome = { status: "failed", error: reportOf(error) };
  } finally {
    pack.finish(process);
  }
  for (const message of accountNotes(pack, options.account, requests)) parity.add(message);
  return redactor.redactValue({
    target,
    startedAt,
    duration: Date.now() - startedAt,
    outcome,
    requests,
    console,
    parity: [...parity].map((message) => ({ message })),
  });
}

/** The account whose credential is the newest one: what a page of a table refreshed, the next page starts with. */
function keepFresh(account: RunAccount): RunAccount {
  let { credential } = account;
  const { refresh } = account;
  return {
    ...account,
    get credential() {
      return credential;
    },
    ...(refresh === undefined
      ? {}
      : {
          refresh: async () => {
            const fresh = await refresh();
            if (fresh !== undefined) credential = fresh;
            return fresh;
          },
        }),
  };
}

function checkedParameters(pack: Pack, target: RunTarget, parameters: readonly ParameterValue[]): readonly ParameterValue[] {
  const runnable =
    target.kind === "formula" || target.kind === "syncTable" || target.kind === "update" ? runnableOf(pack, target) : undefined;
  return runnable === undefined ? parameters : checkParameters(parameters, runnable);
}

function succeeded(answer: { readonly value: unknown } | undefined): RunOutcome {
  return answer === undefined ? { status: "cancelled" } : { status: "succeeded", value: answer.value };
}

/** Pages through continuations until the table is done, the limit is reached or the run is stopped; what came is kept. */
async function runSyncTable(
  pack: Pack,
  target: RunTarget & { kind: "syncTable" },
  parameters: readonly ParameterValue[],
  options: RunOptions,
): Promise<RunOutcome> {
  const limit = Math.min(Math.max(1, options.rowLimit ?? DEFAULT_ROWS), MOST_ROWS);
  const rows: unknown[] = [];
  let continuation = target.continuation;
  let emptyPages = 0;
  for (;;) {
    const answer = await execute(pack, continuation === undefined ? target : { ...target, continuation }, parameters, options);
    if (answer === undefined) return { status: "cancelled", rows: rows.length, value: rows };
    const page = answer.value as { result?: unknown; continuation?: unknown } | null;
    if (page === null || typeof page !== "object" || !Array.isArray(page.result)) {
      throw new PackAuthError("pack-threw", "The sync table's execute returned no { result: [...] }.", {
        hint: "Return an object with result, a list of rows, and continuation while there are more.",
      });
    }
    rows.push(...page.result.slice(0, limit - rows.length));
    options.onRows?.(rows.length);
    continuation = page.continuation ?? undefined;
    if (continuation === undefined || rows.length >= limit) return { status: "succeeded", value: rows, rows: rows.length };
    emptyPages = page.result.length === 0 ? emptyPages + 1 : 0;
    if (emptyPages >= MOST_EMPTY_PAGES) {
      throw new PackAuthError(
        "pack-threw",
        `The sync table gave ${MOST_EMPTY_PAGES} pages in a row without a row, each with a continuation.`,
        {
          hint: "Return a continuation only while there are more rows.",
        },
      );
    }
  }
}

/**
 * Executes one target with an account's credentials applied by the broker; undefined when stopped. Throws PackAuthError, its
 * texts masked. What getConnectionName and getOptions run through, and each page of {@link run}.
 */
export async function execute(
  pack: Pack,
  target: RunTarget,
  parameters: readonly ParameterValue[],
  options: RunOptions,
): Promise<{ readonly value: unknown } | undefined> {
  const { authentication, requirement } = authenticationFor(pack, target, options.account);
  const redactor = options.redactor ?? createRedactor();
  if (options.account !== undefined) redactor.addCredential(options.account.credential);
  const context: RunContext = {
    invocationToken: randomUUID(),
    timezone: options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    invocationLocation: { protocolAndHost: "https://coda.io" },
    ...(options.account?.endpoint === undefined ? {} : { endpoint: options.account.endpoint }),
  };
  const refresh = options.account?.refresh;
  const broker = createBroker({
    definition: pack.definition,
    connectionRequirement: requirement,
    invocationToken: context.invocationToken,
    fetch: options.fetch,
    redactor,
    onTrace: (trace) => options.onRequest?.(trace),
    ...(authentication === undefined ? {} : { authentication }),
    ...(options.account === undefined ? {} : { credential: options.account.credential }),
    ...(context.endpoint === undefined ? {} : { endpoint: context.endpoint }),
    ...(options.account?.sandboxOrigin === undefined ? {} : { sandboxOrigin: options.account.sandboxOrigin }),
    ...(options.allowLoopback === undefined ? {} : { allowLoopback: options.allowLoopback }),
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    ...(refresh === undefined ? {} : { refresh }),
    ...(options.behindProxy === undefined ? {} : { behindProxy: options.behindProxy }),
    onParity: (message) => options.onParity?.({ message }),
  });
  try {
    return await pack.execute(
      target,
      parameters,
      context,
      { fetch: broker.fetch, console: (entry) => options.onConsole?.(redactor.redactValue(entry)) },
      {
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        ...(options.timeLimit === undefined ? {} : { timeLimit: options.timeLimit }),
        ...(options.run === undefined ? {} : { run: options.run }),
      },
    );
  } catch (error) {
    if (error instanceof PackAuthError) error.message = redactor.redact(error.message);
    throw error;
  }
}

/** Which authentication is in force. Throws account-required or unknown-formula. */
function authenticationFor(
  pack: Pack,
  target: RunTarget,
  account: RunAccount | undefined,
): { authentication: AuthenticationDefinition | undefined; requirement: ConnectionRequirement } {
  const { definition } = pack;
  const own =
    account === undefined ? undefined : account.scope === "system" ? definition.systemAuthentication : definition.userAuthentication;
  if (target.kind === "authentication") return { authentication: own, requirement: "required" };
  const runnable = runnableOf(pack, target);
  if (account?.scope !== "user" && needsAccount(pack, runnable.connectionRequirement)) {
    throw new PackAuthError("account-required", `${runnable.name} needs a connected account.`, {
      hint: "Connect a test account, or set connectionRequirement: ConnectionRequirement.None on it.",
    });
  }
  // A system account serves every run of the pack; a user's only those that take one.
  return { authentication: own, requirement: account?.scope === "system" ? "required" : runnable.connectionRequirement };
}

/** The formula or sync table that a target is, or belongs to. Throws unknown-formula. */
function runnableOf(
  pack: Pack,
  target: Exclude<RunTarget, { kind: "authentication" }>,
): TakesParameters & { readonly connectionRequirement: ConnectionRequirement } {
  const name = target.kind === "autocomplete" ? target.formula : target.kind === "propertyOptions" ? target.table : target.name;
  const isTable = target.kind === "autocomplete" ? target.ofSyncTable === true : target.kind !== "formula";
  const candidates = isTable ? pack.definition.syncTables : pack.definition.formulas;
  const runnable = candidates.find((candidate) => candidate.name === name);
  if (runnable !== undefined) return runnable;
  throw new PackAuthError("unknown-formula", `The pack has no ${isTable ? "sync table" : "formula"} ${name}.`, {
    hint: `It has: ${candidates.map((candidate) => candidate.name).join(", ") || "none"}.`,
  });
}

/** Whether a run cannot go without a user's account: by its requirement, where the pack has user authentication at all. */
function needsAccount(pack: Pack, requirement: ConnectionRequirement): boolean {
  const type = pack.definition.userAuthentication?.type;
  return requirement === "required" && type !== undefined && type !== "None";
}

/** What is different after upload because of the account, or of its absence. */
function* accountNotes(pack: Pack, account: RunAccount | undefined, requests: readonly RequestTrace[]): Iterable<string> {
  const { definition } = pack;
  if (account === undefined) {
    if (definition.systemAuthentication !== undefined && requests.length > 0)
      yield "The requests carried no credentials: the pack's system authentication has no account here. The platform applies it to every run.";
    return;
  }
  const auth = account.scope === "system" ? definition.systemAuthentication : definition.userAuthentication;
  if (auth === undefined || requests.length === 0) return;
  if (definition.networkDomains.length > 1 && auth.networkDomain === undefined) {
    yield `The pack declares several network domains (${definition.networkDomains.join(", ")}), and its authentication does not say with networkDomain which of them get the credentials: the platform rejects its upload.`;
  }
  if (account.endpoint !== undefined && auth.endpointDomain !== undefined && URL.canParse(account.endpoint)) {
    const host = new URL(account.endpoint).hostname;
    const domain = auth.endpointDomain.toLowerCase();
    if (host !== domain && !host.endsWith(`.${domain}`))
      yield `The account's endpoint ${host} is not under endpointDomain (${auth.endpointDomain}): the platform refuses requests to it.`;
  }
}
