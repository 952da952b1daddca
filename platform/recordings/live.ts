// Runs a saved test with the real API, and compares the shapes of its answers with the recorded ones. Invariants: without `actions` nothing
// but GET and HEAD is sent for the pack, whatever was recorded; no value of an answer outlives the comparison, or is in its result.
import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { changesData } from "../../protocol/definition.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { decodeText, isJson, isJsonType, isXmlType } from "../bodies/response-body.ts";
import { challengesIn } from "../diagnosis/challenges.ts";
import { sentenceOf } from "../diagnosis/words.ts";
import type { Fetch } from "../host.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import { refusal } from "../network/refusal.ts";
import type { Pack } from "../process/pack.ts";
import { meaningOf } from "../requests/request-meaning.ts";
import type { RequestRecorder } from "../requests/request-recorder.ts";
import type { TraceEntry } from "../requests/request-trace.ts";
import type { Intercept } from "../requests/send-once.ts";
import { run } from "../runs/run.ts";
import { observe } from "../runs/run-observer.ts";
import { type WorldOptions, worldOf } from "../runs/run-world.ts";
import type { Redactor } from "../secrets/redact.ts";
import {
  type Answer,
  type AnswerResponse,
  addDifferences,
  classOf,
  compareAnswers,
  compareRequests,
  type Format,
  type LiveReason,
} from "./compare-answers.ts";
import { isOfMoment } from "./record-test.ts";
import { asSent } from "./recorder.ts";
import { bodyOf, outcomeOf } from "./replay.ts";
import { inputOfTest, type SavedRequest, type SavedTest } from "./saved-test.ts";
import { ANY, compareShapes, createShape, shapeOf } from "./shape.ts";
import { createSimilarRequests, type SimilarRequests } from "./similar-requests.ts";

export interface LiveResult {
  readonly status: "unchanged" | "changed" | "notTried" | "inconclusive";
  readonly reasons: readonly LiveReason[];
}

export interface LiveOptions extends Pick<WorldOptions, "signal" | "timeLimit" | "behindProxy" | "lookup"> {
  readonly account?: RunAccount;
  /** Whether methods other than GET and HEAD may be sent. */
  readonly actions: boolean;
  /** Whether each origin answered. The tests of one call share it, so that only one of them waits for a dead host. */
  readonly originAnswers: Map<string, boolean>;
}

/** The diagnoses of a request that got no answer at all. A run's time limit stops a request, too. */
const WITHOUT_ANSWER = /^(?:connection-refused|host-unknown|no-answer-in-time|request-stopped)$/;

/** Reasons of one test that are returned. */
const MOST_REASONS = 100;

const withoutBody = ({ method, url, headers }: SavedRequest): OutgoingRequest => ({ method, url, headers });

const ACTIONS = { do: "allowActions" } as const;

/** Returns why a test says nothing about the API, or undefined if it can be tried. Sends nothing. */
export function whyNotTried({ definition }: Pack, test: SavedTest, actions: boolean): LiveReason | undefined {
  if (test.sandbox === true) return { message: "It was recorded in the sandbox. Record it with an account of the API." };
  if (test.requests.length === 0) return { message: "It has no requests, so it says nothing about an API." };
  if (test.account !== undefined && definition[`${test.account.scope}Authentication`] === undefined)
    return { message: `The pack has no ${test.account.scope} authentication any more. Record the test again.` };
  if (actions) return undefined;
  const action = test.requests.find((request) => !meaningOf(withoutBody(request)).isRead);
  if (action !== undefined) return { message: `It sends ${action.method}, which may change data.`, nextStep: ACTIONS };
  return changesData(definition, test.target) ? { message: "It is an action, which may change data.", nextStep: ACTIONS } : undefined;
}

