// Scopes that formulas and tables ask for, and admin authentications, judged by the toolkit's own upload validator and by us: an error
// where it rejects, and none where it accepts.
import assert from "node:assert/strict";
import { analyse } from "../support/analyse.ts";
import { uploadProblemsOfSource } from "../support/validator.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
`;
const BEARER = "type: coda.AuthenticationType.HeaderBearerToken";
const OAUTH = `type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t"`;
const user = (fields: string): string => `pack.setUserAuthentication({ ${fields} } as any);\n`;
const system = (fields: string): string => `pack.setSystemAuthentication({ ${fields} } as any);\n`;
const formula = (more: string): string =>
  `pack.addFormula({ name: "Read", description: "Reads.", parameters: [], resultType: coda.ValueType.String, ${more} execute: async () => "" } as any);\n`;
const table = (more: string, outer = ""): string =>
  `pack.addSyncTable({ name: "Items", identityName: "Item", ${outer} schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }), formula: { name: "SyncItems", description: "Items.", parameters: [], ${more} execute: async () => ({ result: [] }) } } as any);\n`;
const dynamic = (more: string): string =>
  `pack.addDynamicSyncTable({ name: "Boards", identityName: "Board", getName: async () => "Board", getSchema: async () => coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }), getDisplayUrl: async () => "https://acme.example/", formula: { name: "SyncBoards", description: "Boards.", parameters: [], ${more} execute: async () => ({ result: [] }) } } as any);\n`;
const admin = (
  {
    name = '"Admins"',
    displayName = '"Admins"',
    description = '"For admins."',
    authentication = `{ ${BEARER} }`,
  }: Record<string, string> = {},
  more = "",
): string =>
  `pack.addAdminAuthentication({ name: ${name}, displayName: ${displayName}, description: ${description}, authentication: ${authentication}${more} } as any);\n`;

const LISTS = [
  '["write"]',
  "[]",
  '["a", "b"]',
  '"write"',
  "[1]",
  "[null]",
  "[undefined]",
  "{}",
  "null",
  "undefined",
  "true",
  "`write`",
  '"write".split(",")',
  '["a"].map((one) => one)',
  "[`a`]",
  '[["a"]]',
];

