// Runs the set-up against real servers of this machine, and answers its questions.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { PackAuthError } from "../../platform/errors.ts";
import type { Fetch } from "../../platform/host.ts";
import type { LookUpHost } from "../../platform/setup/look-up.ts";
import type { Question, SetupOutcome } from "../../platform/setup/outcome.ts";
import { type Evidence, propose } from "../../platform/setup/propose.ts";
import type { Proposal } from "../../protocol/setup.ts";
import { fieldOf, fieldsOf } from "../../spec/auth-types.ts";

/** A credential that evidence may contain. It may appear nowhere. */
export const CANARY = "canary-7f3b9d2e61c04a58";

export interface SetupResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text, or a value that is sent as JSON. */
  readonly body?: unknown;
}

export interface SetupServer {
  readonly base: string;
  readonly host: string;
  /** The responses by path; undefined means 404. */
  respond: (request: IncomingMessage, path: string) => SetupResponse | undefined;
  /** Method, address, headers and body of each request. */
  readonly requests: string[];
  close(): void;
}

/** Opens a server at 127.0.0.1, or under another name of this machine. */
export async function openSetupServer(name = "127.0.0.1"): Promise<SetupServer> {
  const listener = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    server.requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(chunks).toString()}`);
    const { status, headers, body } = server.respond(request, (request.url ?? "/").split("?")[0] ?? "/") ?? { status: 404 };
    const type = typeof body === "string" ? "text/plain" : "application/json";
    response.writeHead(status ?? 200, { "content-type": type, ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => listener.listen(0, name, resolve));
  const { port } = listener.address() as AddressInfo;
  const server: SetupServer = {
    base: `http://${name}:${port}`,
    host: `${name}:${port}`,
    respond: () => undefined,
    requests: [],
    close() {
      listener.close();
      listener.closeAllConnections();
    },
  };
  return server;
}

export const localHost = (more: Partial<LookUpHost> = {}): LookUpHost => ({
  fetch: ((url, init) => fetch(url, init)) satisfies Fetch,
  allowLoopback: true,
  ...more,
});

export interface SetupRun {
  readonly questions: readonly Question[];
  readonly outcome: SetupOutcome | undefined;
  readonly error: PackAuthError | undefined;
}

/**
 * Answers each question until there is an outcome. Look-ups are allowed unless `replies` says otherwise; any other question needs a reply,
 * else it is the outcome.
 */
export async function setUp(evidence: Evidence, replies: Readonly<Record<string, string>> = {}, host = localHost()): Promise<SetupRun> {
  const questions: Question[] = [];
  const answers: Record<string, string> = {};
  let outcome: SetupOutcome | undefined;
  let error: PackAuthError | undefined;
  try {
    for (;;) {
      outcome = await propose(evidence, answers, host);
      if (outcome.kind !== "question") break;
      const { question } = outcome;
      const reply = replies[question.id] ?? (question.kind === "look-up" ? "yes" : undefined);
      questions.push(question);
      if (reply === undefined || answers[question.id] !== undefined) break;
      answers[question.id] = reply;
    }
  } catch (problem) {
    if (!(problem instanceof PackAuthError)) throw problem;
    outcome = undefined;
    error = problem;
  }
  const texts = JSON.stringify([questions, outcome, error?.message, error?.hint]) + String(error?.cause ?? "");
  assert.ok(!texts.includes(CANARY), texts);
  return { questions, outcome, error };
}

/** Returns the proposal. */
export async function proposed(...arguments_: Parameters<typeof setUp>): Promise<Proposal> {
  const { outcome, error } = await setUp(...arguments_);
  if (error !== undefined) throw error;
  assert.equal(outcome?.kind, "proposal", JSON.stringify(outcome));
  const { proposal } = outcome as SetupOutcome & { kind: "proposal" };
  assertLegal(proposal);
  return proposal;
}

/** Asserts what the Packs SDK demands of a configuration (sdk-facts 1 and 2). */
export function assertLegal(proposal: Proposal): void {
  const { type, scope, fields, domains } = proposal;
  const values = fieldsIn(proposal);
  assert.equal(new Set(fields.map(({ name }) => name)).size, fields.length);
  for (const { name, origin } of fields) {
    assert.ok(fieldOf(type, scope, name), `${type} has no field ${name}`);
    assert.ok(origin.length > 5, name);
  }
  const isRegistered = values.useDynamicClientRegistration === true;
  for (const { name, required } of fieldsOf(type, scope))
    assert.ok(name === "type" || !required || Object.hasOwn(values, name) || (isRegistered && /Url$/.test(name)), `${type} lacks ${name}`);
  const isRelative = values.requiresEndpointUrl === true && values.endpointKey === undefined;
  for (const name of ["authorizationUrl", "tokenUrl"])
    if (typeof values[name] === "string") assert.match(values[name], isRelative ? /^\/(?!\/)/ : /^https?:\/\//, name);
  assert.ok(domains.length === 1 || (domains.length === 0 && isRelative && values.endpointDomain === undefined), "the domains");
  for (const { domain } of domains) assert.match(domain, /^[a-z\d.-]+$/);
  if (proposal.formula !== undefined) assert.match(proposal.formula.name, /^[A-Z][A-Za-z\d]{0,49}$/);
  for (const remark of proposal.remarks) assert.match(remark, /[.]$/);
}

/** Returns the fields by name. */
export const fieldsIn = ({ fields }: Proposal): Readonly<Record<string, unknown>> =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]));
