// The form of a page in providers/, and its reading: from the YAML to a ProviderPage whose facts have their sources beside them.
import { createRequire } from "node:module";
import { getDomain } from "tldts";
import { z } from "zod";
import {
  type Demand,
  type FactSource,
  type OAuth2Facts,
  type ProviderError,
  type ProviderPage,
  SOURCE_KINDS,
} from "../../spec/provider-page.ts";
import { isDisputed, isRead, sourceAddress } from "../../spec/provider-readings.ts";

interface YamlError {
  readonly reason: string;
  readonly mark: { readonly line: number };
}

const { CORE_SCHEMA, load, YAMLException } = createRequire(import.meta.url)("js-yaml") as {
  readonly CORE_SCHEMA: unknown;
  load(text: string, options: { readonly schema: unknown }): unknown;
  readonly YAMLException: new (...args: never[]) => YamlError;
};

const SUBDOMAIN = "[subdomain]";
const sentence = z.string().regex(/^\S(?:.*\S)?$/s, "must be a text without blanks around it");
const url = z
  .string()
  .regex(/^https:\/\/\S+$/, "must be an address that begins with https://")
  .refine((text) => URL.canParse(text.replaceAll(SUBDOMAIN, "acme")), "must be an address");
const hostPattern = z.string().regex(/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, "must be a host, or *. and a domain");
const id = z.string().regex(/^[a-z0-9]+$/, "must be the name of a page: small letters and digits");
const texts = z.record(z.string(), z.string());
/** Every time zone counts: a reader in the Pacific is a day ahead of one in Hawaii. */
const date = z.iso
  .date("must be a date: YYYY-MM-DD")
  .refine((day) => Date.parse(day) <= Date.now() + 14 * 3_600_000, "must not be in the future");

const path = z.string().regex(/^[\w$-]+(?:\.[\w$-]+)*$/, "must be names or indices with points between them: data.0.name");

const sourceName = z.string().regex(/^[a-z][a-z0-9-]*$/, "must be small letters, digits and hyphens");

/** Words of the first source that say that the fact must be so. */
const quotation = sentence.max(200, "must be at most 200 characters");

/** A value with its sources, or several if the sources disagree; the page uses the first. */
function fact<Value extends z.ZodType>(value: Value) {
  const one = z.strictObject({
    value,
    source: z.union([sourceName, z.array(sourceName).min(1, "must name a source")]),
    demands: quotation.optional(),
    accepts: z.array(value).min(2, "must have two values").optional(),
  });
  return z.union([one, z.array(one).min(2, "must have two values, or one without the list")]);
}

const param = z.strictObject({ name: sentence, value: sentence, orParam: sentence.optional(), without: sentence });

const oauth2 = z.strictObject({
  authorizationUrl: fact(url.refine((text) => !text.includes("?"), "must have no query, which belongs to additionalParams")),
  tokenUrl: fact(url),
  hosts: fact(z.array(hostPattern).min(1)).optional(),
  path: fact(sentence).optional(),
  scopes: fact(texts).optional(),
  scopeDelimiter: fact(z.enum([" ", ",", ";"], "must be a space, a comma or a semicolon")).optional(),
  scopeParamName: fact(sentence).optional(),
  pkce: fact(z.enum(["required", "supported", "refused"])).optional(),
  clientAuthentication: fact(z.enum(["body", "header", "either"])).optional(),
  additionalParams: fact(texts).optional(),
  refresh: z
    .strictObject({
      params: fact(z.array(param).min(1)).optional(),
      scopes: fact(z.array(sentence).min(1)).optional(),
      allByDefault: fact(z.boolean()).optional(),
      rotates: fact(z.boolean()).optional(),
    })
    .optional(),
  tokenLifetime: fact(z.union([z.int("must be a number of seconds, or none").positive(), z.literal("none")])).optional(),
  nestedResponseKey: fact(sentence).optional(),
  endpointKey: fact(sentence).optional(),
  tokenPrefix: fact(sentence).optional(),
  tokenQueryParam: fact(sentence).optional(),
  scopeNames: fact(texts).optional(),
  scopePrefix: fact(sentence).optional(),
  redirect: fact(sentence).optional(),
  unsupported: fact(z.strictObject({ reason: sentence, instead: sentence })).optional(),
});

