// Real packs here and in the toolkit: every one of its samples loads, and what needs no network gives what its own `execute` gives.
// Checkouts of further packs are named in TESTS_CORPUS.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, relative } from "node:path";
import { openPack, type Pack } from "../../../platform/process/pack.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import type { AuthenticationDefinition, ParameterDefinition } from "../../../protocol/definition.ts";
import type { RunTarget } from "../../../protocol/run.ts";
import { notRun } from "../../support/not-run.ts";
import { runner } from "../../support/open-packs.ts";
import { root } from "../../support/packs.ts";
import { run } from "../../support/run.ts";
import { sampleResponse } from "../../support/sample-answers.ts";
import { packHere } from "../../support/validator.ts";

const samples = join(root, "node_modules/@codahq/packs-sdk/documentation/samples");
const load = createRequire(import.meta.url);
const { executeFormulaFromPackDef, executeSyncFormula, newMockExecutionContext } = load("@codahq/packs-sdk/dist/development") as {
  executeFormulaFromPackDef(pack: unknown, name: string, parameters: readonly unknown[], context: unknown): Promise<unknown>;
  executeSyncFormula(
    pack: unknown,
    name: string,
    parameters: readonly unknown[],
    context: unknown,
  ): Promise<{ result: unknown[]; deletedRowIds?: unknown[] }>;
  newMockExecutionContext(): Record<string, unknown>;
};

/** Complete packs: files that export one and hold no template slot of a snippet. */
function entriesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules") && !/(_test|\.test|\.d)\.ts$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => {
      const text = readFileSync(path, "utf8");
      return /export const pack = /.test(text) && !/\$\{\d/.test(text);
    });
}

/** Some values that a parameter takes; the same for both. */
function valueFor({ kind, shape, suggestedValue }: ParameterDefinition): unknown {
  const scalar = {
    string: "Hello World 12",
    number: 12,
    boolean: true,
    date: new Date("2026-12-01T10:00:00.000Z"),
    html: "<b>x</b>",
    image: "https://x.com/a.png",
    file: "https://x.com/a.pdf",
    markdown: "**x**",
    email: "a@x.com",
    json: "{}",
    unknown: "x",
  }[kind];
  if (shape === "scalar") return suggestedValue !== undefined && kind !== "date" ? suggestedValue : scalar;
  return kind === "number" ? [12, 18, 30] : [scalar, scalar];
}

const asSent = (value: unknown): unknown =>
  value instanceof Date ? { $date: value.toISOString() } : Array.isArray(value) ? value.map(asSent) : value;

interface Compared {
  same: number;
  /** Of tables: pages through all of their continuations, with rows. */
  tables: number;
  /** Of them those that asked the network. */
  fetched: number;
  readonly different: string[];
}

async function compare(pack: Pack, theirs: unknown, compared: Compared): Promise<void> {
  // Dice fall as they like.
  if (/Math\.random/.test(readFileSync(pack.entry, "utf8"))) return;
  for (const formula of pack.definition.formulas.filter((candidate) => !candidate.isAction)) {
    const parameters = [...formula.parameters, ...formula.varargParameters].map(valueFor);
    const target: RunTarget = { kind: "formula", name: formula.name };
    const first = await ours(pack, target, parameters);
    // What was refused here is not asked there: the toolkit's mock has no network domains.
    if (first.isRefused) continue;
    const expected = await settled(executeFormulaFromPackDef(theirs, formula.name, parameters, contextThere()));
    if ("error" in expected ? first.error || first.warned : JSON.stringify(first.result) === JSON.stringify(expected.value)) {
      compared.same++;
      if (first.fetched) compared.fetched++;
      // What gives something else each time cannot be compared, nor the day of the week where the day has just ended.
    } else if (JSON.stringify(first.result) === JSON.stringify((await ours(pack, target, parameters)).result))
      compared.different.push(
        `${basename(pack.entry)} ${formula.name}: ${JSON.stringify(first.result)}, and there ${JSON.stringify(expected)}`,
      );
  }
}

/** As compare, for tables: their rows and what they deleted, through all of their pages. */
async function compareTables(pack: Pack, theirs: unknown, compared: Compared): Promise<void> {
  if (/Math\.random/.test(readFileSync(pack.entry, "utf8"))) return;
  for (const table of pack.definition.syncTables) {
    const parameters = [...table.parameters, ...table.varargParameters].map(valueFor);
    const dynamicUrl = table.isDynamic ? { dynamicUrl: `https://${pack.definition.networkDomains[0]}/7` } : {};
    const first = await ours(pack, { kind: "syncTable", name: table.name, ...dynamicUrl }, parameters);
    // The toolkit has no limit of rows there, and its validateParameters is not asked before a table is read.
    if (first.isRefused || first.limited || table.hasValidateParameters === true) continue;
    const own = first.schema === undefined || table.functions?.includes("getSchema") !== true ? {} : { schema: first.schema };
    const expected = await settled(
      executeSyncFormula(theirs, table.name, parameters, { ...contextThere(), sync: { ...dynamicUrl, ...own } }).then(
        ({ result, deletedRowIds }) => ({ result, deleted: deletedRowIds ?? [] }),
      ),
    );
    const here = { result: first.result, deleted: first.sync?.deleted };
    if ("error" in expected ? first.error || first.warned : JSON.stringify(here) === JSON.stringify(expected.value)) {
      compared.same++;
      if (Array.isArray(first.result) && first.result.length > 0) compared.tables++;
    } else
      compared.different.push(
        `${basename(pack.entry)} table ${table.name}: ${JSON.stringify(here)}, and there ${JSON.stringify(expected)}`,
      );
  }
}

