// Literals that are nearly right, or that nobody looks at: what the toolkit's upload validator rejects is an error, and what it accepts is none.
import assert from "node:assert/strict";
import { inJavaScript } from "../../mutants/random-agreement.ts";
import { analyse, split } from "../../support/analyse.ts";
import { createQuickValidator, uploadProblemsOfSource } from "../../support/validator.ts";

const FORMULA = (more: string): string =>
  `pack.addFormula({ name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String, ${more}execute: async () => "" });\n`;
const OWN = "connectionRequirement: coda.ConnectionRequirement.Required, ";
const OAUTH = 'type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://example.com/a", tokenUrl: "https://example.com/t"';
const CLIENT = 'type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://example.com/t"';
const STEP = 'type: coda.PostSetupType.SetEndpoint, name: "Site", description: "Choose"';
const NAMED = 'name: "Site", description: "Choose", getOptions: async () => []';
const BASIC = "type: coda.AuthenticationType.WebBasic";

/** The fields, and how the formula begins where that matters. */
const REJECTED: readonly (readonly [name: string, config: string, formula?: string])[] = [
  ["a negative number for true or false", `${BASIC}, requiresEndpointUrl: -1`],
  ["a negative number for a list", "type: coda.AuthenticationType.Custom, params: -1.5"],
  ["a negative number for a text", `${BASIC}, endpointDomain: -0`],
  ["a negative number for steps", `${BASIC}, postSetup: -2`],
  ["a param whose name is undefined", 'type: coda.AuthenticationType.Custom, params: [{ name: undefined, description: "A" }]'],
  [
    "a param whose description is undefined",
    'type: coda.AuthenticationType.MultiQueryParamToken, params: [{ name: "a", description: undefined }]',
  ],
  [
    "a header whose description is undefined",
    'type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: "a", description: undefined }]',
  ],
  ["a resource without a host", `${CLIENT}, resource: "https://"`],
  ["a resource with a blank in its host", `${CLIENT}, resource: "https://exa mple.com/"`],
  ["a relative resource beside a typed endpoint", `${CLIENT}, requiresEndpointUrl: true, resource: "/r"`],
  [
    "a relative URL where no endpoint is typed",
    'type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "/t", requiresEndpointUrl: false',
  ],
  ["a step without options that there are", `${BASIC}, postSetup: [{ ${STEP}, getOptions: "" }]`],
  ["a step whose options are null", `${BASIC}, postSetup: [{ ${STEP}, getOptions: null }]`],
  ["an OAuth2 resource without a host", `${OAUTH}, resource: "https://"`],
  ["absolute URLs beside a typed endpoint, with an empty key", `${OAUTH}, requiresEndpointUrl: true, endpointKey: ""`],
  ["a default requirement that a formula takes", `${BASIC}, defaultConnectionRequirement: "Required"`, ""],
  ["a default requirement of no text that a formula takes", `${BASIC}, defaultConnectionRequirement: 1`, ""],
  ["a step whose type is an object", `${BASIC}, postSetup: [{ type: { a: 1 }, ${NAMED} }]`],
  ["a step whose type is a list", `${BASIC}, postSetup: [{ type: ["SetEndPoint"], ${NAMED} }]`],
  ["a step whose type is a number", `${BASIC}, postSetup: [{ type: 1, ${NAMED} }]`],
  ["a step whose type is null", `${BASIC}, postSetup: [{ type: null, ${NAMED} }]`],
  ["a step whose type is a function", `${BASIC}, postSetup: [{ type: () => "SetEndPoint", ${NAMED} }]`],
  ["a step whose type is a date", `${BASIC}, postSetup: [{ type: new Date(0), ${NAMED} }]`],
  ["a function for the type", 'type: () => "WebBasic"'],
  ["a regular expression for the type", "type: /WebBasic/"],
  ["a bigint for the type", "type: 1n"],
  ["a regular expression for a text", `${BASIC}, instructionsUrl: /x/`],
  ["a bigint for a text", `${BASIC}, endpointDomain: -1n`],
  ["a date for a text", `${BASIC}, networkDomain: new Date(0)`],
  ["a URL object for a URL", `${CLIENT.replace(/"[^"]*"/, 'new URL("https://example.com/t")')}`],
  ["a date for a record", `${OAUTH}, additionalParams: new Date(0)`],
  ["a regular expression for a list", `${OAUTH}, scopes: /read/`],
  ["a regular expression in a list", `${OAUTH}, scopes: ["read", /write/]`],
  ["a regular expression for a step", `${BASIC}, postSetup: [/x/]`],
  ["a URL object for an object", `${BASIC}, uxConfig: new URL("https://example.com/")`],
  ["a bigint for an object", `${BASIC}, uxConfig: 1n`],
  ["a date for true or false", `${BASIC}, requiresEndpointUrl: new Date(0)`],
  ["a regular expression for a requirement that a formula takes", `${BASIC}, defaultConnectionRequirement: /x/`, ""],
  [
    "a client's token URL with a blank in its host",
    'type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://exa mple.com/"',
  ],
  [
    "a client's token URL whose port is too high",
    'type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://example.com:99999/"',
  ],
  ["an OAuth2 resource with another scheme", `${OAUTH}, resource: "urn:example:api"`],
  [
    "an OAuth2 URL without a slash",
    'type: coda.AuthenticationType.OAuth2, authorizationUrl: "https:/example.com/a", tokenUrl: "https://example.com/t"',
  ],
];

