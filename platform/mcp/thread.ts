// The thread that speaks MCP: one connection to one server, which lists its tools or calls one of them. It reads and checks what the server
// sends. So the host is never blocked, and can end the thread. It is a bundle of its own: see speak.ts.
import { parentPort, workerData } from "node:worker_threads";
import {
  type CallToolResult,
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool,
} from "@modelcontextprotocol/client";
import * as z from "zod";
import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import { PRODUCT_VERSION } from "../../base/product-version.ts";
import { structureOf } from "../../protocol/frames.ts";
import type { McpTool } from "../../protocol/mcp.ts";
import { DEFAULT_LIMITS } from "../process/process-limits.ts";
import { checkSchema } from "./check-schema.ts";
import type {
  CallableTool,
  FailureReason,
  FromThread,
  InvalidTool,
  LeftOut,
  McpTask,
  Offers,
  SchemaProblems,
  ToThread,
} from "./messages.ts";
import { readTool } from "./read-tool.ts";

// Zod would otherwise generate code from its schemas.
z.config({ jitless: true });

const MOST_TOOLS = 1_000;
const MOST_PAGES = 100;
/** Limits on the number of tool and argument names that are sent to the host, and on the characters of each. */
const MOST_NAMES = 200;
const LONGEST_NAME = 200;
/** The number of invalid tools that are reported to the host. */
const MOST_INVALID = 10;
/** Milliseconds. The thread has no timeout of its own, because the host keeps the time limit. */
const NEVER = 2 ** 31 - 1;
const WITHOUT_TIMEOUT = { timeout: NEVER, maxTotalTimeout: NEVER };

const task = workerData as McpTask;
const sendToHost = (message: FromThread): void => parentPort?.postMessage(message);

const waiting = new Map<number, (response: Response) => void>();
let lastId = 0;
let decide = (_isAllowed: boolean): void => {};
parentPort?.on("message", (message: ToThread) => {
  if (message.type === "call") decide(message.isAllowed);
  else {
    const { status, body } = message;
    // A header cannot contain the mask, so headers with masked values are left out.
    const headers = Object.entries(message.headers).filter(([, value]) => Buffer.from(value, "latin1").toString("latin1") === value);
    waiting.get(message.id)?.(new Response([204, 205, 304].includes(status) ? null : body, { status, headers }));
    waiting.delete(message.id);
  }
});

/** Lets the host send the request. If the host never answers, its time limit ends the thread. */
function fetch(_url: string | URL, { method = "GET", headers, body }: RequestInit = {}): Promise<Response> {
  const requestHeaders = Object.fromEntries(new Headers(headers));
  // The stream for later messages of the server is refused, because the platform does not listen to it either.
  if (method === "GET" && !("last-event-id" in requestHeaders)) return Promise.resolve(new Response(null, { status: 405 }));
  // The host has already responded to the server's request, while the request's stream was open.
  if (typeof body === "string" && !("method" in JSON.parse(body))) return Promise.resolve(new Response(null, { status: 202 }));
  const id = ++lastId;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    sendToHost({ type: "request", id, method, headers: requestHeaders, ...(typeof body === "string" ? { body } : {}) });
  });
}

/** The current connection. */
let client: Client;
let transport: StreamableHTTPClientTransport;

const newClient = (mode: "legacy" | "auto"): Client =>
  new Client({ name: "pack-auth", version: PRODUCT_VERSION }, { versionNegotiation: { mode }, inputRequired: { autoFulfill: false } });

/** Connects with the protocol of 2025, or with that of 2026 if the server supports only the newer one. */
async function connect(mode: "legacy" | "auto"): Promise<void> {
  transport = new StreamableHTTPClientTransport(new URL(task.url), { fetch });
  client = newClient(mode);
  try {
    await client.connect(transport, WITHOUT_TIMEOUT);
  } catch (error) {
    const mayBeNewer = error instanceof ProtocolError || (error instanceof SdkHttpError && error.status === 400);
    if (mode === "auto" || !mayBeNewer) throw error;
    return connect("auto").catch(() => Promise.reject(error));
  }
}

let isRenewed = false;

/** Does the work. Repeats it in a new session if the server ended the first one. (MCP 2025-11-25, Transports, Session Management, 4.) */
async function inSession<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isSessionOver = transport.sessionId !== undefined && error instanceof SdkHttpError && error.status === 404;
    if (!isSessionOver || isRenewed) throw error;
    isRenewed = true;
    await client.close();
    await connect("legacy");
    return work();
  }
}

function offers(): Offers {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const otherCapabilities = Object.entries({ prompts, resources }).flatMap(([name, offered]) => (offered === undefined ? [] : [name]));
  return { tools: tools !== undefined, otherCapabilities };
}

/** The library's own schema is not used: one invalid tool would make it reject all others. */
const PAGE = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

interface Page {
  readonly tools: readonly unknown[];
  readonly isLast: boolean;
}

async function* pages(): AsyncGenerator<Page> {
  if (!offers().tools) return;
  let cursor: string | undefined;
  for (let count = 0; count < MOST_PAGES; count++) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: "tools/list", params }, PAGE, WITHOUT_TIMEOUT);
    cursor = page.nextCursor ?? undefined;
    yield { tools: page.tools, isLast: cursor === undefined };
    if (cursor === undefined) return;
  }
}

const toolOf = ({ name, title, description, annotations, inputSchema, outputSchema }: Tool): McpTool =>
  // The host gets the tool as JSON, which omits undefined members.
  ({ name, title, description, annotations, inputSchema, outputSchema }) as McpTool;

