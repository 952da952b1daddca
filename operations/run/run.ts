// Runs a function of a pack in the sandbox or with an account, and saves the run as a test.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { timeLimitOf } from "../../platform/process/process-limits.ts";
import { recordRun } from "../../platform/recordings/record-run.ts";
import { run as runInput } from "../../platform/runs/run.ts";
import type { RunObserver, Sending } from "../../platform/runs/run-observer.ts";
import type { RunWorld } from "../../platform/runs/run-world.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import { DEFAULT_ROWS, MOST_ROWS } from "../../protocol/row-limits.ts";
import type { ConsoleEntry, RunReport } from "../../protocol/run.ts";
import { InputError } from "../input-error.ts";
import { confirmedInput, dynamicUrlInput, input, packInput, parametersInput, wordsInput } from "../inputs.ts";
import type { Observer } from "../observer.ts";
import { operation } from "../operation.ts";
import { type ChosenAccount, Runs } from "./runs.ts";
import { savable, saveTest as save, testPlace } from "./save-test.ts";
import { readTarget } from "./target.ts";
import type { TargetInput } from "./target-request.ts";

/** A run that has ended. */
export interface EndedRun {
  readonly report: RunReport;
  readonly entry: string;
  readonly definition: PackDefinition;
  readonly choice: ChosenAccount;
}

export interface RunOutput extends EndedRun {
  /** The file of the saved test. */
  readonly file?: string;
  /** Why the run was not saved as a test. */
  readonly notSaved?: PackAuthError;
}

/** What an observer hears of a run; `ended` comes before the run is saved. */
export type RunPart =
  | { readonly kind: "sending"; readonly request: Sending }
  | { readonly kind: "sent"; readonly id: number }
  | { readonly kind: "rows"; readonly count: number }
  | { readonly kind: "console"; readonly entry: ConsoleEntry }
  /** The first of two runs has ended. */
  | { readonly kind: "again"; readonly rows: number }
  | { readonly kind: "ended"; readonly run: EndedRun };

