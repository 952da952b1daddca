// What the platform's runtime has, and has not: globals, clocks, a console, Node's modules; column formats.
import assert from "node:assert/strict";
import { nodeEnvironment } from "../../../platform/child-process/node-environment.ts";
import { formula, RUN_PACK, runsOfSuite, value } from "../../support/run-pack.ts";

const SOURCE = `${RUN_PACK}
formula("ReadsFile", async () => fs.readFileSync("/etc/passwd", "utf8"));
formula("Clock", async ([date]: Date[], context: any) => [new Date(2026, 6, 1, 12).toISOString(), new Date().getTimezoneOffset(), Intl.DateTimeFormat().resolvedOptions().timeZone,
  date.toISOString(), date.toLocaleDateString("en", { timeZone: context.timezone })].join(" "), { parameters: [coda.makeParameter({ type: coda.ParameterType.Date, name: "date", description: "" })] });
formula("Logs", async () => {
  console.log("%s is %d%% of %j", "x", 5, { a: 1 }, "rest");
  console.info(new Map([["a", 1]]), new Set([1]));
  console.error(new Error("logged"));
  return Object.keys(console).sort().join();
});
formula("Table", async () => (console as any).table([1]));
formula("Globals", async (_: any, context: any) => ["Buffer", "crypto", "Intl", "console", "WebAssembly", "Atomics", "URL", "URLSearchParams", "eval", "TextEncoder", "TextDecoder", "atob", "btoa", "fetch", "require", "setTimeout",
  "setInterval", "structuredClone", "queueMicrotask", "AbortController"].filter((name) => typeof (globalThis as any)[name] !== "undefined"), { resultType: coda.ValueType.Array, items: { type: coda.ValueType.String } });
pack.addColumnFormat({ name: "Upper", formulaName: "Shout", instructions: "Text.", matchers: [/^https:\\/\\/good\\.com\\//i] });
formula("Shout", async ([text]: string[]) => text.toUpperCase(), { parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "" })],
  examples: [{ params: [["a", "b"], undefined, new Date(0)], result: "A" }, "none", { params: 5, result: "B" }] as any });

`;

describe("The platform's runtime", function () {
  this.timeout(30_000);
  const suite = runsOfSuite(SOURCE);
  const { go, lineOf } = suite;

  it("clocks are in UTC, and dates in the document's time zone", async () => {
    const report = await go(formula("Clock"), [{ $date: "2026-12-01" }], { timezone: "Asia/Tokyo" });
    assert.equal(value(report), "2026-07-01T12:00:00.000Z 0 UTC 2026-11-30T15:00:00.000Z 12/1/2026");
    // Whatever this machine's clocks show.
    assert.equal(nodeEnvironment().TZ, "UTC");
    const failedReport = await go(formula("Clock"), [{ $date: "2026-12-01" }], { timezone: "Nowhere/Lost" });
    assert.ok(failedReport.outcome.status === "failed");
    assert.match(failedReport.outcome.error.message, /There is no time zone Nowhere\/Lost/);
  });

  it("an empty Node module is reported as empty on the platform", async () => {
    const { outcome } = await go(formula("ReadsFile"));
    assert.match(outcome.status === "failed" ? outcome.error.message : "", /Node's fs is empty in the platform's runtime/);
  });

  it("the formula of a column format runs", async () => {
    assert.equal(value(await go(formula("Shout"), ["a"])), "A");
    assert.equal((await go(formula("Shout"), [5])).field, "text");
  });

  it("examples of a formula are JSON, without non-JSON values", () => {
    const shout = suite.openedPack.definition.formulas.find(({ name }) => name === "Shout");
    assert.deepEqual(shout?.examples, [{ params: [["a", "b"], null, "1970-01-01T00:00:00.000Z"], result: "A" }, {}, { result: "B" }]);
  });

  describe("The console", () => {
    it("the platform's functions and formats apply; a logged error names the pack's lines", async () => {
      const report = await go(formula("Logs"));
      assert.equal(value(report), "debug,error,info,log,trace,warn");
      assert.deepEqual(
        report.console.slice(0, 2).map(({ message }) => message),
        ['x is 5% of {"a":1} rest', 'Map(1) [["a", 1]] Set(1) [1]'],
      );
      const [first, ...frames] = report.console[2]?.message.split("\n") ?? [];
      assert.equal(first, "Error: logged");
      assert.ok(frames.length > 0 && frames.every((frame) => /^ {4}at .*pack\.ts:\d+:\d+\)?$/.test(frame)), frames.join("\n"));
      assert.match(frames[0] ?? "", new RegExp(`pack\\.ts:${lineOf('new Error("logged")') + 1}:`));
    });
    it("a missing function of the console is reported", async () => {
      const { outcome } = await go(formula("Table"));
      assert.ok(outcome.status === "failed");
      assert.match(outcome.error.message, /console\.table is not a function: the platform's console has log, info/);
    });
  });

  it("globals are the platform's and no others", async () => {
    assert.deepEqual(value(await go(formula("Globals"))), ["Buffer", "crypto", "Intl", "console", "WebAssembly", "Atomics"]);
  });
});