/** Creates an allowance with the size limits of a result that the host reads. */
function createAllowance(): { claim(json: string): boolean } {
  const { json: mostBytes, structure: mostValues } = DEFAULT_LIMITS.result;
  let size = 0;
  let structure = 0;
  return {
    /** Returns false if the text exceeds the remaining size. */
    claim(json) {
      const bytes = Buffer.from(json);
      size += bytes.length;
      structure += structureOf(bytes, 0, bytes.length);
      return size <= mostBytes && structure <= mostValues;
    },
  };
}

type Listed = FromThread & { type: "listed" };

async function list(): Promise<Listed> {
  const tools: string[] = [];
  const invalidTools: InvalidTool[] = [];
  const allowance = createAllowance();
  let leftOut: LeftOut = { tools: 0, pages: false };
  /** Returns false if there is no room for the tool. */
  const add = (value: unknown): boolean => {
    const read = readTool(value);
    if ("invalid" in read) {
      invalidTools.push(read.invalid);
      return true;
    }
    const json = JSON.stringify(toolOf(read.tool));
    const hasRoom = tools.length < MOST_TOOLS && allowance.claim(json);
    if (hasRoom) tools.push(json);
    return hasRoom;
  };
  for await (const page of pages()) {
    const rest = page.tools.findIndex((value) => !add(value));
    leftOut = { tools: rest < 0 ? 0 : page.tools.length - rest, pages: !page.isLast };
    if (rest >= 0 || tools.length >= MOST_TOOLS) break;
  }
  const invalid = { invalidTools: invalidTools.slice(0, MOST_INVALID), invalidCount: invalidTools.length };
  return { type: "listed", offers: offers(), tools: `[${tools.join(",")}]`, ...invalid, leftOut };
}

interface ListedTool {
  readonly type: "found";
  readonly tool: Tool;
  /** The names of the tools that are marked as read-only, on the pages up to the tool's own. */
  readonly readOnlyTools: readonly string[];
}

/** Resolves to the tool with this name, or to the message that reports that it is missing or invalid. */
async function find(name: string): Promise<ListedTool | (FromThread & { type: "missing" | "invalid" })> {
  const names: string[] = [];
  const readOnlyTools: string[] = [];
  for await (const page of pages()) {
    readOnlyTools.push(...page.tools.flatMap(readOnlyName));
    for (const value of page.tools) {
      const read = readTool(value);
      const readName = "tool" in read ? read.tool.name : read.invalid.name;
      if (readName === name)
        return "tool" in read
          ? { type: "found", tool: read.tool, readOnlyTools: readOnlyTools.slice(0, MOST_NAMES) }
          : { type: "invalid", tool: read.invalid };
      if (names.length < MOST_NAMES) names.push(readName);
    }
  }
  return { type: "missing", names };
}

/** Returns the name of a listed tool if the server marks the tool as read-only. */
function readOnlyName(value: unknown): string | readonly [] {
  const { name, annotations } = (value ?? {}) as { readonly name?: unknown; readonly annotations?: { readonly readOnlyHint?: unknown } };
  return typeof name === "string" && annotations?.readOnlyHint === true ? name.slice(0, LONGEST_NAME) : [];
}

const callableOf = ({ name, title, annotations, inputSchema }: Tool): CallableTool => ({
  name,
  ...defined({ title: title?.slice(0, LONGEST_NAME), annotations: annotations && defined({ readOnlyHint: annotations.readOnlyHint }) }),
  argumentNames: Object.keys(inputSchema.properties ?? {})
    .slice(0, MOST_NAMES)
    .map((argument) => argument.slice(0, LONGEST_NAME)),
});

async function call(name: string, text: string): Promise<void> {
  const match = await inSession(() => find(name));
  if (match.type !== "found") return sendToHost(match);
  const { tool, readOnlyTools } = match;
  const toolArguments = JSON.parse(text) as Record<string, unknown>;
  const decided = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  const problems = checkSchema(toolArguments, tool.inputSchema);
  sendToHost({ type: "found", offers: offers(), tool: callableOf(tool), problems, readOnlyTools });
  if (!(await decided)) return;
  // The library would refuse a result that does not conform to the outputSchema. Here the result is shown with its problems.
  const toolDefinition = { ...tool, outputSchema: undefined };
  const result: CallToolResult = await inSession(() =>
    client.callTool({ name, arguments: toolArguments }, { ...WITHOUT_TIMEOUT, toolDefinition }),
  );
  const json = JSON.stringify(result);
  sendToHost(createAllowance().claim(json) ? { type: "called", result: json, problems: problemsOf(result, tool) } : { type: "too-large" });
}

function problemsOf({ structuredContent, isError }: CallToolResult, { outputSchema }: Tool): SchemaProblems {
  if (outputSchema === undefined || isError === true) return { mismatches: [] };
  if (structuredContent === undefined)
    return { mismatches: [{ path: [], message: "The tool has an outputSchema, but returned no structured content." }] };
  return checkSchema(structuredContent, outputSchema);
}

const REASONS: Readonly<Partial<Record<SdkErrorCode, FailureReason>>> = {
  [SdkErrorCode.InvalidResult]: "invalid-result",
  [SdkErrorCode.UnsupportedResultType]: "input-required",
};

async function speak(): Promise<void> {
  try {
    await connect("legacy");
    if (task.tool === undefined) sendToHost(await inSession(list));
    else await call(task.tool, task.arguments ?? "{}");
    await transport.terminateSession().catch(() => {});
  } catch (error) {
    const code = error instanceof ProtocolError ? error.code : undefined;
    const reason = error instanceof SdkError ? REASONS[error.code] : undefined;
    sendToHost({ type: "failed", message: errorMessage(error), ...defined({ code, reason }) });
  }
  sendToHost({ type: "closed" });
}

void speak();
