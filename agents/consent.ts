// The person's consent to requests of runs with a real account that an agent started. Before a run nobody knows which requests the pack will
// send, so the broker asks here before each of them. One without a credential may carry what another has read.
// Invariant: an agent's run with a real account sends nothing without a yes of the person to this sign-in, formula, host and code.

import { createHash } from "node:crypto";
import { AGENT_WARNING, type ConsentQuestion } from "../operations/consent-question.ts";
import { shownPath } from "../operations/inside.ts";
import type { Consent, Person } from "../operations/person.ts";
import type { AccountRun, RunPermissions } from "../operations/run/run-ground.ts";
import { shownLabel } from "../platform/accounts/account-name.ts";
import { PackAuthError } from "../platform/errors.ts";
import { refusal } from "../platform/network/refusal.ts";
import { methodText, type PermitRequest } from "../platform/requests/permit.ts";
import type { PackDefinition } from "../protocol/definition.ts";

/** Requests that the runs of one session may send. */
const MOST_REQUESTS = 500;

/** Questions without a yes after which the person is asked no more: an agent could otherwise ask until the person agrees. */
const MOST_DECLINED = 5;

/** Code that the person has agreed to, for an account. */
interface AgreedCode {
  readonly hash: string;
  readonly configuration: Readonly<Record<string, string>>;
}

export class ConsentLedger {
  readonly #person: Person;
  readonly #folder: string;
  /** What the person agreed to until the code changes: reads by sign-in, target, host and code, and renewals. */
  readonly #agreed = new Set<string>();
  /** The code of the person's last yes, by sign-in. */
  readonly #lastCode = new Map<string, AgreedCode>();
  /** Account and host. A refusal holds for the session, whatever the agent changes. */
  readonly #refused = new Set<string>();
  #sent = 0;
  /** Questions since the person's last yes. */
  #declined = 0;
  /** Questions are asked one after the other, so that a yes answers those that wait for the same. */
  #question: Promise<unknown> = Promise.resolve();

  constructor(person: Person, folder: string) {
    this.#person = person;
    this.#folder = folder;
  }

  /** Asks the person. Throws consent-refused after too many questions without a yes. */
  async ask(question: ConsentQuestion, signal: AbortSignal): Promise<Consent> {
    if (this.#declined >= MOST_DECLINED)
      throw new PackAuthError("consent-refused", `The last ${MOST_DECLINED} questions got no yes, so the person is asked no more.`, {
        hint: "Use the sandbox. The person can start a new session.",
      });
    this.#declined++;
    const consent = await this.#person.ask(question, signal);
    if (consent === "agreed") this.#declined = 0;
    return consent;
  }

  /** Returns the permissions of one run. */
  forRun(run: AccountRun, signal: AbortSignal): RunPermissions {
    const code = codeOf(run.pack);
    return {
      permit: (request, requestSignal) => this.#permit(run, code, request, AbortSignal.any([signal, requestSignal])),
      permitRefresh: () => this.#permitRefresh(run, code, signal),
    };
  }

  async #permit(run: AccountRun, code: AgreedCode, request: PermitRequest, signal: AbortSignal): Promise<void> {
    const { isRead, host, overrides } = request;
    const key = keyOf("read", identityOf(run), run.target, host, ...overrides, code.hash);
    await this.#inTurn(async () => {
      this.#refuseEarly(run, host, signal);
      if (isRead && this.#agreed.has(key)) return;
      await this.#ask(run, host, this.#requestQuestion(run, code, request), signal);
      this.#lastCode.set(identityOf(run), code);
      if (isRead) this.#agreed.add(key);
    });
    this.#sent++;
  }

  async #permitRefresh(run: AccountRun, code: AgreedCode, signal: AbortSignal): Promise<void> {
    const host = tokenHostOf(run);
    const key = keyOf("renew", identityOf(run), host, code.hash);
    await this.#inTurn(async () => {
      this.#refuseEarly(run, host, signal);
      // A person who let this code use the account let the editor renew its token for that.
      if (this.#agreed.has(key) || this.#lastCode.get(identityOf(run))?.hash === code.hash) return;
      const account = accountText(run);
      const question: ConsentQuestion = {
        title: `Renew the token of the account ${account}?`,
        facts: [
          { label: "Account", text: account },
          { label: "Provider", text: host },
          { label: "For", text: this.#targetOf(run) },
        ],
        warnings: [AGENT_WARNING, ...this.#changes(run, code)],
        agree: "Renew",
      };
      await this.#ask(run, host, question, signal);
      this.#agreed.add(key);
    });
    this.#sent++;
  }

  /** Throws request-refused if no question is needed to refuse. */
  #refuseEarly({ account }: AccountRun, host: string, signal: AbortSignal): void {
    if (signal.aborted) throw refusal("the run was stopped");
    if (this.#refused.has(keyOf(account.id, host))) throw refused(account, host);
    if (this.#sent >= MOST_REQUESTS)
      throw refusal(`${MOST_REQUESTS} requests were sent with real accounts in this session`, "Start the server again for more.");
  }

  async #ask({ account }: AccountRun, host: string, question: ConsentQuestion, signal: AbortSignal): Promise<void> {
    const consent = await this.ask(question, signal);
    if (consent === "agreed" && !signal.aborted) return;
    if (consent === "refused") this.#refused.add(keyOf(account.id, host));
    throw consent === "refused" ? refused(account, host) : refusal("the person has not answered", "Run it again when the person is there.");
  }

  #requestQuestion(run: AccountRun, code: AgreedCode, request: PermitRequest): ConsentQuestion {
    const { isRead } = request;
    const method = methodText(request);
    const account = accountText(run);
    return {
      title: isRead
        ? `Let the agent read from ${request.host} with the account ${account}?`
        : `Send ${method} to ${request.host} with the account ${account}?`,
      facts: [
        { label: "Account", text: account },
        { label: "Host", text: request.host },
        { label: "Request", text: `${method} ${request.url}` },
        ...(request.body === undefined ? [] : [{ label: "Body", text: request.body }]),
        { label: "Carries", text: request.credentials.map(({ carrier }) => carrier).join(", ") || "no credential" },
        { label: "Formula", text: this.#targetOf(run) },
      ],
      warnings: [
        AGENT_WARNING,
        isRead
          ? "The agent gets what the API returns. Your yes is for all such reading of this formula at this host. It ends with the session, or when the pack's code changes."
          : "This request may change data. The agent gets what the API returns.",
        ...(run.unmasked.length === 0 ? [] : [`Too short to be masked, so the agent may read it: ${run.unmasked.join(", ")}.`]),
        ...this.#changes(run, code),
      ],
      agree: isRead ? "Allow reading" : "Send",
    };
  }

  #targetOf({ target, pack }: AccountRun): string {
    return `${oneLine(target)} in ${oneLine(shownPath(this.#folder, pack.entry))}`;
  }

  /** Returns what changed since the person's last yes for the account. */
  #changes(run: AccountRun, code: AgreedCode): readonly string[] {
    const last = this.#lastCode.get(identityOf(run));
    if (last === undefined || last.hash === code.hash) return [];
    const fields = [...new Set([...Object.keys(last.configuration), ...Object.keys(code.configuration)])].filter(
      (field) => last.configuration[field] !== code.configuration[field],
    );
    return [`The pack's code changed since your last yes${fields.length === 0 ? "" : `, also ${fields.join(", ")}`}.`];
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#question.then(work, work);
    this.#question = turn.catch(() => {});
    return turn;
  }
}

