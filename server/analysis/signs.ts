// What a pack has at all, as bits: rules about something that is not there need not be asked. One look at each configuration, call,
// request and runnable here spares many looks at them elsewhere. Where it cannot be told, the sign is there.
import { AUTH_TYPES, type AuthScope, type AuthTypeName, fieldOf, fieldsOf, isAuthTypeName } from "../../spec/auth-types.ts";
import { BASE_FIELDS, USER_ONLY_FIELDS } from "../../spec/fields.ts";
import { propertyOf } from "./config.ts";
import type { AuthConfig, CallFact, FileFacts, ObjectValue, PackModel, Property, RunnableFact } from "./model.ts";
import { AUTHORIZATION, HEADERS, PLAIN_HTTP, QUERY, RELATIVE, TOKEN, USER } from "./request-signs.ts";
import { requestsOf } from "./requests.ts";
import { FIELDS, SUBJECTS, TYPES } from "./subjects.ts";

const FIELD_BITS: ReadonlyMap<string, number> = new Map(Object.entries(FIELDS));

/** What a pack has, each a sum of bits. */
export interface Signs {
  readonly subjects: number;
  readonly types: number;
  readonly fields: number;
}

export function signsOf(pack: PackModel): Signs {
  let types = 0;
  let fields = 0;
  let subjects = 0;
  for (const auth of pack.auths) {
    if (auth.type !== undefined) types |= TYPES.get(auth.type as AuthTypeName) ?? 0;
    subjects |= signsOfAuth(pack, auth);
    const { properties } = auth.config;
    for (let index = 0; index < properties.length; index++) {
      const property = properties[index] as Property;
      const bit = FIELD_BITS.get(property.name) ?? 0;
      fields |= bit;
      subjects |= signsOfField(pack, auth, property, bit);
    }
  }
  subjects |= signsOfSetters(pack) | signsOfDomains(pack) | signsOfRequests(pack, fields) | signsOfRunnables(pack);
  if (pack.placeholders.length > 0) subjects |= SUBJECTS.placeholder;
  if (pack.missingToolkit !== undefined) subjects |= SUBJECTS.missingToolkit;
  return { subjects, types, fields };
}

function signsOfAuth({ toolkit }: PackModel, { type, scope, typeProperty }: AuthConfig): number {
  const isKnown = type !== undefined && isAuthTypeName(type);
  const isPlain = isKnown && typeProperty?.value.kind !== "choice" && toolkit?.authenticationTypes.has(type) !== false;
  return (
    SUBJECTS.authentication |
    (isKnown ? SUBJECTS.knownType : 0) |
    (scope === "system" ? SUBJECTS.systemAuthentication : 0) |
    (isPlain ? 0 : SUBJECTS.doubtfulType) |
    (type === undefined ? SUBJECTS.missingType : 0)
  );
}

const FORMER = FIELDS.deferConnectionSetup | FIELDS.postSetup;
const URLS = FIELDS.authorizationUrl | FIELDS.tokenUrl;

function signsOfField({ toolkit }: PackModel, { type, scope }: AuthConfig, { name, value }: Property, bit: number): number {
  let signs = 0;
  if (!isPlain(type, scope, name) || toolkit?.fields.has(name) === false) signs |= SUBJECTS.doubtfulField;
  if (bit & FORMER) signs |= SUBJECTS.formerField;
  if (bit & FIELDS.defaultConnectionRequirement) signs |= SUBJECTS.requirement;
  if (bit & FIELDS.additionalParams) signs |= SUBJECTS.addedParam;
  if (bit & URLS) {
    if (value.kind !== "string" || value.value.includes("?")) signs |= SUBJECTS.addedParam;
    if (value.kind !== "string" || /^http:/i.test(value.value)) signs |= SUBJECTS.plainHttp;
  }
  // The endpoints that it offers.
  if (bit & FIELDS.postSetup) signs |= SUBJECTS.plainHttp;
  return signs;
}

/** A field that a configuration of the type may have, and that has no fields itself; of a type that is none, one of any type. */
function isPlain(type: string | undefined, scope: AuthScope, name: string): boolean {
  if (type === undefined || !isAuthTypeName(type)) return plainFields(scope).has(name);
  const field = fieldOf(type, scope, name);
  return field !== undefined && field.fields === undefined;
}

const ofAnyType: { user?: ReadonlySet<string>; system?: ReadonlySet<string> } = {};

function plainFields(scope: AuthScope): ReadonlySet<string> {
  const known = ofAnyType[scope];
  if (known !== undefined) return known;
  const ofTypes = Object.values(AUTH_TYPES).flatMap(({ name }) => fieldsOf(name, scope));
  const plain = [...ofTypes, ...BASE_FIELDS, ...USER_ONLY_FIELDS].filter((field) => field.fields === undefined);
  const made = new Set(plain.map(({ name }) => name));
  ofAnyType[scope] = made;
  return made;
}

