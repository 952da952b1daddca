// Runs a formula, a table or an MCP tool: in the sandbox, or with a real account that the person lets the agent use.
import { defined } from "../../base/defined.ts";
import { printable } from "../../base/printable.ts";
import { quoteName } from "../../base/quote.ts";
import { shownPath } from "../../operations/inside.ts";
import { proposedAnswers } from "../../operations/run/proposed-answers.ts";
import { type EndedRun, run as operation } from "../../operations/run/run.ts";
import { wholeMessage } from "../../platform/errors.ts";
import { stubsFilePath } from "../../platform/sandbox/stubs.ts";
import { UPLOAD_VERDICT_TEXTS } from "../../protocol/verdict.ts";
import type { AgentHost } from "../agent-host.ts";
import { failureOf } from "../failure.ts";
import { nextStepText } from "../next-steps.ts";
import { operationTool, runOperation } from "../operation-tool.ts";
import { fromOutside, jsonFromOutside, OUTSIDE_NOTE, sentences } from "../outside.ts";
import { requestRows } from "../request-rows.ts";

/** Entries of a list in the output. */
const MOST_ENTRIES = 50;
/** Characters of a line of the console, or of a difference from the platform: an MCP server names its tools there. */
const LONGEST_NOTE = 2_000;

export const run = operationTool(operation, {
  title: "Run a formula",
  note: `By default it runs in a local sandbox, which signs in without a person and sends nothing to a real API. The sandbox answers from sandbox.json, or echoes the request with a proposal for that file. With account it uses a real account: the person is asked, and you never see the credential. Returns the result, the requests, and why it failed with remedies: apply their edits. Add each entry of proposedAnswers to the list answers of its file, with the body that the API returns. afterUpload is what fails or differs on the platform. ${OUTSIDE_NOTE}`,
  runsCode: true,
  isReadOnly: false,
  isOpenWorld: true,
  async call(input, call) {
    const { session } = call;
    const sandbox = input.account === undefined;
    const { file, notSaved, ...ended } = await runOperation(operation, { ...input, sandbox }, call);
    session.lastRun = ended.report;
    return {
      where: sandbox ? "sandbox" : "real account",
      ...(await reported(ended, session.host)),
      ...defined({
        savedTest: file && shownPath(session.host.folder, file),
        notSaved: notSaved && sentences(wholeMessage(notSaved, nextStepText)),
      }),
    };
  },
});

async function reported(run: EndedRun, host: AgentHost) {
  const { report, entry } = run;
  const answers = await proposedAnswers(run, host.sources.responseReads, MOST_ENTRIES);
  const { outcome, warnings = [], content, requests, console, platformDifferences, sync } = report;
  const value = outcome.status === "succeeded" ? (content ?? outcome.value) : undefined;
  return {
    status: outcome.status,
    ...defined({
      result: outcome.status === "succeeded" ? jsonFromOutside(value) : undefined,
      rowCount: "rows" in outcome ? outcome.rows : undefined,
      hasMoreRows: sync?.limitReached,
      failure: outcome.status === "failed" ? await failureOf(outcome.error, host, entry) : undefined,
    }),
    warnings: warnings
      .slice(0, MOST_ENTRIES)
      .map(({ path, message }) => sentences(path === "" ? message : `${quoteName(path)}: ${message}`)),
    requests: requestRows(requests.slice(0, MOST_ENTRIES)),
    console: console.slice(0, MOST_ENTRIES).map(({ level, message }) => ({ level, message: fromOutside(message, LONGEST_NOTE) })),
    afterUpload: platformDifferences
      .slice(0, MOST_ENTRIES)
      .map(({ message, verdict }) =>
        sentences(verdict === undefined ? message : `${UPLOAD_VERDICT_TEXTS[verdict]}. ${message}`, LONGEST_NOTE),
      ),
    proposedAnswers: answers.map(({ request: { method, url }, stub }) => ({
      request: printable(`${method} ${url}`),
      file: shownPath(host.folder, stubsFilePath(entry)),
      entry: JSON.stringify(stub),
    })),
  };
}
