// The person's consent to requests of runs with a real account that an agent started. Before a run nobody knows which requests the pack will
// send, so the broker asks here before each of them. One without a credential may carry what another has read.
// Invariant: an agent's run with a real account sends nothing without a yes of the person. A yes to reading is for this sign-in and its owner,
// this formula or MCP server, this host, and this configuration of credentials and domains.
import { AGENT_WARNING, type ConsentQuestion } from "../operations/consent-question.ts";
import { shownPath } from "../operations/inside.ts";
import type { Consent, Person } from "../operations/person.ts";
import type { AccountRun, RunPermissions } from "../operations/run/run-ground.ts";
import { labelInText, shownLabel } from "../platform/accounts/account-name.ts";
import { PackAuthError } from "../platform/errors.ts";
import { refusal } from "../platform/network/refusal.ts";
import { type McpCall, type McpMessage, methodText, type PermitRequest } from "../platform/requests/permit.ts";
import type { PackDefinition } from "../protocol/definition.ts";

/** Requests that the runs of one session may send. */
const MOST_REQUESTS = 500;

/** Questions without a yes after which the person is asked no more: an agent could otherwise ask until the person agrees. */
const MOST_DECLINED = 5;

/** What decides where credentials go, and how: texts by the names of the fields. */
type Configuration = Readonly<Record<string, string>>;

/** What a yes is for, with the question about it. */
interface Matter {
  /** Undefined if the yes is for this request alone. */
  readonly key: string | undefined;
  /** What the yes is for besides {@link key}. */
  readonly names: readonly string[];
  readonly title: string;
  readonly facts: ConsentQuestion["facts"];
  readonly warning: string;
  readonly agree: string;
}

