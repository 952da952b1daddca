// The values of a request: the credential, data that is known as such, and all that may be secret, which a person is asked about at once.
import { decodeText } from "../../../base/decode-text.ts";
import { headersOfPagesAt, keyPlacesAt } from "../complete-from-page.ts";
import type { ReaderContext } from "../reader.ts";
import { unreadable } from "../unreadable.ts";
import { type CurlCommand, shortName } from "./command.ts";
import {
  type Certainty,
  certaintyOf,
  hasCredentialMark,
  hasSecretFormat,
  headerCertainty,
  isNoise,
  isOpaque,
  isOrdinary,
  isPlain,
} from "./names.ts";
import { isPlaceholder, parameterName } from "./placeholders.ts";
import { bodyFields, type CurlRequest, unreadText } from "./request.ts";
import { MARK } from "./words.ts";

export type PartPlace = "header" | "query" | "path" | "body";

export interface CredentialPart {
  readonly place: PartPlace;
  /** The name of the header, the parameter or the field; for the path, the index of the part. "" for the whole body. */
  readonly name: string;
  /** The secret, without the scheme before it. A placeholder or "" if none was pasted. */
  readonly value: string;
  /** The scheme before the value, `Bearer`, or the word before it in a part of the path, `bot`. */
  readonly prefix?: string;
  /** The user name and password of the scheme Basic, unless they are placeholders. */
  readonly basic?: { readonly username: string; readonly password: string };
  readonly certainty: Certainty;
  /** Whether the account has a user name and no password, so that the name may be a key. */
  readonly hasNameOnly?: boolean;
  /** Whether the account has a password and an empty user name, so that the password is a key. */
  readonly hasPasswordOnly?: boolean;
  /** The option of curl that makes the header. */
  readonly option?: string;
}

/** What becomes of the values of a request. All other values stay in it. */
export interface RequestValues {
  /** The credential; none if the API takes none, or if a session is its only credential. */
  readonly credential: readonly CredentialPart[];
  /** The author's own accounts for all users, or an account of each user. */
  readonly scope: "user" | "system";
  /** By part, the parameter of the formula. */
  readonly parameters: ReadonlyMap<CredentialPart, string>;
  /** Headers and query parameters that the request loses. */
  readonly leftOut: readonly CredentialPart[];
  readonly remarks: readonly string[];
}

const PLACES: Readonly<Record<PartPlace, (name: string) => string>> = {
  header: (name) => `the header ${shortName(name)}`,
  query: (name) => `the query parameter ${shortName(name)}`,
  path: (name) => `part ${name} of the URL's path`,
  body: (name) => (name === "" ? "the body" : `the field ${shortName(name)} of the body`),
};

export const placeText = ({ place, name, option }: CredentialPart): string =>
  option === undefined ? PLACES[place](name) : `the option ${option}`;

/** Schemes that a header other than Authorization may have before its value. */
const SCHEME = /^(Bearer|Token|Basic|ApiKey|Api-Key|Key|JWT) +([\s\S]+)$/i;

/** The scheme of a header for credentials (RFC 9110, section 11.4). */
const ANY_SCHEME = /^([A-Za-z][\w-]{0,60}) +([\s\S]+)$/;

/** Returns all parts of the request, except what no credential is in. */
function partsOf(command: CurlCommand, request: CurlRequest): readonly CredentialPart[] {
  const headers = request.headers.flatMap(({ name, value }): readonly CredentialPart[] => {
    if (isNoise(name, value) || isOrdinary(name, value)) return [];
    if (/^authorization$/i.test(name)) return [authorizationPart(value)];
    const [, prefix, rest] = (/auth(?:orization|entication)$/i.test(name) ? ANY_SCHEME : SCHEME).exec(value) ?? [];
    const part = { place: "header", name, certainty: headerCertainty(name, value) } as const;
    return [prefix === undefined ? { ...part, value } : { ...part, value: rest ?? "", prefix }];
  });
  const hasAuthorization = headers.some(({ name }) => name === "Authorization");
  const fromOptions = hasAuthorization
    ? []
    : command.bearer !== undefined
      ? [{ ...authorizationPart(`Bearer ${command.bearer}`), option: "--oauth2-bearer" }]
      : request.user !== undefined
        ? [{ ...userPart(request.user), ...(command.user === undefined ? {} : { option: "--user" }) }]
        : [];
  return [
    ...fromOptions,
    ...headers,
    ...request.query.map(({ name, value }) => ({ place: "query", name, value, certainty: certaintyOf(name, value) }) as const),
    ...bodyParts(request),
    ...request.segments.flatMap((segment, index) => (segment === "" ? [] : [pathPart(segment, `${index}`)])),
  ];
}

