// What an entry says on one line.
import assert from "node:assert/strict";
import { entryText, LOG_TYPES, typeIcon, typeText } from "../../../platform/production/log-text.ts";
import { logEntry } from "../../support/log-entries.ts";

describe("the line of a log entry", () => {
  it("each type has a name of its own", () => {
    assert.deepEqual(LOG_TYPES.map(typeText), ["authentication", "request", "invocation", "MCP", "custom", "other"]);
  });

  it("an entry of each type is shown: the line has what the entry says", () => {
    assert.deepEqual(
      [
        logEntry({ type: "auth", path: "/oauth/token", errorMessage: "invalid_grant" }),
        logEntry({ type: "auth", path: "/oauth/token" }),
        logEntry({ type: "fetcher", method: "GET", baseUrl: "https://api.acme.example/tasks", responseCode: 429, duration: 61.4 }),
        logEntry({ type: "fetcher", cacheHit: true }),
        logEntry({ type: "invocation", error: { message: "Boom" }, duration: 12 }),
        logEntry({ type: "invocation" }),
        logEntry({ type: "mcp", message: "tools/call", error: { message: "no tool" } }),
        logEntry({ type: "custom", level: "warn", message: "first\n  second" }),
        logEntry({ type: "unknown", typeName: "agentRuntime", raw: '{"step":1}' }),
      ].map(entryText),
      [
        "/oauth/token · invalid_grant",
        "/oauth/token",
        "429 · GET https://api.acme.example/tasks · 61 ms",
        "from the cache",
        "Boom · 12 ms",
        "no error",
        "tools/call · no tool",
        "warn · first second",
        'agentRuntime · {"step":1}',
      ],
    );
  });

  it("a failure has the icon of an error, and other entries that of their type", () => {
    assert.equal(typeIcon(logEntry({ type: "fetcher", responseCode: 500 })), "error");
    assert.equal(typeIcon(logEntry({ type: "fetcher", responseCode: 200 })), "globe");
  });
});
