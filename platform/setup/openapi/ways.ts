// The ways to authenticate that a description allows. A way is what one request carries: one credential for each place of the request.

import { defined } from "../../../base/defined.ts";
import type { Origin } from "../../../protocol/setup.ts";
import { PackAuthError } from "../../errors.ts";
import { obstacleOfScheme } from "../curl/impossible-ways.ts";
import { isSignatureName, isTimeName } from "../curl/names.ts";
import type { Impossibility } from "../impossible.ts";
import type { ApiDescription, Flow, Operation, Requirement, Scheme } from "./api-description.ts";
import { shownName } from "./raw.ts";

/** What a scheme adds to a request. */
export type Carrier = { readonly origin: Origin } & (
  | { readonly kind: "bearer" }
  | { readonly kind: "basic" }
  /** Without a prefix, the description does not say whether one is before the key. */
  | { readonly kind: "header"; readonly name: string; readonly prefix?: string }
  | { readonly kind: "query"; readonly name: string }
  | { readonly kind: "oauth2"; readonly scheme: string; readonly flow: Flow }
  | { readonly kind: "openIdConnect"; readonly url: string }
  | { readonly kind: "aws"; readonly service?: string }
  /** With the place, unless it is the header Authorization. */
  | { readonly kind: "impossible"; readonly reason: Impossibility; readonly place?: string }
);

export interface Way {
  /** Empty if requests need no authentication. */
  readonly carriers: readonly Carrier[];
  /** The requirements that it satisfies, by {@link keyOf}. */
  readonly requirements: ReadonlySet<string>;
}

export const keyOf = (requirement: Requirement): string => [...requirement.keys()].sort().join(" + ");

/** Nobody chooses between more. Schemes with the same place multiply, so a few of them make billions. */
const MOST_WAYS = 200;

/**
 * Returns the ways that the description allows; none if it does not speak of authentication. `problems` says which ones cannot be read.
 * Throws evidence-unreadable if no other is left.
 */
export function waysOf(description: ApiDescription): { readonly ways: readonly Way[]; readonly problems: readonly string[] } {
  const ways = new Map<string, Way>();
  const problems: PackAuthError[] = [];
  const combine = (requirement: Requirement): readonly (readonly Carrier[])[] => {
    try {
      return combinations(requirement, description.schemes);
    } catch (error) {
      if (!(error instanceof UnreadableScheme)) throw error;
      problems.push(error);
      return [];
    }
  };
  for (const requirement of requirementsOf(description)) {
    if (ways.size > MOST_WAYS) throw tooManyWays();
    for (const carriers of combine(requirement)) {
      const key = JSON.stringify(carriers.map(identityOf));
      const way = ways.get(key);
      ways.set(key, { carriers: way?.carriers ?? carriers, requirements: new Set([...(way?.requirements ?? []), keyOf(requirement)]) });
    }
  }
  const [problem] = problems;
  if (problem !== undefined && [...ways.values()].every(({ carriers }) => carriers.length === 0)) throw problem;
  return { ways: [...ways.values()], problems: problems.map(({ message }) => message) };
}

/** A scheme that cannot be read, beside which others may be whole. */
class UnreadableScheme extends PackAuthError {}

/** Two carriers with the same identity are one way, such as bearer tokens of two formats. */
function identityOf(carrier: Carrier): unknown {
  if (carrier.kind === "oauth2") return [carrier.flow.origin];
  const { origin, ...identity } = carrier;
  return identity;
}

/**
 * Those of the whole description; else the one that more than half of the operations accept; else all that operations name; else each
 * scheme for itself.
 */
