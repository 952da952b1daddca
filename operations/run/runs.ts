// The runs of one call, in the sandbox or with an account. They share a sandbox, the network, and what a person answered.
import { createHash } from "node:crypto";
import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import type { Account } from "../../platform/accounts/account-files.ts";
import { isCalled, withId } from "../../platform/accounts/account-name.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { sandboxAccount } from "../../platform/connect/sandbox-account.ts";
import { usableAccount } from "../../platform/connect/usable-account.ts";
import { type PackAuthError, wholeMessage } from "../../platform/errors.ts";
import { keepRunFacts } from "../../platform/evidence/run-facts.ts";
import { recordRunOf } from "../../platform/evidence/run-record.ts";
import { TimeLimit } from "../../platform/network/time-limit.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { notInTime, TIME_LIMIT } from "../../platform/process/process-limits.ts";
import { definitionFor, runnableOf, withoutUser } from "../../platform/runs/authentication-in-force.ts";
import type { RunInput } from "../../platform/runs/run-input.ts";
import { observe, type RunObserver } from "../../platform/runs/run-observer.ts";
import { type RunWorld, worldOf } from "../../platform/runs/run-world.ts";
import type { Sandbox } from "../../platform/sandbox/launch.ts";
import { registerPack } from "../../platform/sandbox/register-pack.ts";
import { stubsFilePath } from "../../platform/sandbox/stubs.ts";
import { shortSecrets } from "../../platform/secrets/short-secrets.ts";
import { isTeamAccount, type TeamAccount, teamAccounts } from "../../platform/team/team-account.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import { isOfMcp, type McpTarget } from "../../protocol/mcp.ts";
import type { RunReport, RunTarget } from "../../protocol/run.ts";
import { InputError } from "../input-error.ts";
import type { Observer } from "../observer.ts";
import { sandboxSignIn } from "../sandbox/sandbox-sign-in.ts";
import type { World } from "../world.ts";
import type { EnvironmentAccount, Network, RunPermissions } from "./run-ground.ts";

/** Milliseconds that a person may take for all questions of one run. */
const TIME_FOR_PERSON = 15 * 60_000;

export interface RunCall {
  readonly pack: Pack;
  readonly input: RunInput<RunTarget | McpTarget>;
  /** What runs, as the caller named it. */
  readonly target: string;
  readonly sandbox: boolean;
  /** The label or ID of the account. */
  readonly account: string | undefined;
  readonly limits: Partial<Pick<RunWorld, "allowLoopback" | "timeLimit" | "mayCall">>;
}

/** The account of a run. */
export interface ChosenAccount extends Omit<EnvironmentAccount, "account"> {
  readonly account: RunAccount | undefined;
  /** What the run waits for, if an agent started it. */
  readonly waiting?: Waiting;
}

interface Waiting extends Pick<RunWorld, "permit">, Pick<RunPermissions, "refusal"> {
  /** Time that passes only while the run waits for no person. Code that never ends would otherwise run as long as a person may take. */
  readonly limit: TimeLimit;
  /** Aborted at the end of the limit. */
  readonly end: AbortSignal;
}

/** Runs what a world is for. */
type Work<Ran> = (world: RunWorld, observer: RunObserver) => Promise<Ran>;

export class Runs {
  readonly #world: World;
  readonly #observer: Pick<Observer<never>, "step" | "note">;
  #sandbox: Promise<Sandbox> | undefined;
  #network: Promise<Network> | undefined;
  readonly #fileAccounts = new Map<string, Promise<RunAccount>>();

  constructor(world: World, observer: Pick<Observer<never>, "step" | "note">) {
    this.#world = world;
    this.#observer = observer;
  }

  /** All real runs share connections. */
  network(): Promise<Network> {
    this.#network ??= this.#world.runs.openNetwork();
    return this.#network;
  }