/** Fields of a body that a person is asked about one by one. */
const MOST_FIELDS = 8;

/** Returns the fields; one part for the whole body if it has no fields, names that cannot be shown, or too many values to ask about. */
function bodyParts({ body }: CurlRequest): readonly CredentialPart[] {
  const fields = bodyFields(body).map(({ name, value }) => ({ place: "body", name, value, certainty: certaintyOf(name, value) }) as const);
  const whole = body === undefined || body.kind === "multipart" ? "" : body.text;
  const isOne =
    fields.some(({ name }) => !isReadable(name)) ||
    (fields.filter(({ certainty }) => certainty === "open").length > MOST_FIELDS &&
      fields.every(({ certainty }) => certainty !== "credential")) ||
    !isPlain(unreadText(body) ?? "");
  return isOne ? [{ place: "body", name: "", value: whole, certainty: "open" }] : fields;
}

/** A part of a path that is the number and the secret of a bot, which may have a word before it: `bot123:…`. */
const NUMBER_AND_SECRET = /^((?:[A-Z]?[a-z]{1,19}[-_]?)?)(\d{3,20}(?::|%3A)[\w.~-]{15,200})$/;
/** A part of a path that has a fixed word before what may be a secret: `token=…`, `hook_…`. */
const WORD_BEFORE =
  /^((?:bot|app|user|client|key|token|hook|webhook)[-_]?(?=\d)|[A-Za-z]{2,20}(?:[-_][A-Za-z]{1,20}){0,2}[:=])([\w.~-]{16,200})$/i;

/** A part of a path has no name, so its form decides, or a person. */
function pathPart(segment: string, name: string): CredentialPart {
  const [, word = "", pair] = NUMBER_AND_SECRET.exec(segment) ?? [];
  if (pair !== undefined)
    return { place: "path", name, ...(word === "" ? {} : { prefix: word }), value: decodeText(pair), certainty: "credential" };
  const [, prefix, value = ""] = WORD_BEFORE.exec(segment) ?? [];
  if (prefix !== undefined && isOpaque(value))
    return { place: "path", name, prefix, value, certainty: /\w$/.test(prefix) ? "open" : certaintyOf(prefix.slice(0, -1), value) };
  // Some APIs put names into it, as in `orders;token=…`.
  const isOpen = hasCredentialMark(segment) || segment.split(";").some((pair) => certaintyOf(...pairOf(pair)) !== "plain");
  return { place: "path", name, value: segment, certainty: hasSecretFormat(segment) ? "credential" : isOpen ? "open" : "plain" };
}

const pairOf = (pair: string): readonly [name: string, value: string] => {
  const at = pair.indexOf("=");
  return at < 0 ? ["", pair] : [pair.slice(0, at), pair.slice(at + 1)];
};

function authorizationPart(header: string): CredentialPart {
  const [, scheme, rest = ""] = ANY_SCHEME.exec(header) ?? [];
  const part = { place: "header", name: "Authorization", certainty: "credential" } as const;
  if (scheme === undefined) return { ...part, value: header.replace(/^(?:Bearer|Basic|Token)$/i, "") };
  if (!/^basic$/i.test(scheme)) return { ...part, prefix: scheme, value: rest.trim() };
  if (isPlaceholder(rest)) return { ...part, prefix: "Basic", value: "", basic: { username: "", password: "" } };
  const decoded = Buffer.from(rest, "base64").toString("utf8");
  const isEncoded = Buffer.from(decoded, "utf8").toString("base64").replaceAll("=", "") === rest.trim().replaceAll("=", "");
  return isEncoded && decoded.includes(":") ? userPart(decoded) : { ...part, prefix: scheme, value: rest };
}

function userPart(user: string): CredentialPart {
  const at = user.indexOf(":");
  const username = at < 0 ? user : user.slice(0, at);
  const password = at < 0 ? "" : user.slice(at + 1);
  // Without a colon, curl asks for the password.
  const isPasted = at >= 0 && (username === "" || !isPlaceholder(username)) && (password === "" || !isPlaceholder(password));
  return {
    place: "header",
    name: "Authorization",
    prefix: "Basic",
    certainty: "credential",
    hasNameOnly: at >= 0 && password === "" && username !== "",
    hasPasswordOnly: at === 0 && password !== "",
    value: isPasted ? Buffer.from(user, "utf8").toString("base64") : "",
    basic: isPasted ? { username, password } : { username: "", password: "" },
  };
}

