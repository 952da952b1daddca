// Compares the answers of a live run with recorded ones. Invariant: no value of an answer is in a reason, only names, types and hosts.

import { defined } from "../../base/defined.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { quoteName } from "../../base/quote.ts";
import type { NextStep } from "../../protocol/next-step.ts";
import type { SavedRequest } from "./saved-test.ts";
import { ANY, compareShapes, type Shape, type ShapeDifference } from "./shape.ts";

/** What can be different, with a sentence for people. */
export const LIVE_RULES = {
  "api-field-lost": "A field of the API's answer is gone.",
  "api-field-renamed": "A field of the API's answer is probably renamed.",
  "api-type-changed": "A value of the API's answer has another type.",
  "api-content-changed": "The API answers in another format.",
  "api-host-moved": "The API redirects to another host.",
  "api-authentication-changed": "The API asks for another authentication.",
  "api-status-changed": "The API answers with another kind of status.",
  "result-changed": "The result of the run is different in shape.",
} as const;
export type LiveRule = keyof typeof LIVE_RULES;

export interface LiveReason {
  /** Absent if the reason is not a change. */
  readonly rule?: LiveRule;
  /** Contains names, types and hosts, and no other value of an answer. */
  readonly message: string;
  readonly nextStep?: NextStep;
  /** The recorded request. */
  readonly request?: SavedRequest;
}

export type Format = "nothing" | "JSON" | "invalid JSON" | "HTML" | "XML" | "text" | "bytes";

/** A request of the pack and its answer, after redirects. */
export interface Answer {
  /** Equal for similar requests. */
  readonly group: number;
  readonly method: string;
  /** The address of the pack's request, masked. */
  readonly address: string;
  /** The host of the pack's request, and the one that answered. */
  readonly firstHost: string;
  readonly lastHost: string;
  /** Undefined if no answer came. */
  readonly response?: AnswerResponse;
  /** Sentences that say why no answer came, and what to do. */
  readonly failure?: string;
  readonly nextStep?: NextStep;
  /** Which request was refused before it was sent: the pack's own, or a redirect to `lastHost`. */
  readonly blocked?: "request" | "redirect";
  /** The scheme or the carrier of the credential; undefined if there was none. */
  readonly credential?: string;
  readonly saved?: SavedRequest;
}

export interface AnswerResponse {
  readonly status: number;
  readonly format: Format;
  /** The union with the shapes of similar answers: not each page has each field. Undefined if the answer is not JSON. */
  readonly shape: Shape | undefined;
  /** The schemes of authentication that the answer asks for, in lower case. */
  readonly challenges: readonly string[];
  /** Whether the headers say that too many requests were sent. */
  readonly isLimited: boolean;
}

/** A comparison in progress. */
export interface AnswerComparison {
  readonly changes: LiveReason[];
  /** Why something could not be compared. */
  readonly obstacles: LiveReason[];
  places: number;
  compared: number;
}

export const classOf = (status: number): number => Math.floor(status / 100);

function byGroup(answers: readonly Answer[]): ReadonlyMap<number, readonly Answer[]> {
  const groups = new Map<number, Answer[]>();
  for (const answer of answers) getOrInsert(groups, answer.group, () => []).push(answer);
  return groups;
}

/** Compares the answers to similar requests, in order. */
export function compareAnswers(recorded: readonly Answer[], live: readonly Answer[]): AnswerComparison {
  const comparison: AnswerComparison = { changes: [], obstacles: [], places: 0, compared: 0 };
  const liveGroups = byGroup(live);
  for (const [group, recordedAnswers] of byGroup(recorded)) {
    const comparedShapes = new Set<Shape>();
    for (const [index, answer] of (liveGroups.get(group) ?? []).entries()) {
      const counterpart = recordedAnswers[Math.min(index, recordedAnswers.length - 1)] as Answer;
      const isComparable = compareHeads(counterpart, answer, comparison);
      const [one, other] = [counterpart.response?.shape, answer.response?.shape];
      if (!isComparable || one === undefined || other === undefined || comparedShapes.has(other)) continue;
      comparedShapes.add(other);
      const { differences, places, compared } = compareShapes(one, other);
      comparison.places += places;
      comparison.compared += compared;
      addDifferences(differences, (each) => RULE_OF[each.kind], labelOf(counterpart), comparison, counterpart.saved);
    }
  }
  return comparison;
}

const RULE_OF = { lost: "api-field-lost", renamed: "api-field-renamed", type: "api-type-changed", undecided: undefined } as const;

/** Adds differences of shapes. What is undecided is an obstacle. */
export function addDifferences(
  differences: readonly ShapeDifference[],
  ruleOf: (difference: ShapeDifference) => LiveRule | undefined,
  label: string,
  { changes, obstacles }: AnswerComparison,
  request?: SavedRequest,
): void {
  for (const difference of differences) {
    const rule = difference.kind === "undecided" ? undefined : ruleOf(difference);
    (rule === undefined ? obstacles : changes).push({
      message: `${label}: ${differenceText(difference)}`,
      ...defined({ rule, request }),
    });
  }
}

const labelOf = ({ method, address }: Answer): string => `${method} ${address}`;