/** Runs a test that {@link whyNotTried} permits. Throws recording-refused if the run was stopped. */
export async function runLive(pack: Pack, test: SavedTest, fetch: Fetch, options: LiveOptions): Promise<LiveResult> {
  const { account, actions, originAnswers, ...limits } = options;
  const atEndpoint = moveTo(account?.endpoint, test);
  const silent = test.requests.map(({ url }) => atEndpoint(url)).find((url) => originAnswers.get(originOf(url)) === false);
  if (silent !== undefined)
    return { status: "inconclusive", reasons: [{ message: `Not tried: ${hostOf(silent)} did not answer before in this run.` }] };
  /** Requests that were not sent, because of their method. */
  const refusedRequests: string[] = [];
  const intercept: Intercept = async ({ request }, send) => {
    const { isRead, overrides } = meaningOf(request);
    if (actions || isRead) return send();
    const override = overrides.length === 0 ? "" : " with another method in it";
    refusedRequests.push(`${request.method}${override} to ${new URL(request.url).host}`);
    throw refusal(`${request.method} may change data`);
  };
  const world = worldOf(pack, fetch, { ...limits, intercept, allowLoopback: test.allowLoopback === true, ...defined({ account }) });
  const beginRun = createSimilarRequests();
  const recorded = recordedAnswers(test, atEndpoint, beginRun());
  const answers = recordAnswers(world.redactor, beginRun(), originAnswers);
  const report = await run(inputOfTest(test), world, observe({ recorder: answers.recorder }));
  const outcome = outcomeOf(report);
  const live = answers.all();
  const comparison = compareAnswers(recorded, live);
  const { changes, obstacles } = comparison;
  const isExplained = (): boolean => changes.length + obstacles.length > 0;
  if (refusedRequests.length > 0)
    obstacles.push({ message: `The pack sends ${refusedRequests[0]}, which may change data.`, nextStep: ACTIONS });
  if (!isExplained() && outcome.status === "failed" && isOfMoment(report)) {
    // An error after an answer may quote it.
    const why = live.length === 0 ? ` ${outcome.error.message}` : "";
    obstacles.push({ message: `The run did not come to its end.${why} Record the test again if that is right.`, nextStep: { do: "run" } });
  }
  if (!isExplained()) compareRequests(recorded, live, comparison);
  if (!isExplained()) compareResults();
  if (!isExplained() && comparison.compared * 2 < comparison.places)
    obstacles.push({
      message: "Most recorded fields have no counterpart, because the answers are empty. Record the test with other data.",
    });
  const status =
    changes.length > 0 ? "changed" : refusedRequests.length > 0 ? "notTried" : obstacles.length > 0 ? "inconclusive" : "unchanged";
  const reasons = [...changes, ...obstacles];
  const more = reasons.splice(MOST_REASONS);
  const shown = reasons.map((reason) => ({ ...reason, message: world.redactor.redact(reason.message) }));
  if (more.length > 0) shown.push({ message: `${more.length} more differences are left out.` });
  return { status, reasons: shown };

  function compareResults(): void {
    if (test.outcome.status === "succeeded" && outcome.status === "succeeded") {
      const ignored = new Set(test.volatile.result?.map((pointer) => pointer.replaceAll(/\/\d+(?=\/|$)/g, `/${ANY}`)));
      const { differences } = compareShapes(shapeOf(test.outcome.value), shapeOf(outcome.value), (at) => ignored.has(at));
      addDifferences(differences, () => "result-changed", "The result", comparison);
      return;
    }
    const isSame = test.outcome.status === "failed" && outcome.status === "failed" ? test.outcome.error.code === outcome.error.code : false;
    if (isSame) return;
    // A value of an answer, or a new version of the pack, may be the reason. The pack chooses the words of its error.
    const now = outcome.status === "failed" ? "fails, or with another error" : "does not fail any more";
    obstacles.push({
      message: `The answers have the recorded shape, but the run ${now}. Record the test again if that is right.`,
      nextStep: { do: "run" },
    });
  }
}

type ReadResponse = (
  group: number,
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array | null,
  isBinary: boolean,
) => AnswerResponse;

/** Returns a function that reads the answers of one run. */
function createReader(similar: SimilarRequests): ReadResponse {
  const shapes = new Map<string, ReturnType<typeof createShape>>();
  return (group, status, headers, bytes, isBinary) => {
    const content = contentOf(bytes, headers["content-type"] ?? "", isBinary);
    const growing = content.format === "JSON" ? getOrInsert(shapes, `${classOf(status)} ${group}`, createShape) : undefined;
    growing?.add(content.json);
    similar.addAnswer(group, content.json);
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
      return { format: isJsonType(contentType) ? "invalid JSON" : "text" };
    }
  }
  if (/\bhtml\b/i.test(contentType) || /^\s*<(?:!doctype html|html)\b/i.test(text)) return { format: "HTML" };
  return { format: isXmlType(contentType) || /^\s*<\?xml\b/.test(text) ? "XML" : "text" };
}