/** Judges the parts that a page of the provider names: its keys, if the request has all of one, and the headers that are the same for all. */
function judgedByPages(parts: readonly CredentialPart[], host: string | undefined): readonly CredentialPart[] {
  if (host === undefined) return parts;
  const keys = new Set(parts.map(keyOf));
  const secrets = keyPlacesAt(host)
    .map((places) => places.map(({ in: place, name = "" }) => keyOf({ place, name })))
    .filter((places) => places.every((place) => keys.has(place)))
    .flat();
  const plain = headersOfPagesAt(host).map((name) => keyOf({ place: "header", name }));
  return parts.map((part) => {
    const key = keyOf(part);
    return secrets.includes(key)
      ? { ...part, certainty: "credential" }
      : plain.includes(key) && !isOpaque(part.value)
        ? { ...part, certainty: "plain" }
        : part;
  });
}

/** Names of headers are compared without regard to case. */
const keyOf = ({ place, name }: { readonly place: string; readonly name: string }): string =>
  `${place} ${place === "header" ? name.toLowerCase() : name}`;

/** A placeholder or a text of another form is no name that a configuration or a question can have. */
const isReadable = (name: string): boolean => /^[^\p{C}{}]{1,200}$/u.test(name) && !name.split(".").some(isOpaque);

const RANKS: readonly Certainty[] = ["plain", "open", "credential"];

/** Returns the parts of a request, each name once: values of one name share the part of the one that is most likely a secret. */
function distinctParts(parts: readonly CredentialPart[]): readonly CredentialPart[] {
  const byName = new Map<string, CredentialPart>();
  for (const part of parts) {
    const former = byName.get(keyOf(part));
    if (former === undefined || RANKS.indexOf(part.certainty) > RANKS.indexOf(former.certainty)) byName.set(keyOf(part), part);
  }
  return [...byName.values()];
}

/** Sorts the values of a request. `isSigned`: the platform signs it, and puts nothing else in. */
export function sortValues(
  command: CurlCommand,
  request: CurlRequest,
  { hasSession, isSigned }: { readonly hasSession: boolean; readonly isSigned: boolean },
  context: ReaderContext,
): RequestValues {
  const { bearer: _, ...withoutBearer } = command;
  const all = isSigned ? partsOf(withoutBearer, { ...request, user: undefined }) : partsOf(command, request);
  const unreadableParts = all.filter(({ place, name }) => place === "query" && !isReadable(name));
  const parts = judgedByPages(distinctParts(all.filter((part) => !unreadableParts.includes(part))), request.domain);
  const certain = parts.filter(({ certainty }) => certainty === "credential");
  const inRequest = certain.filter(({ place }) => place === "header" || place === "query");
  const isOpen = ({ place, certainty, value }: CredentialPart): boolean =>
    (certainty === "open" || (certainty === "credential" && (place === "body" || place === "path"))) &&
    (place !== "body" || certainty === "credential" || !isParameter(value));
  if (isSigned) {
    return valuesOf([], "user", parts.filter(isOpen), [...unreadableParts, ...inRequest]);
  }
  // A password in a request that has a credential may be that of a new user.
  const evident = inRequest.length > 0 ? inRequest : certain;
  const chosen = evident.length > 0 || hasSession ? evident : askPart(parts, context);
  const open = parts.filter((part) => !chosen.includes(part) && isOpen(part));
  const { user, pack, parameters } = askValues(open, context);
  const credential = parts.filter((part) => [...chosen, ...user, ...pack].includes(part));
  return valuesOf(credential, pack.length > 0 ? "system" : "user", parameters, unreadableParts);
}

/** Returns whether a value is a placeholder, which becomes a parameter by itself. */
const isParameter = (value: string): boolean => isPlaceholder(value) && isPlain(value);