const ACCEPTED_CASES: readonly (readonly [name: string, config: string, formula?: string])[] = [
  ["a resource behind a blank", `${CLIENT}, resource: " https://example.com/x"`],
  ["a default requirement that no formula takes", `${BASIC}, defaultConnectionRequirement: "Required"`, OWN],
  ["a default requirement of no text that no formula takes", `${BASIC}, defaultConnectionRequirement: null`, OWN],
  ["a list for a default requirement that no formula takes", `${BASIC}, defaultConnectionRequirement: [[]]`, OWN],
  [
    "relative URLs beside a typed endpoint, with an empty key",
    'type: coda.AuthenticationType.OAuth2, authorizationUrl: "/a", tokenUrl: "/t", requiresEndpointUrl: true, endpointKey: ""',
  ],
  ["a client's resource with another scheme", `${CLIENT}, resource: "api://some-app/.default"`],
  ["a client's resource that is a name", `${CLIENT}, resource: "urn:example:api"`],
  [
    "a client's token URL that the parser repairs",
    'type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https:/example.com/t"',
  ],
  ["a client's token URL behind a blank", 'type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: " https://example.com/t"'],
  ["a client's token URL in capitals", 'type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "HTTPS://EXAMPLE.COM/T"'],
  [
    "a relative OAuth2 resource beside a typed endpoint",
    'type: coda.AuthenticationType.OAuth2, authorizationUrl: "/a", tokenUrl: "/t", requiresEndpointUrl: true, resource: "api"',
  ],
  ["a name that is false, which the toolkit leaves out", `${BASIC}, getConnectionName: false`],
  ["a regular expression for an object", `${BASIC}, uxConfig: /x/`],
  ["a date beside other parameters", `${OAUTH}, additionalParams: { since: new Date(0) }`],
];

/** The upload takes them, and they do not work: what the warning says. */
const WARNED: readonly (readonly [name: string, config: string, warning: RegExp])[] = [
  ["a client's resource without a slash", `${CLIENT}, resource: "https:/example.com"`, /both slashes.*may not know it/],
  ["an empty OAuth2 resource", `${OAUTH}, resource: ""`, /the same as left out/],
  [
    "a former name without a value",
    `${BASIC}, postSetup: [{ ${STEP}, getOptions: async () => [], getOptionsFormula: false }]`,
    /Remove getOptionsFormula.*it has no value/,
  ],
  [
    "an unknown default requirement",
    `${BASIC}, defaultConnectionRequirement: (coda.ConnectionRequirement as any).Require`,
    /so the default takes its place/,
  ],
  ["an endpoint's domain with a wildcard where accounts have no endpoint", `${BASIC}, endpointDomain: "*.example.com"`, /none could match/],
];

