// Runs from end to end: a pack in its process, its requests through the broker on a wire, and the report of what happened.
import assert from "node:assert/strict";
import type { RunAccount } from "../../../platform/accounts/run-account.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import type { RunReport, RunTarget } from "../../../protocol/run.ts";
import { TOKEN } from "../../support/broker.ts";
import { closePacks, pack } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { execute, type RunOptions, run } from "../../support/run.ts";
import { openWire, type Wire } from "../../support/wire.ts";

const USER = `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://good.com/authorize", tokenUrl: "https://good.com/token",
  getConnectionName: async (context: any) => (await context.fetcher.fetch({ method: "GET", url: "https://good.com/me" })).body.name });`;
const SYSTEM = `pack.setSystemAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-System" });`;

const source = (setters: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
${setters}
const text = (name: string, more = {}) => coda.makeParameter({ type: coda.ParameterType.String, name, description: name, ...more });
const formula = (name: string, requirement: any, execute: any, more = {}) => pack.addFormula({
  name, description: name, parameters: [], resultType: coda.ValueType.String, connectionRequirement: requirement, execute, ...more } as any);
const { None, Optional, Required } = coda.ConnectionRequirement;
const get = async (context: any, path: string) => (await context.fetcher.fetch({ method: "GET", url: "https://good.com" + path, cacheTtlSecs: 0 })).body;

formula("Open", None, async (_: any, context: any) => get(context, "/open"));
formula("Maybe", Optional, async (_: any, context: any) => get(context, "/maybe"));
formula("Echo", Required, async (_: any, context: any) => { const body = await get(context, "/echo"); console.log("seen", body); return body; });
formula("Thrown", Required, async (_: any, context: any) => { throw new Error("it said " + JSON.stringify(await get(context, "/echo"))); });
formula("Status", Required, async (_: any, context: any) => {
  try { await get(context, "/401"); return "no error"; }
  catch (error: any) {
    return { isInstance: error instanceof coda.StatusCodeError, isStatus: coda.StatusCodeError.isStatusCodeError(error), statusCode: error.statusCode,
      body: error.body, options: error.options.url, header: error.response.headers["x-mark"] };
  }
});
formula("Elsewhere", Required, async (_: any, context: any) => context.fetcher.fetch({ method: "GET", url: "https://evil.com/x" }));
formula("Own", Required, async (_: any, context: any) => (await context.fetcher.fetch({ method: "GET", url: "https://good.com/x", headers: { Authorization: "mine" } })).status);
formula("Given", None, async (args: any[]) => args.map((arg) => (arg instanceof Date ? "date " + arg.toISOString() : arg === undefined ? "undefined" : typeof arg + " " + JSON.stringify(arg))), {
  parameters: [text("name"), coda.makeParameter({ type: coda.ParameterType.Number, name: "count", description: "", optional: true }),
    coda.makeParameter({ type: coda.ParameterType.Date, name: "day", description: "", optional: true })],
  varargParameters: [text("more")],
});
formula("Deep", None, async () => { let value: any = "bottom"; for (let i = 0; i < 2000; i++) value = [value]; return value; });
formula("Forever", None, async () => { for (;;); });
formula("Waits", None, async (_: any, context: any) => get(context, "/never"));
formula("Context", None, async (_: any, context: any) => ({ timezone: context.timezone, endpoint: context.endpoint ?? null, token: context.invocationToken, place: context.invocationLocation.protocolAndHost, source: context.invocationLocation.source }));

const table = (name: string, execute: any) => pack.addSyncTable({
  name, identityName: name, description: name, connectionRequirement: Optional,
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number } }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "Sync" + name, description: name, parameters: [], execute },
} as any);
table("Pages", async (_: any, context: any) => {
  const page = context.sync.continuation?.page ?? 0;
  await get(context, "/page/" + page);
  return { result: [{ id: page * 2 }, { id: page * 2 + 1 }], continuation: page < 4 ? { page: page + 1 } : undefined };
});
table("Many", async (_: any, context: any) => {
  const start = context.sync.continuation?.start ?? 0;
  return { result: Array.from({ length: 700 }, (_item, id) => ({ id: start + id })), continuation: { start: start + 700 } };
});
table("Circle", async (_: any, context: any) => {
  const page = context.sync.continuation?.page ?? 0;
  return { result: [{ id: page }], continuation: { page: (page + 1) % 3 } };
});
let exportAsks = 0;
table("Export", async () => exportAsks++ < 3 ? { result: [], continuation: { job: 1 } } : { result: [{ id: 1 }] });
table("Empty", async (_: any, context: any) => ({ result: [], continuation: { n: (context.sync.continuation?.n ?? 0) + 1 } }));
table("Breaks", async (_: any, context: any) => { if (context.sync.continuation) throw new Error("page two is broken"); return { result: [{ id: 1 }], continuation: { n: 1 } }; });
`;

describe("A run", function () {
  this.timeout(30_000);
  let wire: Wire;
  let userPack: Pack;
  let systemPack: Pack;
  let bothPack: Pack;
  before(async () => {
    wire = await openWire();
    userPack = await pack(packFiles({ "pack.ts": source(USER) }));
    systemPack = await pack(
      packFiles({
        "pack.ts": source(SYSTEM).replaceAll(
          "= coda.ConnectionRequirement",
          "= { None: 'none', Optional: 'none', Required: 'none' } as any",
        ),
      }),
    );
    bothPack = await pack(packFiles({ "pack.ts": source(USER + SYSTEM) }));
  });
  after(async () => {
    closePacks();
    removePackFiles();
    await wire.close();
  });
  beforeEach(async () => {
    await wire.reset();
    wire.respond = ({ path, headers }, response) => {
      if (path === "/never") return;
      response.statusCode = path === "/401" ? 401 : 200;
      response.setHeader("content-type", "application/json").setHeader("x-mark", "here");
      response.end(JSON.stringify({ path, sent: headers.authorization ?? headers["x-system"] ?? null, name: "Alice" }));
    };
  });

  const oauth: Credential = { kind: "oauth2", accessToken: TOKEN };
  const user: RunAccount = { scope: "user", credential: oauth };
  const system: RunAccount = { scope: "system", credential: { kind: "token", token: "canary-system-77" } };
  const formula = (name: string): RunTarget => ({ kind: "formula", name });
  const table = (name: string): RunTarget => ({ kind: "syncTable", name });
  const go = (of: Pack, target: RunTarget, parameters: readonly unknown[] = [], options: Partial<RunOptions> = {}): Promise<RunReport> =>
    run(of, target, parameters, { fetch: wire.fetch, lookup: wire.lookup, ...options });
  const value = (report: RunReport): unknown => {
    assert.ok(report.outcome.status === "succeeded", JSON.stringify(report.outcome));
    return report.outcome.value;
  };
  const problem = (report: RunReport) => {
    assert.ok(report.outcome.status === "failed", JSON.stringify(report.outcome));
    return report.outcome.error;
  };

  describe("The account", () => {
    it("auth-spec 4 pack.addFormula, 5.1.2: the account is used for formulas that require it or take it", async () => {
      await go(userPack, formula("Echo"), [], { account: user });
      await go(userPack, formula("Maybe"), [], { account: user });
      await go(userPack, formula("Open"), [], { account: user });
      await go(userPack, formula("Maybe"));
      assert.deepEqual(
        wire.requests.map((request) => [request.path, request.headers.authorization]),
        [
          ["/echo", `Bearer ${TOKEN}`],
          ["/maybe", `Bearer ${TOKEN}`],
          ["/open", undefined],
          ["/maybe", undefined],
        ],
      );
    });
    it("a formula without its user account is refused even with a system account", async () => {
      for (const [of, account] of [
        [userPack, undefined],
        [bothPack, undefined],
        [bothPack, system],
      ] as const) {
        const { code, message, hint } = problem(await go(of, formula("Echo"), [], account === undefined ? {} : { account }));
        assert.deepEqual([code, message], ["account-required", "Echo needs a connected account."]);
        assert.match(hint ?? "", /Connect a test account/);
      }
      assert.deepEqual(wire.requests, []);
    });
    it("auth-spec 1 system-wide: the system account serves every run without a user's account", async () => {
      await go(systemPack, formula("Open"), [], { account: system });
      await go(bothPack, formula("Maybe"), [], { account: system });
      await go(bothPack, formula("Open"), [], { account: system });
      await go(bothPack, formula("Maybe"), [], { account: user });
      assert.deepEqual(
        wire.requests.map((request) => [request.headers["x-system"], request.headers.authorization]),
        [
          ["canary-system-77", undefined],
          ["canary-system-77", undefined],
          ["canary-system-77", undefined],
          [undefined, `Bearer ${TOKEN}`],
        ],
      );
    });
    it("a missing system account is noted", async () => {
      const report = await go(systemPack, formula("Open"));
      assert.match(report.platformDifferences[0]?.message ?? "", /system authentication has no account here/);
      assert.deepEqual((await go(systemPack, formula("Context"))).platformDifferences, []);
    });
    it("auth-spec 5.5.7: a 401 refreshes the account once for all pages of a table", async () => {
      wire.respond = ({ headers }, response) => response.writeHead(headers.authorization === "Bearer fresh-token-1" ? 200 : 401).end();
      let refreshed = 0;
      let credential = oauth;
      const account: RunAccount = {
        scope: "user",
        get credential() {
          return credential;
        },
        refresh: async () => {
          refreshed++;
          credential = { kind: "oauth2", accessToken: "fresh-token-1" };
          return { credential, isNew: true };
        },
      };
      const report = await go(userPack, table("Pages"), [], { account });
      assert.equal((value(report) as unknown[]).length, 10);
      assert.equal(refreshed, 1);
      assert.deepEqual(
        report.requests.map((request) => request.status),
        [401, 200, 200, 200, 200, 200],
      );
      assert.ok(!JSON.stringify(report).includes("fresh-token-1"));
    });
    it("auth-spec 2.5 context.endpoint, 2.5 context.invocationToken: the endpoint is in the context and the base of relative requests", async () => {
      const report = await go(userPack, formula("Context"), [], {
        account: { ...user, endpoint: "https://acme.good.com" },
        timezone: "Asia/Tokyo",
        source: "Go",
      });
      const { token, ...rest } = value(report) as { token: string };
      assert.deepEqual(rest, { timezone: "Asia/Tokyo", endpoint: "https://acme.good.com", place: "https://coda.io", source: "Go" });
      assert.match(token, /^[0-9a-f-]{36}$/);
      const again = value(await go(userPack, formula("Context"))) as { token: string };
      assert.notEqual(again.token, token);
    });
  });

  describe("A report", () => {
    it("the report has no secret in result, requests, console, error or stack", async () => {
      const events: unknown[] = [];
      const options = {
        account: user,
        onRequest: (trace: unknown) => events.push(trace),
        onConsole: (entry: unknown) => events.push(entry),
      };
      const echoed = await go(userPack, formula("Echo"), [], options);
      const thrown = await go(userPack, formula("Thrown"), [], options);
      assert.deepEqual(value(echoed), { path: "/echo", sent: "Bearer ••••", name: "Alice" });
      assert.match(echoed.console[0]?.message ?? "", /Bearer ••••/);
      const error = problem(thrown);
      assert.match(error.message, /it said .*Bearer ••••/);
      assert.ok(error.stack?.some((frame) => frame.location?.path.endsWith("pack.ts")));
      assert.equal(events.length, 3);
      assert.equal(wire.requests[0]?.headers.authorization, `Bearer ${TOKEN}`);
      for (const text of [echoed, thrown, events].map((each) => JSON.stringify(each))) {
        assert.ok(!text.includes(TOKEN) && !text.includes(Buffer.from(TOKEN).toString("base64").slice(0, -2)), text);
      }
    });
    it("a secret in a parameter is masked in the report", async () => {
      const report = await go(userPack, formula("Given"), [TOKEN], { account: user });
      assert.deepEqual(value(report), ['string "••••"']);
    });
    it("differences to the platform are noted", async () => {
      const elsewhere = await go(userPack, formula("Elsewhere"), [], { account: user });
      assert.match(problem(elsewhere).message, /Not sent: evil\.com is not in the pack's network domains/);
      assert.deepEqual(
        elsewhere.requests.map((request) => [request.url, request.failureReason === undefined]),
        [["https://evil.com/x", false]],
      );
      assert.match(elsewhere.platformDifferences[0]?.message ?? "", /evil\.com.*The platform refuses it too/);
      const own = await go(userPack, formula("Own"), [], { account: user });
      assert.match(own.platformDifferences[0]?.message ?? "", /set the header Authorization itself/);
      assert.deepEqual(wire.connections, ["https://good.com:"]);
    });
    it("StatusCodeError reaches the pack whole as the toolkit's own class", async () => {
      assert.deepEqual(value(await go(userPack, formula("Status"), [], { account: user })), {
        isInstance: true,
        isStatus: true,
        statusCode: 401,
        body: { path: "/401", sent: "Bearer ••••", name: "Alice" },
        options: "https://good.com/401",
        header: "here",
      });
    });
    it("values nested too deeply are cut", async () => {
      assert.match(JSON.stringify(value(await go(userPack, formula("Deep")))), /nested more than 1000 levels/);
    });
  });

  describe("Parameters", () => {
    it("parameters keep their kinds, and omitted ones are undefined", async () => {
      const runWith = (...parameters: unknown[]) => go(userPack, formula("Given"), parameters);
      assert.deepEqual(value(await runWith("a", 2, { $date: "2026-12-01T00:00:00.000Z" }, "b")), [
        'string "a"',
        "number 2",
        "date 2026-12-01T00:00:00.000Z",
        'string "b"',
      ]);
      assert.deepEqual(value(await runWith("a", undefined, null)), ['string "a"', "undefined", "undefined"]);
    });
    it("an invalid parameter stops the run and is named", async () => {
      for (const [parameters, message] of [
        [[], /Given needs a value for name/],
        [[5], /name must be a string/],
        [["a", "2"], /count must be a number/],
        [["a", 1, "2026-12-01"], /day must be a date/],
      ] as const) {
        const error = problem(await go(userPack, formula("Given"), parameters));
        assert.equal(error.code, "invalid-parameter");
        assert.match(error.message, message);
      }
    });
    it("an unknown formula or table is reported with the existing ones", async () => {
      const { code, hint } = problem(await go(userPack, formula("Nope"), ["x"]));
      assert.equal(code, "unknown-formula");
      assert.match(hint ?? "", /It has: Open, Maybe, Echo/);
      assert.match(problem(await go(userPack, table("Echo"))).hint ?? "", /It has: Pages, Many/);
    });
  });

  describe("A sync", () => {
    it("continuations page through the table and count its rows", async () => {
      const counts: number[] = [];
      const report = await go(userPack, table("Pages"), [], { onRows: (count) => counts.push(count) });
      assert.deepEqual(
        value(report),
        Array.from({ length: 10 }, (_item, id) => ({ Id: id })),
      );
      assert.deepEqual(counts, [2, 4, 6, 8, 10]);
      assert.deepEqual(
        wire.requests.map((request) => request.path),
        [0, 1, 2, 3, 4].map((page) => `/page/${page}`),
      );
    });
    it("a sync stops at the row limit: 1,000 by default, 10,000 at most", async () => {
      for (const [rowLimit, rows] of [
        [undefined, 1_000],
        [3, 3],
        [0, 1],
        [50_000, 10_000],
      ] as const) {
        const { outcome } = await go(userPack, table("Many"), [], rowLimit === undefined ? {} : { rowLimit });
        assert.ok(outcome.status === "succeeded");
        assert.deepEqual([outcome.rows, (outcome.value as unknown[]).length], [rows, rows]);
      }
    });
    it("a cancelled sync keeps the rows so far", async () => {
      const abort = new AbortController();
      const { outcome } = await go(userPack, table("Pages"), [], {
        signal: abort.signal,
        onRows: (count) => {
          if (count === 4) abort.abort();
        },
      });
      assert.deepEqual(outcome, { status: "cancelled", rows: 4, value: [{ Id: 0 }, { Id: 1 }, { Id: 2 }, { Id: 3 }] });
    });
    it("a table whose continuation and rows come again stops with the reason", async () => {
      const circle = problem(await go(userPack, table("Circle")));
      assert.equal(circle.message, "The sync table never ends: page 4 has the rows and the continuation of an earlier page.");
      assert.match(circle.hint ?? "", /return no continuation with the last page/);
    });
    it("a table that returns the same continuation until its rows are there is no circle", async () => {
      assert.deepEqual(value(await go(userPack, table("Export"))), [{ Id: 1 }]);
    });
    it("a table without rows or without a list ends with a hint", async () => {
      const endless = problem(await go(userPack, table("Empty")));
      assert.match(endless.message, /100 empty pages one after another/);
      assert.match(endless.hint ?? "", /only while there are more rows/);
      const bare =
        'export const pack = { formulas: [], syncTables: [{ name: "Wrong", getter: { parameters: [], execute: async () => [1] } }] };';
      const wrong = await pack(packFiles({ "pack.ts": bare }));
      assert.match(problem(await go(wrong, table("Wrong"))).message, /returned no \{ result: \[\.\.\.\] \}/);
      assert.match(problem(await go(userPack, table("Breaks"))).message, /page two is broken/);
    });
  });

  it("a run stops at its time limit or on cancel, and the next one works", async () => {
    assert.equal(problem(await go(userPack, formula("Forever"), [], { timeLimit: 300 })).code, "time-limit");
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    assert.deepEqual((await go(userPack, formula("Waits"), [], { signal: abort.signal })).outcome, { status: "cancelled" });
    assert.deepEqual((await go(userPack, formula("Context"), [], { signal: AbortSignal.abort() })).outcome, { status: "cancelled" });
    assert.ok(value(await go(userPack, formula("Open"))));
  });

  it("auth-spec 5.6.2: the authentication's own functions run with the account", async () => {
    const target: RunTarget = { kind: "authentication", scope: "user", function: { name: "getConnectionName" } };
    const execution = await execute(userPack, target, [], { fetch: wire.fetch, lookup: wire.lookup, account: user });
    assert.deepEqual(execution, { value: "Alice" });
    assert.deepEqual(
      wire.requests.map((request) => [request.path, request.headers.authorization]),
      [["/me", `Bearer ${TOKEN}`]],
    );
    wire.respond = (_request, response) => response.writeHead(500).end(`no, ${TOKEN}`);
    await assert.rejects(execute(userPack, target, [], { fetch: wire.fetch, lookup: wire.lookup, account: user }), (error: Error) => {
      assert.match(error.message, /500 - "no, ••••"/);
      return true;
    });
  });
});
