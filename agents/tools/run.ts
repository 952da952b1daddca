// Runs a formula, a table or an MCP tool: in the sandbox, or with a real account that the person lets the agent use.
import { createHash } from "node:crypto";
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { printable } from "../../base/printable.ts";
import { entryInside, pathInside, shownPath } from "../../operations/inside.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { sandboxAccount } from "../../platform/connect/sandbox-account.ts";
import { noSandboxSignIn, usableAccount } from "../../platform/connect/usable-account.ts";
import { PackAuthError, wholeMessage } from "../../platform/errors.ts";
import { keepRunFacts } from "../../platform/evidence/run-facts.ts";
import { makeTemporary } from "../../platform/files/make-temporary.ts";
import { removeTemporary } from "../../platform/files/remove-temporary.ts";
import { TimeLimit } from "../../platform/network/time-limit.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { notInTime, TIME_LIMIT } from "../../platform/process/process-limits.ts";
import { recordRun } from "../../platform/recordings/record-run.ts";
import { fileIn, saveIn, testFor } from "../../platform/recordings/test-file.ts";
import { definitionFor } from "../../platform/runs/authentication-in-force.ts";
import { run as runInput } from "../../platform/runs/run.ts";
import type { RunInput } from "../../platform/runs/run-input.ts";
import { observe } from "../../platform/runs/run-observer.ts";
import { type RunWorld, worldOf } from "../../platform/runs/run-world.ts";
import { expectedResult, proposeStub } from "../../platform/sandbox/propose-stub.ts";
import { registerPack } from "../../platform/sandbox/register-pack.ts";
import { stubsFilePath } from "../../platform/sandbox/stubs.ts";
import { shortSecrets } from "../../platform/secrets/short-secrets.ts";
import { isTeamAccount } from "../../platform/team/team-account.ts";
import { useTeamAccount } from "../../platform/team/use-team-account.ts";
import { isOfMcp, type McpTarget } from "../../protocol/mcp.ts";
import { DEFAULT_ROWS, MOST_ROWS } from "../../protocol/row-limits.ts";
import type { RunReport, RunTarget } from "../../protocol/run.ts";
import { UPLOAD_VERDICT_TEXTS } from "../../protocol/verdict.ts";
import type { AgentHost } from "../agent-host.ts";
import { agentTool, type ToolCall } from "../agent-tool.ts";
import { chooseAccount } from "../choose-account.ts";
import { failureOf } from "../failure.ts";
import { fromOutside, jsonFromOutside, type OutsideText, outsideText } from "../outside.ts";
import { requestRow, requestRows } from "../request-rows.ts";
import { runInputOf } from "../run-target.ts";
import { failure, packPath } from "../schemas.ts";

/** Milliseconds that a person may take for all questions of one run. */
const TIME_FOR_PERSON = 15 * 60_000;
/** Entries of a list in the output. */
const MOST_ENTRIES = 50;
/** Characters of a line of the console, or of a difference from the platform: an MCP server names its tools there. */
const LONGEST_NOTE = 2_000;

const input = z.strictObject({
  pack: packPath,
  target: z
    .string()
    .describe("A formula or a sync table by its name, mcp:Server (lists its tools), mcp:Server:tool, or Auth:getConnectionName."),
  parameters: z
    .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .default({})
    .describe("The parameters by name, or as a list in their order."),
  account: z
    .string()
    .optional()
    .describe(
      "The label or ID of a real account, from accounts. The person is asked before anything is sent. Without it the run takes place in the sandbox, which needs no account.",
    ),
  rows: z.int().min(1).max(MOST_ROWS).default(DEFAULT_ROWS).describe("The most rows of a table."),
  saveTest: z.string().optional().describe("A folder. The run is saved there as a test. Only for runs in the sandbox."),
  expectFailure: z.boolean().default(false).describe("With saveTest: saves a run that fails."),
});

