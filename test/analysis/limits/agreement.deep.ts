// The toolkit's own upload validator and we say the same of the same configurations: every type, whole and with one thing wrong.
import assert from "node:assert/strict";
import { AUTH_TYPES, type AuthScope, fieldsOf } from "../../../spec/auth-types.ts";
import { ENUMS, type FieldSpec } from "../../../spec/fields.ts";
import { analyse, split } from "../../support/analyse.ts";
import { uploadProblemsOfSource } from "../../support/validator.ts";

interface Case {
  readonly name: string;
  readonly source: string;
}

/** Source text of a right value. */
function rightValue(field: FieldSpec): string {
  switch (field.kind) {
    case "url":
      return '"https://example.com/path"';
    case "string":
      return field.name === "networkDomain" || field.name === "endpointDomain"
        ? '"example.com"'
        : JSON.stringify(field.values?.[0] ?? "some");
    case "boolean":
      return "false";
    case "stringArray":
      return '["one"]';
    case "stringOrStringArray":
      return '"example.com"';
    case "function":
      return 'async function () { return ""; }';
    case "enum":
      return field.enum === undefined ? '"x"' : `coda.${field.enum}.${Object.keys(ENUMS[field.enum]).at(-1)}`;
    case "record":
      return "{ a: 1 }";
    case "object":
      return `{ ${(field.fields ?? []).map((inner) => `${inner.name}: ${rightValue(inner)}`).join(", ")} }`;
    case "objectArray":
      return field.lenient
        ? '[{ type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose", getOptions: async () => [] }]'
        : `[{ ${(field.fields ?? []).map((inner) => `${inner.name}: ${rightValue(inner)}`).join(", ")} }]`;
  }
}

const WRONG: Readonly<Record<string, string>> = {
  text: '"text"',
  number: "1",
  boolean: "true",
  list: '["a"]',
  mixed: '["a", 1]',
  object: "{ a: 1 }",
  objects: "[{ a: 1 }]",
  null: "null",
  undefined: "undefined",
  empty: '""',
  none: "[]",
};

/** A formula that needs what the configuration says, where users sign in. */
const FORMULA = `pack.addFormula({ name: "Get", description: "Gets it.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });\n`;

type Config = readonly (readonly [name: string, value: string])[];

function pack(scope: AuthScope, config: Config, domains: readonly string[] = ["example.com"]): string {
  const declared = domains.map((domain) => `pack.addNetworkDomain(${JSON.stringify(domain)});\n`).join("");
  const setter = scope === "user" ? "setUserAuthentication" : "setSystemAuthentication";
  const fields = config.map(([name, value]) => `  ${name}: ${value},\n`).join("");
  return `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n${declared}(pack as any).${setter}({\n${fields}});\n${FORMULA}`;
}

const without = (config: Config, name: string): Config => config.filter((entry) => entry[0] !== name);

const ENDPOINT: Config = [["requiresEndpointUrl", "true"]];
const CHOSEN: Config = [...ENDPOINT, ["endpointDomain", '"example.com"']];
const TWO = ["example.com", "example.org"];
/** What stands beside the required fields of each type, and the domains of the pack. */
const BESIDE: readonly (readonly [what: string, more: Config, domains?: readonly string[]])[] = [
  ["whole", []],
  ["no domain", [], []],
  ["no domain, endpoint", ENDPOINT, []],
  ["no domain, endpoint with domain", CHOSEN, []],
  ["endpoint", ENDPOINT],
  ["two domains", [], TWO],
  ["two domains, endpointDomain", CHOSEN, TWO],
  ["two domains, one chosen", [["networkDomain", '"example.com"']], TWO],
  ["unknown field", [["nonsense", "1"]]],
  ["uxOptions", [["uxOptions", "{}"]]],
];

function* cases(): Iterable<Case> {
  const everyField = new Set(
    Object.keys(AUTH_TYPES).flatMap((type) => fieldsOf(type as keyof typeof AUTH_TYPES, "user").map(({ name }) => name)),
  );
  const byName = new Map(
    Object.values(AUTH_TYPES).flatMap((type) => fieldsOf(type.name, "user").map((field) => [field.name, field] as const)),
  );
  for (const type of Object.values(AUTH_TYPES)) {
    // Various and the Google and first-party types are the platform's own.
    if (type.isHidden || type.name === "CodaApiHeaderBearerToken") continue;
    for (const scope of ["user", "system"] as const) {
      const typeField = ["type", `coda.AuthenticationType.${type.name}`] as const;
      const fields = fieldsOf(type.name, scope).filter((field) => field.name !== "type");
      const required: Config = [
        typeField,
        ...fields.filter((field) => field.required).map((field) => [field.name, rightValue(field)] as const),
      ];
      const label = `${type.name} (${scope})`;
      for (const [what, more, domains] of BESIDE) yield { name: `${label}, ${what}`, source: pack(scope, [...required, ...more], domains) };
      for (const [name] of required)
        if (name !== "type") yield { name: `${label} without ${name}`, source: pack(scope, without(required, name)) };
      for (const name of everyField) {
        const field = byName.get(name);
        if (field === undefined || name === "type") continue;
        const otherFields = without(required, name);
        yield { name: `${label} with ${name}`, source: pack(scope, [...otherFields, [name, rightValue(field)]]) };
        if (!fields.some((own) => own.name === name)) continue;
        for (const [kind, value] of Object.entries(WRONG))
          yield { name: `${label}, ${name} ${kind}`, source: pack(scope, [...otherFields, [name, value]]) };
      }
    }
  }
}

