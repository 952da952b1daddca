// The toolkit's own upload validator and we say the same of the same configurations: every type, whole and with one thing wrong.
import assert from "node:assert/strict";
import { AUTH_TYPES, type AuthScope, fieldsOf } from "../../spec/auth-types.ts";
import { ENUMS, type FieldSpec } from "../../spec/fields.ts";
import { analyse, split } from "../support/analyse.ts";
import { uploadProblemsOfSource } from "../support/validator.ts";

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

function* cases(): Iterable<Case> {
  const everyField = new Set(
    Object.keys(AUTH_TYPES).flatMap((type) => fieldsOf(type as keyof typeof AUTH_TYPES, "user").map(({ name }) => name)),
  );
  const byName = new Map(
    Object.values(AUTH_TYPES).flatMap((type) => fieldsOf(type.name, "user").map((field) => [field.name, field] as const)),
  );
  for (const type of Object.values(AUTH_TYPES)) {
    // Various and the Google and first-party types are the platform's own.
    if (type.hidden || type.name === "CodaApiHeaderBearerToken") continue;
    for (const scope of ["user", "system"] as const) {
      const typeField = ["type", `coda.AuthenticationType.${type.name}`] as const;
      const fields = fieldsOf(type.name, scope).filter((field) => field.name !== "type");
      const required: Config = [
        typeField,
        ...fields.filter((field) => field.required).map((field) => [field.name, rightValue(field)] as const),
      ];
      const label = `${type.name} (${scope})`;
      yield { name: `${label}, whole`, source: pack(scope, required) };
      yield { name: `${label}, no domain`, source: pack(scope, required, []) };
      yield { name: `${label}, no domain, endpoint`, source: pack(scope, [...required, ["requiresEndpointUrl", "true"]], []) };
      yield {
        name: `${label}, no domain, endpoint with domain`,
        source: pack(scope, [...required, ["requiresEndpointUrl", "true"], ["endpointDomain", '"example.com"']], []),
      };
      yield { name: `${label}, endpoint`, source: pack(scope, [...required, ["requiresEndpointUrl", "true"]]) };
      yield { name: `${label}, two domains`, source: pack(scope, required, ["example.com", "example.org"]) };
      yield {
        name: `${label}, two domains, endpointDomain`,
        source: pack(
          scope,
          [...required, ["requiresEndpointUrl", "true"], ["endpointDomain", '"example.com"']],
          ["example.com", "example.org"],
        ),
      };
      yield {
        name: `${label}, two domains, one chosen`,
        source: pack(scope, [...required, ["networkDomain", '"example.com"']], ["example.com", "example.org"]),
      };
      yield { name: `${label}, unknown field`, source: pack(scope, [...required, ["nonsense", "1"]]) };
      yield { name: `${label}, uxOptions`, source: pack(scope, [...required, ["uxOptions", "{}"]]) };
      for (const [name] of required)
        if (name !== "type")
          yield {
            name: `${label} without ${name}`,
            source: pack(
              scope,
              required.filter((entry) => entry[0] !== name),
            ),
          };
      for (const name of everyField) {
        const field = byName.get(name);
        if (field === undefined || name === "type") continue;
        const others = required.filter((entry) => entry[0] !== name);
        yield { name: `${label} with ${name}`, source: pack(scope, [...others, [name, rightValue(field)]]) };
        if (!fields.some((own) => own.name === name)) continue;
        for (const [kind, value] of Object.entries(WRONG))
          yield { name: `${label}, ${name} ${kind}`, source: pack(scope, [...others, [name, value]]) };
      }
    }
  }
}

/** Accepted at upload, and an error all the same, because it cannot work: what is called is no function, what is filled in is empty. */
const BROKEN_AT_RUN_TIME = /^(field-type .*cannot be called|field-empty )/;

/** The validator takes 40 ms for each of more than 3,000 cases: one in 16 unless all are asked for. */
const isSampled = (index: number): boolean => process.env.PACK_AUTH_AGREEMENT === "all" || index % 16 === 0;

describe("agreement with the toolkit's upload validator", function () {
  this.timeout(600_000);

  it("no error where it accepts, and an error where it rejects", async () => {
    const disagreements: string[] = [];
    let rejected = 0;
    const sample = [...cases()].filter((_, index) => isSampled(index));
    for (const { name, source } of sample) {
      const errors = analyse(split(source), { toolkit: true })
        .diagnostics("/pack/pack.ts")
        .filter((found) => found.severity === "error");
      const problems = await uploadProblemsOfSource(source).catch((error: unknown) => [{ message: `does not load: ${String(error)}` }]);
      const [error] = errors.map(({ rule, message }) => `${rule} ${message}`).filter((text) => !BROKEN_AT_RUN_TIME.test(text));
      if (problems.length > 0) rejected++;
      if (error !== undefined && problems.length === 0) disagreements.push(`${name}: accepted, but ${error}`);
      if (errors.length === 0 && problems.length > 0) disagreements.push(`${name}: no error, but ${problems[0]?.message}`);
    }
    assert.ok(sample.length > 150 && rejected > sample.length / 4, `${rejected} of ${sample.length} are rejected`);
    assert.deepEqual(disagreements, []);
  });
});
