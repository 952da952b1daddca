// MCP servers of @modelcontextprotocol/sdk 1 and @modelcontextprotocol/server 2 with the same tools, behind one bearer token: with answers as
// JSON and as streams, with sessions and without, of the protocol before 2026 and after.
import { randomUUID } from "node:crypto";
import { getRequestListener } from "@hono/node-server";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServer2 } from "@modelcontextprotocol/server";
import express from "express";
import * as z from "zod";
import { serve } from "./serve.mjs";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** `schema`: how the library wants the shape of an object. */
function withTools(server, schema) {
  const text = (value) => ({ content: [{ type: "text", text: value }] });
  server.registerTool(
    "add",
    {
      title: "Add",
      description: "The sum of two numbers.",
      annotations: { readOnlyHint: true },
      inputSchema: schema({ a: z.number(), b: z.number() }),
      outputSchema: schema({ sum: z.number() }),
    },
    async ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    "note",
    { description: "Takes a note.", inputSchema: schema({ text: z.string(), level: z.enum(["low", "high"]).optional() }) },
    async ({ text: note, level = "low" }) => text(`${level}: ${note}`),
  );
  server.registerTool("picture", { annotations: { readOnlyHint: true } }, async () => ({
    content: [
      { type: "image", data: PIXEL, mimeType: "image/png" },
      { type: "text", text: "one pixel" },
    ],
  }));
  server.registerTool("headers", { annotations: { readOnlyHint: true } }, async (context) =>
    text(JSON.stringify(context.requestInfo?.headers ?? Object.fromEntries(context.http?.req?.headers ?? []))),
  );
  server.registerTool("fails", { annotations: { readOnlyHint: true } }, async () => ({ ...text("No such project."), isError: true }));
  return server;
}

const server1 = () => withTools(new McpServer1({ name: "one", version: "1" }), (shape) => shape);
const server2 = () => withTools(new McpServer2({ name: "two", version: "2" }), (shape) => z.object(shape));

await serve(({ origin, token }) => {
  const app = express().disable("x-powered-by");
  app.use((request, response, next) => {
    if (request.headers.authorization === `Bearer ${token}`) return next();
    response.status(401).set("www-authenticate", 'Bearer error="invalid_token", error_description="The token is not known"').end();
  });
  const stateless = (enableJsonResponse) => async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse });
    await server1().connect(transport);
    await transport.handleRequest(request, response);
  };
  app.all("/1/json", stateless(true));
  app.all("/1/stream", stateless(false));
  const sessions = new Map();
  app.all("/1/session", async (request, response) => {
    let transport = sessions.get(request.headers["mcp-session-id"]);
    if (transport === undefined) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
        onsessionclosed: (id) => sessions.delete(id),
      });
      await server1().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  app.get("/sessions", (_request, response) => response.json(sessions.size));
  const listener = (options) => getRequestListener((request) => createMcpHandler(server2, options).fetch(request));
  app.all("/2/both", listener({}));
  app.all("/2/alone", listener({ legacy: "reject", responseMode: "sse" }));
  return { handler: app, register: () => {}, authorizationUrl: origin, tokenUrl: origin, api: `${origin}/sessions` };
});