const key = z.strictObject({
  type: fact(
    z.enum(["HeaderBearerToken", "CustomHeaderToken", "QueryParamToken", "WebBasic", "Custom", "MultiHeaderToken", "MultiQueryParamToken"]),
  ),
  name: fact(sentence),
  createUrl: fact(url.refine((text) => !text.includes(SUBDOMAIN), "must be the same for all accounts")).optional(),
  headerName: fact(sentence).optional(),
  tokenPrefix: fact(sentence).optional(),
  paramName: fact(sentence).optional(),
  username: fact(sentence).optional(),
  password: fact(sentence).optional(),
  values: fact(z.array(z.strictObject({ name: sentence, description: sentence })).min(1)).optional(),
});

const source = z.strictObject({ kind: z.enum(SOURCE_KINDS), read: sentence, checked: date, licence: sentence.optional() });

export const providerSchema = z.strictObject({
  title: sentence,
  sources: z.record(sourceName, source),
  oauth2: oauth2.optional(),
  keys: z.array(key).min(1, "must have a key, or be left out").optional(),
  api: z
    .strictObject({
      url: fact(url).optional(),
      userUrl: fact(url).optional(),
      userMethod: fact(z.string().regex(/^[A-Z]+$/, "must be a method in capitals")).optional(),
      userBody: fact(sentence).optional(),
      userName: fact(path).optional(),
      headers: fact(texts).optional(),
      endpoint: fact(sentence).optional(),
    })
    .optional(),
  console: z
    .strictObject({
      url: fact(url),
      creates: fact(sentence).optional(),
      redirectField: fact(sentence).optional(),
      steps: fact(z.array(sentence).min(1)).optional(),
    })
    .optional(),
  verification: fact(sentence).optional(),
  sameHouse: fact(z.array(id).min(1)).optional(),
});

const failing =
  (file: string) =>
  (problems: readonly string[]): never => {
    throw new Error(problems.map((problem) => `${file}: ${problem}`).join("\n"));
  };

function readYaml(file: string, text: string): unknown {
  try {
    // The dates stay texts.
    return load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    if (error instanceof YAMLException) return failing(file)([`line ${error.mark.line + 1}: ${error.reason}`]);
    throw error;
  }
}

/** Reads the page from the text of `providers/<id>.yaml`; throws an error whose message has a line for each mistake. */
export function readProviderPage(name: string, text: string): ProviderPage {
  const file = `providers/${name}.yaml`;
  if (!id.safeParse(name).success) failing(file)(["the name of the file must be small letters and digits"]);
  return pageFrom(file, name, readYaml(file, text));
}

const unverifiedSchema = z.strictObject({
  sources: z.record(sourceName, source),
  pages: z.record(
    id,
    z.strictObject({
      title: sentence,
      authorizationUrl: url,
      tokenUrl: url,
      source: sourceName,
      hosts: z.array(hostPattern).min(1).optional(),
      sameHouse: z.array(id).min(1).optional(),
    }),
  ),
});

