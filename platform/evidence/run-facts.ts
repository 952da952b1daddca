// Derives facts from a run: about the configuration, from the API's response to the credential; about a line of the pack, from its request.

import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import { fingerprintOf } from "../../base/fingerprint.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { type Fact, namesIn } from "../../protocol/evidence.ts";
import type { RequestTrace, RunReport, SourceLocation } from "../../protocol/run.ts";
import { type CodeAbout, EVIDENCE } from "../../spec/evidence-codes.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import type { Cause } from "../diagnosis/diagnosis.ts";
import { explain } from "../diagnosis/explain.ts";
import { explainMissingData } from "../diagnosis/missing-data.ts";
import { LARGEST_SOURCE, readRegularFile } from "../files/regular-file.ts";
import type { PlatformHost } from "../host.ts";
import { configurationFingerprint, type EvidenceUpdate, openEvidence } from "./evidence.ts";
import { recordRunOf } from "./run-record.ts";

interface RanPack {
  readonly entry: string;
  readonly definition: PackDefinition;
}

/** Saves that the formula or table ran, and the facts that the run showed. An error is only logged: the run has ended, and its report shows the same. */
export async function keepRunFacts(
  host: Pick<PlatformHost, "storageFolder" | "log">,
  pack: RanPack,
  report: RunReport,
  account?: RunAccount,
): Promise<void> {
  try {
    await recordRunOf(host, pack.entry, report);
    await openEvidence(host).add(runFacts(pack, report, account));
    const isRefused = refusedAtLast(report.requests);
    if (isRefused !== undefined) await account?.judged?.(isRefused);
  } catch (error) {
    host.log(errorMessage(error));
  }
}

/** Returns true if the last response to the account's credential was 401, false if it was accepted, and undefined if it is unclear. */
function refusedAtLast(requests: readonly RequestTrace[]): boolean | undefined {
  const last = requests.findLast(({ status, credentials }) => status !== undefined && credentials.length > 0);
  if (last?.status === undefined) return undefined;
  if (last.status === 401) return true;
  return last.status < 300 && explainMissingData(last) === undefined ? false : undefined;
}

function runFacts({ entry, definition }: RanPack, report: RunReport, account: RunAccount | undefined): EvidenceUpdate {
  const { target, requests, startedAt: observedAt } = report;
  const formula = target.kind === "formula" || target.kind === "syncTable" ? target.name : undefined;
  const common = { entry, seenAt: observedAt, ...defined({ account: account?.id }) };
  const auth = account === undefined ? undefined : definition[`${account.scope}Authentication`];
  // Runs in the sandbox are not evaluated: it accepts what the configuration sends, and its responses may be invented from the source.
  const isReal = account?.sandboxOrigin === undefined;
  const isJudged = account !== undefined && auth !== undefined && isReal;
  const ofRequests = isJudged ? observeCredential(requests, auth) : undefined;
  const facts: Fact[] = [];
  if (isJudged && ofRequests !== undefined) {
    const { code, name } = ofRequests;
    facts.push({ ...common, code, scope: account.scope, names: namesIn([name]), fingerprint: configurationFingerprint(code, auth) });
  }
  for (const [code, observe] of Object.entries(OBSERVE))
    for (const { names, location } of observe(report)) {
      const line = location && lineAt(location);
      if (location === undefined || line === undefined) continue;
      const at = { path: location.path, line: location.line };
      const about = { code: code as keyof typeof OBSERVE, at, fingerprint: fingerprintOf(line) };
      facts.push({ ...common, ...about, names: namesIn(names), ...defined({ formula }) });
    }
  if (formula !== undefined && isReal)
    for (const [code, observe] of Object.entries(OBSERVE_SCHEMA))
      for (const names of observe(report))
        facts.push({ ...common, code: code as keyof typeof OBSERVE_SCHEMA, names, fingerprint: fingerprintOf(names), formula });
  const wasAccepted = requests.some(({ status = 0, credentials }) => credentials.length > 0 && status >= 200 && status < 300);
  return {
    entry,
    facts,
    judges(fact) {
      if (fact.scope !== undefined) return isJudged && wasAccepted && fact.scope === account.scope && EVIDENCE[fact.code] === "credential";
      const isOfFormula = formula !== undefined && fact.formula === formula;
      // A failed run returned no rows.
      return isOfFormula && (EVIDENCE[fact.code] !== "schema" || (isReal && report.outcome.status === "succeeded"));
    },
  };
}

/** Returns what the API required in the response to the last request whose credential was refused. */
function observeCredential(requests: readonly RequestTrace[], auth: AuthenticationDefinition): Cause["evidence"] {
  const exchange = requests.findLast(
    ({ status, credentials }) => credentials.length > 0 && (status === 400 || status === 401 || status === 403),
  );
  return exchange === undefined ? undefined : explain({ phase: "resource", auth, exchange })?.evidence;
}

interface LineObservation {
  readonly names: readonly string[];
  readonly location: SourceLocation | undefined;
}

/** Each returns the lines of which the run showed its fact. */
const OBSERVE: { readonly [Code in CodeAbout<"line">]: (report: RunReport) => readonly LineObservation[] } = {
  "host-refused": ({ outcome, requests }) => {
    const remedy = outcome.status === "failed" ? outcome.error.remedies?.find(({ kind }) => kind === "addNetworkDomain") : undefined;
    const blocked = requests.findLast(({ failure }) => failure === "blocked");
    return remedy?.kind === "addNetworkDomain" && blocked !== undefined && blocked.redirectedFrom === undefined
      ? [{ names: [remedy.host], location: blocked.calledFrom }]
      : [];
  },
  "unauthorized-swallowed": ({ platformDifferences }) =>
    platformDifferences.flatMap(({ swallowed, location }) => (swallowed === undefined ? [] : [{ names: [String(swallowed)], location }])),
  "request-not-awaited": ({ platformDifferences }) =>
    platformDifferences.flatMap(({ unawaited, location }) => (unawaited ? [{ names: [], location }] : [])),
};

/** Each returns the names of a property of which the run showed its fact. */
const OBSERVE_SCHEMA: { readonly [Code in CodeAbout<"schema">]: (report: RunReport) => readonly (readonly string[])[] } = {
  "schema-loses": ({ warnings = [] }) =>
    warnings
      .map(({ lostField }) => (lostField === undefined ? [] : namesIn([lostField.property, lostField.key])))
      .filter(({ length }) => length === 2),
};

/** Returns the line of the file on disk, which is the one that ran, without surrounding blanks. */
function lineAt({ path, line }: SourceLocation): string | undefined {
  return readRegularFile(path, LARGEST_SOURCE)?.split("\n")[line]?.trim();
}
