// What the platform's logs say of a failure, explained by the diagnoses of sign-ins and runs; or quoted, masked and cut.
import assert from "node:assert/strict";
import { z } from "zod";
import { explainLog } from "../../../platform/production/explain-log.ts";
import type { LogEntry } from "../../../platform/public-api/public-api.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../../protocol/definition.ts";
import { eachCase, pattern } from "../../support/json-cases.ts";
import { processorTime } from "../../support/processor-time.ts";

const CONTEXT = {
  logId: "1",
  createdAt: "2026-11-20T10:00:00Z",
  packVersion: "3",
  formulaName: "Orders",
  connectionId: "connection-1",
  requestId: "r",
  requestType: "invokeFormula",
  docId: "d",
};

const OAUTH: AuthenticationDefinition = {
  type: "OAuth2",
  hasGetConnectionName: false,
  postSetup: [],
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token",
  scopes: ["read", "wrote"],
};

const packOf = (userAuthentication: AuthenticationDefinition): PackDefinition => ({
  networkDomains: ["shop.example"],
  formulas: [],
  syncTables: [],
  userAuthentication,
});

const auth = (errorMessage: string, path = "/token"): LogEntry => ({ ...CONTEXT, type: "auth", path, errorMessage });

describe("An explanation of a log entry", () => {
  const logCase = z.strictObject({
    title: z.string(),
    /** The parts of the entry beside its context. */
    entry: z.looseObject({ type: z.string() }),
    diagnosis: z.string().exactOptional(),
    text: pattern,
    configPath: z.string().exactOptional(),
  });
  eachCase("production/cases/log-entries.json", logCase, ({ title, entry, diagnosis, text, configPath }) => {
    it(`the explanation says why: ${title}`, () => {
      const explanation = explainLog({ ...CONTEXT, ...entry } as LogEntry, packOf(OAUTH));
      assert.equal(explanation?.diagnosis, diagnosis, JSON.stringify(explanation));
      assert.match(explanation?.text ?? "", text);
      assert.equal(explanation?.configPath, configPath);
    });
  });

  it("an entry that reports no failure has no explanation", () => {
    for (const entry of [
      { ...CONTEXT, type: "auth", path: "/token" },
      { ...CONTEXT, type: "fetcher", responseCode: 200 },
      { ...CONTEXT, type: "invocation", duration: 3 },
      { ...CONTEXT, type: "custom", message: "hello", level: "info" },
      { ...CONTEXT, type: "unknown", typeName: "new", raw: "{}" },
    ] satisfies readonly LogEntry[])
      assert.equal(explainLog(entry, packOf(OAUTH)), undefined, entry.type);
  });

  it("masks what may be a credential, and is short, whatever the platform's words are", () => {
    const token = "canary4f1d7a9c2b60e835";
    for (const words of [
      `refused {"access_token":"${token}"}`,
      `error=odd_code&error_description=${token}`,
      `{"error":"${token}"}`,
      `invalid_grant for ${token}`,
      `401 - {"message":"token ${token} is bad"}`,
      `${"x ".repeat(50_000)}`,
    ])
      for (const entry of [
        auth(words),
        { ...CONTEXT, type: "invocation", error: { message: words } },
        { ...CONTEXT, type: "mcp", error: { message: `MCP error -1: ${words}` } },
      ] satisfies readonly LogEntry[]) {
        const { text = "" } = explainLog(entry, packOf(OAUTH)) ?? {};
        assert.ok(!text.includes(token), text);
        assert.ok(text.length < 1_500, `${text.length}`);
      }
  });

  it("a message that repeats the beginning of a member is explained in bounded time", () => {
    const started = processorTime();
    explainLog(auth(`"error":"${'\\"'.repeat(100_000)}`), packOf(OAUTH));
    assert.ok(processorTime() - started < 1_000);
  });
});