function credentialOf(headers: Readonly<Record<string, string>>, carriers: readonly string[]): string | undefined {
  if (carriers.length === 0) return undefined;
  const isInHeader = carriers.some((carrier) => carrier.toLowerCase() === "authorization");
  return isInHeader ? headers.authorization?.split(" ", 1)[0] : carriers.join(", ");
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "");

const addressOf = (url: string): string => url.replace(/[?#].*$/s, "");

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "");

/** Returns a function that moves recorded addresses to an endpoint. */
function moveTo(endpoint: string | undefined, { account }: SavedTest): (url: string) => string {
  const [from, to] = [account?.endpoint, endpoint].map((url) => (url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined));
  return (url) => (from !== undefined && to !== undefined && hostOf(url) === hostOf(from) ? url.replace(/^https?:\/\/[^/?#]*/, to) : url);
}

/** Returns the recorded answers as they would be at an endpoint. */
function recordedAnswers({ requests }: SavedTest, atEndpoint: (url: string) => string, similar: SimilarRequests): readonly Answer[] {
  const chains: [SavedRequest, ...SavedRequest[]][] = [];
  for (const request of requests) {
    const chain = chains.at(-1);
    if (request.redirected === true && chain !== undefined) chain.push(request);
    else chains.push([request]);
  }
  const read = createReader(similar);
  return chains.map((chain) => {
    const [first] = chain;
    const { url, headers, credentials, response, binary } = chain.at(-1) ?? first;
    const firstUrl = atEndpoint(first.url);
    const group = similar.groupOf({ ...first, url: firstUrl });
    return {
      group,
      method: first.method,
      address: addressOf(firstUrl),
      firstHost: hostOf(firstUrl),
      lastHost: hostOf(atEndpoint(url)),
      response: read(group, response.status, response.headers, bodyOf(response), binary === true),
      ...defined({ credential: credentialOf(headers, credentials) }),
      saved: first,
    };
  });
}

/** Records the answers, in the order of the pack's requests. */
function recordAnswers(
  redactor: Redactor,
  similar: SimilarRequests,
  originAnswers: Map<string, boolean>,
): { readonly recorder: RequestRecorder; all(): readonly Answer[] } {
  const chains: { first: Answer | undefined; last: Answer | undefined }[] = [];
  const read = createReader(similar);
  const firstOf = (request: OutgoingRequest): Pick<Answer, "group" | "method" | "address" | "firstHost"> => {
    const sent = asSent(request, redactor);
    return { group: similar.groupOf(sent), method: sent.method, address: addressOf(sent.url), firstHost: hostOf(request.url) };
  };
  const answerOf = (
    { request, response, failure, credentials = [], failureReason, hint, nextStep, diagnosis }: TraceEntry,
    { first, last }: (typeof chains)[number],
  ): Answer => {
    const { group, method, address, firstHost } = first ?? firstOf(request);
    // Nobody stopped a run that has a report, so the time limit of the run did.
    const reason = diagnosis?.id === "request-stopped" ? "it did not answer in time" : (failureReason ?? "");
    const isAnswered = failure === undefined && response?.body !== undefined;
    return {
      group,
      method,
      address,
      firstHost,
      // A redirect that was refused may be relative to the address before it.
      lastHost: hostOf(request.url) || (last?.lastHost ?? ""),
      ...defined({
        blocked: failure !== "blocked" ? undefined : first === undefined ? ("request" as const) : ("redirect" as const),
        response: isAnswered ? read(group, response.status, response.headers, response.body ?? null, response.binary) : undefined,
        failure: failureReason === undefined ? undefined : `${sentenceOf({ reason })} ${hint ?? "Try again later."}`,
        nextStep,
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
            const origin = originOf(hop.request.url);
            if (hop.response !== undefined) originAnswers.set(origin, true);
            else if (WITHOUT_ANSWER.test(hop.diagnosis?.id ?? "") && !originAnswers.has(origin)) originAnswers.set(origin, false);
          },
          end() {},
        };
      },
      missed() {},
    },
    all: () => chains.flatMap(({ last }) => last ?? []),
  };
}
