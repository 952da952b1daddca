// The tools of an MCP server: the account, the confirmation, what is shown; and servers that are wrong in every way.
import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { z } from "zod";
import type { McpTarget, McpTool } from "../../../protocol/mcp.ts";
import type { RunReport } from "../../../protocol/run.ts";
import { eachCase } from "../../support/json-cases.ts";
import { mcpResponder } from "../../support/mcp-answers.ts";
import type { RunOptions } from "../../support/run.ts";
import { failure, runsOfSuite, value } from "../../support/run-pack.ts";
import type { Responder } from "../../support/wire.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addMCPServer({ name: "Good", endpointUrl: "https://mcp.good.com/mcp" });
`;
const TOKEN = "canary-token-77aa";
const ACCOUNT = { scope: "user", credential: { kind: "token", token: TOKEN } } as const;
const READ_ONLY = { readOnlyHint: true };

describe("An MCP server", function () {
  this.timeout(90_000);
  const { go, wire } = runsOfSuite(SOURCE, () => ({ account: ACCOUNT }));
  const runTarget = (target: McpTarget, options: Partial<RunOptions> = {}): Promise<RunReport> => go(target, [], options);
  const list = (options?: Partial<RunOptions>): Promise<RunReport> => runTarget({ kind: "mcpServer", name: "Good" }, options);
  const call = (name: string, toolArguments: Record<string, unknown> = {}, options?: Partial<RunOptions>): Promise<RunReport> =>
    runTarget({ kind: "mcpTool", server: "Good", name, arguments: toolArguments }, options);
  const differenceText = ({ platformDifferences }: RunReport): string => platformDifferences.map(({ message }) => message).join("\n");
  const fails = async (report: Promise<RunReport>, message: RegExp): Promise<void> => assert.match(failure(await report), message);
  const methods = (): readonly unknown[] =>
    wire.requests.map(({ body }) => (body === "" ? "" : (JSON.parse(body) as { method: string }).method));

  it("requests carry the account's credential, and every echo of it is masked", async () => {
    wire.respond = mcpResponder({
      tools: [{ name: "echo", annotations: READ_ONLY, description: `Made for ${TOKEN}` }],
      call: (_name, _arguments, headers) => ({
        content: [{ type: "text", text: JSON.stringify(headers) }],
        structuredContent: { headers, token: TOKEN, [TOKEN]: Buffer.from(TOKEN).toString("base64") },
      }),
    });
    const report = await call("echo");
    value(report);
    assert.ok(wire.requests.every(({ headers, host }) => headers.authorization === `Bearer ${TOKEN}` && host === "mcp.good.com"));
    assert.deepEqual(report.requests[0]?.credentials, [{ carrier: "Authorization", host: "mcp.good.com" }]);
    const messages = report.requests.map(({ message }) => message);
    assert.deepEqual(messages, ["initialize", "notifications/initialized", "tools/list", "tools/call"]);
    const reportText = JSON.stringify([report, await list()]);
    assert.ok(!reportText.includes(TOKEN) && !reportText.includes(Buffer.from(TOKEN).toString("base64")));
  });

  it("a tool that may change something asks first, only with a real account", async () => {
    wire.respond = mcpResponder({ tools: [{ name: "read", annotations: READ_ONLY }, { name: "write" }] });
    const questions: McpTool[] = [];
    const mayCall = async (tool: McpTool): Promise<boolean> => {
      questions.push(tool);
      return false;
    };
    assert.equal((await call("read", {}, { mayCall })).outcome.status, "succeeded");
    const refusedReport = await call("write", {}, { mayCall });
    assert.equal(refusedReport.outcome.status, "cancelled");
    assert.match(differenceText(refusedReport), /asks its user before each call of write/);
    assert.deepEqual(
      questions.map(({ name }) => name),
      ["write"],
    );
    assert.equal(methods().filter((method) => method === "tools/call").length, 1);
    assert.equal((await call("write", {}, { mayCall: async () => true })).outcome.status, "succeeded");
  });

  it("a server without an account receives no request", async () => {
    const report = await list({ account: undefined as never });
    assert.match(failure(report), /^account-required \| The MCP server Good needs a connected account\. \| Connect/);
    assert.deepEqual(wire.connections, []);
  });

  it("an undeclared server or tool is reported with the existing ones", async () => {
    wire.respond = mcpResponder({ tools: [{ name: "Search" }] });
    await fails(runTarget({ kind: "mcpServer", name: "Other" }), /no MCP server Other\. \| It has: Good\./);
    await fails(call("search"), /^unknown-tool \| .* has no tool search\. \| Did you mean Search\?/);
  });

  it("an invalid argument is reported before the call", async () => {
    wire.respond = mcpResponder({
      tools: [
        {
          name: "search",
          annotations: READ_ONLY,
          inputSchema: { type: "object", properties: { query: { type: "string" }, size: { type: "integer" } }, required: ["query"] },
        },
      ],
    });
    const report = await call("search", { size: 1.5 });
    assert.equal(report.field, "query");
    assert.match(failure(report), /^invalid-parameter \| search: query: A value is required\. size: .* \| Its arguments: query, size\.$/);
    assert.ok(!methods().includes("tools/call"));
  });

  it("a result that violates its outputSchema is shown with a warning", async () => {
    const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
    wire.respond = mcpResponder({
      tools: [{ name: "add", annotations: READ_ONLY, outputSchema }],
      call: () => ({ content: [], structuredContent: { sum: "3" } }),
    });
    const report = await call("add");
    assert.deepEqual(value(report), { sum: "3" });
    assert.deepEqual(
      report.warnings?.map(({ path }) => path),
      ["sum"],
    );
  });

  it("a tool with outputSchema but no structured content shows its text with a warning", async () => {
    wire.respond = mcpResponder({
      tools: [{ name: "add", annotations: READ_ONLY, outputSchema: { type: "object" } }],
      call: () => ({ content: [{ type: "text", text: "3" }] }),
    });
    const report = await call("add");
    assert.equal(value(report), "3");
    assert.match(report.warnings?.[0]?.message ?? "", /has an outputSchema, but returned no structured content/);
  });

  it("prompts and resources are reported as unused by the platform", async () => {
    wire.respond = mcpResponder({ tools: [{ name: "a" }], capabilities: { tools: {}, prompts: {} } });
    assert.match(differenceText(await list()), /offers prompts too, but the platform uses only its tools/);
    wire.respond = mcpResponder({ tools: [], capabilities: { prompts: {}, resources: {} } });
    const report = await list();
    assert.deepEqual(value(report), []);
    assert.match(differenceText(report), /offers no tools, only prompts and resources/);
  });

  describe("A faulty server", () => {
    const html: Responder = (_request, response) => void response.setHeader("content-type", "text/html").end("<h1>Welcome</h1>");
    const events = (response: Parameters<Responder>[1]): Parameters<Responder>[1] =>
      response.writeHead(200, { "content-type": "text/event-stream" });

    const responseTo = (body: string, rest: object): string =>
      JSON.stringify({ jsonrpc: "2.0", id: (JSON.parse(body) as { id: number }).id, ...rest });
    const reply =
      (rest: object): Responder =>
      ({ body }, response) =>
        void response.setHeader("content-type", "application/json").end(responseTo(body, rest));

    it("a page, foreign JSON or an error status is reported as such", async () => {
      wire.respond = html;
      assert.match(
        failure(await list()),
        /^mcp-failed \| The MCP server Good failed, because there is no MCP server at this address: it answered with a web page\. \| Look up the server's address/,
      );
      wire.respond = (_request, response) => void response.setHeader("content-type", "application/json").end('{"hello":"there"}');
      await fails(list(), /^mcp-failed \| The MCP server Good failed, because it does not speak MCP: .*\{"hello":"there"\}” \| Look up/);
      wire.respond = (_request, response) => void response.writeHead(500, { "content-type": "text/plain" }).end("kaputt");
      await fails(list(), /failed \(500\), because the server has an internal error\. It said: “kaputt” \| Try again later/);
      wire.respond = (_request, response) => void response.writeHead(404).end();
      await fails(list(), /failed \(404\), because there is no MCP server at this address: it answered 404\. \| Look up/);
    });

    it("a server with HTTP+SSE only is reported", async () => {
      wire.respond = ({ method }, response) =>
        method === "GET"
          ? void events(response).write("event: endpoint\ndata: /messages?session=1\n\n")
          : void response.writeHead(405).end();
      await fails(list(), /speaks only HTTP\+SSE, an older transport that the platform does not support\. \| Look up/);
    });

    it("a stream left open after the answer does not delay the result", async () => {
      const tools = [{ name: "a", inputSchema: { type: "object" as const } }];
      wire.respond = mcpResponder({
        tools,
        instead: {
          "tools/list": ({ body }, response) => {
            events(response).write(
              `: hello\r\n\r\nevent: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\r\n\r\n`,
            );
            setTimeout(() => response.write(`data: ${responseTo(body, { result: { tools } })}\n\n`), 20);
          },
        },
      });
      assert.deepEqual(
        (value(await list()) as McpTool[]).map(({ name }) => name),
        ["a"],
      );
    });

    it("a stream without end stops at the time limit", async () => {
      wire.respond = mcpResponder({
        tools: [],
        instead: {
          "tools/list": (_request, response) => {
            const timer = setInterval(() => response.write(": still here\n\n"), 20);
            events(response).on("close", () => clearInterval(timer));
          },
        },
      });
      await fails(list({ timeLimit: 1_500 }), /^time-limit \| The MCP server took longer than 1\.5 s\. \| raiseTimeLimit/);
    });

    it("an answer of 100 MB is refused without blocking others", async () => {
      const piece = "x".repeat(1024 * 1024);
      const large: Responder = (_request, response) => {
        response.setHeader("content-type", "application/json");
        let count = 0;
        const more = (): void => {
          while (count < 100 && !response.destroyed) if (!response.write(count++ === 0 ? `"${piece}` : piece)) return;
          if (count >= 100) response.end('"');
        };
        response.on("drain", more).on("error", () => {});
        more();
      };
      wire.respond = mcpResponder({ tools: [], instead: { "tools/list": large } });
      assert.match(
        failure(await list()),
        /^mcp-failed \| The MCP server Good answered with more than 25 MB, which is not read\. Its tools must answer with less\./,
      );
    });

    it("JSON that nests too deeply is reported without mention of fetches", async () => {
      const deep = `${"[".repeat(60_000)}${"]".repeat(60_000)}`;
      for (const status of [200, 400]) {
        wire.respond = mcpResponder({
          tools: [],
          instead: { "tools/list": (_request, response) => response.writeHead(status, { "content-type": "application/json" }).end(deep) },
        });
        assert.match(
          failure(await list()),
          /^mcp-failed \| The MCP server Good answered with JSON that nests too deeply to be read\. Look at the server's log\./,
        );
      }
    });

    it("a list of 5,000 tools is cut, with the number of omitted tools", async () => {
      const tools = Array.from({ length: 5_000 }, (_, index) => ({
        name: `tool_${index}`,
        description: "d".repeat(200),
        inputSchema: { type: "object", properties: Object.fromEntries(["a", "b", "c"].map((name) => [name, { type: "string" }])) },
      }));
      wire.respond = mcpResponder({ tools });
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const report = await list();
      delay.disable();
      console.log(`      longest wait of the loop: ${Math.round(delay.max / 1e6)} ms`);
      assert.equal((value(report) as unknown[]).length, 1_000);
      assert.match(differenceText(report), /more tools than are listed here: 4000 were left out\. Each can be called by its name/);
      wire.respond = mcpResponder({ tools, pageSize: 100 });
      const paged = await list();
      assert.equal((value(paged) as unknown[]).length, 1_000);
      assert.match(differenceText(paged), /further pages were left out/);
      assert.equal(value(await call("tool_4999", { a: "x" })), '{"a":"x"}');
    });

    it("a circular list of pages ends", async () => {
      wire.respond = mcpResponder({
        tools: [],
        instead: { "tools/list": reply({ result: { tools: [], nextCursor: "again" } }) },
      });
      const report = await list();
      assert.deepEqual(value(report), []);
      assert.match(differenceText(report), /further pages were left out/);
    });

    it("circular, invalid and slow schemas do not block a call", async () => {
      const schemas: Record<string, object> = {
        circle: { $ref: "#" },
        tree: { type: "object", properties: { child: { $ref: "#" } } },
        none: { type: "object", properties: { a: { $ref: "#/nowhere" } } },
        slow: { type: "object", properties: { a: { type: "string", pattern: "^(([a-z])+.)+[A-Z]([a-z])+$" } } },
      };
      wire.respond = mcpResponder({
        tools: Object.entries(schemas).map(([name, schema]) => ({
          name,
          annotations: READ_ONLY,
          inputSchema: { type: "object", ...schema },
        })),
      });
      assert.match(
        differenceText(await call("circle", { a: 1 })),
        /arguments of circle were not checked: its schema refers to itself endlessly/,
      );
      assert.equal((await call("tree", { child: { child: { child: {} } } })).outcome.status, "succeeded");
      await fails(call("tree", { child: { child: 1 } }), /child: child: .*object/);
      assert.match(differenceText(await call("none", { a: 1 })), /not checked: its schema cannot be used/);
      assert.match(
        failure(await call("slow", { a: "a".repeat(60) }, { timeLimit: 9_000 })),
        /^time-limit \| Checking the MCP server's answer took longer than 3 s.* regular expression/,
      );
    });

    it("an error of MCP is reported", async () => {
      wire.respond = mcpResponder({
        tools: [{ name: "a", annotations: READ_ONLY }],
        instead: { "tools/call": reply({ error: { code: -32603, message: "The database is away" } }) },
      });
      await fails(call("a"), /refused: .*The database is away.* \(error -32603\)\. \| Look up the error in the server's documentation/);
    });

    for (const [what, method] of [
      ["pings", () => "ping"],
      ["requests samples", (index: number) => `sampling/${index}/${"s".repeat(200)}`],
    ] as const)
      it(`a server that ${what} without end is stopped`, async () => {
        wire.respond = mcpResponder({
          tools: [],
          instead: {
            "tools/list": ({ body }, response) => {
              const stream = events(response);
              for (let index = 0; index < 5_000; index++)
                stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: `s${index}`, method: method(index), params: {} })}\n\n`);
              response.end(`data: ${responseTo(body, { result: { tools: [] } })}\n\n`);
            },
          },
        });
        await fails(list(), /^mcp-failed \| The MCP server caused more than 200 requests, so it was stopped\. \| Look at the/);
        assert.ok(wire.requests.length <= 200, String(wire.requests.length));
      });

    it("streams that end before an answer are stopped after 200 requests", async () => {
      const again: Responder = (_request, response) => void events(response).end("id: 1\nretry: 1\ndata: \n\n");
      const usual = mcpResponder({ tools: [], instead: { "tools/list": again } });
      wire.respond = (request, response, raw) => (request.method === "GET" ? again : usual)(request, response, raw);
      await fails(list(), /caused more than 200 requests/);
    });

    it("an answer to another request is reported", async () => {
      wire.respond = mcpResponder({
        tools: [],
        instead: {
          "tools/list": (_request, response) =>
            void response.setHeader("content-type", "application/json").end('{"jsonrpc":"2.0","id":999,"result":{"tools":[]}}'),
        },
      });
      assert.match(
        failure(await list({ timeLimit: 12_000 })),
        /^mcp-failed \| The MCP server answered something else than it was asked\. \| Look at its last answer/,
      );
    });

    it("a credential echoed in headers is masked", async () => {
      wire.respond = (_request, response) =>
        void response.writeHead(401, { "www-authenticate": `Bearer error="invalid_token", error_description="${TOKEN}"` }).end();
      await fails(list(), /^mcp-failed \| The MCP server Good failed \(401\).*invalid_token — “••••”/);
      const usual = mcpResponder({ tools: [{ name: "a" }] });
      wire.respond = (request, response, raw) =>
        usual(request, response.setHeader("x-seen", TOKEN).setHeader("mcp-session-id", TOKEN), raw);
      assert.equal((value(await list()) as McpTool[]).length, 1);
    });

    it("overlong names, errors and schemas are reported in short messages", async () => {
      const long = "n".repeat(200_000);
      const schemaOf = (more: object): McpTool["inputSchema"] => ({ type: "object", ...more });
      wire.respond = mcpResponder({
        tools: [
          { name: "keys", annotations: READ_ONLY, inputSchema: schemaOf({ required: ["q"], properties: { [long]: {} } }) },
          { name: "names", annotations: READ_ONLY, inputSchema: schemaOf({ required: [long] }) },
          { name: "enum", annotations: READ_ONLY, inputSchema: schemaOf({ properties: { q: { enum: [long] } } }) },
          { name: "none", annotations: READ_ONLY, inputSchema: schemaOf({ properties: { q: { $ref: `#/${long}` } } }) },
          { name: "error", annotations: READ_ONLY },
          ...Array.from({ length: 60 }, (_, index) => ({ name: `${index}${long}` })),
        ],
        instead: { "tools/call": reply({ error: { code: 1, message: long } }) },
      });
      for (const name of ["keys", "names", "enum", "none", "error", "another"]) {
        const report = await call(name, { q: "x" });
        assert.ok(`${failure(report)} ${differenceText(report)}`.length < 12_000, name);
      }
    });

    /** The methods that the server got, with the session that each was sent in. */
    const sessions = (): readonly string[] =>
      wire.requests
        .filter(({ method }) => method === "POST")
        .map(({ body, headers }) => `${(JSON.parse(body) as { method?: string }).method} ${headers["mcp-session-id"] ?? "-"}`);
    /** A server with sessions, which ends each one at the first request of a method, as often as told. */
    const withSessions = (endingMethod: string, times: number): void => {
      const usual = mcpResponder({ tools: [{ name: "a", annotations: READ_ONLY }] });
      let session = 0;
      let left = times;
      wire.respond = (request, response, raw) => {
        const { method } = JSON.parse(request.body || "{}") as { method?: string };
        if (method === "initialize") response.setHeader("mcp-session-id", `session-${++session}`);
        if (method === endingMethod && left-- > 0) return void response.writeHead(404).end();
        usual(request, response, raw);
      };
    };

    for (const method of ["tools/list", "tools/call"])
      it(`a session that ended at ${method} is initialized anew, and the call succeeds`, async () => {
        withSessions(method, 1);
        assert.equal(value(await call("a", { x: 1 })), '{"x":1}');
        const first = sessions().indexOf(`${method} session-1`);
        assert.deepEqual(sessions().slice(first + 1, first + 4), [
          "initialize -",
          "notifications/initialized session-2",
          `${method} session-2`,
        ]);
      });

    it("a server that ends every session is initialized twice at most and reported", async () => {
      withSessions("tools/list", 100);
      assert.match(
        failure(await list()),
        /^mcp-failed \| The MCP server Good failed \(404\), because it ended the session, and a new one as well\. \| Look at the server's log\./,
      );
      assert.equal(sessions().filter((each) => each.startsWith("initialize")).length, 2);
    });

    const invalidTool = z.strictObject({ title: z.string(), tool: z.custom<object>(), wrong: z.string() });
    eachCase("runs/cases/invalid-mcp-tools.json", invalidTool, ({ title, tool, wrong }) => {
      it(`a tool that ${title} is skipped, with the wrong member named`, async () => {
        wire.respond = mcpResponder({
          tools: [
            { name: "bad", ...({ inputSchema: undefined } as object), ...tool },
            { name: "good", annotations: READ_ONLY },
          ],
        });
        const report = await list();
        assert.deepEqual(
          (value(report) as McpTool[]).map(({ name }) => name),
          ["good"],
        );
        assert.ok(differenceText(report).includes(`bad: ${wrong}`), differenceText(report));
        assert.equal(value(await call("good", { x: 1 })), '{"x":1}');
        const failureText = failure(await call("bad"));
        assert.ok(failureText.startsWith("mcp-failed | ") && failureText.includes(`bad: ${wrong}`), failureText);
      });
    });

    it("a list of invalid tools names some and counts the others", async () => {
      wire.respond = mcpResponder({
        tools: Array.from({ length: 500 }, (_, index) => ({ name: `bad${index}`, inputSchema: {} as never })),
      });
      const report = await list();
      assert.deepEqual(value(report), []);
      assert.match(differenceText(report), /bad0: inputSchema\.type: .*\n490 further tools were left out/s);
    });

    it("an invalid result is reported and quoted", async () => {
      wire.respond = mcpResponder({ tools: [{ name: "a", annotations: READ_ONLY }], call: () => ({ content: [{ type: "text" }] }) });
      assert.match(
        failure(await call("a")),
        /^mcp-failed \| The MCP server Good failed, because it answered with a result that MCP does not allow\. It said: .*"type":"text"/,
      );
    });

    /** A server that asks its client for something during a call, and answers the call once it has the response. */
    const asksDuringCall = (method: string): { responses: unknown[] } => {
      const responses: unknown[] = [];
      let finish: (() => void) | undefined;
      const usual = mcpResponder({
        tools: [{ name: "ask", annotations: READ_ONLY }],
        instead: {
          "tools/call": ({ body }, response) => {
            const stream = events(response);
            stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: "from-server", method, params: {} })}\n\n`);
            finish = () =>
              stream.write(`data: ${responseTo(body, { result: { content: [{ type: "text", text: "without an answer" }] } })}\n\n`);
          },
        },
      });
      wire.respond = (request, response, raw) => {
        const message = JSON.parse(request.body || "{}") as { id?: unknown; method?: string };
        if (message.method !== undefined || message.id !== "from-server") return usual(request, response, raw);
        responses.push(message);
        response.writeHead(202).end();
        finish?.();
      };
      return { responses };
    };

    it("a server's question during a call is refused at once, and After upload reports it", async () => {
      const { responses } = asksDuringCall("elicitation/create");
      const report = await call("ask");
      assert.equal(value(report), "without an answer");
      assert.match(differenceText(report), /The server asked for elicitation\/create and was refused\. The platform refuses it too/);
      assert.deepEqual(responses, [{ jsonrpc: "2.0", id: "from-server", error: { code: -32601, message: "Method not found" } }]);
    });

    it("a ping during a call is answered without a note", async () => {
      const { responses } = asksDuringCall("ping");
      const report = await call("ask");
      assert.equal(value(report), "without an answer");
      assert.doesNotMatch(differenceText(report), /asked for/);
      assert.deepEqual(responses, [{ jsonrpc: "2.0", id: "from-server", result: {} }]);
    });

    it("a result that asks the user (protocol of 2026) is reported", async () => {
      const complete = (result: object): Responder => reply({ result: { resultType: "complete", ...result } });
      const tools = [{ name: "ask", annotations: READ_ONLY, inputSchema: { type: "object" } }];
      wire.respond = mcpResponder({
        tools: [],
        instead: {
          initialize: reply({ error: { code: -32601, message: "Method not found" } }),
          "server/discover": complete({
            supportedVersions: ["2026-07-28"],
            capabilities: { tools: {} },
            serverInfo: { name: "raw", version: "1" },
            ttlMs: 0,
            cacheScope: "private",
          }),
          "tools/list": complete({ tools, ttlMs: 0, cacheScope: "private" }),
          "tools/call": reply({
            result: { resultType: "input_required", inputRequests: { q: { method: "elicitation/create", params: {} } } },
          }),
        },
      });
      assert.match(
        failure(await call("ask")),
        /^mcp-failed \| The MCP server Good failed, because it asks its user for something before it answers\. It said: .*elicitation\/create.* \| Let/,
      );
    });

    it("a cancelled run stops the request", async () => {
      const abort = new AbortController();
      wire.respond = mcpResponder({ tools: [], instead: { "tools/list": () => abort.abort() } });
      assert.equal((await list({ signal: abort.signal })).outcome.status, "cancelled");
    });
  });
});
