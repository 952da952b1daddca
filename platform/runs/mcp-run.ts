// Lists or calls the tools of an MCP server. The broker applies the account's credentials, as it does for every request.

import { randomUUID } from "node:crypto";
import { defined } from "../../base/defined.ts";
import { quoteName } from "../../base/quote.ts";
import type { AuthenticationDefinition, McpServerDefinition } from "../../protocol/definition.ts";
import { isReadOnly, type McpTarget } from "../../protocol/mcp.ts";
import type { FetchFailure, FetchResponse } from "../../protocol/pack-process.ts";
import type { PlatformDifference, ResultWarning, RunReport } from "../../protocol/run.ts";
import { hasSignIn } from "../../spec/auth-types.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import { endOfEvents } from "../mcp/end-of-events.ts";
import { callNotes, invalidToolNotes, invalidToolText, leftOutNotes, offerNotes, requestNote } from "../mcp/mcp-notes.ts";
import type { CallableTool, SchemaProblems, ServerRequest } from "../mcp/messages.ts";
import { isHttpSseAlone, type LastResponse, serverFailure, unreadResponse } from "../mcp/server-failure.ts";
import { type McpOutcome, type McpRequest, type McpResponse, speak, type ToolMatch } from "../mcp/speak.ts";
import { toolResult } from "../mcp/tool-result.ts";
import { withEndpoint } from "../oauth/configured-url.ts";
import type { Pack } from "../process/pack.ts";
import { parseLong } from "../process/parse-long.ts";
import { DEFAULT_LIMITS } from "../process/process-limits.ts";
import type { McpMessage, Permit } from "../requests/permit.ts";
import { redactLarge } from "../secrets/redact-large.ts";
import { PackRequests } from "./pack-requests.ts";
import type { RunObserver } from "./run-observer.ts";
import type { OpenWorld } from "./run-world.ts";

/** Masked. */
type McpResult = Pick<RunReport, "outcome" | "content" | "warnings">;

/** Throws PackAuthError: unknown-formula, account-required, invalid-parameter, unknown-tool, mcp-failed and the errors of {@link speak}. */
export async function runMcp(target: McpTarget, world: OpenWorld, observer: RunObserver): Promise<McpResult> {
  const server = serverOf(world.pack, target);
  const { account: _, ...withoutAccount } = world;
  const { authentication, account } = accountInForce(world.pack, server, world.account);
  if (account !== undefined) world.redactor.addCredential(account.credential);
  const ownWorld = { ...withoutAccount, ...defined({ account }) };
  return new McpRun(server, authentication, ownWorld, observer).run(target);
}

class McpRun {
  readonly #server: McpServerDefinition;
  readonly #url: string;
  readonly #authentication: AuthenticationDefinition | undefined;
  readonly #invocationToken = randomUUID();
  readonly #world: OpenWorld;
  readonly #observer: RunObserver;
  #last: LastResponse | undefined;
  /** The tool that is about to be called. */
  #match: ToolMatch | undefined;

  constructor(server: McpServerDefinition, authentication: AuthenticationDefinition | undefined, world: OpenWorld, observer: RunObserver) {
    this.#server = server;
    this.#url = addressOf(server, world.account?.endpoint);
    this.#authentication = authentication;
    this.#world = world;
    this.#observer = observer;
  }