/** Accepted at upload, and errors all the same: they cannot work. */
const BROKEN: readonly (readonly [name: string, config: string, warning: RegExp])[] = [
  [
    "another scheme of a client's token URL",
    'type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "ftp://example.com/t"',
    /nobody gets a token/,
  ],
  [
    "an address that no request goes to",
    'type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "mailto:a@example.com"',
    /nobody gets a token/,
  ],
  [
    "an OAuth2 URL with a blank in its host",
    'type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://exa mple.com/a", tokenUrl: "https://example.com/t"',
    /it contains a space\. Nobody can sign in there/,
  ],
  [
    "an OAuth2 URL whose port is too high",
    'type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://example.com/a", tokenUrl: "https://example.com:99999/t"',
    /its port is above 65535\. Nobody gets a token/,
  ],
  ["an OAuth2 resource whose port is too high", `${OAUTH}, resource: "https://example.com:99999/"`, /its port is above 65535/],
];

interface Judged {
  readonly isRejected: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

async function judged(config: string, formula = OWN, setter = "setUserAuthentication"): Promise<Judged> {
  const source = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n(pack as any).${setter}({ ${config} });\n${FORMULA(formula)}`;
  const findings = analyse(split(source), { toolkit: true }).diagnostics("/pack/pack.ts");
  const problems = await uploadProblemsOfSource(source).catch((error: unknown) => [{ message: `does not load: ${String(error)}` }]);
  const readMessages = (level: string): readonly string[] =>
    findings.filter(({ severity }) => severity === level).map(({ message }) => message);
  return { isRejected: problems.length > 0, errors: readMessages("error"), warnings: readMessages("warning") };
}

describe("literal values", () => {
  for (const [name, config, formula] of REJECTED)
    it(`${name} is an error, as in the validator`, async () => {
      const { isRejected, errors } = await judged(config, formula);
      assert.ok(isRejected, "the validator rejects it");
      assert.ok(errors.length > 0, "there is an error");
    });

  for (const [name, config, formula] of ACCEPTED_CASES)
    it(`${name} is no error, as in the validator`, async () => {
      const { isRejected, errors } = await judged(config, formula);
      assert.deepEqual({ isRejected, errors }, { isRejected: false, errors: [] });
    });

  for (const [name, config, warning] of WARNED)
    it(`${name} is a warning, since the validator accepts it`, async () => {
      const { isRejected, errors, warnings } = await judged(config);
      assert.deepEqual({ isRejected, errors }, { isRejected: false, errors: [] });
      assert.match(warnings.join("\n"), warning);
    });

  for (const [name, config, error] of BROKEN)
    it(`${name} is an error, although the validator accepts it, since it cannot work`, async () => {
      const { isRejected, errors } = await judged(config);
      assert.equal(isRejected, false);
      assert.match(errors.join("\n"), error);
    });

  it("an empty former name in the system authentication is an error", async () => {
    const config = `${BASIC}, postSetup: [{ ${STEP}, getOptions: async () => [], getOptionsFormula: false }]`;
    const { errors } = await judged(config, OWN.replace("Required", "None"), "setSystemAuthentication");
    assert.match(errors.join("\n"), /The upload rejects the former name/);
    const firstProblem = createQuickValidator();
    const source = `pack.addNetworkDomain("example.com");\npack.setSystemAuthentication({ ${config} });\n`;
    assert.match(firstProblem(inJavaScript({ body: source })) ?? "", /getOptionsFormula/);
  });

  // What reads a URL puts missing slashes in, and takes blanks around it off: such a token URL works.
  for (const repaired of ["https:/login.acme-api.com/t", " https://login.acme-api.com/t", "HTTPS://LOGIN.ACME-API.COM/t"])
    it(`${JSON.stringify(repaired)} is read as an address that works, without findings`, async () => {
      assert.equal(new Request(repaired).url, "https://login.acme-api.com/t");
      const config = `type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: ${JSON.stringify(repaired)}`;
      assert.deepEqual(await judged(config), { isRejected: false, errors: [], warnings: [] });
    });

  for (const broken of ["ftp://example.com/t", "mailto:a@example.com"])
    it(`${broken} cannot be fetched`, () => assert.rejects(fetch(broken), /fetch failed/));
});
