// Runs a saved test with the real API, and compares the shapes of its answers with the recorded ones. Invariants: without `actions` nothing
// but GET and HEAD is sent for the pack, whatever was recorded; no value of an answer is kept, so that none can be in a result.
import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { changesData } from "../../protocol/definition.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { decodeText, isJson, isXmlType } from "../bodies/response-body.ts";
import { challengesIn } from "../diagnosis/challenges.ts";
import type { Fetch } from "../host.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import { refusal } from "../network/refusal.ts";
import type { Pack } from "../process/pack.ts";
import { methodOf } from "../requests/permit.ts";
import type { RequestRecorder } from "../requests/request-recorder.ts";
import type { TraceEntry } from "../requests/request-trace.ts";
import type { Intercept } from "../requests/send-once.ts";
import { run } from "../runs/run.ts";
import { observe } from "../runs/run-observer.ts";
import { type WorldOptions, worldOf } from "../runs/run-world.ts";
import type { Redactor } from "../secrets/redact.ts";
import { kindOf } from "./record-run.ts";
import { isOfMoment } from "./record-test.ts";
import { asSent } from "./recorder.ts";
import { bodyOf, outcomeOf } from "./replay.ts";
import { inputOfTest, type SavedRequest, type SavedTest } from "./saved-test.ts";
import { ANY, compareShapes, createShape, type Shape, type ShapeDifference, shapeOf } from "./shape.ts";

/** What can be different, with a sentence for people. */
export const LIVE_RULES = {
  "api-field-lost": "A field of the API's answer is gone.",
  "api-field-renamed": "A field of the API's answer is probably renamed.",
  "api-type-changed": "A value of the API's answer has another type.",
  "api-content-changed": "The API answers in another format.",
  "api-host-moved": "The API redirects to another host.",
  "api-authentication-changed": "The API asks for another authentication.",
  "api-status-changed": "The API answers with another kind of status.",
  "pack-request-changed": "The pack sends other requests than it did when the test was recorded.",
  "result-changed": "The result of the run is different in shape.",
} as const;
export type LiveRule = keyof typeof LIVE_RULES;

export interface LiveReason {
  /** Absent if the reason is not a change. */
  readonly rule?: LiveRule;
  /** Contains names and types, and no value of an answer. */
  readonly message: string;
  /** The recorded request. */
  readonly request?: SavedRequest;
}

export interface LiveResult {
  readonly status: "unchanged" | "changed" | "notTried" | "inconclusive";
  readonly reasons: readonly LiveReason[];
}

export interface LiveOptions extends Pick<WorldOptions, "signal" | "timeLimit" | "behindProxy" | "lookup"> {
  readonly account?: RunAccount;
  /** Whether methods other than GET and HEAD may be sent. */
  readonly actions: boolean;
}

const isRead = (request: OutgoingRequest): boolean => /^(?:GET|HEAD)$/.test(URL.canParse(request.url) ? methodOf(request) : request.method);

const withoutBody = ({ method, url, headers }: SavedRequest): OutgoingRequest => ({ method, url, headers });

/** Returns why a test says nothing about the API, or undefined if it can be tried. Sends nothing. */
export function whyNotTried({ definition }: Pack, test: SavedTest, actions: boolean): string | undefined {
  if (test.sandbox === true) return "It was recorded in the sandbox. Record it with an account of the API.";
  if (test.requests.length === 0) return "It has no requests, so it says nothing about an API.";
  if (test.account !== undefined && definition[`${test.account.scope}Authentication`] === undefined)
    return `The pack has no ${test.account.scope} authentication any more. Record the test again.`;
  if (actions) return undefined;
  const action = test.requests.find((request) => !isRead(withoutBody(request)));
  if (action !== undefined) return `It sends ${action.method}, which may change data. Add --actions if it may be sent.`;
  return changesData(definition, test.target) ? "It is an action, which may change data. Add --actions if it may run." : undefined;
}