function requirementsOf({ security, operations, schemes }: ApiDescription): readonly Requirement[] {
  if (security.length > 0) return security;
  const all = new Map<string, Requirement>();
  const uses = new Map<string, number>();
  for (const operation of operations) {
    const own = new Map(operation.security.map((requirement) => [keyOf(requirement), requirement]));
    for (const [key, requirement] of own) {
      all.set(key, requirement);
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  }
  if (all.size === 0) return schemes.size === 0 ? [] : [...[...schemes.keys()].map((name) => new Map([[name, []]])), new Map()];
  const demanding = operations.filter((operation) => operation.security.length > 0);
  const common = [...all].filter(([key]) => (uses.get(key) ?? 0) > demanding.length / 2);
  const [only] = common;
  return common.length === 1 && only !== undefined ? [only[1]] : [...all.values()];
}

export const accepts = ({ security }: Operation, requirements: ReadonlySet<string>): boolean =>
  security.length === 0 ? requirements.has("") : security.some((requirement) => requirements.has(keyOf(requirement)));

/** A request has each place once, so schemes with the same place are alternatives, as the flows of one scheme are. */
function combinations(requirement: Requirement, schemes: ApiDescription["schemes"]): readonly (readonly Carrier[])[] {
  const places = new Map<string, Carrier[]>();
  const together = [...requirement.keys()].map((name) => schemes.get(name));
  const hasTime = together.some((scheme) => scheme?.kind === "key" && isTimeName(scheme.name));
  for (const name of requirement.keys()) {
    const scheme = schemes.get(name);
    if (scheme === undefined)
      throw new UnreadableScheme(
        "evidence-unreadable",
        `The description demands the security scheme ${shownName(name)}, but does not describe it.`,
        { hint: "Describe the scheme, or export the description again." },
      );
    for (const carrier of carriersOf(name, scheme, hasTime))
      places.set(placeOf(carrier), [...(places.get(placeOf(carrier)) ?? []), carrier]);
  }
  let ways: readonly (readonly Carrier[])[] = [[]];
  for (const carriers of places.values()) {
    if (ways.length * carriers.length > MOST_WAYS) throw tooManyWays();
    ways = ways.flatMap((way) => carriers.map((carrier) => [...way, carrier]));
  }
  return ways;
}

const tooManyWays = (): PackAuthError =>
  new PackAuthError("evidence-unreadable", `The description allows more than ${MOST_WAYS} ways to authenticate.`, {
    hint: "Leave only the security schemes that the pack may use in it. Or copy one of the API's requests as cURL.",
  });

function placeOf(carrier: Carrier): string {
  if (carrier.kind === "query") return `query ${carrier.name}`;
  if (carrier.kind === "header") return carrier.name.toLowerCase();
  if (carrier.kind === "impossible" && carrier.place !== undefined) return carrier.place;
  return carrier.kind === "impossible" && BESIDE_AUTHORIZATION.has(carrier.reason) ? carrier.reason : "authorization";
}

/** What a request may need besides a credential in the header Authorization. */
const BESIDE_AUTHORIZATION: ReadonlySet<Impossibility> = new Set(["mutual-tls", "session-login"]);

const IMPOSSIBLE_GRANTS: ReadonlyMap<string, Impossibility> = new Map([
  ["implicit", "implicit-grant"],
  ["password", "password-grant"],
  ["deviceAuthorization", "device-grant"],
]);

/** A header's name, and a scheme's (RFC 9110, sections 5.1 and 11.1). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** `hasTime`: whether the same request has its time in a header or a parameter. */
function carriersOf(name: string, scheme: Scheme, hasTime: boolean): readonly Carrier[] {
  const { origin } = scheme;
  switch (scheme.kind) {
    case "key": {
      if (scheme.place === "cookie" || /^cookie$/i.test(scheme.name)) return [{ origin, kind: "impossible", reason: "session-login" }];
      if (isSignature(scheme, hasTime)) return [{ origin, kind: "impossible", reason: "signed-request", ...placeOfKey(scheme) }];
      if (scheme.place === "query") return [{ origin, kind: "query", name: scheme.name }];
      if (scheme.place !== "header" || !TOKEN.test(scheme.name)) throw unreadable(origin);
      const prefix = prefixIn(scheme.description);
      const reason = obstacleOfScheme(prefix ?? "");
      if (reason !== undefined) return [{ origin, kind: "impossible", reason, ...placeOfKey(scheme) }];
      return [headerCarrier(origin, scheme.name, prefix ?? (isAuthorization(scheme.name) ? undefined : ""))];
    }
    case "http": {
      const reason = /^oauth$/i.test(scheme.scheme) ? "oauth1" : obstacleOfScheme(scheme.scheme);
      if (reason !== undefined) return [{ origin, kind: "impossible", reason }];
      if (!TOKEN.test(scheme.scheme)) throw unreadable(origin);
      return [headerCarrier(origin, "Authorization", scheme.scheme)];
    }
    case "oauth2": {
      const hasCode = scheme.flows.some(({ grant, isNamedImplicit }) => grant === "authorizationCode" && !isNamedImplicit);
      const flows = scheme.flows.filter(({ isNamedImplicit }) => !isNamedImplicit || !hasCode);
      const carriers = flows.flatMap((flow): readonly Carrier[] => {
        const reason = IMPOSSIBLE_GRANTS.get(flow.grant);
        if (reason !== undefined) return [{ origin: flow.origin, kind: "impossible", reason }];
        const isGrant = flow.grant === "authorizationCode" || flow.grant === "clientCredentials";
        return isGrant ? [{ origin: flow.origin, kind: "oauth2", scheme: name, flow }] : [];
      });
      if (carriers.length === 0) throw unreadable(scheme.flows[0]?.origin ?? origin);
      return carriers;
    }
    case "openIdConnect":
      return [{ origin, kind: "openIdConnect", url: scheme.url }];
    case "mutualTLS":
      return [{ origin, kind: "impossible", reason: "mutual-tls" }];
    case "aws":
      return [{ origin, kind: "aws", ...defined({ service: scheme.service }) }];
    case "unknown":
      throw unreadable(origin, scheme.problem);
  }
}

/** Words about a signature, whatever the key is named. */
const SIGNATURE_IN_WORDS =
  /\bhmac\b|\b(?:request|message|payload|body) signature\b|\bsign(?:ature (?:of|over|for)|s|ed|ing)? (?:the |each |every |this )?(?:http |canonical )?(?:request|message|payload|body)\b/i;
/** Words that tell a signature apart from a key with the same name. */
const SIGNATURE_BESIDE_NAME =
  /\bhmac|\bsha-?\d|\bmd5|\bsign(?:ed|ature|ing)?\b|\bauthentication code\b|\b(?:of|over|from) (?:the |each |every )?request\b|\b(?:body|payload)\b/i;

/** Returns whether a key is a signature of the request. Without a description, a name that ends with sign is one. */
function isSignature({ name, description }: { readonly name: string; readonly description: string }, hasTime: boolean): boolean {
  const mayBe = hasTime || SIGNATURE_BESIDE_NAME.test(description) || (description === "" && /sign?$/i.test(name));
  return isSignatureName(name, mayBe) || SIGNATURE_IN_WORDS.test(description);
}

const placeOfKey = ({ place, name }: { readonly place: string; readonly name: string }): { readonly place?: string } =>
  isAuthorization(name) ? {} : { place: `${place} ${name.toLowerCase()}` };

const unreadable = (origin: Origin, problem?: string): UnreadableScheme =>
  new UnreadableScheme(
    "evidence-unreadable",
    `The description of ${origin} is incomplete${problem === undefined ? ", or in another file, which is not read." : `. ${problem}`}`,
    { hint: "Export the description as one file. Or copy one of the API's requests as cURL." },
  );

export const isAuthorization = (header: string): boolean => /^authorization$/i.test(header);

/** Returns the type of its own that a header with a prefix has, if there is one. */
export function headerCarrier(origin: Origin, name: string, prefix: string | undefined): Carrier {
  if (isAuthorization(name) && /^bearer$/i.test(prefix ?? "")) return { origin, kind: "bearer" };
  if (isAuthorization(name) && /^basic$/i.test(prefix ?? "")) return { origin, kind: "basic" };
  return { origin, kind: "header", name, ...(prefix === undefined ? {} : { prefix }) };
}

const NAME = String.raw`([A-Za-z](?:[\w-]{0,40}[A-Za-z\d])?)`;
const QUOTED = String.raw`["'\`*]{1,3}${NAME}:? ?["'\`*]{1,3}`;
const SCHEME = "([Bb]earer|Token|Basic|ApiKey|Api-Key|API-Key|JWT|OAuth|Bot)";

/** What stands for a key: `<key>`, `{key}`, `$KEY`, `your-key`, `API_KEY`, `token=…`. */
const KEY = String.raw`(?:[<{[$]|&lt;|your[-_]|(?:[A-Z]{2,20}[-_]){0,4}(?:KEY|TOKEN|SECRET)\b|token=|keyId=|base64)`;
/** A key of an example has digits. */
const EXAMPLE = String.raw`(?=[\w.-]{0,40}\d)[\w.-]{6}`;

/** Finds the prefix of a key in words, the surest pattern first. */
const PREFIXES: readonly RegExp[] = [
  // In `Authorization: Token <key>`, "`Acme-Key your-key`" and "in the form Acme-Key {key}".
  new RegExp(String.raw`(?:\bAuthorization: ?["'\`]?|["'\`]|^|: |\b[Ff]orm(?:at)?(?: of| is)? )${NAME} ${KEY}`),
  new RegExp(String.raw`(?:\bAuthorization: ?|["'\`]|\b[Ee]xample: |\be\.g\.,? |such as )${NAME} ${EXAMPLE}`),
  new RegExp(String.raw`\b${SCHEME} (?:token=|[<{[$]|&lt;)`),
  // In `with required prefix "Token"`, `prefixed by "Token"`, "with the 'Token' prefix" and "'Token' followed by a space".
  new RegExp(String.raw`\b(?:prefix(?:ed)?|prepend(?:ed)?|preceded)\b[^."'\`*]{0,30}${QUOTED}`, "i"),
  new RegExp(String.raw`${QUOTED} (?:prefix|scheme|follow(?:ed|ing)|before|\[space\]|\+|and (?:a|one) space)`),
  new RegExp(String.raw`\b[Pp]re(?:fix|fixed|ceded)(?: (?:is|of|with|by|must be|should be|the|word)){0,3}[:=]? ?${SCHEME}\b`),
  new RegExp(String.raw`\b${SCHEME} (?:authentication |authorization )?(?:scheme|prefix)\b`),
];
/** What a sentence has before a placeholder, and is no prefix. */
const NO_PREFIX = /^(?:your|the|an?|my|use|using|send|put|enter|provide|pass|set|add|with|as|to|is|like|of|or|api|access|user|id|header)$/i;

const prefixIn = (description: string): string | undefined =>
  PREFIXES.map((pattern) => pattern.exec(description)?.[1]).find((prefix) => prefix !== undefined && !NO_PREFIX.test(prefix));
