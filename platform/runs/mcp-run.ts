// Lists or calls the tools of an MCP server. The broker applies the account's credentials, as it does for every request.

import { randomUUID } from "node:crypto";
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition, McpServerDefinition } from "../../protocol/definition.ts";
import { isReadOnly, type McpContent, type McpTarget } from "../../protocol/mcp.ts";
import type { FetchFailure, FetchResponse } from "../../protocol/pack-process.ts";
import type { ResultWarning, RunOutcome } from "../../protocol/run.ts";
import { hasSignIn } from "../../spec/auth-types.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import { endOfEvents } from "../mcp/end-of-events.ts";
import { callNotes, invalidToolNotes, invalidToolText, leftOutNotes, offerNotes, requestNote } from "../mcp/mcp-notes.ts";
import type { CallableTool, SchemaProblems, ServerRequest } from "../mcp/messages.ts";
import { isHttpSseAlone, type LastResponse, serverFailure, unreadResponse } from "../mcp/server-failure.ts";
import { type McpRequest, type McpResponse, speak, type ToolMatch } from "../mcp/speak.ts";
import { toolResult } from "../mcp/tool-result.ts";
import { withEndpoint } from "../oauth/configured-url.ts";
import type { Pack } from "../process/pack.ts";
import { parseLong } from "../process/parse-long.ts";
import { DEFAULT_LIMITS, TIME_LIMIT } from "../process/process-limits.ts";
import type { Redactor } from "../secrets/redact.ts";
import { redactLarge } from "../secrets/redact-large.ts";
import { openRequests } from "./pack-requests.ts";
import { ownTimezone } from "./read-date.ts";
import type { RunOptions } from "./run-options.ts";

interface McpRun {
  /** Masked, as are all fields of this interface. */
  readonly outcome: RunOutcome;
  readonly content?: readonly McpContent[];
  readonly warnings?: readonly ResultWarning[];
}