const reasonOf = (text: string, recorded: Answer, nextStep?: NextStep): LiveReason => ({
  message: `${labelOf(recorded)}: ${text}`,
  ...defined({ nextStep, request: recorded.saved }),
});

/** Statuses that say nothing about the API: the request came too late, too early or too often (RFC 9110, RFC 8470, RFC 6585). */
const OF_THE_MOMENT: readonly number[] = [408, 425, 429];

/** Compares what comes before the bodies. Returns whether the bodies can be compared. */
function compareHeads(recorded: Answer, live: Answer, { changes, obstacles }: AnswerComparison): boolean {
  const { response, blocked } = live;
  const status = recorded.response?.status ?? 0;
  const change = (rule: LiveRule, text: string, nextStep?: NextStep): false => {
    changes.push({ rule, ...reasonOf(text, recorded, nextStep) });
    return false;
  };
  const obstacle = (text: string, nextStep?: NextStep): false => {
    obstacles.push(reasonOf(text, recorded, nextStep));
    return false;
  };
  if (blocked === "request") return obstacle("it was not sent, because its address is refused here.", { do: "run" });
  const isMoved = live.lastHost !== (live.firstHost === recorded.firstHost ? recorded.lastHost : live.firstHost);
  if (isMoved && (blocked === "redirect" || response !== undefined)) {
    change("api-host-moved", `it redirects to ${live.lastHost}.${blocked === "redirect" ? " The pack does not declare this host." : ""}`);
    if (blocked === "redirect") return false;
  }
  if (blocked === "redirect")
    return change("api-status-changed", "it redirects too often, or to an address that is refused.", { do: "run" });
  if (response === undefined) return obstacle(`no complete answer came. ${live.failure ?? "Try again later."}`, live.nextStep);
  const isRefusal = response.status === 401 || response.status === 403;
  if (response.status !== status) {
    if (response.status === 429 || (response.status === 403 && response.isLimited))
      return obstacle(`it answered ${response.status}, because too many requests were sent. Try again later.`);
    if (response.status >= 500 || OF_THE_MOMENT.includes(response.status))
      return obstacle(`it answered ${response.status}. Try again later.`);
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
  if (response.format === "nothing")
    return obstacle(
      `it answered ${response.status} with nothing, so there is nothing to compare. Try again, or record it with other data.`,
    );
  return change("api-content-changed", `it answers with ${response.format}, and answered with ${format} when it was recorded.`);
}

/** Returns whether a challenge fits the way in which the credential is sent. A key in a header of its own has no standard scheme. */
function asksFor(credential: string, challenges: readonly string[]): boolean {
  const scheme = credential.toLowerCase();
  return challenges.some((challenge) => challenge === scheme || (/key|token/.test(challenge) && !USUAL_SCHEMES.includes(scheme)));
}

/** Schemes in use (IANA's registry, and others). The name of another scheme is text of the API. */
const USUAL_SCHEMES: readonly string[] =
  "basic bearer digest dpop gnap hoba mutual negotiate ntlm oauth privatetoken apikey token aws4-hmac-sha256".split(" ");

const schemesText = (schemes: readonly string[]): string =>
  schemes.map((each) => (USUAL_SCHEMES.includes(each) ? each : "another scheme")).join(" or ");

/**
 * Adds which answers could not be compared because the pack's requests differ. The values of the answers or a new version of the pack may
 * be the reason, so it is no change of the API. Fewer similar requests are no obstacle, because the data decides how many there are.
 */
export function compareRequests(recorded: readonly Answer[], live: readonly Answer[], comparison: AnswerComparison): void {
  const { obstacles, places, compared } = comparison;
  const [groups, liveGroups] = [byGroup(recorded), byGroup(live)];
  for (const [group, [first, second]] of groups) {
    if (first === undefined) continue;
    const count = liveGroups.get(group)?.length ?? 0;
    if (count === 0 || (compared < places && count === 1 && second !== undefined))
      obstacles.push(
        reasonOf(`it was sent ${count === 0 ? "not at all" : "only once"}. Record the test again, with data as it is now.`, first),
      );
  }
  // A new address may contain values of an answer, such as IDs.
  const segments = new Set(recorded.flatMap(({ address }) => address.split("/")));
  const plainAddress = (address: string): string =>
    address
      .split("/")
      .map((segment, index) => (index < 3 || segments.has(segment) ? segment : ANY))
      .join("/");
  for (const [group, [first]] of liveGroups)
    if (first !== undefined && first.blocked !== "request" && !groups.has(group))
      obstacles.push({ message: `${first.method} ${plainAddress(first.address)}: it was not recorded. Record the test again.` });
}

const placeText = (at: string): string => (at === "" ? "the whole" : at.slice(1).replaceAll("~1", "/").replaceAll("~0", "~"));

function differenceText(difference: ShapeDifference): string {
  const place = quoteName(placeText(difference.at));
  switch (difference.kind) {
    case "lost":
      return `${place} (${difference.type}) is gone.`;
    case "renamed":
      return `${place} (${difference.type}) is probably renamed to ${quoteName(difference.to)}.`;
    case "type":
      return `${place} was ${difference.type}, and is ${difference.now}.`;
    case "undecided":
      return `${place} (${difference.type}) is gone. It is a lost field, or a key of a map, which may vary. Compare it with the API's documentation.`;
  }
}