const contextThere = () => ({
  ...newMockExecutionContext(),
  fetcher: {
    fetch: async ({ url }: { url: string }) => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: sampleResponse(url),
    }),
  },
  timezone: "America/Los_Angeles",
});

const settled = (work: Promise<unknown>): Promise<{ readonly value: unknown } | { readonly error: string }> =>
  work.then(
    (value) => ({ value: JSON.parse(JSON.stringify(value ?? null)) as unknown }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  );

const SECRET = "no-token-at-all";

function credentialFor({ type, params = [], headers = [] }: AuthenticationDefinition): Credential {
  switch (type) {
    case "OAuth2":
    case "OAuth2ClientCredentials":
      return { kind: "oauth2", accessToken: SECRET };
    case "WebBasic":
      return { kind: "basic", username: "alice", password: SECRET };
    case "Custom":
    case "MultiHeaderToken":
    case "MultiQueryParamToken":
      return { kind: "values", values: Object.fromEntries([...params, ...headers].map(({ name }) => [name, SECRET])) };
    default:
      return { kind: "token", token: SECRET };
  }
}

async function ours(pack: Pack, target: RunTarget, parameters: readonly unknown[]) {
  let fetched = false;
  const auth = pack.definition.userAuthentication;
  const account = auth === undefined ? {} : { account: { scope: "user" as const, credential: credentialFor(auth) } };
  const { outcome, requests, warnings, schema, sync } = await run(pack, target, parameters.map(asSent), {
    timezone: "America/Los_Angeles",
    fetch: async (url) => {
      fetched = true;
      return new Response(JSON.stringify(sampleResponse(String(url))), { headers: { "content-type": "application/json" } });
    },
    lookup: async () => ["93.184.216.34"],
    ...account,
  });
  return {
    fetched,
    isRefused: requests.some((request) => request.failureReason !== undefined),
    error: outcome.status === "failed",
    warned: warnings !== undefined,
    limited: sync?.limitReached === true,
    schema,
    sync,
    result: outcome.status === "succeeded" ? outcome.value : undefined,
  };
}

async function judge(entries: readonly string[], from: string): Promise<Compared & { readonly failures: readonly string[] }> {
  const compared: Compared = { same: 0, tables: 0, fetched: 0, different: [] };
  const failures: string[] = [];
  const left = [...entries];
  const work = async (): Promise<void> => {
    for (let entry = left.pop(); entry !== undefined; entry = left.pop()) {
      let pack: Pack | undefined;
      try {
        pack = await openPack(entry, { process: { runner, node: process.execPath } });
        const theirs = await packHere(entry);
        await compare(pack, theirs, compared);
        await compareTables(pack, theirs, compared);
      } catch (error) {
        failures.push(`${relative(from, entry)}: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        pack?.dispose();
      }
    }
  };
  await Promise.all([work(), work()]);
  return { ...compared, failures };
}

describe("Real packs here and in the toolkit", function () {
  this.timeout(300_000);
  it("every complete sample of the toolkit loads and returns equal results", async () => {
    const entries = entriesUnder(samples);
    assert.ok(entries.length > 50, `only ${entries.length} samples`);
    const { same, tables, fetched, different, failures } = await judge(entries, samples);
    assert.deepEqual(failures, []);
    assert.deepEqual(different, []);
    assert.ok(same > 35, `only ${same} formulas were compared`);
    assert.ok(tables > 15, `only ${tables} tables with rows were compared`);
    assert.ok(fetched > 5, `only ${fetched} formulas that ask the network were compared`);
    console.log(`      ${same} formulas and tables give the same, ${fetched} of the formulas ask the network, ${tables} tables have rows`);
  });

  const corpora = (process.env.TESTS_CORPUS ?? "").split(":").filter((folder) => folder !== "" && existsSync(folder));
  if (corpora.length === 0) notRun("further packs (name checkouts in TESTS_CORPUS)");
  for (const folder of corpora)
    it(`every complete pack of ${basename(folder)} loads and returns equal results`, async () => {
      const { different, failures } = await judge(entriesUnder(folder), folder);
      assert.deepEqual(failures, []);
      assert.deepEqual(different, []);
    });
});
