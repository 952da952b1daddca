// The thread that speaks MCP: one connection to one server, in which its tools are listed or one of them is called. What a server sends is
// read and checked here, so that nothing of it holds up the host, and the host can end it. A bundle of its own: see speak.ts.
import { parentPort, workerData } from "node:worker_threads";
import {
  type CallToolResult,
  Client,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool,
} from "@modelcontextprotocol/client";
import { config } from "zod";
import { errorMessage } from "../../protocol/error-message.ts";
import type { McpTool } from "../../protocol/mcp.ts";
import { checkSchema } from "./check-schema.ts";
import type { FromThread, LeftOut, McpTask, Offers, SchemaProblems, ToThread } from "./messages.ts";

// It would make code of its schemas otherwise.
config({ jitless: true });

const MOST_TOOLS = 1_000;
const MOST_PAGES = 100;
/** Names that are told where a tool is not there. */
const MOST_NAMES = 200;
/** What a server asked its client for: as many names as are told, and characters of one. */
const MOST_ASKED = 10;
const LONGEST_ASKED = 100;
/** Milliseconds: the host has the only clock. */
const NEVER = 2 ** 31 - 1;

const task = workerData as McpTask;
const tell = (message: FromThread): void => parentPort?.postMessage(message);

const waiting = new Map<number, (response: Response) => void>();
let lastId = 0;
let decide = (_isAllowed: boolean): void => {};
parentPort?.on("message", (message: ToThread) => {
  if (message.type === "call") decide(message.isAllowed);
  else {
    const { status, body } = message;
    // A mask is no text for a header: what was masked is left out.
    const headers = Object.entries(message.headers).filter(([, value]) => Buffer.from(value, "latin1").toString("latin1") === value);
    waiting.get(message.id)?.(new Response([204, 205, 304].includes(status) ? null : body, { status, headers }));
    waiting.delete(message.id);
  }
});

/** The host sends it; what never comes back there ends the thread. */
function fetch(_url: string | URL, { method = "GET", headers, body }: RequestInit = {}): Promise<Response> {
  const sent = Object.fromEntries(new Headers(headers));
  // A stream for whatever the server may say one day: the platform does not listen either.
  if (method === "GET" && !("last-event-id" in sent)) return Promise.resolve(new Response(null, { status: 405 }));
  const id = ++lastId;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    tell({ type: "request", id, method, headers: sent, ...(typeof body === "string" ? { body } : {}) });
  });
}

const asked = new Set<string>();
/** The one that is connected. */
let client: Client;

function newClient(mode: "legacy" | "auto"): Client {
  const made = new Client(
    { name: "pack-auth", version: "0.1.0" },
    {
      versionNegotiation: { mode },
      inputRequired: { autoFulfill: false },
      // Results are checked here, and told; none is refused for it.
      jsonSchemaValidator: { getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }) },
    },
  );
  made.fallbackRequestHandler = async ({ method }) => {
    if (asked.size < MOST_ASKED) asked.add(method.slice(0, LONGEST_ASKED));
    throw new ProtocolError(-32601, "Method not found");
  };
  return made;
}

/** As servers have spoken since 2025; where one knows only the protocol of 2026, as that. */
async function connect(mode: "legacy" | "auto"): Promise<StreamableHTTPClientTransport> {
  const transport = new StreamableHTTPClientTransport(new URL(task.url), { fetch });
  client = newClient(mode);
  try {
    await client.connect(transport, { timeout: NEVER, maxTotalTimeout: NEVER });
    return transport;
  } catch (error) {
    const mayBeNewer = error instanceof ProtocolError || (error instanceof SdkHttpError && error.status === 400);
    if (mode === "auto" || !mayBeNewer) throw error;
    return connect("auto").catch(() => Promise.reject(error));
  }
}

function offers(): Offers {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const others = Object.entries({ prompts, resources }).flatMap(([name, offered]) => (offered === undefined ? [] : [name]));
  return { tools: tools !== undefined, others, asked: [...asked] };
}

interface Page {
  readonly tools: readonly Tool[];
  readonly isLast: boolean;
}

async function* pages(): AsyncGenerator<Page> {
  if (!offers().tools) return;
  let cursor: string | undefined;
  for (let count = 0; count < MOST_PAGES; count++) {
    const page = await client.request(
      { method: "tools/list", params: cursor === undefined ? {} : { cursor } },
      { timeout: NEVER, maxTotalTimeout: NEVER },
    );
    cursor = page.nextCursor;
    yield { tools: page.tools, isLast: cursor === undefined };
    if (cursor === undefined) return;
  }
}

const toolOf = ({ name, title, description, annotations, inputSchema, outputSchema }: Tool): McpTool =>
  // As JSON, in which what is undefined is not there.
  ({ name, title, description, annotations, inputSchema, outputSchema }) as McpTool;

async function list(): Promise<void> {
  const tools: McpTool[] = [];
  let leftOut: LeftOut = { tools: 0, pages: false };
  for await (const page of pages()) {
    const taken = page.tools.slice(0, MOST_TOOLS - tools.length);
    tools.push(...taken.map(toolOf));
    leftOut = { tools: page.tools.length - taken.length, pages: !page.isLast };
    if (tools.length >= MOST_TOOLS) break;
  }
  tell({ type: "listed", offers: offers(), tools: JSON.stringify(tools), leftOut });
}

async function call(name: string, text: string): Promise<void> {
  const names: string[] = [];
  let tool: Tool | undefined;
  for await (const page of pages()) {
    tool = page.tools.find((each) => each.name === name);
    if (tool !== undefined) break;
    names.push(...page.tools.slice(0, MOST_NAMES - names.length).map((each) => each.name));
  }
  if (tool === undefined) return tell({ type: "missing", names });
  const given = JSON.parse(text) as Record<string, unknown>;
  const decided = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  tell({ type: "found", offers: offers(), tool: JSON.stringify(toolOf(tool)), problems: checkSchema(given, tool.inputSchema) });
  if (!(await decided)) return;
  const result: CallToolResult = await client.callTool(
    { name, arguments: given },
    { timeout: NEVER, maxTotalTimeout: NEVER, toolDefinition: tool },
  );
  tell({ type: "called", result: JSON.stringify(result), asked: [...asked], problems: problemsOf(result, tool) });
}

function problemsOf({ structuredContent, isError }: CallToolResult, { outputSchema }: Tool): SchemaProblems {
  if (outputSchema === undefined || isError === true) return { found: [] };
  if (structuredContent === undefined)
    return { found: [{ path: [], message: "The tool has an outputSchema, but returned no structured content." }] };
  return checkSchema(structuredContent, outputSchema);
}

async function speak(): Promise<void> {
  try {
    const transport = await connect("legacy");
    await (task.tool === undefined ? list() : call(task.tool, task.arguments ?? "{}"));
    await transport.terminateSession().catch(() => {});
  } catch (error) {
    const message = errorMessage(error);
    tell({ type: "failed", message, ...(error instanceof ProtocolError ? { code: error.code } : {}) });
  }
  tell({ type: "closed" });
}

void speak();