export const run = agentTool({
  title: "Run a formula",
  description:
    "Runs a formula, a sync table or an MCP tool of a pack, as the platform would. By default it runs in a local sandbox, which signs in without a person and sends nothing to a real API. The sandbox answers from sandbox.json, or echoes the request with a proposal for that file. With account it uses a real account: the person is asked, and you never see the credential. Returns the result, the requests, and why it failed with remedies.",
  input,
  output: z.strictObject({
    status: z.enum(["succeeded", "failed", "cancelled"]),
    where: z.enum(["sandbox", "real account"]),
    result: outsideText.optional().describe("The result as JSON."),
    rowCount: z.int().optional(),
    hasMoreRows: z.boolean().optional().describe("Whether the table goes on after `rows`."),
    warnings: z.array(outsideText).describe("Values that do not fit the schema, and missing data."),
    failure: failure.optional(),
    requests: z.array(requestRow).describe(`The first ${MOST_ENTRIES}; requests has the rest, with bodies.`),
    console: z.array(z.strictObject({ level: z.string(), message: outsideText })),
    afterUpload: z.array(outsideText).describe("What works here and fails or differs on the platform."),
    proposedAnswers: z
      .array(
        z.strictObject({
          request: z.string(),
          file: z.string(),
          entry: z
            .string()
            .describe('JSON. Add it to the list `answers` of the file: { "answers": [ … ] }. Correct its body to what the API returns.'),
        }),
      )
      .describe("Answers for requests that sandbox.json lacks. The sandbox echoed these requests."),
    savedTest: z.string().optional().describe("The file of the saved test; run it with test."),
    notSaved: outsideText.optional().describe("Why the run was not saved as a test."),
  }),
  runsCode: true,
  isReadOnly: false,
  isOpenWorld: true,
  async call(request, call) {
    const { session } = call;
    const { host } = session;
    const entry = entryInside(host.folder, request.pack);
    const testFolder = request.saveTest === undefined ? undefined : pathInside(host.folder, request.saveTest);
    if (testFolder !== undefined && request.account !== undefined)
      throw new PackAuthError("recording-refused", "A run with a real account is not saved for an agent.", {
        hint: "Leave account out. The person can save such a run with pack-auth run --save-test, after reading it.",
      });
    call.progress("Building the pack");
    const pack = await host.openPack(entry);
    try {
      const runRequest = { target: request.target, parameters: request.parameters, rowLimit: request.rows };
      const input = runInputOf(runRequest, pack.definition);
      const ran =
        request.account === undefined
          ? await inSandbox(pack, input, call, testFolder, request.expectFailure)
          : { report: await withAccount(pack, input, request.account, request.target, call) };
      session.lastRun = ran.report;
      const where = request.account === undefined ? ("sandbox" as const) : ("real account" as const);
      return { where, ...(await reported(ran.report, pack, host)), ...defined({ savedTest: ran.savedTest, notSaved: ran.notSaved }) };
    } finally {
      pack.dispose();
    }
  },
});

interface Ran {
  readonly report: RunReport;
  readonly savedTest?: string;
  readonly notSaved?: OutsideText;
}

async function inSandbox(
  pack: Pack,
  input: RunInput<RunTarget | McpTarget>,
  { session: { host }, signal, progress }: ToolCall,
  testFolder: string | undefined,
  expectsFailure: boolean,
): Promise<Ran> {
  const { target, ...rest } = input;
  if (testFolder !== undefined && isOfMcp(target))
    throw new PackAuthError("recording-refused", "A run of an MCP server cannot be saved as a test.", { hint: "Leave saveTest out." });
  progress("Signing in at the sandbox");
  const folder = makeTemporary("pack-auth-sandbox-");
  const sandbox = await host.openSandbox().catch((error: unknown) => {
    removeTemporary(folder);
    throw error;
  });
  try {
    const definition = definitionFor(target, pack.definition);
    pathInside(host.folder, stubsFilePath(pack.entry));
    const registered = await registerPack(sandbox, pack);
    const world = await sandboxAccount(pack, definition, registered, { folder, packName: packName(pack.entry), signal });
    progress("Running");
    if (testFolder === undefined || isOfMcp(target)) return { report: await runInput(input, world, observe()) };
    const recorded = await recordRun({ ...rest, target }, world, observe());
    const { report } = recorded;
    // The run took seconds, in which a link may have taken the folder's place.
    const assertInside = (): void => void pathInside(host.folder, testFolder);
    try {
      assertInside();
      const test = await testFor(fileIn(testFolder, recorded.input), recorded, expectsFailure);
      return { report, savedTest: shownPath(host.folder, await saveIn(testFolder, test, assertInside)) };
    } catch (error) {
      // The agent needs the report to mend what keeps the run from being saved.
      if (error instanceof PackAuthError) return { report, notSaved: fromOutside(wholeMessage(error)) };
      throw error;
    }
  } finally {
    sandbox.stop();
    removeTemporary(folder);
  }
}