/** Runs a test that {@link whyNotTried} permits. Throws recording-refused if the run was stopped. */
export async function runLive(pack: Pack, test: SavedTest, fetch: Fetch, options: LiveOptions): Promise<LiveResult> {
  const { account, actions, ...limits } = options;
  /** Requests that were not sent, because of their method. */
  const refusedRequests: string[] = [];
  const intercept: Intercept = async ({ request }, send) => {
    if (actions || isRead(request)) return send();
    refusedRequests.push(`${request.method} to ${new URL(request.url).host}`);
    throw refusal(`${request.method} is not sent without --actions`);
  };
  const world = worldOf(pack, fetch, {
    ...limits,
    intercept,
    allowLoopback: test.allowLoopback === true,
    ...defined({ account }),
  });
  const answers = recordShapes(world.redactor);
  const report = await run(inputOfTest(test), world, observe({ recorder: answers.recorder }));
  const outcome = outcomeOf(report);
  const [recorded, live] = [recordedAnswers(test, account?.endpoint), answers.all()];
  const comparison = compareAnswers(recorded, live);
  const { changes, obstacles } = comparison;
  if (refusedRequests.length > 0)
    obstacles.push({ message: `The pack sends ${refusedRequests[0]}, which may change data. Add --actions if it may be sent.` });
  if (changes.length + obstacles.length === 0) compareRequests(recorded, live, comparison);
  changes.push(...resultChanges());
  const isMostly = comparison.compared * 2 >= comparison.places;
  if (changes.length + obstacles.length === 0 && !isMostly)
    obstacles.push({
      message: "Most recorded fields have no counterpart, because the answers are empty. Record the test with other data.",
    });
  const status =
    changes.length > 0 ? "changed" : refusedRequests.length > 0 ? "notTried" : obstacles.length > 0 ? "inconclusive" : "unchanged";
  const reasons = [...changes, ...obstacles].map((reason) => ({ ...reason, message: world.redactor.redact(reason.message) }));
  return { status, reasons };

  function resultChanges(): readonly LiveReason[] {
    if (test.outcome.status === "succeeded" && outcome.status === "succeeded") {
      const ignored = new Set(test.volatile.result?.map((pointer) => pointer.replaceAll(/\/\d+(?=\/|$)/g, `/${ANY}`)));
      const { differences } = compareShapes(shapeOf(test.outcome.value), shapeOf(outcome.value), (at) => ignored.has(at));
      return differences.map((difference) => ({ rule: "result-changed", message: `The result: ${differenceText(difference)}` }));
    }
    // Whatever stopped a request, or changed its answer, explains the end of the run.
    if (changes.length + obstacles.length > 0 || (test.outcome.status === outcome.status && codesAgree())) return [];
    if (isOfMoment(report)) {
      const code = outcome.status === "failed" ? outcome.error.code : "";
      obstacles.push({ message: `The run did not come to its end (${code}). Try it with pack-auth run.` });
      return [];
    }
    const now =
      outcome.status === "succeeded" ? "It does not fail any more." : "It fails, or with another error. Try it with pack-auth run.";
    return [{ rule: "result-changed", message: `The result: ${now}` }];
  }
  function codesAgree(): boolean {
    return test.outcome.status !== "failed" || outcome.status !== "failed" || test.outcome.error.code === outcome.error.code;
  }
}

type Format = "nothing" | "JSON" | "HTML" | "XML" | "text" | "bytes";

/** A request of the pack and its answer, after redirects. */
interface Answer {
  /** Equal for similar requests. */
  readonly kind: string;
  readonly method: string;
  /** The address of the pack's request, masked. */
  readonly address: string;
  /** The host of the pack's request, and the one that answered. */
  readonly firstHost: string;
  readonly lastHost: string;
  /** Undefined if no answer came. */
  readonly response?: AnswerResponse;
  /** The diagnosis of a request without an answer. */
  readonly diagnosis?: string;
  /** Whether the redirect to `lastHost` was refused. */
  readonly isBlocked: boolean;
  /** The scheme or the carrier of the credential; undefined if there was none. */
  readonly credential?: string;
  readonly saved?: SavedRequest;
}

interface AnswerResponse {
  readonly status: number;
  readonly format: Format;
  /** The union with the shapes of similar answers: not each page has each field. Undefined if the answer is not JSON. */
  readonly shape: Shape | undefined;
  /** The schemes of authentication that the answer asks for, in lower case. */
  readonly challenges: readonly string[];
  /** Whether the headers say that too many requests were sent. */
  readonly isLimited: boolean;
}

type ReadResponse = (
  kind: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array | null,
  isBinary: boolean,
) => AnswerResponse;