const SOURCES: readonly string[] = [
  ...LISTS.map((list) => user(OAUTH) + formula(`extraOAuthScopes: ${list},`)),
  ...LISTS.map((list) => user(OAUTH) + table(`extraOAuthScopes: ${list},`)),
  ...LISTS.map((list) => user(OAUTH) + table(`updateOptions: { extraOAuthScopes: ${list} }, executeUpdate: async () => ({ result: [] }),`)),
  ...[
    "{}",
    "null",
    "undefined",
    '"x"',
    "[]",
    "1",
    "true",
    '{ scopes: ["a"] }',
    '{ extraOAuthScopes: ["a"], more: 1 }',
    "{ more: undefined }",
  ].map((options) => user(OAUTH) + table(`updateOptions: ${options},`)),
  user(OAUTH) + table("", 'extraOAuthScopes: "a",'),
  ...[
    'extraOAuthScopes: ["a"],',
    'extraOAuthScopes: "a",',
    "updateOptions: {},",
    'updateOptions: { scopes: ["a"] },',
    'allowedAuthenticationNames: ["x"],',
  ].map((more) => user(OAUTH) + dynamic(more)),
  user(BEARER) + formula('extraOAuthScopes: ["write"],'),
  formula('extraOAuthScopes: ["write"],'),
  formula('updateOptions: "x",'),
  admin(),
  ...[
    '"A"',
    '"a_1"',
    '"Ä"',
    '""',
    '"_a"',
    '"1a"',
    '"a b"',
    '"a-b"',
    '"defaultUserAuthentication"',
    '"systemAuthentication"',
    '"DefaultUserAuthentication"',
    `"${"a".repeat(50)}"`,
    `"${"a".repeat(51)}"`,
    "1",
    "null",
    "undefined",
    '"a".toUpperCase()',
  ].map((name) => admin({ name })),
  ...['""', '" "', `"${"d".repeat(50)}"`, `"${"d".repeat(51)}"`, "1", "undefined", "[]"].map((displayName) => admin({ displayName })),
  ...['""', `"${"d".repeat(1000)}"`, `"${"d".repeat(1001)}"`, "{}", "undefined"].map((description) => admin({ description })),
  ...[
    "{ type: coda.AuthenticationType.None }",
    "{ type: coda.AuthenticationType.Various }",
    "{ type: coda.AuthenticationType.CustomHeaderToken }",
    '{ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key" }',
    "{ type: coda.AuthenticationType.QueryParamToken }",
    `{ ${OAUTH} }`,
    "{ type: coda.AuthenticationType.OAuth2 }",
    "{ type: coda.AuthenticationType.OAuth2ClientCredentials }",
    '{ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://login.acme.example/t" }',
    "{ type: coda.AuthenticationType.WebBasic, uxConfig: { usernameOnly: true } }",
    '{ type: coda.AuthenticationType.WebBasic, uxConfig: "x" }',
    '{ type: coda.AuthenticationType.Custom, params: [{ name: "k", description: "K" }] }',
    "{ type: coda.AuthenticationType.Custom }",
    "{ type: coda.AuthenticationType.Custom, params: [] }",
    '{ type: "Bearer" }',
    "{}",
    "null",
    "undefined",
    '"HeaderBearerToken"',
    "[]",
    `{ ${BEARER}, requiresEndpointUrl: true }`,
    `{ ${BEARER}, networkDomain: "acme.example" }`,
    `{ ${BEARER}, networkDomain: "other.example" }`,
    `{ ${BEARER}, defaultConnectionRequirement: coda.ConnectionRequirement.None }`,
    `{ ${BEARER}, getConnectionName: async () => "x" }`,
    `{ ${BEARER}, unknownField: 1 }`,
  ].map((authentication) => admin({ authentication })),
  admin({}, ", more: 1"),
  admin() + admin({ name: '"Others"' }),
  admin() + admin(),
  `pack.addAdminAuthentication({ authentication: { ${BEARER} } } as any);\n`,
  `pack.addNetworkDomain("cdn.example");\n${admin()}`,
  `pack.addNetworkDomain("cdn.example");\n${admin({ authentication: `{ ${BEARER}, networkDomain: "cdn.example" }` })}`,
  user(BEARER) + admin(),
  system(BEARER) + admin(),
  admin() + formula("connectionRequirement: coda.ConnectionRequirement.Required,"),
  admin() + formula("connectionRequirement: coda.ConnectionRequirement.None,"),
  admin() + formula(""),
  admin() + table("connectionRequirement: coda.ConnectionRequirement.Optional,"),
  admin() + table("", "connectionRequirement: coda.ConnectionRequirement.Required,"),
  admin() + user(BEARER) + formula("connectionRequirement: coda.ConnectionRequirement.Required,"),
  ...[
    '["Admins"]',
    '["defaultUserAuthentication"]',
    '["systemAuthentication"]',
    '["Admin"]',
    '["admins"]',
    "[]",
    '["Admins", "Nobody"]',
    '"Admins"',
    "[1]",
    "null",
    "undefined",
    '["Admins".trim()]',
  ].map((names) => admin() + formula(`allowedAuthenticationNames: ${names},`)),
  admin() + table('allowedAuthenticationNames: ["Admins"],'),
  admin() + table('allowedAuthenticationNames: ["Nobody"],'),
  admin() + formula('allowedAuthenticationNames: ["Admins"], connectionRequirement: coda.ConnectionRequirement.None,'),
  admin() + user(BEARER) + formula('allowedAuthenticationNames: ["Admins"], connectionRequirement: coda.ConnectionRequirement.Required,'),
  user(BEARER) + formula('allowedAuthenticationNames: ["Admins"],'),
  user(BEARER) + formula('allowedAuthenticationNames: ["defaultUserAuthentication"],'),
  formula('allowedAuthenticationNames: ["systemAuthentication"],'),
  `const NAME = "Admins";\n${admin({ name: "NAME" })}${formula("allowedAuthenticationNames: [NAME],")}`,
  `const AUTH = { ${BEARER} } as const;\n${admin({ authentication: "AUTH" })}`,
  `const AUTH = { type: coda.AuthenticationType.None } as const;\n${admin({ authentication: "AUTH" })}`,
  `const f = (): string => process.env.X ?? "Admins";\n${admin({ name: "f()" })}${formula("allowedAuthenticationNames: [f()],")}`,
];

/** What does not load is never uploaded. */
const judged = (body: string): Promise<readonly unknown[]> =>
  uploadProblemsOfSource(HEAD + body).catch((error: unknown) => [`does not load: ${String(error)}`]);

describe("scopes and admin authentications, judged by the upload validator", function () {
  this.timeout(120_000);

  it("the rejected sources are at least forty, and the accepted ones too", async () => {
    const problems = await Promise.all(SOURCES.map(judged));
    const rejected = problems.filter(({ length }) => length > 0).length;
    assert.ok(rejected >= 40 && SOURCES.length - rejected >= 40, `${rejected} of ${SOURCES.length}`);
  });

  for (const [index, body] of SOURCES.entries()) {
    it(`source ${index + 1} is judged as by the validator: ${body
      .trim()
      .split("\n")
      .join(" ")
      .replace(/schema: coda.*?"id" }\), /g, "")
      .slice(0, 260)}`, async () => {
      const problems = await judged(body);
      const errors = analyse({ "/pack/pack.ts": HEAD + body }, { toolkit: true })
        .diagnostics("/pack/pack.ts")
        .filter(({ severity }) => severity === "error")
        .map(({ rule, message }) => `${rule}: ${message}`);
      assert.equal(errors.length > 0, problems.length > 0, `the validator: ${JSON.stringify(problems)}; ours: ${JSON.stringify(errors)}`);
    });
  }
});
