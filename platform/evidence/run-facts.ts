// Derives facts from a run: about the configuration, from the API's response to the credential; about a line of the pack, from its request.

import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import { fingerprintOf } from "../../base/fingerprint.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { type Fact, namesIn } from "../../protocol/evidence.ts";
import type { RequestTrace, RunReport, SourceLocation } from "../../protocol/run.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import type { Cause } from "../diagnosis/diagnosis.ts";
import { explain } from "../diagnosis/explain.ts";
import { explainMissingData } from "../diagnosis/missing-data.ts";
import { readRegularFile } from "../files/regular-file.ts";
import type { PlatformHost } from "../host.ts";
import { configurationFingerprint, type EvidenceUpdate, OF_REQUESTS, openEvidence } from "./evidence.ts";

interface RanPack {
  readonly entry: string;
  readonly definition: PackDefinition;
}

/** Saves the facts that a run showed. An error is only logged: the run has ended, and its report shows the same. */
export async function keepRunFacts(
  host: Pick<PlatformHost, "storageFolder" | "log">,
  pack: RanPack,
  report: RunReport,
  account?: RunAccount,
): Promise<void> {
  try {
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
  for (const { code, names, location } of observeLines(report)) {
    const line = lineAt(location);
    if (line === undefined) continue;
    const at = { path: location.path, line: location.line };
    facts.push({ ...common, code, at, names: namesIn(names), fingerprint: fingerprintOf(line), ...defined({ formula }) });
  }
  if (formula !== undefined && isReal)
    for (const { lostField } of report.warnings ?? []) {
      const names = lostField === undefined ? [] : namesIn([lostField.property, lostField.key]);
      if (names.length === 2) facts.push({ ...common, code: "schema-loses", names, fingerprint: fingerprintOf(names), formula });
    }
  const wasAccepted = requests.some(({ status = 0, credentials }) => credentials.length > 0 && status >= 200 && status < 300);
  return {
    entry,
    facts,
    judges(fact) {
      if (fact.scope !== undefined) return isJudged && wasAccepted && fact.scope === account.scope && OF_REQUESTS.has(fact.code);
      const isOfFormula = formula !== undefined && fact.formula === formula;
      // A failed run returned no rows.
      return isOfFormula && (fact.code !== "schema-loses" || (isReal && report.outcome.status === "succeeded"));
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
  readonly code: "host-refused" | "unauthorized-swallowed" | "request-not-awaited";
  readonly names: readonly string[];
  readonly location: SourceLocation;
}

function* observeLines({ outcome, requests, platformDifferences }: RunReport): Iterable<LineObservation> {
  const remedy = outcome.status === "failed" ? outcome.error.remedies?.find(({ kind }) => kind === "addNetworkDomain") : undefined;
  const blocked = requests.findLast(({ failure }) => failure === "blocked");
  if (remedy?.kind === "addNetworkDomain" && blocked?.calledFrom !== undefined && blocked.redirectedFrom === undefined)
    yield { code: "host-refused", names: [remedy.host], location: blocked.calledFrom };
  for (const { swallowed, unawaited, location } of platformDifferences) {
    if (location === undefined) continue;
    if (swallowed !== undefined) yield { code: "unauthorized-swallowed", names: [String(swallowed)], location };
    if (unawaited) yield { code: "request-not-awaited", names: [], location };
  }
}

/** Returns the line of the file on disk, which is the one that ran, without surrounding blanks. */
function lineAt({ path, line }: SourceLocation): string | undefined {
  return readRegularFile(path)?.split("\n")[line]?.trim();
}
