// Random packs of one literal configuration: what its type takes, mostly right, and then something of it wrong.
import { z } from "zod";
import { AUTH_TYPES, type AuthScope, type AuthTypeName, fieldsOf } from "../../spec/auth-types.ts";
import { ENUMS, type FieldSpec } from "../../spec/fields.ts";
import type { Random } from "../fuzz/random.ts";
import { readTable } from "../support/json-cases.ts";

export interface RandomPack {
  readonly scope: AuthScope;
  readonly type: string;
  /** Everything behind the line that makes the pack: the same in TypeScript and in JavaScript. */
  readonly body: string;
}

type Make = (random: Random) => string;
type Entry = readonly [name: string, value: string];

const DOMAINS = ["example.com", "example.org", "api.example.com", "example.net"];
/** Mostly the one that is mostly declared. */
const CHOSEN = ["example.com", "example.com", "example.com", "example.com", ...DOMAINS];
const WRONG_DOMAINS = ["https://example.com", "example.com/api", "exa mple.com", "", "Example.com", "localhost", "*.example.com"];
const URLS = [
  "https://example.com/path",
  "https://api.example.com/a/b?c=d",
  "https://login.example.com:8443/x",
  "https://example.org/",
  "https://example.com",
];
const WRONG_URLS = readTable("test/mutants/cases/wrong-urls.json", z.array(z.string()));
const TEXTS = ["some", "X-API-Key", "key", "Token", "a_b", "read write", "é😀"];
const WRONG_TEXTS = ["", " ", "a b", "a\nb", "x".repeat(300), "1", "Authorization", "__proto__", "codaParam"];
const LITERALS = [
  ...['"text"', '""', "`text`", "0", "1", "-1.5", "true", "false", "null", "undefined", "[]", "{}", '["a"]', '["a", 1]', "[null]"],
  ...["/x/", "1n", "new Date(0)", 'new URL("https://example.com/")'],
  ...["[[]]", "{ a: 1 }", '{ a: "b" }', "[{ a: 1 }]", "[{}]", "() => 1", 'async () => ""'],
];
const FUNCTIONS = ['async function () { return ""; }', '() => "name"', "async (context) => []", 'coda.makeMetadataFormula(async () => "")'];
const FORMULAS = [
  "",
  "connectionRequirement: coda.ConnectionRequirement.Required, ",
  "connectionRequirement: coda.ConnectionRequirement.Optional, ",
  "connectionRequirement: coda.ConnectionRequirement.None, ",
];
const OTHER_NAMES = ["nonsense", "headername", "Scopes", "url", "domain", "token_url", "id", "constructor"];

const quoted = (text: string): string => JSON.stringify(text);
const textOf =
  (texts: readonly string[]): Make =>
  (random) =>
    quoted(random.pick(texts));

/** Values that the field takes. */
function rightValue(field: FieldSpec, random: Random): string {
  if (field.values !== undefined) return quoted(random.pick(field.values));
  switch (field.kind) {
    case "url":
      return textOf(URLS)(random);
    case "string":
      return textOf(/omain$/.test(field.name) ? CHOSEN : TEXTS)(random);
    case "boolean":
      return random.pick(["true", "false"]);
    case "stringArray":
      return listOf(random.int(3), textOf(TEXTS), random);
    case "stringOrStringArray":
      return random.oneIn(3) ? listOf(1 + random.int(2), textOf(CHOSEN), random) : textOf(CHOSEN)(random);
    case "function":
      return random.pick(FUNCTIONS);
    case "enum": {
      if (field.enum === undefined) return '"x"';
      const [member, value] = random.pick(Object.entries(ENUMS[field.enum]));
      return random.oneIn(3) ? quoted(value) : `coda.${field.enum}.${member}`;
    }
    case "record":
      return random.pick(["{}", '{ a: "1" }', "{ a: 1, b: true }", '{ "a-b": "c" }']);
    case "object":
      return object(field, random);
    case "objectArray":
      return listOf(random.int(3), () => object(field, random), random);
  }
}