  async run(target: McpTarget): Promise<McpResult> {
    const { timeLimit, signal } = this.#world;
    const call = target.kind === "mcpTool" ? { tool: target.name, arguments: JSON.stringify(target.arguments) } : {};
    const outcome = await speak(
      { url: this.#url, ...call },
      { send: (...request) => this.#send(...request), mayCall: (match) => this.#mayCall(match), timeLimit, signal },
    );
    return outcome === undefined ? { outcome: { status: "cancelled" } } : this.#resultOf(outcome, target.name);
  }

  async #send(
    { method, headers, body }: Omit<McpRequest, "type" | "id">,
    signal: AbortSignal,
    respond: (request: ServerRequest) => void,
  ): Promise<McpResponse> {
    const message = messageOf(body);
    const observer = this.#observer;
    const onServerRequest = (request: ServerRequest): void => {
      if (request.method !== "ping") observer.onPlatformDifference(requestNote(request));
      respond(request);
    };
    const { permit, redactor } = this.#world;
    const mcp = redactor.redactValue(this.#meaningOf(message, body));
    const world = {
      ...this.#world,
      ...defined({ permit: permit && (((request, ...rest) => permit({ ...request, mcp }, ...rest)) as Permit) }),
    };
    const requests = new PackRequests(
      {
        authentication: this.#authentication,
        requirement: this.#world.account === undefined ? "none" : "required",
        invocationToken: this.#invocationToken,
        isSync: true,
        broker: {
          endOfBody: (contentType) => endOfEvents(contentType, onServerRequest),
          explainError: ({ code }) => unreadResponse(this.#server, code),
        },
      },
      world,
      { ...observer, onRequest: (trace) => observer.onRequest({ ...trace, ...defined({ message }) }) },
    );
    const request = { method, url: this.#url, headers, ...(body === undefined ? {} : { body: { text: body } }) };
    const fetchResult = await requests.fetch(request, signal);
    const response = "message" in fetchResult ? fetchResult.response : fetchResult;
    if (response === undefined) throw new PackAuthError("mcp-failed", (fetchResult as FetchFailure).message, {});
    const received = { status: response.status, headers: plain(response.headers), body: textOf(response) };
    const isResponse = body !== undefined && message === undefined;
    if (!isResponse) this.#last = { method, isOfSession: "mcp-session-id" in headers, ...received };
    return received;
  }

  #meaningOf(message: string | undefined, body: string | undefined): McpMessage {
    const server = this.#server.name;
    if (message !== "tools/call" || this.#match === undefined) return { server };
    const { tool, readOnlyTools } = this.#match;
    const { params } = JSON.parse(body ?? "{}") as { readonly params?: { readonly arguments?: unknown } };
    const call = { tool: tool.name, arguments: JSON.stringify(params?.arguments ?? {}), isReadOnly: isReadOnly(tool), readOnlyTools };
    return { server, call };
  }

  async #mayCall(match: ToolMatch): Promise<boolean> {
    const { offers, tool, problems } = match;
    this.#match = match;
    const { account, sandboxOrigin, redactor, mayCall } = this.#world;
    const isSandbox = sandboxOrigin !== undefined;
    this.#note([...offerNotes(offers), ...callNotes(tool, problems, isSandbox)]);
    refuseMisfit(tool, problems);
    const changesData = !isReadOnly(tool) && account !== undefined && !isSandbox;
    return !changesData || mayCall(redactor.redactValue(tool));
  }

  async #resultOf(outcome: McpOutcome, name: string): Promise<McpResult> {
    const server = this.#server;
    const { redactor } = this.#world;
    switch (outcome.type) {
      case "listed": {
        const { offers, leftOut, invalidTools, invalidCount } = outcome;
        this.#note([...offerNotes(offers), ...leftOutNotes(leftOut), ...invalidToolNotes(invalidTools, invalidCount)]);
        return { outcome: { status: "succeeded", value: await redactLarge(await parseLong(outcome.tools), redactor) } };
      }
      case "missing":
        throw unknownTool(server, name, outcome.names);
      case "invalid":
        throw new PackAuthError(
          "mcp-failed",
          `MCP does not allow how the server ${server.name} describes the tool. ${invalidToolText(outcome.tool)}`,
          { hint: "Correct in the server what it lists." },
        );
      case "too-large":
        throw new PackAuthError(
          "output-limit",
          `The MCP server ${server.name} ran ${name}, but its result is too large to be shown. It may have ${DEFAULT_LIMITS.result.json / 1_048_576} MB and ${DEFAULT_LIMITS.result.structure.toLocaleString("en")} values.`,
          { hint: "Ask the tool for less." },
        );
      case "called": {
        const { value, content } = toolResult(await redactLarge(await parseLong(outcome.result), redactor), name);
        const warnings = redactor.redactValue(warningsOf(outcome.problems));
        return { outcome: { status: "succeeded", value }, content, ...(warnings.length === 0 ? {} : { warnings }) };
      }
      case "failed": {
        const asksAgain = (): Promise<McpResponse> =>
          this.#send({ method: "GET", headers: { accept: "text/event-stream" } }, this.#world.signal, () => {});
        const first = this.#last;
        const isHttpSse = first !== undefined && (await isHttpSseAlone(first, asksAgain));
        throw serverFailure(server, first, outcome, { isHttpSse, isAnonymous: this.#world.account === undefined });
      }
    }
  }

  #note(notes: Iterable<PlatformDifference>): void {
    for (const note of notes) this.#observer.onPlatformDifference(note);
  }
}

function serverOf({ definition: { mcpServers = [] } }: Pack, target: McpTarget): McpServerDefinition {
  const name = target.kind === "mcpServer" ? target.name : target.server;
  const server = mcpServers.find((each) => each.name === name);
  if (server !== undefined) return server;
  throw new PackAuthError("unknown-formula", `The pack has no MCP server ${name}.`, {
    hint: `It has: ${mcpServers.map((each) => each.name).join(", ") || "none"}.`,
  });
}

/**
 * Returns the system account if the pack has a system authentication, else the user's. The SDK tries them in the same order (sdk-facts 6).
 */
function accountInForce(
  { definition: { systemAuthentication, userAuthentication } }: Pack,
  { name }: McpServerDefinition,
  account: RunAccount | undefined,
): { readonly authentication: AuthenticationDefinition | undefined; readonly account: RunAccount | undefined } {
  const [scope, authentication] = systemAuthentication === undefined ? ["user", userAuthentication] : ["system", systemAuthentication];
  if (authentication === undefined || !hasSignIn(authentication.type)) return { authentication: undefined, account: undefined };
  if (account?.scope === scope) return { authentication, account };
  throw new PackAuthError(
    "account-required",
    `The MCP server ${name} needs ${scope === "system" ? "the pack's system account" : "a connected account"}.`,
    { hint: scope === "system" ? "Add the system authentication." : "Connect a test account." },
  );
}

function addressOf({ name, endpointUrl }: McpServerDefinition, endpoint: string | undefined): string {
  if (endpoint === undefined && endpointUrl.startsWith("/"))
    throw new PackAuthError(
      "endpoint-invalid",
      `The address of the MCP server ${name} begins at the account's endpoint, but there is no endpoint.`,
      {
        hint: "Write endpointUrl with https:// and its host, or let the authentication ask for an endpoint: requiresEndpointUrl, endpointKey, or a SetEndpoint step.",
      },
    );
  return withEndpoint(endpointUrl, endpoint);
}

/** Returns the JSON-RPC method of a message, or undefined for a response or an absent body. */
const messageOf = (body: string | undefined): string | undefined =>
  body === undefined ? undefined : (JSON.parse(body) as { readonly method?: string }).method;

const plain = (headers: FetchResponse["headers"]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

function textOf({ body }: FetchResponse): string {
  if ("unparsed" in body) return body.unparsed;
  if ("text" in body) return body.text;
  return "json" in body ? JSON.stringify(body.json) : "";
}

/** Throws invalid-parameter if the arguments do not conform to the tool's schema. */
function refuseMisfit({ name, argumentNames }: CallableTool, { mismatches }: SchemaProblems): void {
  const [first] = mismatches;
  if (first === undefined) return;
  const field = first.path[0];
  throw new PackAuthError(
    "invalid-parameter",
    `${quoteName(name)}: ${mismatches.map(({ path, message }) => `${[...path.map(quoteName), ""].join(": ")}${message}`).join(" ")}`,
    {
      hint: argumentNames.length === 0 ? "The tool takes no arguments." : `Its arguments: ${listOf(argumentNames)}.`,
      ...defined({ field }),
    },
  );
}

/** Limits on the number of the server's names that a message lists, and on the length of each. */
const MOST_NAMES = 100;
const LONGEST_NAME = 100;

const listOf = (names: readonly string[]): string =>
  [...names.slice(0, MOST_NAMES).map((name) => quoteName(name.slice(0, LONGEST_NAME))), ...(names.length > MOST_NAMES ? ["…"] : [])].join(
    ", ",
  );

function warningsOf({ mismatches, unchecked }: SchemaProblems): readonly ResultWarning[] {
  const warnings = mismatches.map(({ path, message }) => ({ path: path.join("."), message }));
  return unchecked === undefined ? warnings : [...warnings, { path: "", message: `The result was not checked: ${unchecked}.` }];
}

function unknownTool({ name }: McpServerDefinition, tool: string, names: readonly string[]): PackAuthError {
  const near = names.find((each) => each.toLowerCase() === tool.toLowerCase());
  return new PackAuthError("unknown-tool", `The MCP server ${name} has no tool ${tool}.`, {
    hint: near === undefined ? `It has: ${listOf(names) || "none"}.` : `Did you mean ${quoteName(near)}?`,
  });
}
