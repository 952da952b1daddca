// What a sign-in and a run show: exactly the facts that are true, which the analysis finds again in the source that was judged, and in no
// other; kept without a credential, bounded, and gone with the account.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { RunAccount } from "../../../platform/accounts/run-account.ts";
import { removeAccount } from "../../../platform/connect/remove-account.ts";
import { usableAccount } from "../../../platform/connect/usable-account.ts";
import { openEvidence } from "../../../platform/evidence/evidence.ts";
import { keepRunFacts } from "../../../platform/evidence/run-facts.ts";
import { type Fact, isName } from "../../../protocol/evidence.ts";
import type { RunReport, RunTarget } from "../../../protocol/run.ts";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { findObservation } from "../../../server/analysis/configuration/observation.ts";
import { body, eachCase } from "../../support/json-cases.ts";
import { run } from "../../support/run.ts";
import { OAUTH, shopOfSuite, source, type Trial } from "../../support/shop.ts";

const BEARER = "setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken })";
/** In every answer of the provider that grants. */
const CANARY = "canary-4f1d7a9c2b60e835";
const TOKEN = { access_token: CANARY, refresh_token: `${CANARY}-refresh`, expires_in: 3600 };

const signInCase = z.strictObject({
  title: z.string(),
  /** Beside type and addresses. */
  fields: z.string().default(""),
  token: z.strictObject({ status: z.int().exactOptional(), body: z.unknown() }),
  shows: z.array(z.array(z.string())),
  /** Fields under which nothing of it is shown any more. */
  fixed: z.string(),
  fails: z.boolean().default(false),
});
const runCase = z.strictObject({
  title: z.string(),
  setter: z.string(),
  headers: z.record(z.string(), z.string()),
  body,
  shows: z.array(z.string()).optional(),
});

const namesOf = (facts: readonly Fact[]): readonly unknown[] => facts.map(({ code, names }) => [code, ...names]);

const factsOf = ({ host }: Pick<Trial, "host">): readonly Fact[] => openEvidence(host).facts();

/** Code and names of the facts that the analysis finds in a source of the pack. */
function findFacts(entry: string, text: string, facts: readonly Fact[]): readonly unknown[] {
  const analysis = createAnalysis({ readFile: (path) => (path === entry ? text : undefined) });
  analysis.addCandidates([entry]);
  analysis.setEvidence(facts);
  return analysis
    .packsOf(entry)
    .flatMap((pack) => pack.evidence.flatMap((fact) => findObservation(pack, fact) ?? []))
    .map(({ fact }) => [fact.code, ...fact.names]);
}