/** Accepted at upload, and an error all the same, because it cannot work: what is called is no function, what is filled in is empty, no type at all. */
const BROKEN_AT_RUN_TIME = /^(field-type .*cannot be called|field-empty |auth-type-missing )/;

/** The validator takes 40 ms for each of more than 3,000 cases: one in 16 unless all are asked for. */
const asksAll = process.env.PACK_AUTH_AGREEMENT === "all";
const isSampled = (index: number): boolean => asksAll || index % 16 === 0;

/** Domains, and who needs an account: what stands beside the configuration, and what of it the validator judges by. */
function* packCases(): Iterable<Case> {
  const BEARER: Config = [["type", "coda.AuthenticationType.HeaderBearerToken"]];
  const PLATFORM: Config = [["type", "coda.AuthenticationType.CodaApiHeaderBearerToken"]];
  const BASIC: Config = [["type", "coda.AuthenticationType.WebBasic"]];
  const DOMAINS = [
    ..."example.com https://example.com http:example.com example.com/api / //example.com".split(" "),
    `${"a".repeat(250)}.com`,
  ];
  for (const domain of DOMAINS) {
    yield { name: `domain ${domain.slice(0, 30)}`, source: pack("user", BEARER, [domain]) };
    yield { name: `system, domain ${domain.slice(0, 30)}`, source: pack("system", BEARER, [domain]) };
  }
  const CHOICES = [
    "example.com",
    "example.org",
    "api.example.com",
    ["example.com"],
    ["example.com", "example.net"],
    "exa mple.com",
    [],
  ].map((choice) => JSON.stringify(choice));
  for (const domains of [["example.com"], ["example.com", "example.com"], ["example.com", "example.org"]]) {
    yield { name: `${domains}, none chosen`, source: pack("user", BEARER, domains) };
    for (const choice of CHOICES)
      yield { name: `${domains}, chosen ${choice}`, source: pack("user", [...BEARER, ["networkDomain", choice]], domains) };
    for (const endpoint of ['"example.com"', '"eu.example.com"', '"example.org"', '"https://example.com"', '"notexample.com"', '""'])
      for (const more of [[], [["networkDomain", '"example.com"']]] as Config[])
        yield {
          name: `${domains}, endpoint ${endpoint}, ${more}`,
          source: pack("user", [...BASIC, ["requiresEndpointUrl", "true"], ["endpointDomain", endpoint], ...more], domains),
        };
  }
  for (const domains of [["coda.io"], ["api.coda.io"], ["example.com"], ["coda.io", "example.com"], ["notcoda.io"]])
    for (const chosen of [undefined, '"coda.io"', '"example.com"', '["coda.io", "example.com"]'])
      yield {
        name: `${domains}, the platform's token, chosen ${chosen}`,
        source: pack("user", chosen === undefined ? PLATFORM : [...PLATFORM, ["networkDomain", chosen]], domains),
      };
  const REQUIREMENTS = [...["None", "Optional", "Required"].map((name) => `coda.ConnectionRequirement.${name}`), '"required"'];
  const AUTHS = [
    "",
    "pack.setUserAuthentication({ type: coda.AuthenticationType.None });\n",
    "pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n",
    "pack.setSystemAuthentication({ type: coda.AuthenticationType.WebBasic });\n",
    "pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, defaultConnectionRequirement: coda.ConnectionRequirement.None });\n",
  ];
  for (const auth of AUTHS)
    for (const requirement of [...REQUIREMENTS, '"none"', '"None"', "1", "true", "{}", '""', "undefined"]) {
      const head = pack("user", [], []).split("(pack as any)")[0] ?? "";
      const formula = FORMULA.replace("execute:", `connectionRequirement: ${requirement} as any, execute:`);
      yield {
        name: `${auth.slice(4, 70)} requires ${requirement}`,
        source: `${head}pack.addNetworkDomain("example.com");\n${auth}${formula}`,
      };
      const table = `pack.addSyncTable({ name: "T", identityName: "T", connectionRequirement: ${requirement} as any, schema: coda.makeObjectSchema({ type: coda.ValueType.Object, idProperty: "id", displayProperty: "id", properties: { id: { type: coda.ValueType.String } } }), formula: { name: "T", description: "T", parameters: [], execute: async () => ({ result: [] }) } });\n`;
      yield {
        name: `${auth.slice(4, 70)} requires, of a table, ${requirement}`,
        source: `${head}pack.addNetworkDomain("example.com");\n${auth}${table}`,
      };
    }
}

