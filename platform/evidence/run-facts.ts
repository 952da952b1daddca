// Derives facts from a run: about the configuration, from the API's response to the credential; about a line of the pack, from its request.

import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import { fingerprintOf } from "../../base/fingerprint.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { type Fact, namesIn } from "../../protocol/evidence.ts";
import type { RequestTrace, RunReport, SourceLocation } from "../../protocol/run.ts";
import { flowKindOf } from "../../spec/auth-types.ts";
import type { ConfigurationCode } from "../../spec/evidence.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { readRegularFile } from "../files/regular-file.ts";
import type { PlatformHost } from "../host.ts";
import { challengesIn } from "../network/challenges.ts";
import { readRequestedHeader } from "../requests/challenge.ts";
import { noData } from "../requests/no-data.ts";
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
  return last.status < 300 && noData(last) === undefined ? false : undefined;
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

interface CredentialObservation {
  readonly code: ConfigurationCode;
  readonly name: string;
}

/** The number of characters of a response that are read. Refusals are short. */
const LONGEST = 4_096;

/** Returns what the API required in the response to the last request whose credential was refused. */
function observeCredential(requests: readonly RequestTrace[], auth: AuthenticationDefinition): CredentialObservation | undefined {
  const refusedRequest = requests.findLast(
    ({ status, credentials }) => credentials.length > 0 && (status === 400 || status === 401 || status === 403),
  );
  if (refusedRequest === undefined) return undefined;
  const sentCarriers = refusedRequest.credentials.map(({ carrier }) => carrier.toLowerCase());
  const responseText = (refusedRequest.responseBody ?? "").slice(0, LONGEST);
  const header = REQUIRED_HEADER.exec(responseText)?.groups;
  const requiredHeader = readRequestedHeader({ headers: refusedRequest.responseHeaders ?? {} }, { headers: refusedRequest.requestHeaders });
  const headerName = header?.before ?? header?.after ?? requiredHeader;
  if (headerName !== undefined && !sentCarriers.includes(headerName.toLowerCase())) return { code: "header-name", name: headerName };
  const parameter = REQUIRED_PARAMETER.exec(responseText)?.groups;
  const parameterName = parameter?.before ?? parameter?.after;
  if (parameterName !== undefined && !sentCarriers.includes(`?${parameterName.toLowerCase()}`))
    return { code: "token-in-query", name: parameterName };
  const blames = refusedRequest.blames === "tokenPrefix" || refusedRequest.blames === "headers" || refusedRequest.blames === "type";
  const [challenge] = challengesIn(refusedRequest.responseHeaders?.["www-authenticate"] ?? "");
  return blames && challenge !== undefined && flowKindOf(auth.type) !== "custom"
    ? { code: "token-prefix", name: challenge.scheme }
    : undefined;
}

/** Matches `missing header X-Api-Key` and `the X-Api-Key header is required`. */
const REQUIRED_HEADER =
  /\bheader\b[\s:'"`]{1,4}(?<after>X-[\w-]{1,60}|Authorization)\b|\b(?<before>X-[\w-]{1,60}|Authorization)\b[\s'"`]{1,3}(?:request )?header\b/i;

/** Matches `missing query parameter access_token` and `parameter api_key is required`. */
const REQUIRED_PARAMETER =
  /\bparam(?:eter)?\b[\s:'"`]{1,4}(?<after>(?:access|auth|api|app)?[_-]?(?:token|key))\b|\b(?<before>(?:access|auth|api|app)[_-]?(?:token|key))\b[\s'"`]{1,3}(?:query |URL |request )?param(?:eter)?\b/i;

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
