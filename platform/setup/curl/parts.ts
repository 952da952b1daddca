// The parts of a request that are, or may be, the credential. What the request does not tell is asked.
import { keyPlacesAt } from "../complete-from-page.ts";
import type { ReaderContext } from "../reader.ts";
import { unreadable } from "../unreadable.ts";
import { type CurlCommand, shortName } from "./command.ts";
import {
  type Certainty,
  certaintyOf,
  hasCredentialMark,
  headerCertainty,
  isNoise,
  isOpaque,
  isOrdinary,
  mentionsCredential,
} from "./names.ts";
import { isPlaceholder } from "./placeholders.ts";
import { bodyFields, type CurlRequest, unreadTexts } from "./request.ts";

export type PartPlace = "header" | "query" | "path" | "body";

export interface CredentialPart {
  readonly place: PartPlace;
  /** The name of the header, the parameter or the field; for the path, the index of the part. */
  readonly name: string;
  /** The secret, without the scheme before it. A placeholder or "" if none was pasted. */
  readonly value: string;
  /** The scheme before the value: `Bearer`. */
  readonly prefix?: string;
  /** The user name and password of the scheme Basic, unless they are placeholders. */
  readonly basic?: { readonly username: string; readonly password: string };
  readonly certainty: Certainty;
  /** Whether the account has a user name and no password, so that the name may be a key. */
  readonly hasNameOnly?: boolean;
  /** The option of curl that makes the header. */
  readonly option?: string;
}

const PLACES: Readonly<Record<PartPlace, (name: string) => string>> = {
  header: (name) => `the header ${shortName(name)}`,
  query: (name) => `the query parameter ${shortName(name)}`,
  path: (name) => `part ${name} of the URL's path`,
  body: (name) => `the field ${shortName(name)} of the body`,
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
    if (isNoise(name, value) || isOrdinary(name)) return [];
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
    ...bodyFields(request.body).map(({ name, value }) => ({ place: "body", name, value, certainty: certaintyOf(name, value) }) as const),
    ...request.segments.flatMap((value, index): readonly CredentialPart[] =>
      value === "" ? [] : [{ place: "path", name: `${index}`, value, certainty: pathCertainty(value) }],
    ),
  ];
}

/** A part of a path has no name, so a person always decides. Some APIs put names into it, as in `orders;token=…`. */
function pathCertainty(segment: string): Certainty {
  const certainty = certaintyOf("", segment);
  if (certainty === "credential" || segment.split(";").some(isCredentialPair)) return "either";
  return hasCredentialMark(segment) ? "unlikely" : certainty;
}

const isCredentialPair = (pair: string): boolean => {
  const [name = "", ...rest] = pair.split("=");
  return rest.length > 0 && certaintyOf(name, rest.join("=")) === "credential";
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
    hasNameOnly: at >= 0 && password === "",
    value: isPasted ? Buffer.from(user, "utf8").toString("base64") : "",
    basic: isPasted ? { username, password } : { username: "", password: "" },
  };
}

/** Makes the parts certain that a page of the provider names, if the request has all of a key. */
function withPlacesOfPages(parts: readonly CredentialPart[], host: string | undefined): readonly CredentialPart[] {
  const keyOf = (place: string, name = ""): string => `${place} ${place === "header" ? name.toLowerCase() : name}`;
  const keys = new Set(parts.map(({ place, name }) => keyOf(place, name)));
  const pagePlaces = (host === undefined ? [] : keyPlacesAt(host))
    .map((places) => places.map(({ in: where, name }) => keyOf(where, name)))
    .filter((places) => places.every((place) => keys.has(place)))
    .flat();
  return parts.map((part) => (pagePlaces.includes(keyOf(part.place, part.name)) ? { ...part, certainty: "credential" } : part));
}

/** A placeholder or a text of another form is no name that a configuration can have. */
const isName = (name: string): boolean => /^[^\p{C}{}]{1,200}$/u.test(name);

/**
 * Returns whether the request may have a credential that nobody is asked about: in a text that is neither JSON nor a form, under a name that
 * no configuration can have, as a parameter without a name, or beside a signature.
 */
export function hasHiddenCredential({ bearer: _, ...command }: CurlCommand, request: CurlRequest, isSigned: boolean): boolean {
  const isHidden = ({ name, value, certainty }: CredentialPart): boolean =>
    certainty === "credential" && !isPlaceholder(value) && (isSigned || !isName(name));
  return (
    partsOf(command, { ...request, user: undefined }).some(isHidden) ||
    request.query.some(({ raw }) => !raw.includes("=") && isOpaque(raw)) ||
    unreadTexts(request.body).some(mentionsCredential)
  );
}

const isRequestPart = ({ place }: CredentialPart): boolean => place === "header" || place === "query";

/** Returns the parts that are the credential; none if the API takes none, or if a session is its only credential. */
export function credentialParts(
  command: CurlCommand,
  request: CurlRequest,
  hasSession: boolean,
  context: ReaderContext,
): readonly CredentialPart[] {
  // A name that is used twice is one part, the first one. Names of headers are compared without regard to case.
  const byName = new Map<string, CredentialPart>();
  for (const part of partsOf(command, request)) {
    if (!isName(part.name)) continue;
    const key = `${part.place} ${part.place === "header" ? part.name.toLowerCase() : part.name}`;
    if (!byName.has(key)) byName.set(key, part);
  }
  const parts = withPlacesOfPages([...byName.values()], request.domain);
  const certain = parts.filter((part) => part.certainty === "credential" && isRequestPart(part));
  const inBody = parts.filter((part) => part.certainty === "credential" && part.place === "body");
  // A password in a request that has a credential may be that of a new user.
  const chosen = new Set(certain.length > 0 ? certain : inBody);
  const beside = new Set(certain.length > 0 ? inBody : []);
  const isOpen = (part: CredentialPart): boolean => {
    if (part.place === "path" && part.certainty === "unlikely") return chosen.size === 0;
    if (part.place === "body")
      return beside.has(part) || (part.certainty === "either" && (certain.length === 0 ? inBody.length > 0 : isOpaque(part.value)));
    return part.certainty === "either";
  };
  const open = parts.filter(isOpen);
  const confirmed = new Set(
    open.filter((part) => {
      const text = placeText(part);
      return (
        context.choose({
          id: `credential-${part.place}-${shortName(part.name)}`,
          text: `Is ${text} a part of the credential, so that each account has its own?`,
          options: [
            { value: "yes", label: "Yes", detail: `Each person enters a value for ${text}.` },
            { value: "no", label: "No", detail: "It is the same for all accounts, and stays in the request." },
          ],
        }) === "yes"
      );
    }),
  );
  const credential = parts.filter((part) => chosen.has(part) || confirmed.has(part));
  return credential.length > 0 || hasSession ? credential : askPart(parts, new Set(open), context);
}

/** Options of the question; more could not be read at once. */
const MOST_OPTIONS = 20;

function askPart(parts: readonly CredentialPart[], denied: ReadonlySet<CredentialPart>, context: ReaderContext): readonly CredentialPart[] {
  const options = parts
    .filter((part) => !denied.has(part))
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

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