/** Returns a function that reads the answers of one run. */
function createReader(): ReadResponse {
  const shapes = new Map<string, ReturnType<typeof createShape>>();
  return (kind, status, headers, bytes, isBinary) => {
    const content = contentOf(bytes, headers["content-type"] ?? "", isBinary);
    const growing = content.format === "JSON" ? getOrInsert(shapes, `${classOf(status)} ${kind}`, createShape) : undefined;
    growing?.add(content.json);
    return {
      status,
      format: content.format,
      shape: growing?.shape,
      challenges: challengesIn(headers["www-authenticate"] ?? "").map(({ scheme }) => scheme.toLowerCase()),
      isLimited: headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0",
    };
  };
}

function contentOf(bytes: Uint8Array | null, contentType: string, isBinary: boolean): { readonly format: Format; readonly json?: unknown } {
  if (bytes === null || bytes.length === 0) return { format: "nothing" };
  if (isBinary) return { format: "bytes" };
  const text = decodeText(bytes, contentType);
  if (isJson(text, contentType)) {
    try {
      return { format: "JSON", json: JSON.parse(text) };
    } catch {
      return { format: "text" };
    }
  }
  if (/\bhtml\b/i.test(contentType) || /^\s*<(?:!doctype html|html)\b/i.test(text)) return { format: "HTML" };
  return { format: isXmlType(contentType) || /^\s*<\?xml\b/.test(text) ? "XML" : "text" };
}

const classOf = (status: number): number => Math.floor(status / 100);

function credentialOf(headers: Readonly<Record<string, string>>, carriers: readonly string[]): string | undefined {
  if (carriers.length === 0) return undefined;
  const isInHeader = carriers.some((carrier) => carrier.toLowerCase() === "authorization");
  return isInHeader ? headers.authorization?.split(" ", 1)[0] : carriers.join(", ");
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "");