/** Reads providers/unverified.yaml: pages that have nothing but their addresses. Throws an error whose message has a line for each mistake. */
export function readUnverifiedPages(file: string, text: string): readonly ProviderPage[] {
  const data = readYaml(file, text);
  const result = unverifiedSchema.safeParse(data);
  if (!result.success) return failing(file)(result.error.issues.flatMap((issue) => problemsOf(issue, data)));
  const { sources, pages } = result.data;
  return Object.entries(pages).map(([name, { title, source, sameHouse, ...addresses }]) => {
    const facts = Object.fromEntries(Object.entries(addresses).map(([fact, value]) => [fact, { value, source }]));
    return pageFrom(`${file}: ${name}`, name, {
      title,
      sources: { [source]: sources[source] },
      oauth2: facts,
      ...(sameHouse !== undefined && { sameHouse: { value: sameHouse, source } }),
    });
  });
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

const errorSchema = z.array(
  z.strictObject({
    provider: id,
    everywhere: z.literal(true).optional(),
    phase: z.enum(["authorization", "code", "refresh"]).optional(),
    code: sentence.refine(isPattern, "must be a regular expression"),
    reason: sentence,
    advice: sentence,
    field: sentence.optional(),
    read: sentence,
    checked: date,
    quotation,
  }),
);

/** Reads providers/errors.yaml. Throws an error whose message has a line for each mistake. */
export function readProviderErrors(file: string, text: string): readonly ProviderError[] {
  const data = readYaml(file, text);
  const result = errorSchema.safeParse(data);
  if (!result.success) return failing(file)(result.error.issues.flatMap((issue) => problemsOf(issue, data)));
  return result.data.map(({ read: _read, checked: _checked, quotation: _quotation, ...error }) => error as ProviderError);
}

function pageFrom(file: string, name: string, data: unknown): ProviderPage {
  const fail = failing(file);
  const result = providerSchema.safeParse(data);
  if (!result.success) return fail(result.error.issues.flatMap((issue) => problemsOf(issue, data)));
  const { title, sources, ...facts } = result.data;
  const names = Object.keys(sources);
  const sourceList = Object.values(sources) as readonly FactSource[];
  const isReadAt = (index: number) => isRead(sourceList[index]);
  const sourcesOf: Record<string, readonly number[]> = {};
  const demands: Record<string, Demand> = {};
  const accepts: Record<string, readonly string[]> = {};
  const disagreements: ProviderPage["disagreements"][number][] = [];
  const mistakes: string[] = [];
  const domains: string[] = [];
  /** Replaces each fact by the value that the page uses, and notes its sources. */
  const pageValue = (node: unknown, path: string): unknown => {
    if (typeof node !== "object" || node === null) return node;
    const candidates = (Array.isArray(node) ? node : [node]) as readonly unknown[];
    if (!candidates.every(isFact)) {
      if (Array.isArray(node)) return candidates.map((item, index) => pageValue(item, `${path}.${index}`));
      return Object.fromEntries(
        Object.entries(node).map(([name, child]) => [name, pageValue(child, path === "" ? name : `${path}.${name}`)]),
      );
    }
    const [first, ...otherFacts] = candidates.map(({ source, ...candidate }) => ({
      ...candidate,
      sources: [source].flat().map((sourceOfFact) => {
        if (!names.includes(sourceOfFact)) mistakes.push(`${path}: the source ${sourceOfFact} is not among the page's sources`);
        return names.indexOf(sourceOfFact);
      }),
    }));
    if (first === undefined) return undefined;
    if (ADDRESSES.has(path))
      domains.push(...candidates.flatMap(({ value }) => [value as string | string[]].flat().flatMap((address) => domainOf(path, address))));
    sourcesOf[path] = first.sources;
    const [source] = first.sources.flatMap((index) => sourceList[index] ?? []);
    if (first.demands !== undefined && source !== undefined) demands[path] = { words: first.demands, source: sourceAddress(source) };
    if (first.accepts !== undefined) accepts[path] = first.accepts.map(String);
    if ((first.demands ?? first.accepts) !== undefined && !first.sources.slice(0, 1).every(isReadAt))
      mistakes.push(`${path}: the first source of a quotation or a choice must be a documentation or an SDK`);
    if (otherFacts.some((candidate) => candidate.demands !== undefined || candidate.accepts !== undefined))
      mistakes.push(`${path}: only the first value can have a strength`);
    if (!first.sources.some(isReadAt) && otherFacts.some(({ sources }) => sources.some(isReadAt)))
      mistakes.push(`${path}: the value of a documentation or an SDK must come first`);
    for (const { value, sources } of otherFacts)
      disagreements.push({ fact: path, value: typeof value === "string" ? value : JSON.stringify(value), sources });
    return first.value;
  };
  const values = pageValue(facts, "") as Partial<ProviderPage>;
  for (const [name, { kind, licence }] of Object.entries(sources))
    if (kind === "table" && licence === undefined) mistakes.push(`sources.${name}: a table must name its licence`);
  if (mistakes.length > 0) fail(mistakes);
  const readings = { sources: sourceList, sourcesOf, disagreements };
  for (const fact of Object.keys(demands)) if (isDisputed(readings, fact)) delete demands[fact];
  if (values.oauth2?.unsupported !== undefined && demands["oauth2.unsupported"] === undefined)
    fail(["oauth2.unsupported: must have the words of a documentation, as demands"]);
  if (values.oauth2 === undefined && values.keys === undefined) fail(["the page must have oauth2 or keys"]);
  return {
    id: name,
    title,
    domains: [...new Set(domains)],
    ...readings,
    demands,
    accepts,
    keys: [],
    sameHouse: [],
    ...values,
    ...(values.oauth2 === undefined ? {} : { oauth2: { ...values.oauth2, hosts: authorizationHosts(values.oauth2, disagreements) } }),
  };
}

/** Returns the hosts of authorization pages: those of the page, or of each authorization URL that a source has. */
function authorizationHosts(
  { hosts, authorizationUrl }: Partial<OAuth2Facts>,
  disagreements: ProviderPage["disagreements"],
): readonly string[] {
  if (hosts !== undefined) return hosts;
  const otherUrls = disagreements.flatMap(({ fact, value }) => (fact === "oauth2.authorizationUrl" ? [value] : []));
  return [authorizationUrl ?? "", ...otherUrls].flatMap((url) => /^https:\/\/([^/]+)/.exec(url.replace(`${SUBDOMAIN}.`, "*."))?.[1] ?? []);
}

/** The facts whose hosts belong to the provider. */
const ADDRESSES: ReadonlySet<string> = new Set(["oauth2.authorizationUrl", "oauth2.tokenUrl", "oauth2.hosts", "api.url", "api.userUrl"]);

interface Fact {
  readonly value: unknown;
  readonly source: string | readonly string[];
  readonly demands: string;
  readonly accepts: readonly unknown[];
}

const isFact = (node: unknown): node is Fact => typeof node === "object" && node !== null && "value" in node && "source" in node;

/** Returns the registrable domain of an address or a pattern of hosts. */
function domainOf(path: string, address: string): readonly string[] {
  const text = address.replaceAll("[subdomain].", "").replaceAll("[subdomain]", "").replace(/^\*\./, "");
  const domain = getDomain(text);
  // An API at a host that anybody can have, such as a cloud's, does not make the whole domain the provider's.
  if (domain === null || (path.startsWith("api.") && getDomain(text, { allowPrivateDomains: true }) !== domain)) return [];
  return [domain];
}

/** Returns the mistakes of an issue, each with its path. */
function problemsOf(issue: z.core.$ZodIssue, data: unknown): readonly string[] {
  const node = issue.path.reduce<unknown>((parent, name) => (parent as Readonly<Record<PropertyKey, unknown>> | undefined)?.[name], data);
  const path = issue.path.map(String).join(".") || "the page";
  if (node === undefined && issue.path.length > 0) return [`${path}: is missing`];
  if (issue.code === "invalid_union") {
    // A single value is the first alternative, and a list the last.
    const issues = issue.errors.at(Array.isArray(node) ? -1 : 0) ?? [];
    return issues.flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, data));
  }
  if (issue.code === "unrecognized_keys") return issue.keys.map((name) => `${path}: ${name} is no field of a page`);
  if (issue.code === "invalid_key") return issue.issues.map(({ message }) => `${path}: ${message}`);
  return [`${path}: ${issue.code === "invalid_type" && NAMES[issue.expected] ? `must be ${NAMES[issue.expected]}` : issue.message}`];
}

const NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  object: "an object",
  record: "an object",
  array: "a list",
  boolean: "true or false",
};
