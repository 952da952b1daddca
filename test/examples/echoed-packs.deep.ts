// Packs that others wrote, in the sandbox without a line of sandbox.json: they connect, and each formula and table either answers or says
// which request has no answer. With the answers that are then proposed, nearly all of them give a result.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { expectedResult, proposeStub } from "../../platform/sandbox/propose-stub.ts";
import { withStub } from "../../platform/sandbox/with-stub.ts";
import type { ParameterDefinition } from "../../protocol/definition.ts";
import type { RunReport } from "../../protocol/run.ts";
import { findResponseReads } from "../../server/analysis/responses/response-reads.ts";
import { connected } from "../support/connected.ts";
import { notRun } from "../support/not-run.ts";
import { sandboxOfSuite } from "../support/open-packs.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { root } from "../support/packs.ts";
import { run } from "../support/run.ts";
import { removeStubsFiles, writeStubsFile } from "../support/sandbox.ts";

/** By the parameter's name; others get what they suggest, or something of their kind. */
type ParameterTexts = Readonly<Record<string, string>>;

const ANY: Readonly<Record<string, unknown>> = { number: 1, boolean: true, date: { $date: "2026-01-31T00:00:00.000Z" }, string: "text" };

const parameterFor = (values: ParameterTexts, formula: string, { name, suggestedValue, optional, kind }: ParameterDefinition): unknown =>
  values[`${formula}.${name}`] ?? values[name] ?? suggestedValue ?? (optional ? undefined : ANY[kind]);

const echoesOf = (report: RunReport): readonly string[] => [...new Set(report.requests.flatMap(({ echoed }) => echoed?.message ?? []))];

/** Formula or table → what it said at first, and what came of it once the proposed answers stood in sandbox.json. */
async function tryAll(
  openedPack: Pack,
  account: RunAccount,
  file: string,
  values: ParameterTexts,
): Promise<Record<string, readonly [string, string]>> {
  const { formulas, syncTables } = openedPack.definition;
  const all = [
    ...formulas.map((each) => ({ ...each, kind: "formula" as const })),
    ...syncTables.map((each) => ({ ...each, kind: "syncTable" as const })),
  ];
  const results: Record<string, readonly [string, string]> = {};
  for (const { kind, name, parameters } of all) {
    const once = (): Promise<RunReport> =>
      run(
        openedPack,
        { kind, name },
        parameters.map((parameter) => parameterFor(values, name, parameter)),
        { fetch, account },
      );
    const first = await once();
    const firstOutcome = echoesOf(first).join(" ") || first.outcome.status;
    for (const request of first.requests) {
      if (request.echoed === undefined) continue;
      const reads = findResponseReads((path) => readFileSync(path, "utf8"), request.echoed.calls ?? []);
      const stub = proposeStub(request, { ...expectedResult(first, openedPack.definition), ...(reads === undefined ? {} : { reads }) });
      writeFileSync(file, withStub(readFileSync(file, "utf8"), file, stub).text);
    }
    const { outcome } = await once();
    results[name] = [firstOutcome, outcome.status === "failed" ? outcome.error.message : outcome.status];
  }
  return results;
}

describe("Packs without sandbox.json", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(removeStubsFiles);
  after(removePackFiles);

  async function tryPack(entry: string, values: ParameterTexts) {
    const file = writeStubsFile({});
    const { openedPack, account, savedAccount } = await connected(sandbox, entry, { stubsFile: file });
    assert.equal(savedAccount.label, "Sandbox user");
    return tryAll(openedPack, account, file, values);
  }

  it("the SDK's Todoist sample connects, reports missing answers, and works with the proposed ones", async () => {
    const source = readFileSync(join(root, "node_modules/@codahq/packs-sdk/documentation/samples/packs/todoist/full.ts"), "utf8");
    const values = { "Task.url": "https://app.todoist.com/app/task/7", "Project.url": "https://app.todoist.com/app/project/8" };
    const missing = (request: string) => [`No answer for ${request}: echoed.`, "succeeded"] as const;
    assert.deepEqual(await tryPack(packFiles({ "pack.ts": source }), values), {
      Project: missing("GET /api/v1/projects/8"),
      Task: missing("GET /api/v1/tasks/7"),
      AddProject: missing("POST /api/v1/projects"),
      AddTask: missing("POST /api/v1/tasks"),
      SetDueDate: missing("POST /api/v1/tasks/text"),
      Projects: missing("GET /api/v1/projects"),
      Tasks: missing("GET /api/v1/tasks"),
    });
  });

  const corpora = (process.env.TESTS_CORPUS ?? "").split(":").filter(Boolean);
  const github = corpora.map((folder) => join(folder, "examples/github/pack.ts")).find((path) => existsSync(path));
  if (github === undefined) notRun("the GitHub pack of coda/packs-examples (name a checkout in TESTS_CORPUS)");
  else
    it("GitHub of coda/packs-examples connects, reports missing answers, and works with the proposed ones", async () => {
      const repoUrl = "https://github.com/acme/site";
      const values = { repoUrl, pullRequestUrl: `${repoUrl}/pull/7`, actionType: "COMMENT", comment: "Nice" };
      assert.deepEqual(await tryPack(github, values), {
        ReviewPullRequest: ["No answer for POST /repos/acme/site/pulls/7/reviews: echoed.", "succeeded"],
        UserEmail: ["No answer for GET /user/emails: echoed.", "succeeded"],
        PullRequests: ["No answer for GET /repos/acme/site/pulls?per_page=100: echoed.", "succeeded"],
      });
    });
});