export class ConsentLedger {
  readonly #person: Person;
  readonly #folder: string;
  /** What the person agreed to for the session, with the names of the tools that a yes is for. */
  readonly #agreed = new Map<string, ReadonlySet<string>>();
  /** The configuration of the person's last yes, by sign-in. */
  readonly #lastConfiguration = new Map<string, Configuration>();
  /** Account and host. A refusal holds for the session, whatever the agent changes. */
  readonly #refused = new Set<string>();
  /** Whether a question is open. */
  isAsking = false;
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
    this.isAsking = true;
    const consent = await this.#person.ask(question, signal).finally(() => {
      this.isAsking = false;
    });
    if (consent === "agreed") this.#declined = 0;
    return consent;
  }

  /** Returns the permissions of one run. */
  forRun(run: AccountRun, signal: AbortSignal): RunPermissions {
    const configuration = configurationOf(run.pack.definition);
    let refusalOfRun: PackAuthError | undefined;
    // Pack code may catch the error and go on.
    const recorded = (permission: Promise<void>): Promise<void> =>
      permission.catch((error: PackAuthError) => {
        refusalOfRun = new PackAuthError("consent-refused", error.message, { hint: error.hint, cause: error });
        throw error;
      });
    return {
      permit: (request, requestSignal) => recorded(this.#permit(run, configuration, request, AbortSignal.any([signal, requestSignal]))),
      permitRefresh: () => recorded(this.#permitRefresh(run, configuration, signal)),
      refusal: () => refusalOfRun,
    };
  }

  async #permit(run: AccountRun, configuration: Configuration, request: PermitRequest, signal: AbortSignal): Promise<void> {
    const { host } = request;
    const matter = matterOf(run, configuration, request);
    const { key, names } = matter;
    await this.#inTurn(async () => {
      this.#refuseEarly(run, host, signal);
      const agreedNames = key === undefined ? undefined : this.#agreed.get(key);
      if (agreedNames !== undefined && names.every((name) => agreedNames.has(name))) return;
      await this.#ask(run, host, this.#requestQuestion(run, configuration, request, matter), signal);
      this.#lastConfiguration.set(identityOf(run), configuration);
      if (key !== undefined) this.#agreed.set(key, new Set([...(request.mcp?.call?.readOnlyTools ?? []), ...names]));
    });
    this.#sent++;
  }

  async #permitRefresh(run: AccountRun, configuration: Configuration, signal: AbortSignal): Promise<void> {
    const host = tokenHostOf(run);
    const key = keyOf("renew", identityOf(run), host, JSON.stringify(configuration));
    await this.#inTurn(async () => {
      this.#refuseEarly(run, host, signal);
      // A person who let this pack use the account let its token be renewed for that.
      if (this.#agreed.has(key) || changedFields(this.#lastConfiguration.get(identityOf(run)), configuration)?.length === 0) return;
      const account = accountText(run);
      const question: ConsentQuestion = {
        title: `Renew the token of the account ${account}?`,
        facts: [
          { label: "Account", text: account },
          { label: "Provider", text: host },
          { label: "For", text: this.#targetOf(run) },
        ],
        warnings: [AGENT_WARNING, ...this.#changes(run, configuration)],
        agree: "Renew",
      };
      await this.#ask(run, host, question, signal);
      this.#agreed.set(key, new Set());
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

  #requestQuestion(run: AccountRun, configuration: Configuration, request: PermitRequest, matter: Matter): ConsentQuestion {
    const { title, facts, warning, agree } = matter;
    const account = accountText(run);
    return {
      title: `${title} with the account ${account}?`,
      facts: [
        { label: "Account", text: account },
        { label: "Host", text: request.host },
        ...facts,
        { label: "Carries", text: request.credentials.map(({ carrier }) => carrier).join(", ") || "no credential" },
        { label: "Formula", text: this.#targetOf(run) },
      ],
      warnings: [
        AGENT_WARNING,
        warning,
        ...(run.unmasked.length === 0 ? [] : [`Too short to be masked, so the agent may read it: ${run.unmasked.join(", ")}.`]),
        ...this.#changes(run, configuration),
      ],
      agree,
    };
  }

  #targetOf({ target, pack }: AccountRun): string {
    return `${oneLine(target)} in ${oneLine(shownPath(this.#folder, pack.entry))}`;
  }

  /** Returns what changed since the person's last yes for the account. */
  #changes(run: AccountRun, configuration: Configuration): readonly string[] {
    const fields = changedFields(this.#lastConfiguration.get(identityOf(run)), configuration) ?? [];
    return fields.length === 0 ? [] : [`Changed in the pack since your last yes: ${fields.join(", ")}.`];
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
    `the person does not let an agent use the account ${labelInText(account)} at ${host}`,
    "Do not try again in this session. Use the sandbox.",
  );

/** A yes is for the account of one person: a new sign-in, or another name of its owner, ends it. */
const identityOf = ({ account, signIn }: AccountRun): string => keyOf(account.id, signIn(), account.connectionName ?? "");

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** How long a yes to reading holds. */
const UNTIL = "It ends with the session, or when the pack's authentication, domains or names change.";

/** Returns what a yes to the request would be for. */
function matterOf(run: AccountRun, configuration: Configuration, request: PermitRequest): Matter {
  const { isRead, host, overrides, mcp } = request;
  const sharedKey = (kind: string, ...parts: readonly string[]): string =>
    keyOf(kind, identityOf(run), host, ...parts, JSON.stringify(configuration));
  if (mcp !== undefined) return mcpMatter(mcp, host, (kind) => sharedKey(kind, mcp.server));
  const method = methodText(request);
  const sent = [
    { label: "Request", text: `${method} ${request.url}` },
    ...(request.body === undefined ? [] : [{ label: "Body", text: request.body }]),
  ];
  if (isRead)
    return {
      key: sharedKey("read", run.target, ...overrides),
      names: [],
      title: `Let the agent read from ${host}`,
      facts: sent,
      warning: `The agent gets what the API returns. Your yes is for all such reading of this formula at this host. ${UNTIL}`,
      agree: "Allow reading",
    };
  return {
    key: undefined,
    names: [],
    title: `Send ${method} to ${host}`,
    facts: [...sent, { label: "Headers", text: request.headers.map(oneLine).join("\n") || "none" }],
    warning: "This request may change data. The agent gets what the API returns.",
    agree: "Send",
  };
}

function mcpMatter({ server, call }: McpMessage, host: string, keyFor: (kind: string) => string): Matter {
  const serverFact = { label: "MCP server", text: oneLine(server) };
  if (call === undefined)
    return {
      key: keyFor("session"),
      names: [],
      title: `Let the agent use the MCP server at ${host}`,
      facts: [serverFact],
      warning: `Your yes is for opening sessions and for listing what the server offers. You are asked again before a tool is called. ${UNTIL}`,
      agree: "Allow",
    };
  if (call.isReadOnly)
    return {
      key: keyFor("read-only tools"),
      names: [call.tool],
      title: `Let the agent call tools at ${host} that only read`,
      facts: [serverFact, toolFact(call), { label: "Read-only, says the server", text: call.readOnlyTools.map(oneLine).join(", ") }],
      warning: `The agent gets what these tools return. Your yes is for all tools in the list, with any arguments, as long as the server marks them so. ${UNTIL}`,
      agree: "Allow reading",
    };
  return {
    key: undefined,
    names: [],
    title: `Call a tool at ${host} that may change data`,
    facts: [serverFact, toolFact(call), { label: "Arguments", text: call.arguments }],
    warning: "The server does not mark this tool as read-only. The agent gets what it returns.",
    agree: "Call",
  };
}

const toolFact = ({ tool }: McpCall) => ({ label: "Tool", text: oneLine(tool) });

/** Returns the fields that differ; undefined if there is nothing to compare with. */
function changedFields(last: Configuration | undefined, configuration: Configuration): readonly string[] | undefined {
  return (
    last && [...new Set([...Object.keys(last), ...Object.keys(configuration)])].filter((field) => last[field] !== configuration[field])
  );
}

function configurationOf({ networkDomains, userAuthentication, systemAuthentication, mcpServers }: PackDefinition): Configuration {
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