/** Calls that set authentications, domains or servers. */
function signsOfSetters({ auths, facts }: PackModel): number {
  let signs = 0;
  let setters = 0;
  for (let file = 0; file < facts.length; file++) {
    const { calls } = facts[file] as FileFacts;
    for (let index = 0; index < calls.length; index++) {
      const { method, within, arguments: given } = calls[index] as CallFact;
      // Its server is asked by the platform.
      if (method === "addMCPServer") signs |= SUBJECTS.request;
      const isDomain = method === "addNetworkDomain";
      if (!isDomain && method !== "setUserAuthentication" && method !== "setSystemAuthentication") continue;
      if (within !== undefined) signs |= SUBJECTS.lateSetting;
      if (!isDomain) {
        setters++;
        signs |= SUBJECTS.authentication;
        continue;
      }
      signs |= SUBJECTS.domain;
      for (let at = 0; at < given.length; at++) if (given[at]?.kind !== "string") signs |= SUBJECTS.doubtfulDomain;
    }
  }
  let read = 0;
  let definitions = 0;
  for (let index = 0; index < auths.length; index++) {
    // Those of one call stand together.
    const call = auths[index]?.call;
    if (call === undefined) definitions++;
    else if (auths[index - 1]?.call !== call) read++;
  }
  if (read < setters) signs |= SUBJECTS.missingType;
  if (setters + definitions > 1) signs |= SUBJECTS.severalSettings;
  return signs;
}

/** Of a bare domain, with nothing that could be wrong in it. */
const BARE = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i;
/** RFC 1035, section 2.3.4. */
const LONGEST = 253;

function signsOfDomains({ auths, domains: { declared, any } }: PackModel): number {
  let signs = 0;
  for (let index = 0; index < declared.length; index++) {
    const value = declared[index]?.value ?? "";
    signs |= SUBJECTS.domain;
    if (value.length > LONGEST || !BARE.test(value) || !value.includes(".")) signs |= SUBJECTS.doubtfulDomain;
  }
  if (declared.length > 1) signs |= SUBJECTS.severalDomains;
  if (!any && auths.length > 0) signs |= SUBJECTS.missingDomain;
  return signs;
}

const CHOSEN_HEADERS = FIELDS.headerName | FIELDS.headers;
const CHOSEN_PARAMS = FIELDS.paramName | FIELDS.params | FIELDS.tokenQueryParam;

function signsOfRequests(pack: PackModel, fields: number): number {
  let signs = 0;
  let calls = 0;
  for (let index = 0; index < pack.facts.length; index++) {
    const { contextCalls, endpointUses, secrets } = pack.facts[index] as FileFacts;
    calls += contextCalls.length;
    if (endpointUses.length > 0) signs |= SUBJECTS.request | SUBJECTS.endpoint;
    if (secrets.length > 0) signs |= SUBJECTS.credential;
  }
  if (calls === 0) return signs;
  const { shows } = requestsOf(pack);
  signs |= SUBJECTS.request;
  if (shows & RELATIVE) signs |= SUBJECTS.endpoint;
  if (shows & PLAIN_HTTP) signs |= SUBJECTS.plainHttp;
  if (shows & TOKEN) signs |= SUBJECTS.invocationToken;
  if (shows & (USER | AUTHORIZATION)) signs |= SUBJECTS.credential;
  const isOwn = shows & AUTHORIZATION || (shows & HEADERS && fields & CHOSEN_HEADERS) || (shows & QUERY && fields & CHOSEN_PARAMS);
  if (isOwn) signs |= SUBJECTS.ownCredential;
  return signs;
}

function signsOfRunnables({ runnables }: PackModel): number {
  let signs = 0;
  for (let index = 0; index < runnables.length; index++)
    signs |= SUBJECTS.runnable | runnableSigns((runnables[index] as RunnableFact).definition);
  return signs;
}

function runnableSigns(definition: ObjectValue): number {
  const formula = propertyOf(definition, "formula")?.value;
  // What stands behind a name, or is spread in, may have either.
  if (formula !== undefined && (formula.kind !== "object" || formula.spreads.length > 0))
    return SUBJECTS.formerField | SUBJECTS.requirement;
  return signsOfFields(definition) | (formula === undefined ? 0 : signsOfFields(formula));
}

function signsOfFields({ properties }: ObjectValue): number {
  let signs = 0;
  for (let index = 0; index < properties.length; index++) {
    const name = properties[index]?.name;
    if (name === "network") signs |= SUBJECTS.formerField;
    else if (name === "connectionRequirement") signs |= SUBJECTS.requirement;
  }
  return signs;
}