/** Characters of a name in a question. */
const LONGEST_NAME = 200;

/** The agent or an API chose the name. In a line of its own it could pass for another fact. */
function oneLine(name: string): string {
  const line = name.replaceAll(/\s+/g, " ");
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME)}…` : line;
}

/** Returns the label, with the name of the owner if that is another. */
function accountText({ account }: AccountRun): string {
  const { label, connectionName = label } = account;
  return oneLine(shownLabel(account)) + (connectionName === label ? "" : ` (signed in as ${oneLine(connectionName)})`);
}

const refused = (account: AccountRun["account"], host: string): PackAuthError =>
  refusal(
    `the person does not let an agent use the account ${shownLabel(account)} at ${host}`,
    "Do not try again in this session. Use the sandbox.",
  );

/** A yes is for the account of one person: a new sign-in, or another name of its owner, ends it. */
const identityOf = ({ account, signIn }: AccountRun): string => keyOf(account.id, signIn(), account.connectionName ?? "");

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

function codeOf({ bundle, definition }: AccountRun["pack"]): AgreedCode {
  const configuration = configurationOf(definition);
  const hash = createHash("sha256").update(bundle.toolkit).update("\0").update(bundle.code).update(JSON.stringify(configuration));
  return { hash: hash.digest("hex"), configuration };
}

/** Returns everything that decides where credentials go, and how, by the name of its field. */
function configurationOf({ networkDomains, userAuthentication, systemAuthentication, mcpServers }: PackDefinition): Record<string, string> {
  const authentications = { userAuthentication, systemAuthentication };
  return Object.fromEntries([
    ["the network domains", JSON.stringify(networkDomains)],
    ["the MCP servers", JSON.stringify(mcpServers ?? [])],
    ...Object.entries(authentications).flatMap(([setter, auth]) =>
      Object.entries(auth ?? {}).map(([field, value]) => [`${setter}.${field}`, JSON.stringify(value)]),
    ),
  ]);
}

function tokenHostOf({ pack, account }: AccountRun): string {
  const tokenUrl = pack.definition[`${account.scope}Authentication`]?.tokenUrl;
  return typeof tokenUrl === "string" && URL.canParse(tokenUrl) ? new URL(tokenUrl).host : "the provider of the account";
}