  /** Runs in the sandbox or with an account, and records what the run showed. Throws PackAuthError before the run only. */
  async run<Ran extends { readonly report: RunReport }>(
    call: RunCall,
    handlers: Partial<RunObserver>,
    work: Work<Ran>,
  ): Promise<Ran & { readonly choice: ChosenAccount }> {
    if (!call.sandbox) return this.#runReal(call, handlers, work);
    const world = await this.#sandboxWorld(call);
    this.#observer.step("Running");
    const ran = await work({ ...world, ...call.limits, signal: this.#world.signal }, observe(handlers));
    const { storageFolder } = this.#world;
    // The sandbox shows nothing about the real API, but the formula was tried.
    if (storageFolder !== undefined) await recordRunOf({ storageFolder }, call.pack.entry, ran.report).catch(() => {});
    return { ...ran, choice: { account: world.account, variables: [], missingVariables: [] } };
  }

  async #sandboxWorld({ pack, input }: RunCall): Promise<RunWorld> {
    const world = this.#world;
    // The answers are read from this file, which may be a link.
    world.pathOf(stubsFilePath(pack.entry));
    this.#observer.step("Signing in at the sandbox");
    this.#sandbox ??= world.runs.hasRunningSandbox ? world.runningSandbox() : world.openSandbox();
    const registered = await registerPack(await this.#sandbox, pack);
    const folder = world.openFolder("pack-auth-sandbox-");
    return sandboxAccount(pack, definitionFor(input.target, pack.definition), registered, {
      folder,
      packName: packName(pack.entry),
      signal: world.signal,
    });
  }

  async #runReal<Ran extends { readonly report: RunReport }>(call: RunCall, handlers: Partial<RunObserver>, work: Work<Ran>) {
    const { pack, input, account: name, limits, target } = call;
    const { timeLimit = TIME_LIMIT } = limits;
    const { signal, storageFolder } = this.#world;
    const definition =
      name === undefined && needsNoAccount(input.target, pack)
        ? withoutUser(pack.definition)
        : definitionFor(input.target, pack.definition);
    const choice = await this.chooseAccount(pack, definition, { name, target, timeLimit });
    const { account, waiting } = choice;
    try {
      const { lookup, ...network } = await this.network();
      const world = worldOf(pack, network.fetch, {
        ...network,
        ...limits,
        ...defined({ account, lookup, permit: waiting?.permit }),
        signal: waiting === undefined ? signal : AbortSignal.any([signal, waiting.end]),
        timeLimit: waiting === undefined ? timeLimit : timeLimit + TIME_FOR_PERSON,
      });
      const ran = await work(world, observe({ ...handlers, ...(waiting && { onRequest: () => waiting.limit.restart() }) }));
      if (waiting?.end.aborted === true && !signal.aborted) throw notInTime("execute", timeLimit, undefined);
      if (storageFolder !== undefined) await keepRunFacts({ storageFolder, log: () => {} }, pack, ran.report, account);
      return { ...ran, report: withRefusal(ran.report, waiting?.refusal()), choice };
    } finally {
      waiting?.limit.clear();
    }
  }

  /**
   * Returns the account with the name, or without one the account that a run uses by default. `definition` contains the authentications to
   * use. Throws InputError if several accounts fit, and PackAuthError.
   */
  async chooseAccount(
    pack: Pack,
    definition: PackDefinition,
    call: { readonly name: string | undefined; readonly target: string; readonly timeLimit: number },
  ): Promise<ChosenAccount> {
    const { runs } = this.#world;
    const { name } = call;
    const { note } = this.#observer;
    const isHere = ({ scope, sandboxOrigin }: Account): boolean =>
      definition[`${scope}Authentication`] !== undefined && (runs.guard === undefined || sandboxOrigin === undefined);
    const isCandidate = (account: Account): boolean => isHere(account) && (name === undefined || isCalled(account, name));
    // Only a person's choice reads references. Other accounts work without the file.
    const { accounts: inFile, problem } = name === undefined ? { accounts: [] } : teamAccounts(pack.entry);
    if (problem !== undefined) note(wholeMessage(problem, this.#world.words));
    const ofFile = inFile.filter(isCandidate);
    // An account of the file says itself which variables it reads, so the environment has no other account with its label.
    const environment = ofFile.length > 0 ? { variables: [], missingVariables: [] } : runs.environmentAccount(definition, name);
    if (environment.account !== undefined) return { ...environment, account: environment.account };
    const stored = await runs.storedAccounts(pack.entry, (file) =>
      note(`The account in ${file} cannot be read. Delete the file, and connect again.`),
    );
    const account = onlyOne(stored.filter(isCandidate)) ?? onlyOne(ofFile);
    if (account !== undefined) return { ...environment, ...(await this.#open(pack, account, call)) };
    // What an agent's run without an account sends could carry what another run read.
    if (name === undefined && runs.guard === undefined) return { ...environment, account: undefined };
    const { missingVariables } = environment;
    throw runs.noAccount({ entry: pack.entry, name, accounts: [...stored, ...inFile].filter(isHere), problem, missingVariables });
  }

  /** Opens an account. If an agent started the run, the person is asked before each use of it. Throws PackAuthError. */
  async #open(
    pack: Pack,
    listed: Account,
    { target, timeLimit }: { readonly target: string; readonly timeLimit: number },
  ): Promise<Pick<ChosenAccount, "account" | "waiting">> {
    const { runs, signal } = this.#world;
    let account = isTeamAccount(listed) ? await this.#useFileAccount(pack, listed) : undefined;
    if (account !== undefined && runs.guard === undefined) return { account };
    const { accounts, platform } = await this.#world.openStore();
    const host = { accounts, host: platform, sandbox: () => sandboxSignIn(this.#world, pack, listed.scope) };
    if (runs.guard === undefined) return { account: await usableAccount(pack, listed, host) };
    const stored = account === undefined ? await accounts.secret(listed.id) : undefined;
    const credential = account?.credential ?? stored?.credential;
    const { permit, permitRefresh, refusal } = runs.guard(
      {
        pack,
        account: listed,
        target,
        signIn: () => account?.signIn ?? stored?.signIn ?? digestOf(credential),
        unmasked: credential === undefined ? [] : shortSecrets(credential),
      },
      signal,
    );
    this.#observer.step("Waiting for the person, if they have not yet agreed");
    const end = new AbortController();
    const limit = new TimeLimit(timeLimit, () => end.abort());
    try {
      account ??= await usableAccount(pack, listed, { ...host, permitRefresh: () => limit.suspendedFor(permitRefresh()) });
    } catch (error) {
      limit.clear();
      throw error;
    }
    return { account, waiting: { limit, end: end.signal, refusal, permit: (...request) => limit.suspendedFor(permit(...request)) } };
  }

  /** Each test of a call would otherwise ask the person or 1Password again. */
  #useFileAccount(pack: Pack, account: TeamAccount): Promise<RunAccount> {
    const key = JSON.stringify([pack.entry, account.inFile]);
    return getOrInsert(this.#fileAccounts, key, () => this.#world.runs.useFileAccount(pack, account, this.#world.signal));
  }
}

/** Returns the only account; user accounts win over system accounts. Throws InputError if there are several. */
function onlyOne(accounts: readonly Account[]): Account | undefined {
  const ofUser = accounts.filter(({ scope }) => scope === "user");
  const [account, ...more] = ofUser.length > 0 ? ofUser : accounts;
  if (account === undefined || more.length === 0) return account;
  throw new InputError(
    "account",
    `The pack has several accounts: ${[account, ...more].map(withId).join(", ")}.`,
    "Choose one by its label or ID.",
  );
}

/** Returns whether the run needs no user account, which it would not get on the platform either. */
const needsNoAccount = (target: RunTarget | McpTarget, pack: Pack): boolean =>
  !isOfMcp(target) && target.kind !== "authentication" && runnableOf(pack, target).connectionRequirement === "none";

/** Tells the credentials of an account file apart, which have no sign-in. The value stays in memory. */
const digestOf = (credential: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(credential) ?? "")
    .digest("hex");

/** A pack may throw an error of its own for a request that the person did not agree to. */
function withRefusal(report: RunReport, refusal: PackAuthError | undefined): RunReport {
  if (report.outcome.status !== "failed" || refusal === undefined) return report;
  const { code, message, hint } = refusal;
  return { ...report, outcome: { status: "failed", error: { ...report.outcome.error, code, message, ...defined({ hint }) } } };
}
