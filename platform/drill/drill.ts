// Runs a formula or a table through ten bad days, each in a sandbox of its own. Reports what its user would see, and what to do about it.

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../base/defined.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import { type Day, DRILL_SCENARIOS, type DrilledDay, type DrillReport } from "../../protocol/drill.ts";
import type { RunReport, RunTarget } from "../../protocol/run.ts";
import { asksProvider, isOAuthType } from "../../spec/auth-types.ts";
import { sandboxAccount } from "../connect/sandbox-account.ts";
import { PackAuthError } from "../errors.ts";
import type { Pack } from "../process/pack.ts";
import { run } from "../runs/run.ts";
import type { RunInput } from "../runs/run-input.ts";
import { observe } from "../runs/run-observer.ts";
import type { RunWorld } from "../runs/run-world.ts";
import { scopesWith } from "../runs/scopes.ts";
import type { Sandbox } from "../sandbox/launch.ts";
import type { SwitchRequest } from "../sandbox/protocol.ts";
import { stubsFilePath } from "../sandbox/stubs.ts";
import { judge } from "./judge.ts";

interface DrillOptions {
  readonly sandbox: Pick<Sandbox, "register" | "change">;
  /** A folder that only this drill uses. */
  readonly folder: string;
  readonly packName: string;
  readonly signal: AbortSignal;
  /** Reports a day that has ended. The days run concurrently, and end in any order. */
  readonly onDay?: (day: DrilledDay) => void;
}

/** Time limit of one execution in milliseconds. It is longer than the sandbox's slow response. */
const TIME_LIMIT = 20_000;

/** Milliseconds of a whole run, which for a table has an execution for each page. */
const RUN_LIMIT = 60_000;

const TITLES: Readonly<Record<Day, string>> = {
  "expired-token": "The access token expired",
  "refresh-revoked": "The refresh token was revoked",
  "rotation-lost": "The refresh token was used already",
  "other-scheme": "401, with another scheme",
  "missing-scope": "403, a scope is missing",
  "too-many-requests": "429, too many requests",
  "server-error": "500, with an HTML page",
  "slow-answer": "A slow answer",
  "cut-answer": "Half of an answer",
  "other-endpoint": "An account at another endpoint",
};

/** The sandbox's fault on each day. */
const TROUBLE: Readonly<Record<Day, Omit<SwitchRequest, "entry">>> = {
  "expired-token": { switches: {}, expireNow: true },
  "refresh-revoked": { switches: {}, expireNow: true, refreshTokens: "revoked" },
  "rotation-lost": { switches: {}, expireNow: true, refreshTokens: "used" },
  "other-scheme": { switches: { api: "401" } },
  "missing-scope": { switches: { api: "403" } },
  "too-many-requests": { switches: { api: "429" } },
  "server-error": { switches: { api: "500" } },
  "slow-answer": { switches: { api: "slow" } },
  "cut-answer": { switches: { api: "cut" } },
  "other-endpoint": { switches: {} },
};

/** Returns the report. Throws PackAuthError: sandbox-failed, or drill-failed if the good day fails or the API has no answer for it. */
export async function drill(pack: Pack, call: RunInput<Target>, options: DrillOptions): Promise<DrillReport> {
  const controller = new AbortController();
  const signal = AbortSignal.any([options.signal, controller.signal]);
  const input = { pack, call, ...options, signal };
  const good = goodDay(input);
  // The days run concurrently. The good day ends long before the day with the slow response.
  const drilled = DRILL_SCENARIOS.map(async (day): Promise<DrilledDay> => {
    const startedAt = Date.now();
    const ran = await onDay(day, input);
    const result = await good;
    const judged = "why" in ran ? { sees: ran.why } : judge(day, ran.report, result, ran.rename);
    const one = { day, title: TITLES[day], ...judged, ...("why" in ran ? {} : { duration: Date.now() - startedAt }) };
    options.onDay?.(one);
    return one;
  });
  try {
    await good;
    return { target: call.target.name, scenarios: await Promise.all(drilled) };
  } finally {
    controller.abort();
    await Promise.allSettled(drilled);
  }
}

type Target = RunTarget & { readonly name: string };

interface Drilled extends DrillOptions {
  readonly pack: Pack;
  readonly call: RunInput<Target>;
}

/** Resolves to the result of the good day. */
async function goodDay(input: Drilled): Promise<unknown> {
  const { name } = input.call.target;
  const { outcome, requests } = await runWith(input, await signInOn("good", input));
  // Hardly any pack can use an echo. Whether the run failed or not, its result comes from the sandbox.
  const echo = requests.find(({ echoed }) => echoed !== undefined)?.echoed;
  const remedy = echo === undefined ? [] : [echo.message, `Run ${name} in the sandbox: that run shows the answer to add to sandbox.json.`];
  if (outcome.status !== "succeeded") {
    const why =
      outcome.status === "failed" ? outcome.error.message : `It did not end within ${RUN_LIMIT / 1_000} s. Drill it with fewer rows.`;
    throw new PackAuthError("drill-failed", `${name} fails on a good day.`, { hint: [why, ...remedy].join(" ") });
  }
  if (echo !== undefined)
    throw new PackAuthError("drill-failed", `${name} has no good day to compare the bad ones with.`, { hint: remedy.join(" ") });
  if (requests.length === 0)
    throw new PackAuthError("drill-failed", `${name} sends no request, so nothing can go wrong with one.`, {
      hint: "Choose a formula that calls the API.",
    });
  return outcome.value;
}