describe("Evidence of a sign-in", () => {
  const shop = shopOfSuite();

  eachCase("evidence/cases/sign-in-facts.json", signInCase, ({ title, fields, token, shows, fixed, fails }) => {
    it(`${title} is one fact, reported for this source and not for the fixed one`, async () => {
      const loadedPack = await shop.open(`setUserAuthentication({ ${OAUTH} ${fields} })`);
      shop.api["/token"] = token;
      const trial = await shop.trial(loadedPack);
      const outcome = await trial.connect().then(
        () => "connected",
        () => "failed",
      );
      assert.equal(outcome, fails ? "failed" : "connected");
      const facts = factsOf(trial);
      assert.deepEqual(namesOf(facts), shows);
      const sourceText = source(`setUserAuthentication({ ${OAUTH} ${fields} })`).replaceAll("(pack as any)", "pack");
      assert.deepEqual(findFacts(loadedPack.entry, sourceText, facts), shows);
      assert.deepEqual(findFacts(loadedPack.entry, sourceText.replace(`${fields} })`, `${fixed} })`), facts), [], "it is put right");
      assert.deepEqual(
        findFacts(loadedPack.entry, sourceText.replace(`${fields} })`, `${fields} ...other })`), facts),
        [],
        "the source does not tell",
      );
      assert.deepEqual(findFacts(`${loadedPack.entry}x.ts`, sourceText, facts), [], "another pack");
    });
  });

  it("a secret accepted only by HTTP Basic is one fact, which later sign-ins keep", async () => {
    const loadedPack = await shop.open(`setUserAuthentication({ ${OAUTH} })`);
    shop.wire.respond = ({ headers, path }, response) => {
      const isRight = path !== "/token" || headers.authorization !== undefined;
      response.writeHead(isRight ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(isRight ? TOKEN : { error: "invalid_client" }));
    };
    const trial = await shop.trial(loadedPack);
    await trial.connect();
    await trial.connect();
    assert.deepEqual(namesOf(factsOf(trial)), [["client-authentication", "AuthorizationHeader"]]);
  });

  it("a redirecting token URL is one fact without its query; a page is none", async () => {
    const loadedPack = await shop.open(`setUserAuthentication({ ${OAUTH} })`);
    const trial = await shop.trial(loadedPack);
    shop.wire.respond = (_request, response) => {
      response.writeHead(308, { location: `https://login.shop.example/v2/token?code=${CANARY}` }).end();
    };
    await assert.rejects(trial.connect());
    assert.deepEqual(namesOf(factsOf(trial)), [["url-moved", "https://login.shop.example/v2/token"]]);
    shop.wire.respond = (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Sign in</p>");
    };
    await assert.rejects(trial.connect());
    assert.deepEqual(namesOf(factsOf(trial)), [["url-moved"]]);
  });

  it("a moved authorization URL is one fact of a sign-in that lasted long enough", async () => {
    const loadedPack = await shop.open(`setUserAuthentication({ ${OAUTH} })`);
    const { respond } = shop.wire;
    const moves = (status: number, location: (query: string) => string): void => {
      shop.wire.respond = (request, response, raw) => {
        const [path, query = ""] = request.path.split("?");
        if (path !== "/authorize") return respond(request, response, raw);
        response.writeHead(status, { location: location(query) }).end();
      };
    };
    const slowly = async (url: string): Promise<boolean> => {
      const { searchParams } = new URL(url);
      const back = `${searchParams.get("redirect_uri")}?code=the-code&state=${searchParams.get("state")}`;
      setTimeout(() => void fetch(back), 300);
      return true;
    };
    const trial = await shop.trial(loadedPack, { openBrowser: slowly });
    const moved = (query: string): string => `https://id.shop.example/v2/authorize?${query}`;
    const shows = async (): Promise<readonly unknown[]> => {
      await trial.connect({ pageDelay: 1 });
      return namesOf(factsOf(trial));
    };
    moves(302, moved);
    assert.deepEqual(await shows(), [], "a redirect of the moment");
    moves(301, () => "https://id.shop.example/login?next=1");
    assert.deepEqual(await shows(), [], "a page of its own");
    moves(308, moved);
    assert.deepEqual(await shows(), [["authorization-moved", "https://id.shop.example/v2/authorize"]]);
    await trial.connect({ pageDelay: 5_000 });
    assert.equal(factsOf(trial).length, 1, "not asked");
    shop.wire.respond = respond;
    shop.api["/authorize"] = { body: {} };
    assert.deepEqual(await shows(), []);
  });

  it("a fact ends with a contrary sign-in, Forget or the account, and contains no secret", async () => {
    const loadedPack = await shop.open(`setUserAuthentication({ ${OAUTH} getConnectionName: async () => "Ada Lovelace", })`);
    shop.api["/token"] = { body: { access_token: CANARY, expires_in: 3600 } };
    const trial = await shop.connected(loadedPack);
    const evidence = openEvidence(trial.host);
    const files = (): readonly string[] => readdirSync(evidence.folder).filter((name) => name.endsWith(".json"));
    const text = readFileSync(join(evidence.folder, files()[0] ?? ""), "utf8");
    assert.match(text, /no-refresh-token/);
    assert.doesNotMatch(text, /canary|Ada|client-secret/);
    shop.api["/token"] = { body: TOKEN };
    await trial.connect({ existing: trial.account });
    assert.deepEqual([factsOf(trial), files()], [[], []]);

    shop.api["/token"] = { body: { access_token: CANARY, expires_in: 3600 } };
    await trial.connect({ existing: trial.account });
    assert.equal(factsOf(trial).length, 1);
    await evidence.forget();
    assert.deepEqual(factsOf(trial), []);

    await trial.connect({ existing: trial.account });
    await removeAccount(trial.account.id, { ...trial.host, accounts: trial.accounts });
    assert.deepEqual(factsOf(trial), []);
  });

  it("a sign-in succeeds even if its evidence cannot be written", async () => {
    const loadedPack = await shop.open(`setUserAuthentication({ ${OAUTH} })`);
    shop.api["/token"] = { body: { access_token: CANARY, expires_in: 3600 } };
    const trial = await shop.trial(loadedPack);
    writeFileSync(openEvidence(trial.host).folder, "a file where the folder would be");
    assert.ok(await trial.connect());
    assert.deepEqual(factsOf(trial), []);
    assert.equal(trial.host.logged.length > 0, true);
  });

  it("damaged, newer and edited evidence files leave the valid facts", async () => {
    const loadedPack = await shop.open(`setUserAuthentication({ ${OAUTH} })`);
    const trial = await shop.trial(loadedPack);
    const { folder } = openEvidence(trial.host);
    mkdirSync(folder, { recursive: true });
    const whole: Fact = { code: "pkce", entry: loadedPack.entry, scope: "user", names: ["required"], fingerprint: "x", seenAt: 1 };
    const odd = [
      null,
      1,
      { ...whole, code: "of-the-future" },
      { ...whole, names: ["`; alert(1)//"] },
      { ...whole, names: "x" },
      { ...whole, at: {} },
      { ...whole, seenAt: 1e20 },
    ];
    writeFileSync(join(folder, "a.json"), "{ cut");
    writeFileSync(join(folder, "b.json"), JSON.stringify({ version: 2 }));
    writeFileSync(join(folder, "c.json"), JSON.stringify([...odd, whole]));
    assert.deepEqual(factsOf(trial), [whole]);
  });

  it("names in evidence cannot end a literal or begin markup", () => {
    for (const name of ["X-Api-Key", "read:user", "https://a.example/x/y", "api.example", "offline_access", "access_token"])
      assert.ok(isName(name));
    for (const odd of ["", "a b", 'a"', "a'", "a`", "a\nb", "a\\", "<b>", "a[0]", "(x)", "{x}", "é", "a".repeat(201)])
      assert.ok(!isName(odd), odd);
  });
});