/** Throws PackAuthError: unknown-formula, account-required, invalid-parameter, unknown-tool, mcp-failed and the errors of {@link speak}. */
export async function runMcp(pack: Pack, target: McpTarget, options: RunOptions, redactor: Redactor): Promise<McpRun> {
  const server = serverOf(pack, target);
  const { authentication, account } = accountInForce(pack, server, options.account);
  if (account !== undefined) redactor.addCredential(account.credential);
  const isSandbox = (account?.sandboxOrigin ?? options.sandboxOrigin) !== undefined;
  const url = addressOf(server, account?.endpoint);
  const context = {
    invocationToken: randomUUID(),
    timezone: ownTimezone,
    invocationLocation: { protocolAndHost: "https://coda.io" },
    ...defined({ endpoint: account?.endpoint }),
  };
  const inForce = {
    authentication,
    requirement: account === undefined ? ("none" as const) : ("required" as const),
    context,
    redactor,
    isSync: true,
    describeError: ({ code }: PackAuthError) => unreadResponse(server, code),
  };
  let last: LastResponse | undefined;

  async function send(
    { method, headers, body }: Omit<McpRequest, "type" | "id">,
    signal: AbortSignal,
    respond: (request: ServerRequest) => void,
  ): Promise<McpResponse> {
    const message = messageOf(body);
    const onServerRequest = (request: ServerRequest): void => {
      if (request.method !== "ping") options.onPlatformDifference?.(requestNote(request));
      respond(request);
    };
    const requests = openRequests(
      pack,
      { ...inForce, endOfBody: (contentType: string) => endOfEvents(contentType, onServerRequest) },
      { ...options, onRequest: (trace) => options.onRequest?.({ ...trace, ...defined({ message }) }) },
    );
    const fetchResult = await requests.fetch({ method, url, headers, ...(body === undefined ? {} : { body: { text: body } }) }, signal);
    const response = "message" in fetchResult ? fetchResult.response : fetchResult;
    if (response === undefined) throw new PackAuthError("mcp-failed", (fetchResult as FetchFailure).message, {});
    const received = { status: response.status, headers: plain(response.headers), body: textOf(response) };
    const isResponse = body !== undefined && message === undefined;
    if (!isResponse) last = { method, isOfSession: "mcp-session-id" in headers, ...received };
    return received;
  }

  async function mayCall({ offers, tool, problems }: ToolMatch): Promise<boolean> {
    for (const note of [...offerNotes(offers), ...callNotes(tool, problems, isSandbox)]) options.onPlatformDifference?.(note);
    refuseMisfit(tool, problems);
    const changesData = !isReadOnly(tool) && account !== undefined && !isSandbox;
    return !changesData || options.mayCall === undefined || options.mayCall(redactor.redactValue(tool));
  }

  const call = target.kind === "mcpTool" ? { tool: target.name, arguments: JSON.stringify(target.arguments) } : {};
  const timeLimit = options.timeLimit ?? TIME_LIMIT;
  const mcpOutcome = await speak({ url, ...call }, { send, mayCall, timeLimit, ...defined({ signal: options.signal }) });
  switch (mcpOutcome?.type) {
    case undefined:
      return { outcome: { status: "cancelled" } };
    case "listed": {
      const { offers, leftOut, invalidTools, invalidCount } = mcpOutcome;
      for (const note of [...offerNotes(offers), ...leftOutNotes(leftOut), ...invalidToolNotes(invalidTools, invalidCount)])
        options.onPlatformDifference?.(note);
      return { outcome: { status: "succeeded", value: await redactLarge(await parseLong(mcpOutcome.tools), redactor) } };
    }
    case "missing":
      throw unknownTool(server, target.name, mcpOutcome.names);
    case "invalid":
      throw new PackAuthError(
        "mcp-failed",
        `MCP does not allow how the server ${server.name} describes the tool. ${invalidToolText(mcpOutcome.tool)}`,
        {
          hint: "Correct in the server what it lists.",
        },
      );
    case "too-large":
      throw new PackAuthError(
        "output-limit",
        `The MCP server ${server.name} ran ${target.name}, but its result is too large to be shown. It may have ${DEFAULT_LIMITS.result.json / 1_048_576} MB and ${DEFAULT_LIMITS.result.structure.toLocaleString("en")} values.`,
        {
          hint: "Ask the tool for less.",
        },
      );
    case "called": {
      const { value, content } = toolResult(await redactLarge(await parseLong(mcpOutcome.result), redactor), target.name);
      const warnings = redactor.redactValue(warningsOf(mcpOutcome.problems));
      return { outcome: { status: "succeeded", value }, content, ...(warnings.length === 0 ? {} : { warnings }) };
    }
    case "failed": {
      const asksAgain = (): Promise<McpResponse> =>
        send({ method: "GET", headers: { accept: "text/event-stream" } }, options.signal ?? new AbortController().signal, () => {});
      const first = last;
      const isHttpSse = first !== undefined && (await isHttpSseAlone(first, asksAgain));
      throw serverFailure(server, first, mcpOutcome, { isHttpSse, isAnonymous: account === undefined });
    }
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
    {
      hint: scope === "system" ? "Add the system authentication." : "Connect a test account.",
    },
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
    `${name}: ${mismatches.map(({ path, message }) => `${[...path, ""].join(": ")}${message}`).join(" ")}`,
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
  [...names.slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME)), ...(names.length > MOST_NAMES ? ["…"] : [])].join(", ");

function warningsOf({ mismatches, unchecked }: SchemaProblems): readonly ResultWarning[] {
  const warnings = mismatches.map(({ path, message }) => ({ path: path.join("."), message }));
  return unchecked === undefined ? warnings : [...warnings, { path: "", message: `The result was not checked: ${unchecked}.` }];
}

function unknownTool({ name }: McpServerDefinition, tool: string, names: readonly string[]): PackAuthError {
  const near = names.find((each) => each.toLowerCase() === tool.toLowerCase());
  return new PackAuthError("unknown-tool", `The MCP server ${name} has no tool ${tool}.`, {
    hint: near === undefined ? `It has: ${listOf(names) || "none"}.` : `Did you mean ${near}?`,
  });
}