/** Returns why a day is not possible for the pack, or undefined if it is possible. */
function whyNot(day: Day, { userAuthentication, systemAuthentication }: PackDefinition, { account }: RunWorld): string | undefined {
  const auth = userAuthentication ?? systemAuthentication;
  switch (day) {
    case "expired-token":
      return auth !== undefined && isOAuthType(auth.type) ? undefined : "The credential does not expire.";
    case "refresh-revoked":
    case "rotation-lost":
      return account?.credential.kind === "oauth2" && account.credential.refreshToken !== undefined
        ? undefined
        : "The account has no refresh token.";
    case "other-scheme":
      return account === undefined ? "The pack sends no credential." : undefined;
    case "missing-scope":
      return asksProvider(auth?.type) ? undefined : "The account has no scopes.";
    case "other-endpoint":
      return account?.endpoint === undefined ? "The account has no endpoint." : undefined;
    default:
      return undefined;
  }
}

/** Returns the sandbox's entry for a day. Each day has its own, so that no other day changes its provider and API. */
const packOf = ({ pack }: Drilled, day: Day | "good"): string => `${pack.entry}#${day}`;

async function signInOn(day: Day | "good", input: Drilled): Promise<RunWorld> {
  const { pack, call, sandbox, folder, packName, signal } = input;
  const { entry, definition } = pack;
  const registered = await sandbox.register({ entry: packOf(input, day), name: packName, definition, stubsFile: stubsFilePath(entry) });
  const storage = mkdtempSync(join(folder, `${day}-`));
  // On a good day the user has also granted the additional scopes of the formula.
  const scopes = asksProvider(definition.userAuthentication?.type) ? { scopes: scopesWith([], definition, call.target) } : {};
  return sandboxAccount(pack, definition, registered, { folder: storage, packName, signal, ...scopes });
}

/** A run that does not end in time is cancelled. */
function runWith({ call }: Drilled, at: RunWorld): Promise<RunReport> {
  const signal = AbortSignal.any([at.signal, AbortSignal.timeout(RUN_LIMIT)]);
  return run(call, { ...at, signal, timeLimit: TIME_LIMIT }, observe());
}

/** Signs in, applies the day's fault, and runs. */
async function onDay(
  day: Day,
  input: Drilled,
): Promise<{ readonly why: string } | { readonly report: RunReport; readonly rename?: (text: string) => string }> {
  const at = await signInOn(day, input);
  const why = whyNot(day, input.pack.definition, at);
  if (why !== undefined) return { why };
  await input.sandbox.change({ entry: packOf(input, day), ...TROUBLE[day] });
  if (day === "other-endpoint") return elsewhere(input, at);
  // The platform refreshes a token only after a run has failed with a 401, and then repeats the whole run.
  const { account } = at;
  const report = await runWith(input, account === undefined ? at : { ...at, account: withoutRefresh(account) });
  const { outcome, requests } = report;
  const isRefused = outcome.status === "failed" && outcome.error.code === "StatusCodeError" && requests.at(-1)?.status === 401;
  if (!isRefused || account?.refresh === undefined) return { report };
  const isFresh = await account.refresh(account.credential).then(
    (fresh) => fresh !== undefined,
    () => false,
  );
  return { report: isFresh ? await runWith(input, at) : report };
}

const withoutRefresh = (account: NonNullable<RunWorld["account"]>): NonNullable<RunWorld["account"]> => ({
  scope: account.scope,
  credential: account.credential,
  ...defined({ endpoint: account.endpoint, sandboxOrigin: account.sandboxOrigin }),
});

/** Runs with the account at another host. The sandbox gives that host the answers of the first. */
async function elsewhere(input: Drilled, at: RunWorld) {
  const { account, fetch, sandboxOrigin } = at;
  const endpoint = account?.endpoint;
  if (account === undefined || endpoint === undefined || !URL.canParse(endpoint)) return { why: "The account has no endpoint." };
  const { host } = new URL(endpoint);
  const other = host.replace(/^[^.]+/, (name) => `${name}-other`);
  const report = await runWith(input, {
    ...at,
    account: { ...withoutRefresh(account), endpoint: endpoint.replace(host, other) },
    fetch: (url, init) => fetch(String(url).replace(`${sandboxOrigin}/${other}`, `${sandboxOrigin}/${host}`), init),
  });
  return { report, rename: (text: string) => text.replaceAll(other, host) };
}
