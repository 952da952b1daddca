// The logs of a published pack, read from a stand-in of the public API in a process of its own.
import assert from "node:assert/strict";
import { PackAuthError } from "../../../platform/errors.ts";
import { groupByConnection, isFailure, type LogFilter, type LogReader, newestFirst, openLogs } from "../../../platform/production/logs.ts";
import { openPublicApi } from "../../../platform/public-api/client.ts";
import type { LogEntry } from "../../../platform/public-api/public-api.ts";
import { logEntry } from "../../support/log-entries.ts";
import { type ApiFaults, type PublicApiStandIn, startPublicApi } from "../../support/public-api.ts";

const MIB = 1024 * 1024;

describe("the logs of a published pack", function () {
  this.timeout(60_000);
  let standIn: PublicApiStandIn | undefined;
  afterEach(async () => {
    await standIn?.close();
    standIn = undefined;
  });

  async function readerWith(faults: ApiFaults, filter: LogFilter = {}, docId?: string): Promise<LogReader> {
    standIn = await startPublicApi({ faults });
    const api = openPublicApi({ origin: "https://coda.io", token: standIn.token, fetch: standIn.fetch });
    return openLogs(api, { kind: "doc", packId: standIn.packId, docId: docId ?? standIn.docId }, filter);
  }

  const refusal = async (reader: LogReader): Promise<PackAuthError> => {
    const error: unknown = await reader.more(1).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof PackAuthError, String(error));
    return error;
  };

  it("pages are read on request, the newest entries first, and only with GET", async () => {
    const reader = await readerWith({ entries: 250 });
    const first = await reader.more(100);
    assert.equal(first.length, 100);
    assert.equal(reader.hasMore, true);
    assert.deepEqual(first, newestFirst(first));
    const rest = [...(await reader.more(100)), ...(await reader.more(100))];
    assert.equal(rest.length, 150);
    assert.equal(reader.hasMore, false);
    assert.equal(reader.problem, undefined);
    const requests = (await standIn?.state())?.requests ?? [];
    assert.equal(requests.length, 3);
    assert.ok(requests.every(({ method }) => method === "GET"));
  });

  it("entries of undeclared types and shapes are kept: they are raw, and everything else is read", async () => {
    const entries = await (await readerWith({ unknownLogTypes: true })).more(100);
    const unknown = entries.flatMap((entry) => (entry.type === "unknown" ? [entry.typeName] : []));
    assert.deepEqual(unknown.sort(), ["", "", "auth", "fetcher", "quantumLog"]);
    assert.equal(entries.length, 25);
  });

  it("10,000 entries are read within bounded memory, and no entry behind them", async () => {
    const reader = await readerWith({ entries: 10_050 });
    const before = process.memoryUsage().heapUsed;
    const entries: LogEntry[] = [];
    while (reader.hasMore) entries.push(...(await reader.more(500)));
    assert.deepEqual([new Set(entries.map(({ logId }) => logId)).size, entries.length], [10_000, 10_000]);
    assert.ok(entries.every(({ type }) => type !== "unknown"));
    assert.match(reader.problem?.message ?? "", /more than 10000 entries/);
    assert.ok(process.memoryUsage().heapUsed - before < 100 * MIB);
  });

  it("a page token that repeats ends the logs: the entries are kept, and the reason is said", async () => {
    const reader = await readerWith({ entries: 250, repeatingPageToken: true });
    const entries = await reader.more(1_000);
    assert.equal(entries.length, 100);
    assert.equal(reader.hasMore, false);
    assert.match(reader.problem?.message ?? "", /same page of logs again/);
  });

  it("a refusal names the doc, and what to choose instead", async () => {
    const error = await refusal(await readerWith({ forbidden: true }));
    assert.equal(error.code, "api-forbidden");
    assert.match(error.message, /doc-stand-in/);
    assert.match(error.hint ?? "", /^Choose a doc that uses the pack/);
  });

  it("a doc of another workspace is not found, and the sentence says so", async () => {
    const error = await refusal(await readerWith({ otherTenant: true }));
    assert.equal(error.code, "api-not-found");
    assert.match(error.message, /doc-stand-in/);
  });

  it("a limit ends the call, and says when to try again; the next call reads on", async () => {
    const error = await refusal(await readerWith({ limited: "7" }));
    assert.equal(error.code, "api-limited");
    assert.match(error.hint ?? "", /7 seconds/);
  });

  it("a cancelled call ends at once", async () => {
    const reader = await readerWith({ slow: true });
    await assert.rejects(reader.more(1, AbortSignal.timeout(100)), ({ name }: Error) => name === "TimeoutError");
  });

  it("a filter lets through what it names, and reads on until there is enough", async () => {
    const reader = await readerWith({ entries: 500 }, { type: "custom", connection: "account 1" });
    const entries = await reader.more(20);
    assert.ok(entries.length >= 20);
    assert.ok(entries.every((entry) => entry.type === "custom" && entry.connectionName === "Account 1"));
    const [request] = (await standIn?.state())?.requests ?? [];
    assert.equal(new URL(`https://x${request?.path}`).searchParams.get("logTypes"), "custom");
  });

  it("failures only, a formula and a time filter the entries", async () => {
    const failures = await (await readerWith({}, { failuresOnly: true })).more(100);
    assert.deepEqual([...new Set(failures.map(({ type }) => type))].sort(), ["auth", "fetcher", "invocation"]);
    await standIn?.close();
    assert.deepEqual(await (await readerWith({}, { formula: "Other" })).more(100), []);
    await standIn?.close();
    const since = Date.UTC(2026, 0, 1) - 4_500;
    const recent = await (await readerWith({}, { since })).more(100);
    assert.equal(recent.length, 5);
  });

  it("other types are those that no name covers", async () => {
    const entries = await (await readerWith({ unknownLogTypes: true }, { type: "unknown" })).more(100);
    assert.equal(entries.length, 5);
  });
});

describe("log entries by connection", () => {
  it("entries are grouped: the connection with the newest entry comes first", () => {
    const at = (second: number, context: object) =>
      logEntry({ type: "custom", level: "info", message: "" }, { createdAt: `2026-11-28T08:00:0${second}Z`, ...context });
    const groups = groupByConnection([
      at(1, { connectionId: "a", connectionName: "alice" }),
      at(3, { connectionId: "b", connectionName: "" }),
      at(2, { connectionId: "a", connectionName: "" }),
      at(0, { connectionId: "", connectionName: undefined }),
    ]);
    assert.deepEqual(
      groups.map(({ id, name, entries }) => [id, name, entries.length]),
      [
        ["b", "b", 1],
        ["a", "alice", 2],
        ["", "Without a connection", 1],
      ],
    );
  });

  it("an entry says itself whether something failed", () => {
    assert.equal(isFailure(logEntry({ type: "fetcher", responseCode: 404 })), true);
    assert.equal(isFailure(logEntry({ type: "fetcher" })), false);
    assert.equal(isFailure(logEntry({ type: "custom", level: "error", message: "" })), true);
    assert.equal(isFailure(logEntry({ type: "unknown", typeName: "x", raw: "" })), false);
  });
});
