// Ten bad days: what is judged of a run, and the whole drill of a pack that copes and of one that does not, in a real sandbox.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { drill } from "../../../platform/drill/drill.ts";
import { judge } from "../../../platform/drill/judge.ts";
import { inputOf } from "../../../platform/runs/run-input.ts";
import { type Day, DRILL_SCENARIOS } from "../../../protocol/drill.ts";
import type { ErrorReport, RequestTrace, RunReport } from "../../../protocol/run.ts";
import { callCli } from "../../support/call-cli.ts";
import { eachCase } from "../../support/json-cases.ts";
import { example, pack, sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

const PACK = (body: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.acme.example/authorize",
  tokenUrl: "https://login.acme.example/token",
  scopes: ["items:read"],
  endpointKey: "site",
});
const fetchItem = (context: coda.ExecutionContext) => context.fetcher.fetch({ method: "GET", url: "/items/1", cacheTtlSecs: 0 });
pack.addFormula({ name: "Item", description: "An item.", parameters: [], resultType: coda.ValueType.String, extraOAuthScopes: ["items:more"], execute: async function ([], context) {
${body}
} });
pack.addFormula({ name: "Quiet", description: "Asks nobody.", parameters: [], resultType: coda.ValueType.String, execute: async () => "x" });
`;
const GOOD = PACK(`
  let body: any;
  try {
    body = (await fetchItem(context)).body;
  } catch (error: any) {
    if ([401, 403, 429].includes(error.statusCode)) throw error;
    throw new coda.UserVisibleError("Acme does not answer just now. Try again later.");
  }
  if (typeof body?.name !== "string") throw new coda.UserVisibleError("Acme gave half of an answer. Try again.");
  return body.name;`);
const BAD = PACK(`
  const { body } = await fetchItem(context).catch(() => ({ body: undefined }) as any);
  return body?.name ?? "";`);
const ITEM = { name: "An item", note: "x".repeat(200) };
const SANDBOX_STUBS = {
  endpoint: "https://one.acme.example",
  answers: [
    { request: "GET https://one.acme.example/items/1", scope: "items:more", body: ITEM },
    { request: "GET https://one.acme.example/open/1", body: ITEM },
    { request: "GET https://localhost:4567/me", body: ITEM },
  ],
};

const trace = (status: number): RequestTrace => ({
  id: 1,
  method: "GET",
  url: "https://acme.example/",
  startedAt: 0,
  status,
  requestHeaders: {},
  credentials: [],
  warnings: [],
  calledFrom: { path: "/pack.ts", line: 3, character: 2 },
});
const failedOutcome = (code: string, more: Partial<ErrorReport> = {}): RunReport["outcome"] => ({
  status: "failed",
  error: { code, message: "It failed.", ...more },
});

/** Who says it in words of their own keeps the platform from refreshing the token. */
const verdictCase = z.strictObject({
  day: z.custom<Day>(),
  error: z.custom<Partial<ErrorReport> & { readonly code: string }>().optional(),
  outcome: z.custom<RunReport["outcome"]>().optional(),
  status: z.int(),
  verdict: z.string(),
});

describe("The verdict on a bad day", () => {
  const judged = (day: Day, outcome: RunReport["outcome"], status = 500) => judge(day, { outcome, requests: [trace(status)] }, "good");

  eachCase(
    "drill/cases/verdicts.json",
    verdictCase,
    ({ day, error, outcome = failedOutcome(error?.code ?? "", error), status, verdict }) => {
      it(`${day}, ${JSON.stringify(outcome).slice(0, 60)} is judged: ${verdict}`, () => {
        const judgement = judged(day, outcome, status);
        assert.equal(judgement.verdict, verdict);
        if (verdict === "wrong data in silence") assert.deepEqual(judgement.location, trace(status).calledFrom);
      });
    },
  );

  const WRONG = { status: "succeeded", value: "" } as const;
  for (const [day, outcome, status, remedy] of [
    ["server-error", WRONG, 500, /^Rethrow the error/],
    ["cut-answer", WRONG, 200, /^Check that response\.body has the fields that the pack reads/],
    ["cut-answer", failedOutcome("TypeError"), 200, /^Check that response\.body has the fields that the pack reads/],
    ["slow-answer", WRONG, 200, /^Return the same result for the same answers/],
    ["other-endpoint", WRONG, 200, /^Return the same result for the same answers/],
  ] as const)
    it(`${day}, ${outcome.status} after ${status} gets a fitting remedy: ${remedy.source}`, () => {
      assert.match(judged(day, outcome, status).remedy ?? "", remedy);
    });

  it("a result that differs only in the endpoint's own name is the same", () => {
    const report = { outcome: { status: "succeeded", value: { url: "https://two.acme.example/1" } }, requests: [] } as const;
    const rename = (text: string): string => text.replaceAll("two", "one");
    assert.equal(judge("other-endpoint", report, { url: "https://one.acme.example/1" }, rename).verdict, "recovers");
  });
});

describe("A drill", function () {
  this.timeout(180_000);
  const sandbox = sandboxOfSuite();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-drill-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  after(removePackFiles);

  const entryOf = (source: string): string => {
    const entry = packFiles({ "pack.ts": source });
    writeFileSync(join(dirname(entry), "sandbox.json"), JSON.stringify(SANDBOX_STUBS));
    return entry;
  };
  const drilled = async (source: string, name = "Item") =>
    drill(await pack(entryOf(source)), inputOf({ kind: "formula", name }, []), {
      sandbox,
      folder,
      packName: "acme",
      signal: new AbortController().signal,
    });
  const table = ({ scenarios }: Awaited<ReturnType<typeof drilled>>) =>
    Object.fromEntries(scenarios.map(({ day, verdict }) => [day, verdict]));

  it("a robust pack requests all its scopes and ends well on all ten days", async () => {
    const report = await drilled(GOOD);
    assert.deepEqual(
      report.scenarios.map(({ day }) => day),
      [...DRILL_SCENARIOS],
    );
    assert.deepEqual(table(report), {
      "slow-answer": "recovers",
      "expired-token": "recovers",
      "refresh-revoked": "asks to sign in",
      "rotation-lost": "asks to sign in",
      "other-scheme": "asks to sign in",
      "missing-scope": "asks to sign in",
      "too-many-requests": "recovers",
      "server-error": "says why",
      "cut-answer": "says why",
      "other-endpoint": "recovers",
    });
    const [, rows = ""] = /\| day \|.*\n.*\n((?:\|.*\n)+)/.exec(readFileSync(join(root, "docs/drill.md"), "utf8")) ?? [];
    assert.deepEqual(
      [...rows.matchAll(/^\| (.+?) \|/gm)].map(([, title]) => title).sort(),
      report.scenarios.map(({ title }) => title).sort(),
      "docs/drill.md lists other days",
    );
  });

  it("a pack that swallows errors is reported at the line that sent the request", async () => {
    const report = await drilled(BAD);
    const silent = "wrong data in silence";
    assert.deepEqual(table(report), {
      "slow-answer": "recovers",
      "expired-token": silent,
      "refresh-revoked": silent,
      "rotation-lost": silent,
      "other-scheme": silent,
      "missing-scope": silent,
      "too-many-requests": silent,
      "server-error": silent,
      "cut-answer": silent,
      "other-endpoint": "recovers",
    });
    const line = BAD.split("\n").findIndex((text) => text.startsWith("const fetchItem"));
    for (const { verdict, location } of report.scenarios) if (verdict === silent) assert.equal(location?.line, line);
  });

  it("a drill is refused if the good day fails or sends no request", async () => {
    await assert.rejects(drilled(GOOD.replace("/items/1", "//elsewhere.example/")), {
      code: "drill-failed",
      message: "Item fails on a good day.",
    });
    await assert.rejects(drilled(GOOD.replace("/items/1", "/items/2")), {
      code: "drill-failed",
      hint: /^Acme gave half of an answer\. Try again\. No answer for GET \/items\/2: echoed\. Run Item in the sandbox: .*sandbox\.json\.$/,
    });
    await assert.rejects(drilled(GOOD, "Quiet"), { code: "drill-failed", message: /sends no request/ });
  });

  it("a drill is refused if the good day is an echo", async () => {
    const echoed = PACK("return JSON.stringify(Object.keys((await fetchItem(context)).body));").replace("/items/1", "/items/2");
    await assert.rejects(drilled(echoed), {
      code: "drill-failed",
      message: "Item has no good day to compare the bad ones with.",
      hint: /^No answer for GET \/items\/2: echoed\. Run Item in the sandbox: .*sandbox\.json\.$/,
    });
    const { code, out, err } = await callCli(["drill", entryOf(echoed), "Item"]);
    assert.deepEqual([code, out], [2, ""], err);
  });

  for (const [name, target, ...parameters] of [
    ["todo-oauth2", { kind: "formula", name: "GetTask" }, "7"],
    ["todo-oauth2", { kind: "syncTable", name: "Tasks" }],
    ["weather-bearer", { kind: "formula", name: "Temperature" }, "Lisbon"],
    ["custom-placeholders", { kind: "formula", name: "CreateTicket" }, "A title"],
    ["crm-set-endpoint", { kind: "formula", name: "Contact" }, "Bob"],
  ] as const)
    it(`the example ${name}, ${target.name}, shows no wrong data`, async () => {
      const options = { sandbox, folder, packName: name, signal: new AbortController().signal };
      const { scenarios } = await drill(await pack(example(name)), inputOf(target, parameters), options);
      assert.deepEqual(
        scenarios.filter(({ verdict }) => verdict === "wrong data in silence"),
        [],
      );
    });

  const withoutAccount = (source: string): string =>
    source.replace(/pack\.setUserAuthentication\(\{[^}]*\}\);/, "").replace('"/items/1"', '"https://one.acme.example/open/1"');

  it("--fail-on decides whether wrong data, useless errors or nothing fail the drill", async () => {
    const useless = entryOf(withoutAccount(PACK("return (await fetchItem(context)).body.name.trim();")));
    const silent = entryOf(withoutAccount(BAD));
    const byDefault = await callCli(["drill", useless, "Item"]);
    assert.match(
      byDefault.out,
      /passes the error on[\s\S]*1 of 10 days end badly\. Days that fail the drill \(--fail-on wrong-data\): 0\.\n$/,
    );
    const strict = await callCli(["drill", useless, "Item", "--fail-on", "useless-error"]);
    const never = await callCli(["drill", silent, "Item", "--fail-on", "never", "--format", "junit"]);
    assert.match(never.out, / failures="0" skipped="6">/);
    const unknown = await callCli(["drill", silent, "Item", "--fail-on", "nothing"]);
    assert.match(unknown.err, /--fail-on must be wrong-data, useless-error or never, not nothing/);
    assert.deepEqual([byDefault.code, strict.code, never.code, unknown.code], [0, 1, 0, 2]);
  });

  it("a pack whose API is on this machine is drilled in the sandbox", async () => {
    const report = await drilled(`import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("localhost");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({ name: "Item", description: "An item.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) {
  return (await context.fetcher.fetch({ method: "GET", url: "http://localhost:4567/me" })).body.name;
} });`);
    assert.equal(report.scenarios.find(({ day }) => day === "slow-answer")?.verdict, "recovers");
  });

  it("impossible days are skipped with a reason", async () => {
    const report = await drilled(withoutAccount(GOOD));
    const skipped = report.scenarios.filter(({ verdict }) => verdict === undefined).map(({ day, sees }) => [day, sees]);
    assert.deepEqual(skipped, [
      ["expired-token", "The credential does not expire."],
      ["refresh-revoked", "The account has no refresh token."],
      ["rotation-lost", "The account has no refresh token."],
      ["other-scheme", "The pack sends no credential."],
      ["missing-scope", "The account has no scopes."],
      ["other-endpoint", "The account has no endpoint."],
    ]);
  });

  it("the command line prints a table, JSON or JUnit XML, and exits by the verdict", async () => {
    const entry = entryOf(BAD);
    // Few days come about without an account.
    const short = entryOf(withoutAccount(BAD));
    const pretty = await callCli(["drill", entry, "Item", "--format", "pretty"]);
    const json = await callCli(["drill", short, "Item", "--format", "json"]);
    const xml = await callCli(["drill", short, "Item", "--format", "junit"]);
    assert.match(pretty.out, /^Item\n {2}A slow answer +recovers +The same as on a good day\.\n/);
    assert.match(pretty.out, /Rethrow the error\..* \(.*pack\.ts:11:\d+\)\n[\s\S]*8 of 10 days end badly\.\n$/);
    const { version, target, scenarios } = JSON.parse(json.out) as { version: number; target: string; scenarios: unknown[] };
    assert.deepEqual([version, target, scenarios.length], [1, "Item", 10]);
    assert.match(xml.out, /<testsuite name="pack-auth drill Item" tests="10" failures="3" skipped="6">/);
    assert.deepEqual([pretty.code, json.code, xml.code], [1, 1, 1]);
    for (const [args, message] of [
      [["drill"], /drill needs more words/],
      [["drill", entry, "Item", "--format", "xml"], /--format must be pretty, json or junit/],
      [["drill", entry, "Nothing"], /has no formula or table Nothing/],
      [["drill", entry, "Auth:getConnectionName"], /is neither a formula nor a sync table/],
    ] as const) {
      const { code, err } = await callCli(args);
      assert.equal(code, 2);
      assert.match(err, message);
    }
  });
});