describe("Evidence of a run", () => {
  const shop = shopOfSuite();
  const FORMULAS = (body: string): string => `
pack.addFormula({ name: "Read", description: "", parameters: [], resultType: coda.ValueType.String, execute: async function (_args, context) {
${body}
} });`;
  const FETCH = `  const answer = await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/items" });
  return String(answer.status);`;

  async function observeRun(
    setter: string,
    body: string,
  ): Promise<{ readonly facts: readonly Fact[]; readonly report: RunReport; again(): Promise<readonly Fact[]> }> {
    const loadedPack = await shop.open(setter, FORMULAS(body));
    const trial = await shop.connected(loadedPack);
    const facts = async (): Promise<{ readonly report: RunReport; readonly facts: readonly Fact[] }> => {
      const credential = await trial.accounts.credential(trial.account.id);
      assert.ok(credential);
      const account = { scope: "user" as const, credential };
      const report = await run(loadedPack, { kind: "formula", name: "Read" }, [], {
        fetch: shop.wire.fetch,
        lookup: shop.wire.lookup,
        account,
      });
      await keepRunFacts(trial.host, loadedPack, report, { ...account, id: trial.account.id });
      return { report, facts: openEvidence(trial.host).facts() };
    };
    return { ...(await facts()), again: async () => (await facts()).facts };
  }

  const refusing = (status: number, headers: Record<string, string>, body: string): void => {
    const { respond } = shop.wire;
    shop.wire.respond = (request, response, raw) => {
      if (!request.path.startsWith("/items")) return respond(request, response, raw);
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    };
  };

  eachCase("evidence/cases/run-facts.json", runCase, ({ title, setter, headers, body, shows }) => {
    it(`${title} is ${shows === undefined ? "no fact" : "one fact until the credential is accepted"}`, async () => {
      const { respond } = shop.wire;
      refusing(401, headers, body);
      const { facts, again } = await observeRun(setter.replace("@oauth", OAUTH), FETCH);
      assert.deepEqual(namesOf(facts), shows === undefined ? [] : [shows]);
      shop.wire.respond = respond;
      shop.api["/items"] = { body: {} };
      assert.deepEqual(await again(), []);
    });
  });

  it("a refusal of the credential stays with the account until it signs in anew", async () => {
    shop.api["/items"] = { body: {} };
    const loadedPack = await shop.open(BEARER, FORMULAS(FETCH));
    const { account, accounts, host } = await shop.connected(loadedPack);
    const stored = async () => (await accounts.get(account.id)) ?? assert.fail("the account is gone");
    const use = async () =>
      usableAccount(loadedPack, await stored(), { accounts, host, sandbox: () => Promise.reject(new Error("no sandbox here")) });
    const isRefused = async (status: number, account: RunAccount): Promise<boolean> => {
      shop.api["/items"] = { status, body: {} };
      const options = { fetch: shop.wire.fetch, lookup: shop.wire.lookup, account };
      await keepRunFacts(host, loadedPack, await run(loadedPack, { kind: "formula", name: "Read" }, [], options), account);
      return (await stored()).refused === true;
    };
    for (const [status, expected] of [
      [200, false],
      [401, true],
      [500, true],
      [403, true],
      [200, false],
      [503, false],
    ] as const)
      assert.equal(await isRefused(status, await use()), expected, String(status));
    const former = await use();
    await accounts.save(await stored(), former.credential);
    assert.equal(await isRefused(401, former), false, "it is another sign-in's credential");
    const sandboxOrigin = "http://127.0.0.1:1";
    await accounts.save({ ...(await stored()), sandboxOrigin }, former.credential);
    const sandbox = async () => ({ origin: sandboxOrigin, clientCredentials: { clientId: "sandbox" } });
    await (await usableAccount(loadedPack, await stored(), { accounts, host, sandbox })).judged?.(true);
    assert.equal((await stored()).refused, false, "the sandbox refuses what it is told to");
  });

  it("a property with another spelling in the answer is one fact until fromKey names it", async () => {
    const table = (more: string): string => `
const TaskSchema = coda.makeObjectSchema({
  properties: { id: { type: coda.ValueType.String }, dueDate: { type: coda.ValueType.String${more} }, note: { type: coda.ValueType.String } },
  idProperty: "id", displayProperty: "id",
});
pack.addSyncTable({ name: "Tasks", identityName: "Task", description: "", connectionRequirement: coda.ConnectionRequirement.None, schema: TaskSchema, formula: {
  name: "Tasks", description: "", connectionRequirement: coda.ConnectionRequirement.None, parameters: [], execute: async function (_args, context) {
    const answer = await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/tasks" });
    return { result: answer.body };
} } });
pack.addFormula({ name: "One", description: "", connectionRequirement: coda.ConnectionRequirement.None, parameters: [], resultType: coda.ValueType.Object, schema: TaskSchema, execute: async function (_args, context) {
    const answer = await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/tasks" });
    return answer.body[0];
} });`;
    shop.api["/tasks"] = { body: [{ id: "1", due_date: "2026-01-01", duedate2: 1, note: null }] };
    const loadedPack = await shop.open(BEARER, table(""));
    const trial = await shop.connected(loadedPack);
    const collectFacts = async (target: RunTarget): Promise<readonly Fact[]> => {
      const options = { fetch: shop.wire.fetch, lookup: shop.wire.lookup };
      const report = await run(loadedPack, target, [], options);
      await keepRunFacts(trial.host, loadedPack, report);
      return factsOf(trial);
    };
    for (const target of [{ kind: "syncTable", name: "Tasks" } as const, { kind: "formula", name: "One" } as const]) {
      const facts = await collectFacts(target);
      const sourceWith = (more: string): string => source(BEARER, table(more)).replaceAll("(pack as any)", "pack");
      const mine = facts.filter(({ formula }) => formula === target.name);
      assert.deepEqual(namesOf(mine), [["schema-loses", "dueDate", "due_date"]]);
      assert.deepEqual(findFacts(loadedPack.entry, sourceWith(""), mine), [["schema-loses", "dueDate", "due_date"]]);
      assert.deepEqual(findFacts(loadedPack.entry, sourceWith(', fromKey: "due_date"'), mine), []);
      assert.deepEqual(findFacts(loadedPack.entry, "", mine), []);
      shop.api["/tasks"] = { status: 500, body: {} };
      assert.equal(
        (await collectFacts(target)).filter(({ formula }) => formula === target.name).length,
        1,
        "a run that failed shows no rows",
      );
      shop.api["/tasks"] = { body: [{ id: "1", dueDate: "2026-01-01" }] };
      assert.deepEqual(
        (await collectFacts(target)).filter(({ formula }) => formula === target.name),
        [],
      );
      shop.api["/tasks"] = { body: [{ id: "1", due_date: "2026-01-01", duedate2: 1, note: null }] };
    }
    const { host, ...sandbox } = {
      host: trial.host,
      scope: "user" as const,
      credential: undefined as never,
      sandboxOrigin: "http://127.0.0.1:1",
    };
    const report = await run(loadedPack, { kind: "formula", name: "One" }, [], { fetch: shop.wire.fetch, lookup: shop.wire.lookup });
    await keepRunFacts(host, loadedPack, report, sandbox);
    assert.deepEqual(factsOf(trial), [], "the sandbox may have made it up");
  });

  it("an undeclared host is one fact at its request's line; a redirect is none", async () => {
    const { facts } = await observeRun(
      BEARER,
      `  await context.fetcher.fetch({ method: "GET", url: "https://api.elsewhere.example/items" });
  return "";`,
    );
    assert.deepEqual(
      facts.map(({ code, names, at }) => [code, ...names, at !== undefined]),
      [["host-refused", "api.elsewhere.example", true]],
    );
    const redirected = await shownRedirect();
    assert.deepEqual(redirected, []);
  });

  async function shownRedirect(): Promise<readonly Fact[]> {
    refusing(302, { location: "https://cdn.elsewhere.example/items" }, "");
    return (await observeRun(BEARER, FETCH)).facts;
  }

  it("a swallowed 401 is one fact at its request's line until a run without it", async () => {
    const { respond } = shop.wire;
    refusing(401, {}, "{}");
    const { facts, again } = await observeRun(
      BEARER,
      `  try { await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/items" }); } catch {}
  return "";`,
    );
    assert.deepEqual(
      facts.map(({ code, names, formula }) => [code, ...names, formula]),
      [["unauthorized-swallowed", "401", "Read"]],
    );
    const [fact] = facts;
    const line = readFileSync(fact?.at?.path ?? "", "utf8").split("\n")[fact?.at?.line ?? 0];
    assert.match(line ?? "", /context\.fetcher\.fetch/);
    shop.wire.respond = respond;
    shop.api["/items"] = { body: {} };
    assert.deepEqual(await again(), []);
  });

  it("a request that is not awaited is one fact", async () => {
    shop.api["/items"] = { body: {} };
    const { facts } = await observeRun(
      BEARER,
      `  void context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/items" });
  return "";`,
    );
    assert.deepEqual(
      facts.map(({ code, names, formula }) => [code, ...names, formula]),
      [["request-not-awaited", "Read"]],
    );
  });

  it("a run without evidence writes nothing", async () => {
    shop.api["/items"] = { body: {} };
    const { facts } = await observeRun(BEARER, FETCH);
    assert.deepEqual(facts, []);
  });
});
