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
  /** Rows of a sync table; 1,000 by default. */
  readonly rowLimit?: number;
  readonly signal?: AbortSignal;
  /** Knows further secrets than the account's. */
  readonly redactor?: Redactor;
  readonly lookup?: (host: string) => Promise<readonly string[]>;
  onRequest?(trace: RequestTrace): void;
  onConsole?(entry: ConsoleEntry): void;
  onRows?(count: number): void;
}

/** Runs a target and reports; a failure is an outcome, not an exception. */
export async function run(pack: Pack, target: RunTarget, parameters: readonly ParameterValue[], options: RunOptions): Promise<RunReport> {
  const startedAt = Date.now();
  const requests: RequestTrace[] = [];
  const console: ConsoleEntry[] = [];
  const redactor = knowSecrets(options.redactor ?? createRedactor(), options.account?.credential);
  const observed: RunOptions = {
    ...options,
    redactor,
    onRequest: (trace) => {
      requests.push(trace);
      options.onRequest?.(trace);
    },
    onConsole: (entry) => {
      console.push(entry);
      options.onConsole?.(entry);
    },
  };
  let outcome: RunOutcome;
  try {
    outcome =
      target.kind === "syncTable"
        ? await runSyncTable(pack, target, parameters, observed)
        : succeeded(await execute(pack, target, parameters, observed));
  } catch (error) {
    outcome = { status: "failed", error: reportOf(error) };
  }
  return redactor.redactValue({
    target,
    startedAt,
    duration: Date.now() - startedAt,
    outcome,
    requests,
    console,
    parity: parityOf(requests),
  });
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
  const limit = options.rowLimit ?? 1_000;
  const rows: unknown[] = [];
  let continuation = target.continuation;
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
  const redactor = knowSecrets(options.redactor ?? createRedactor(), options.account?.credential);
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
    ...(refresh === undefined
      ? {}
      : {
          refresh: async () => {
            const fresh = await refresh();
            knowSecrets(redactor, fresh);
            return fresh;
          },
        }),
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
  const name = target.kind === "autocomplete" ? target.formula : target.name;
  const isTable = target.kind === "syncTable" || (target.kind === "autocomplete" && target.ofSyncTable === true);
  const runnable = (isTable ? definition.syncTables : definition.formulas).find((candidate) => candidate.name === name);
  if (runnable === undefined) {
    throw new PackAuthError("unknown-formula", `The pack has no ${isTable ? "sync table" : "formula"} ${name}.`, {
      hint: `It has: ${(isTable ? definition.syncTables : definition.formulas).map((candidate) => candidate.name).join(", ") || "none"}.`,
    });
  }
  // A system account serves every run of the pack; a user's only those that take one.
  const requirement = account?.scope === "system" ? "required" : runnable.connectionRequirement;
  if (account === undefined && needsAccount(pack, runnable.connectionRequirement)) {
    throw new PackAuthError("account-required", `${name} needs a connected account.`, {
      hint: "Connect a test account, or set connectionRequirement: ConnectionRequirement.None on it.",
    });
  }
  return { authentication: own, requirement };
}

/** Whether a run cannot go without an account: by its requirement, where the pack has authentication at all. */
export function needsAccount(pack: Pack, requirement: ConnectionRequirement): boolean {
  const type = pack.definition.userAuthentication?.type;
  return requirement === "required" && type !== undefined && type !== "None";
}

/** Adds every secret of a credential to the redactor. */
export function knowSecrets(redactor: Redactor, credential: Credential | undefined): Redactor {
  if (credential === undefined) return redactor;
  switch (credential.kind) {
    case "token":
      redactor.add(credential.token);
      break;
    case "values":
      for (const value of Object.values(credential.values)) redactor.add(value);
      break;
    case "basic":
      redactor.add(credential.password === "" ? credential.username : credential.password);
      redactor.add(Buffer.from(`${credential.username}:${credential.password}`, "utf8").toString("base64"));
      break;
    case "oauth2":
      redactor.add(credential.accessToken);
      if (credential.refreshToken !== undefined) redactor.add(credential.refreshToken);
      break;
    case "aws":
      redactor.add(credential.secretAccessKey);
      if (credential.sessionToken !== undefined) redactor.add(credential.sessionToken);
      break;
  }
  return redactor;
}

function parityOf(requests: readonly RequestTrace[]): readonly ParityNote[] {
  const notes = requests.flatMap((request) => [
    ...request.warnings,
    ...(request.refused?.startsWith("Not sent: ") ? [`${request.refused} The platform refuses it too.`] : []),
  ]);
  return [...new Set(notes)].map((message) => ({ message }));
}