/** Runs with a real account. The broker asks the person before it sends a request. */
async function withAccount(
  pack: Pack,
  input: RunInput<RunTarget | McpTarget>,
  name: string,
  target: string,
  { session: { host, consent }, signal, progress }: ToolCall,
): Promise<RunReport> {
  const { accounts, platform, team, behindProxy, allowLoopback } = await host.openAccounts();
  const account = await chooseAccount(name, pack.entry, pack.definition, accounts);
  // Its references are resolved only if the person accepted them, so nobody is asked here.
  const ofFile = isTeamAccount(account) ? await useTeamAccount(pack, account, team, { signal }) : undefined;
  const stored = ofFile === undefined ? await accounts.secret(account.id) : undefined;
  const credential = ofFile?.credential ?? stored?.credential;
  const unmasked = credential === undefined ? [] : shortSecrets(credential);
  let runAccount = ofFile;
  const signIn = (): string => runAccount?.signIn ?? stored?.signIn ?? digestOf(credential);
  const { permit, permitRefresh } = consent.forRun({ pack, account, signIn, target, unmasked }, signal);
  progress("Waiting for the person, if they have not yet agreed");
  // The limit of the execution includes the time for the person. Without a limit of its own, code that never ends would run as long.
  const idle = new AbortController();
  const limit = new TimeLimit(TIME_LIMIT, () => idle.abort());
  try {
    runAccount ??= await usableAccount(pack, account, {
      accounts,
      host: platform,
      sandbox: noSandboxSignIn,
      permitRefresh: () => limit.suspendedFor(permitRefresh()),
    });
    const world: RunWorld = {
      ...worldOf(pack, platform.fetch, {
        behindProxy,
        account: runAccount,
        signal: AbortSignal.any([signal, idle.signal]),
        timeLimit: TIME_LIMIT + TIME_FOR_PERSON,
        ...defined({ lookup: platform.lookUp, allowLoopback }),
      }),
      permit: (...request) => limit.suspendedFor(permit(...request)),
    };
    const report = await runInput(input, world, observe({ onRequest: () => limit.restart() }));
    if (idle.signal.aborted && !signal.aborted) throw notInTime("execute", TIME_LIMIT, undefined);
    await keepRunFacts({ storageFolder: platform.storageFolder, log: platform.log }, pack, report, runAccount);
    return report;
  } finally {
    limit.clear();
  }
}

/** Tells the credentials of an account file apart, which have no sign-in. The value stays in memory. */
const digestOf = (credential: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(credential) ?? "")
    .digest("hex");

async function reported(report: RunReport, pack: Pack, host: AgentHost) {
  const { outcome, warnings = [], content, requests, console, platformDifferences, sync } = report;
  const value = outcome.status === "succeeded" ? (content ?? outcome.value) : undefined;
  return {
    status: outcome.status,
    ...defined({
      result: outcome.status === "succeeded" ? jsonFromOutside(value) : undefined,
      rowCount: "rows" in outcome ? outcome.rows : undefined,
      hasMoreRows: sync?.limitReached,
      failure: outcome.status === "failed" ? await failureOf(outcome.error, host, pack.entry) : undefined,
    }),
    warnings: warnings.slice(0, MOST_ENTRIES).map(({ path, message }) => fromOutside(path === "" ? message : `${path}: ${message}`)),
    requests: requestRows(requests.slice(0, MOST_ENTRIES)),
    console: console.slice(0, MOST_ENTRIES).map(({ level, message }) => ({ level, message: fromOutside(message, LONGEST_NOTE) })),
    afterUpload: platformDifferences
      .slice(0, MOST_ENTRIES)
      .map(({ message, verdict }) =>
        fromOutside(verdict === undefined ? message : `${UPLOAD_VERDICT_TEXTS[verdict]}. ${message}`, LONGEST_NOTE),
      ),
    proposedAnswers: await proposedAnswers(report, pack, host),
  };
}

async function proposedAnswers(report: RunReport, pack: Pack, host: AgentHost) {
  const file = shownPath(host.folder, stubsFilePath(pack.entry));
  const expected = expectedResult(report, pack.definition);
  const entries = new Map<string, string>();
  for (const request of report.requests) {
    if (request.echoed === undefined || entries.size === MOST_ENTRIES) continue;
    const reads = await host.sources.responseReads(request.echoed.calls ?? []);
    entries.set(`${request.method} ${request.url}`, JSON.stringify(proposeStub(request, { ...expected, ...defined({ reads }) })));
  }
  return [...entries].map(([request, entry]) => ({ request: printable(request), file, entry }));
}
