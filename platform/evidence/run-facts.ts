// What a run showed: of the configuration, by what an API said of the credential; of a line of the pack, by what became of its request.

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

/** Keeps what a run showed. Best effort: the run is over, and its report says the same. */
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

/** Whether the last answer to the account's credential was 401; undefined where it says neither. */
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
  // The sandbox takes what the configuration sends, and what it answers may have been made up from the source.
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
      // What failed gave no rows.
      return isOfFormula && (fact.code !== "schema-loses" || (isReal && report.outcome.status === "succeeded"));
    },
  };
}

interface CredentialObservation {
  readonly code: ConfigurationCode;
  readonly name: string;
}

/** Characters of an answer that are read: what refuses a request is short. */
const LONGEST = 4_096;

/** The last request whose credential was refused, and what the API said that it wants. */
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

/** `missing header X-Api-Key`, `the X-Api-Key header is required`. */
const REQUIRED_HEADER =
  /\bheader\b[\s:'"`]{1,4}(?<after>X-[\w-]{1,60}|Authorization)\b|\b(?<before>X-[\w-]{1,60}|Authorization)\b[\s'"`]{1,3}(?:request )?header\b/i;

/** `missing query parameter access_token`, `parameter api_key is required`. */
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

/** As it is on disk, which is what ran; without the blanks around it. */
function lineAt({ path, line }: SourceLocation): string | undefined {
  return readRegularFile(path)?.split("\n")[line]?.trim();
}
