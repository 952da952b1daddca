// The form of a page in providers/, and its reading: from the YAML to a ProviderPage whose facts have their sources beside them.
import { createRequire } from "node:module";
import { getDomain } from "tldts";
import { z } from "zod";
import type { FactSource, ProviderPage } from "../../spec/provider-page.ts";

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

/** A value with its sources, or several if the sources disagree; the page uses the first. */
function fact<Value extends z.ZodType>(value: Value) {
  const one = z.strictObject({ value, source: z.union([sourceName, z.array(sourceName).min(1, "must name a source")]) });
  return z.union([one, z.array(one).min(2, "must have two values, or one without the list")]);
}

const param = z.strictObject({ name: sentence, value: sentence, orParam: sentence.optional(), without: sentence });

const oauth2 = z.strictObject({
  authorizationUrl: fact(url),
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

export const providerSchema = z.strictObject({
  title: sentence,
  sources: z.record(sourceName, z.strictObject({ read: sentence, checked: date, licence: sentence.optional() })),
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

/** Reads the page from the text of `providers/<id>.yaml`; throws an error whose message has a line for each mistake. */
export function readProviderPage(name: string, text: string): ProviderPage {
  const file = `providers/${name}.yaml`;
  const fail = (problems: readonly string[]): never => {
    throw new Error(problems.map((problem) => `${file}: ${problem}`).join("\n"));
  };
  if (!id.safeParse(name).success) fail(["the name of the file must be small letters and digits"]);
  let data: unknown;
  try {
    // The dates stay texts.
    data = load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    if (error instanceof YAMLException) return fail([`line ${error.mark.line + 1}: ${error.reason}`]);
    throw error;
  }
  const result = providerSchema.safeParse(data);
  if (!result.success) return fail(result.error.issues.flatMap((issue) => problemsOf(issue, data)));
  const { title, sources, ...facts } = result.data;
  const names = Object.keys(sources);
  const sourcesOf: Record<string, readonly number[]> = {};
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
    const [first, ...otherFacts] = candidates.map(({ value, source }) => ({
      value,
      sources: [source].flat().map((sourceOfFact) => {
        if (!names.includes(sourceOfFact)) mistakes.push(`${path}: the source ${sourceOfFact} is not among the page's sources`);
        return names.indexOf(sourceOfFact);
      }),
    }));
    if (first === undefined) return undefined;
    if (ADDRESSES.has(path))
      domains.push(...candidates.flatMap(({ value }) => [value as string | string[]].flat().flatMap((address) => domainOf(path, address))));
    sourcesOf[path] = first.sources;
    for (const { value, sources } of otherFacts)
      disagreements.push({ fact: path, value: typeof value === "string" ? value : JSON.stringify(value), sources });
    return first.value;
  };
  const values = pageValue(facts, "") as Partial<ProviderPage>;
  if (mistakes.length > 0) fail(mistakes);
  if (values.oauth2 === undefined && values.keys === undefined) fail(["the page must have oauth2 or keys"]);
  return {
    id: name,
    title,
    domains: [...new Set(domains)],
    sources: Object.values(sources) as readonly FactSource[],
    sourcesOf,
    disagreements,
    keys: [],
    sameHouse: [],
    ...values,
  };
}

/** The facts whose hosts belong to the provider. */
const ADDRESSES: ReadonlySet<string> = new Set(["oauth2.authorizationUrl", "oauth2.tokenUrl", "oauth2.hosts", "api.url", "api.userUrl"]);

interface Fact {
  readonly value: unknown;
  readonly source: string | readonly string[];
}

const isFact = (node: unknown): node is Fact =>
  typeof node === "object" && node !== null && "value" in node && "source" in node && Object.keys(node).length === 2;

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