/** What stands where a type should, or nothing. */
function* typeCases(): Iterable<Case> {
  const wrong = ["coda.AuthenticationType.Nonsense", '"Nonsense"', '"webbasic"', '"WebBasic"', ...Object.values(WRONG)];
  for (const scope of ["user", "system"] as const) {
    yield { name: `no type (${scope})`, source: pack(scope, []) };
    for (const value of wrong) yield { name: `type ${value} (${scope})`, source: pack(scope, [["type", value]]) };
  }
}

/** Compares the cases, and asserts that there is no disagreement. */
async function compareAll(cases: Iterable<Case>): Promise<readonly { readonly name: string; readonly isRejected: boolean }[]> {
  const compared: { readonly name: string; readonly isRejected: boolean; readonly disagreement?: string }[] = [];
  for (const each of cases) compared.push({ name: each.name, ...(await compare(each)) });
  assert.deepEqual(
    compared.flatMap(({ disagreement }) => disagreement ?? []),
    [],
  );
  return compared;
}

async function compare({ name, source }: Case): Promise<{ readonly isRejected: boolean; readonly disagreement?: string }> {
  const errors = analyse(split(source), { toolkit: true })
    .diagnostics("/pack/pack.ts")
    .filter((diagnostic) => diagnostic.severity === "error");
  const problems = await uploadProblemsOfSource(source).catch((error: unknown) => [{ message: `does not load: ${String(error)}` }]);
  const [error] = errors.map(({ rule, message }) => `${rule} ${message}`).filter((text) => !BROKEN_AT_RUN_TIME.test(text));
  const isRejected = problems.length > 0;
  if (error !== undefined && !isRejected) return { isRejected, disagreement: `${name}: accepted, but ${error}` };
  if (errors.length === 0 && isRejected) return { isRejected, disagreement: `${name}: no error, but ${problems[0]?.message}` };
  return { isRejected };
}

describe("agreement with the toolkit's upload validator", function () {
  this.timeout(asksAll ? 3_600_000 : 600_000);

  it("typed configurations get an error exactly when the validator rejects them", async () => {
    const sample = [...cases()].filter((_, index) => isSampled(index));
    const compared = await compareAll(sample);
    const rejected = compared.filter(({ isRejected }) => isRejected).length;
    assert.ok(sample.length > 150 && rejected > sample.length / 4, `${rejected} of ${sample.length} are rejected`);
  });

  it("a configuration without a valid type is judged as the validator judges it", async () => {
    const acceptedCases = (await compareAll(typeCases())).flatMap(({ name, isRejected }) => (isRejected ? [] : [name]));
    assert.deepEqual(acceptedCases, ["no type (user)", 'type "WebBasic" (user)', "no type (system)", 'type "WebBasic" (system)']);
  });

  it("a pack without a network domain is judged as the validator judges it", async () => {
    const requires: readonly Config[] = [[], [["requiresEndpointUrl", "true"]], [["requiresEndpointUrl", "false"]]];
    const endpoints: readonly Config[] = [[], [["endpointDomain", '""']], [["endpointDomain", '"example.com"']]];
    const domainless = requires.flatMap((required) =>
      endpoints.map((endpoint): Case => {
        const fields: Config = [...required, ...endpoint];
        return { name: String(fields), source: pack("user", [["type", "coda.AuthenticationType.WebBasic"], ...fields], []) };
      }),
    );
    const acceptedFields = (await compareAll(domainless)).flatMap(({ name, isRejected }) => (isRejected ? [] : [name]));
    assert.deepEqual(acceptedFields, ["requiresEndpointUrl,true", 'requiresEndpointUrl,true,endpointDomain,""']);
  });

  it("domains, endpoints and connection requirements are judged as the validator judges them", async () => {
    const every = asksAll ? 1 : 3;
    const sample = [...packCases()].filter((_, index) => index % every === 0);
    const compared = await compareAll(sample);
    const rejected = compared.filter(({ isRejected }) => isRejected).length;
    assert.ok(rejected > sample.length / 5, `${rejected} of ${sample.length} are rejected`);
  });
});