export const run = operation({
  about: "Runs a formula, a sync table, an MCP tool or another function of a pack as the platform would, and shows its result.",
  input: z.strictObject({
    pack: packInput,
    target: input(
      z.string(),
      "A formula or a sync table by its name, mcp:Server (lists its tools), mcp:Server:tool, or Auth:getConnectionName. Functions follow a colon: Name:autocomplete:parameter, Table:update, Table:incremental, Table:validateParameters, Table:options:property, Table:getSchema.",
      { place: "word" },
    ),
    words: wordsInput,
    parameters: parametersInput,
    account: input(
      z.string().optional(),
      "The account to use, by its label or ID: a connected one, one of packauth.accounts.json, or one of the environment on the command line. An agent's run without it takes place in the sandbox; with it the person is asked before anything is sent.",
      { argument: "LABEL" },
    ),
    sandbox: input(
      z.boolean().default(false),
      "Run with a new sandbox account: you need no real account, and nothing is sent to a real API.",
    ),
    saveTest: input(
      z.string().optional(),
      "Save the run as a test: a folder, or a file that ends in .packauth.json. An agent can save runs in the sandbox.",
      { argument: "FILE" },
    ),
    expectFailure: input(z.boolean().default(false), "With a test to save: save a run that fails, as a test that expects this failure."),
    confirmed: confirmedInput,
    dynamicUrl: dynamicUrlInput,
    updates: input(z.unknown().optional(), 'Edited rows: {"previousValue": the row, "newValue": its changes}, or an array of them.'),
    row: input(z.unknown().optional(), "A row of the table, for Table:options:property."),
    completion: input(
      z.unknown().optional(),
      "The completion of an earlier run (sync.completion in its report), to read what is new since.",
    ),
    rows: input(
      z.int().min(1).max(MOST_ROWS).default(DEFAULT_ROWS),
      `The most rows of a table (default: ${DEFAULT_ROWS}, at most ${MOST_ROWS}).`,
    ),
    timeLimit: input(z.int().min(1).optional(), "The most seconds of one execution (default: 60).", { argument: "SECONDS" }),
    timezone: input(z.string().optional(), "The document's time zone, such as Europe/Lisbon (default: this machine's).", {
      argument: "NAME",
    }),
    as: input(z.enum(["doc", "go"]).default("doc"), "Run as in a document, or as the assistant does (default: doc)."),
  }),
  missing: {
    agents: {
      sandbox: "Without an account an agent's run takes place in the sandbox.",
      confirmed: "A run with a real account is not saved for an agent.",
    },
    editor: { words: "The panel's form has a field for each parameter." },
  },
  async run(
    { pack: path, account, sandbox, saveTest, expectFailure, confirmed, rows, timeLimit, timezone, as, ...request },
    world,
    person,
    observer: Observer<RunPart>,
  ): Promise<RunOutput> {
    const entry = world.entryOf(path);
    const place = saveTest === undefined ? undefined : testPlace(world, saveTest);
    const isGuarded = world.runs.guard !== undefined;
    if (place !== undefined && !sandbox && isGuarded)
      throw new PackAuthError("recording-refused", "A run with a real account is not saved for an agent.", {
        hint: "Leave account out. Only a person can save such a run, after reading it.",
      });
    observer.step("Building the pack");
    const pack = await world.openPack(entry);
    const call = { ...defined({ timezone: timezoneOf(timezone) }), rowLimit: rows, source: as === "go" ? "Go" : "Doc" } as const;
    const target = readTarget(request, pack.definition, { ...call, isSandbox: sandbox, note: observer.note });
    const saved = place && savable(target);
    const limits: Partial<RunWorld> = {
      ...defined({ timeLimit: timeLimit === undefined ? undefined : timeLimitOf(timeLimit) }),
      async mayCall({ name }) {
        if (request.parameters !== undefined || isGuarded) return true;
        throw new PackAuthError("invalid-parameter", `${name} may change data: its server does not set readOnlyHint: true for it.`, {
          nextStep: { do: "writeArguments" },
        });
      },
    };
    const runCall = { pack, input: target, target: request.target, sandbox, account, limits };
    const { record, choice, report } = await new Runs(world, observer).run(runCall, partsOf(observer), async (runWorld, runObserver) => {
      if (saved === undefined) return { report: await execute(target, runWorld, runObserver, observer), record: undefined };
      const recorded = await recordRun(saved, runWorld, runObserver);
      return { report: recorded.report, record: recorded };
    });
    const ended: EndedRun = { report, entry, definition: pack.definition, choice };
    await observer.part({ kind: "ended", run: ended });
    if (place === undefined || record === undefined || world.signal.aborted) return ended;
    try {
      const options = { expectsFailure: expectFailure, isConfirmed: confirmed };
      return { ...ended, file: await save(record, place, options, world, person, observer) };
    } catch (error) {
      // The report shows what keeps the run from being saved.
      if (error instanceof PackAuthError) return { ...ended, notSaved: error };
      throw error;
    }
  },
});

const partsOf = ({ part }: Observer<RunPart>): Partial<RunObserver> => ({
  onSending: (request) => void part({ kind: "sending", request }),
  onSent: (id) => void part({ kind: "sent", id }),
  onRows: (count) => void part({ kind: "rows", count }),
  onConsole: (entry) => void part({ kind: "console", entry }),
});

/** Runs the target once, or a table twice. Throws InputError if a second run is impossible. */
async function execute(
  { isTwice, ...input }: TargetInput,
  world: RunWorld,
  runObserver: RunObserver,
  { part }: Observer<RunPart>,
): Promise<RunReport> {
  const { target } = input;
  const report = await runInput(input, world, runObserver);
  if (!isTwice || target.kind !== "syncTable" || report.outcome.status !== "succeeded") return report;
  const completion = report.sync?.completion;
  if ((completion as { incrementalContinuation?: unknown } | null | undefined)?.incrementalContinuation === undefined)
    throw report.sync?.limitReached === true
      ? new InputError("rows", "Raise rows. The table was not read to its end, so it returned no completion.")
      : new InputError(
          "target",
          "Return completion: { incrementalContinuation: … } with the last page. Without a completion there is no incremental sync.",
        );
  part({ kind: "again", rows: report.outcome.rows ?? 0 });
  return runInput({ ...input, target: { ...target, previousCompletion: completion } }, world, runObserver);
}

function timezoneOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    const resolvedName = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    // The pack gets the name from the call: Node resolves Asia/Kolkata to its former name.
    return resolvedName.toLowerCase() === name.toLowerCase() ? resolvedName : name;
  } catch {
    throw new InputError("timezone", `There is no time zone ${name}.`, "Use a name such as Europe/Lisbon.");
  }
}