function valuesOf(
  credential: readonly CredentialPart[],
  scope: RequestValues["scope"],
  open: readonly CredentialPart[],
  leftOut: readonly CredentialPart[],
): RequestValues {
  const parameters = new Map<CredentialPart, string>();
  for (const part of open.filter(({ value }) => !isParameter(value))) {
    const base = part.place === "path" ? "pathPart" : part.name === "" ? "body" : parameterName(part.name.replace(/^x-/i, ""));
    let name = base;
    for (let count = 2; [...parameters.values()].includes(name); count++) name = `${base}${count}`;
    parameters.set(part, name);
  }
  const named = [...parameters.keys()];
  return {
    credential,
    scope,
    parameters,
    leftOut,
    remarks: [
      ...(named.length === 0
        ? []
        : [
            `${capitalize(named.map(placeText).join(", "))}: the value may be secret, so it is in no file. It is a parameter of the formula.`,
          ]),
      ...leftOut.map(
        (part) => `${isReadable(part.name) ? capitalize(placeText(part)) : "A query parameter"} is left out, because it may be a secret.`,
      ),
    ],
  };
}

/** Options of the question; more could not be read at once. */
const MOST_OPTIONS = 20;

function askPart(parts: readonly CredentialPart[], context: ReaderContext): readonly CredentialPart[] {
  const options = [...parts]
    .sort((a, b) => RANKS.indexOf(b.certainty) - RANKS.indexOf(a.certainty))
    .slice(0, MOST_OPTIONS)
    .map((part) => ({ part, value: `${part.place}-${shortName(part.name)}` }));
  const answer = context.choose({
    id: "credential",
    text: "The request has no credential that is known as one. Which part is the credential?",
    options: [
      { value: "none", label: "None", detail: "The API answers everybody." },
      ...options.map(({ part, value }) => ({ value, label: capitalize(placeText(part)) })),
      { value: "missing", label: "It is not in the command", detail: "The API needs a credential that was left out." },
    ],
  });
  if (answer === "missing")
    throw unreadable(
      "The command has no credential.",
      "Paste one that has it, or a placeholder in its place: -H 'Authorization: Bearer $TOKEN'.",
    );
  return options
    .filter(({ value }) => value === answer)
    .slice(0, 1)
    .map(({ part }) => part);
}

/** What a value may be by a person's answer. */
const KINDS = ["user", "pack", "constant", "parameter"] as const;
type Kind = (typeof KINDS)[number];

/** Asks about all open values at once. Without an answer, each is a parameter of the formula. */
function askValues(
  open: readonly CredentialPart[],
  context: ReaderContext,
): { readonly user: readonly CredentialPart[]; readonly pack: readonly CredentialPart[]; readonly parameters: readonly CredentialPart[] } {
  if (open.length === 0) return { user: [], pack: [], parameters: [] };
  const list = open.map((part, index) => `${index + 1}. ${placeText(part)} (${lengthOf(part)})`).join("; ");
  const answer = context.ask({
    id: "values",
    text: `These values may be secret: ${list}. Is each a secret of the user, a secret of the pack that all users share, or a constant that stays in the source? Enter user, pack or constant for all of them, or one for each: 1=user. Leave it empty to make them parameters of the formula.`,
    example: "1=user",
    fallback: "",
    problem: (text) => (kindsOf(text, open.length) === undefined ? valuesProblem(open.length) : undefined),
  });
  const kinds = kindsOf(answer, open.length) ?? [];
  const those = (kind: Kind): readonly CredentialPart[] => open.filter((_, index) => kinds[index] === kind);
  return { user: those("user"), pack: those("pack"), parameters: those("parameter") };
}

const valuesProblem = (count: number): string =>
  `Enter user, pack, constant or parameter, or a list such as 1=user, with numbers from 1 to ${count}.`;

/** Returns the kind of each value, or undefined if the answer cannot be read. */
function kindsOf(answer: string, count: number): readonly Kind[] | undefined {
  const words = answer
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  const isKind = (word: string): word is Kind => KINDS.some((kind) => kind === word);
  const [only, ...more] = words;
  const kinds = Array.from({ length: count }, (): Kind => (only !== undefined && isKind(only) ? only : "parameter"));
  if (only !== undefined && isKind(only)) return more.length === 0 ? kinds : undefined;
  for (const word of words) {
    const [number = "", kind = ""] = word.split("=");
    if (!/^[1-9]\d{0,2}$/.test(number) || Number(number) > count || !isKind(kind)) return undefined;
    kinds[Number(number) - 1] = kind;
  }
  return kinds;
}

const lengthOf = ({ value }: CredentialPart): string => {
  const { length } = value.replaceAll(MARK, "");
  return `${length} ${length === 1 ? "character" : "characters"}`;
};

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