function identityOf({ method, url, body }: Pick<SavedRequest, "method" | "url" | "body">): Pick<Answer, "kind" | "method" | "address"> {
  const requestBody = body === undefined ? undefined : "json" in body ? JSON.stringify(body.json) : "text" in body ? body.text : undefined;
  return { kind: kindOf({ method, url, ...defined({ requestBody }) }), method, address: url.replace(/[?#].*$/s, "") };
}

/** Returns the recorded answers as they would be at an endpoint. */
function recordedAnswers({ requests, account }: SavedTest, endpoint: string | undefined): readonly Answer[] {
  const [from, to] = [account?.endpoint, endpoint].map((url) => (url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined));
  const atEndpoint = (url: string): string =>
    from !== undefined && to !== undefined && hostOf(url) === hostOf(from) ? url.replace(/^https?:\/\/[^/?#]*/, to) : url;
  const chains: [SavedRequest, ...SavedRequest[]][] = [];
  for (const request of requests) {
    const chain = chains.at(-1);
    if (request.redirected === true && chain !== undefined) chain.push(request);
    else chains.push([request]);
  }
  const read = createReader();
  return chains.map((chain) => {
    const [first] = chain;
    const { url, headers, credentials, response, binary } = chain.at(-1) ?? first;
    const identity = identityOf({ ...first, url: atEndpoint(first.url) });
    return {
      ...identity,
      firstHost: hostOf(identity.address),
      lastHost: hostOf(atEndpoint(url)),
      response: read(identity.kind, response.status, response.headers, bodyOf(response), binary === true),
      isBlocked: false,
      ...defined({ credential: credentialOf(headers, credentials) }),
      saved: first,
    };
  });
}

/** Records the shapes of the answers, in the order of the pack's requests. */
function recordShapes(redactor: Redactor): { readonly recorder: RequestRecorder; all(): readonly Answer[] } {
  const chains: { first: Answer | undefined; last: Answer | undefined }[] = [];
  const read = createReader();
  const answerOf = (
    { request, response, failure, credentials = [], diagnosis }: TraceEntry,
    { first, last }: (typeof chains)[number],
  ): Answer => {
    const { kind, method, address } = first ?? identityOf(asSent(request, redactor));
    // A redirect that was refused may be relative to the address before it.
    const host = hostOf(request.url) || (last?.lastHost ?? "");
    const isAnswered = failure === undefined && response?.body !== undefined;
    return {
      kind,
      method,
      address,
      firstHost: first?.firstHost ?? host,
      lastHost: host,
      isBlocked: failure === "blocked",
      ...defined({
        response: isAnswered ? read(kind, response.status, response.headers, response.body ?? null, response.binary) : undefined,
        diagnosis: diagnosis?.id,
        credential: credentialOf(
          request.headers,
          credentials.map(({ carrier }) => carrier),
        ),
      }),
    };
  };
  return {
    recorder: {
      begin() {
        const chain: (typeof chains)[number] = { first: undefined, last: undefined };
        chains.push(chain);
        return {
          hop(_, hop) {
            // After a 401 the same request follows with another credential.
            if (hop.redirectedFrom === undefined) chain.first = undefined;
            chain.last = answerOf(hop, chain);
            chain.first ??= chain.last;
          },
          end() {},
        };
      },
      missed() {},
    },
    all: () => chains.flatMap(({ first, last }) => (first === undefined || last === undefined || first.isBlocked ? [] : [last])),
  };
}

/** A comparison in progress. */
interface AnswerComparison {
  readonly changes: LiveReason[];
  /** Why something could not be compared. */
  readonly obstacles: LiveReason[];
  places: number;
  compared: number;
}

function byKind(answers: readonly Answer[]): ReadonlyMap<string, readonly Answer[]> {
  const groups = new Map<string, Answer[]>();
  for (const answer of answers) getOrInsert(groups, answer.kind, () => []).push(answer);
  return groups;
}

/** Compares the answers to similar requests, in order. */
function compareAnswers(recorded: readonly Answer[], live: readonly Answer[]): AnswerComparison {
  const comparison: AnswerComparison = { changes: [], obstacles: [], places: 0, compared: 0 };
  const liveGroups = byKind(live);
  for (const [kind, group] of byKind(recorded)) {
    const comparedShapes = new Set<Shape>();
    for (const [index, answer] of (liveGroups.get(kind) ?? []).entries()) {
      const counterpart = group[Math.min(index, group.length - 1)] as Answer;
      const isComparable = compareHeads(counterpart, answer, comparison);
      const [one, other] = [counterpart.response?.shape, answer.response?.shape];
      if (!isComparable || one === undefined || other === undefined || comparedShapes.has(other)) continue;
      comparedShapes.add(other);
      const { differences, places, compared } = compareShapes(one, other);
      comparison.places += places;
      comparison.compared += compared;
      comparison.changes.push(...differences.map((each) => changeOf(RULE_OF[each.kind], differenceText(each), counterpart)));
    }
  }
  return comparison;
}

const RULE_OF = { lost: "api-field-lost", renamed: "api-field-renamed", type: "api-type-changed" } as const;

const labelOf = ({ method, address }: Answer): string => `${method} ${address}`;

const reasonOf = (text: string, recorded: Answer): LiveReason => ({
  message: `${labelOf(recorded)}: ${text}`,
  ...defined({ request: recorded.saved }),
});

const changeOf = (rule: LiveRule, text: string, recorded: Answer): LiveReason => ({ rule, ...reasonOf(text, recorded) });

/** Compares what comes before the bodies. Returns whether the bodies can be compared. */
function compareHeads(recorded: Answer, live: Answer, { changes, obstacles }: AnswerComparison): boolean {
  const { response } = live;
  const status = recorded.response?.status ?? 0;
  const change = (rule: LiveRule, text: string): false => {
    changes.push(changeOf(rule, text, recorded));
    return false;
  };
  const obstacle = (text: string): false => {
    obstacles.push(reasonOf(text, recorded));
    return false;
  };
  const isMoved = live.lastHost !== (live.firstHost === recorded.firstHost ? recorded.lastHost : live.firstHost);
  if (isMoved && (live.isBlocked || response !== undefined)) {
    change("api-host-moved", `it redirects to ${live.lastHost}.${live.isBlocked ? " The pack does not declare this host." : ""}`);
    if (live.isBlocked) return false;
  }
  if (live.isBlocked) return change("api-status-changed", "it redirects to an address that is refused.");
  if (response === undefined)
    return obstacle(`no answer came${live.diagnosis === undefined ? "" : ` (${live.diagnosis})`}. Try again later.`);
  const isRefusal = response.status === 401 || response.status === 403;
  if (response.status !== status) {
    if (response.status === 429 || (response.status === 403 && response.isLimited))
      return obstacle(`it answered ${response.status}, because too many requests were sent. Try again later.`);
    if (response.status >= 500) return obstacle(`it answered ${response.status}. Try again later.`);
  }
  if (isRefusal && status !== 401 && status !== 403) {
    // Credentials do not follow a redirect to another host.
    if (isMoved) return false;
    if (recorded.credential === undefined && live.credential === undefined)
      return change("api-authentication-changed", `it answered ${response.status}, and needed no credential before.`);
    if (response.challenges.length === 0 || asksFor(live.credential ?? "", response.challenges))
      return obstacle(`it refused the credential with ${response.status}. Sign in again, or set a valid one.`);
    return change(
      "api-authentication-changed",
      `it answered ${response.status} and asks for ${schemesText(response.challenges)}. The credential is sent as ${live.credential ?? "nothing"}.`,
    );
  }
  if (classOf(response.status) !== classOf(status))
    return change("api-status-changed", `it answered ${response.status}, and ${status} when it was recorded.`);
  const before = recorded.response?.challenges ?? [];
  if (isRefusal && before.length > 0 && response.challenges.length > 0 && !response.challenges.some((scheme) => before.includes(scheme)))
    return change("api-authentication-changed", `it asks for ${schemesText(response.challenges)}, and asked for ${schemesText(before)}.`);
  const format = recorded.response?.format ?? "nothing";
  if (format === "nothing" || format === response.format) return true;
  return change("api-content-changed", `it answers with ${response.format}, and answered with ${format} when it was recorded.`);
}

/** Returns whether a challenge fits the way in which the credential is sent. A key in a header of its own has no standard scheme. */
function asksFor(credential: string, challenges: readonly string[]): boolean {
  const scheme = credential.toLowerCase();
  return challenges.some((challenge) => challenge === scheme || (/key|token/.test(challenge) && !USUAL_SCHEMES.includes(scheme)));
}

/** Schemes in use (IANA's registry, and others). The name of another scheme is text of the API. */
const USUAL_SCHEMES: readonly string[] = [
  "basic",
  "bearer",
  "digest",
  "dpop",
  "gnap",
  "hoba",
  "mutual",
  "negotiate",
  "ntlm",
  "oauth",
  "privatetoken",
  "apikey",
  "token",
  "aws4-hmac-sha256",
];

const schemesText = (schemes: readonly string[]): string =>
  schemes.map((each) => (USUAL_SCHEMES.includes(each) ? each : "another scheme")).join(" or ");

/**
 * Adds how the pack's requests differ. Fewer similar requests are no change, because the data decides how many there are. Without any, the
 * data explains it only if a recorded field has no counterpart.
 */
function compareRequests(recorded: readonly Answer[], live: readonly Answer[], comparison: AnswerComparison): void {
  const { changes, obstacles, places, compared } = comparison;
  const [groups, liveGroups] = [byKind(recorded), byKind(live)];
  for (const [kind, [first, second]] of groups) {
    if (first === undefined) continue;
    const count = liveGroups.get(kind)?.length ?? 0;
    if (count === 0 && compared === places) changes.push(changeOf("pack-request-changed", "the pack does not send it any more.", first));
    else if (compared < places && (count === 0 || (count === 1 && second !== undefined)))
      obstacles.push(
        reasonOf(
          `it was sent ${count === 0 ? "not at all" : "only once"}, and a recorded field has no counterpart. Record the test with other data.`,
          first,
        ),
      );
  }
  // A new address may contain values of an answer, such as IDs.
  const segments = new Set(recorded.flatMap(({ address }) => address.split("/")));
  const plainAddress = (address: string): string =>
    address
      .split("/")
      .map((segment, index) => (index < 3 || segments.has(segment) ? segment : ANY))
      .join("/");
  for (const [kind, [first]] of liveGroups)
    if (first !== undefined && !groups.has(kind))
      changes.push({
        rule: "pack-request-changed",
        message: `${first.method} ${plainAddress(first.address)}: it was not recorded. The pack changed.`,
      });
}

const placeText = (at: string): string => (at === "" ? "the whole" : at.slice(1).replaceAll("~1", "/").replaceAll("~0", "~"));

function differenceText(difference: ShapeDifference): string {
  const place = placeText(difference.at);
  switch (difference.kind) {
    case "lost":
      return `${place} (${difference.type}) is gone.`;
    case "renamed":
      return `${place} (${difference.type}) is probably renamed to ${difference.to}.`;
    case "type":
      return `${place} was ${difference.type}, and is ${difference.now}.`;
  }
}