/** Values that are like right ones, and now and then right. */
function oddValue(field: FieldSpec, random: Random): string {
  if (random.oneIn(3)) return random.pick(LITERALS);
  switch (field.kind) {
    case "url":
      return textOf(WRONG_URLS)(random);
    case "string":
      return textOf(/omain$/.test(field.name) ? WRONG_DOMAINS : WRONG_TEXTS)(random);
    case "stringArray":
    case "stringOrStringArray":
      return listOf(1 + random.int(3), textOf([...TEXTS, ...WRONG_TEXTS, ...WRONG_DOMAINS]), random);
    case "enum":
      return random.pick([
        `coda.${field.enum}.Nonsense`,
        quoted(random.pick(TEXTS)),
        ...Object.keys(ENUMS[field.enum ?? "AuthenticationType"]).map(quoted),
      ]);
    case "record":
      return random.pick(["{ a: null }", "{ a: {} }", "{ a: undefined }", '{ a: ["b"] }', "{ a() {} }", "[]"]);
    case "object":
      return spoilt(entriesOf(field.fields ?? [], random), field.fields ?? [], random);
    case "objectArray": {
      const inner = field.fields ?? [];
      return `[${[...Array(random.int(2)).keys()].map(() => `${object(field, random)}, `).join("")}${spoilt(entriesOf(inner, random), inner, random)}]`;
    }
    default:
      return random.pick(LITERALS);
  }
}

const listOf = (count: number, make: Make, random: Random): string => `[${Array.from({ length: count }, () => make(random)).join(", ")}]`;

const formatObject = (entries: readonly Entry[]): string => `{ ${entries.map(([name, value]) => `${name}: ${value}`).join(", ")} }`;

const object = (field: FieldSpec, random: Random): string => formatObject(entriesOf(field.fields ?? [], random));

const entriesOf = (fields: readonly FieldSpec[], random: Random): readonly Entry[] =>
  fields.flatMap((field) => (field.required || random.oneIn(5) ? [[field.name, rightValue(field, random)] as const] : []));

/** One of them wrong, one too many, or one too few. */
const spoilt = (entries: readonly Entry[], fields: readonly FieldSpec[], random: Random): string =>
  formatObject(spoil(entries, fields, random));

function spoil(entries: readonly Entry[], fields: readonly FieldSpec[], random: Random): readonly Entry[] {
  const without = (name: string): readonly Entry[] => entries.filter((entry) => entry[0] !== name);
  if (random.oneIn(5) && entries.length > 0) return without(random.pick(entries)[0]);
  if (random.oneIn(5) || fields.length === 0) return [...entries, [random.pick(OTHER_NAMES), random.pick(LITERALS)]];
  const field = random.pick(fields);
  return [...without(field.name), [field.name, oddValue(field, random)]];
}

const TYPES = (Object.keys(AUTH_TYPES) as AuthTypeName[]).filter((name) => !AUTH_TYPES[name].isHidden);
const EVERY_FIELD = [...new Map(TYPES.flatMap((name) => fieldsOf(name, "user").map((field) => [field.name, field] as const))).values()];

export function randomPack(random: Random): RandomPack {
  const scope = random.oneIn(4) ? "system" : "user";
  const type = random.pick(TYPES);
  const fields = fieldsOf(type, scope).filter(({ name }) => name !== "type");
  let entries: readonly Entry[] = [
    ["type", random.oneIn(4) ? quoted(ENUMS.AuthenticationType[type] ?? type) : `coda.AuthenticationType.${type}`],
    ...entriesOf(fields, random),
  ];
  let domains: readonly string[] = random.oneIn(4) ? DOMAINS.slice(0, random.int(4)) : ["example.com"];
  for (let faults = random.pick([0, 0, 1, 1, 1, 2]); faults > 0; faults--) {
    if (random.oneIn(8)) domains = [...domains, random.pick([...DOMAINS, ...WRONG_DOMAINS])];
    else entries = spoil(entries, random.oneIn(6) ? EVERY_FIELD : fields, random);
  }
  const setter = scope === "user" ? "setUserAuthentication" : "setSystemAuthentication";
  const lines = [
    ...domains.map((domain) => `pack.addNetworkDomain(${quoted(domain)});`),
    `pack.${setter}(${formatObject(entries)});`,
    `pack.addFormula({ name: "Get", description: "Gets it.", parameters: [], resultType: coda.ValueType.String, ${random.pick(FORMULAS)}execute: async () => "" });`,
  ];
  return { scope, type, body: `${lines.join("\n")}\n` };
}
