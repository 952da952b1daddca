// The descriptions of @readme/oas-examples, which are nobody's API and everybody's shapes. @readme/openapi-parser judges how references are
// followed.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PackAuthError } from "../../platform/errors.ts";
import { parseDescription } from "../../platform/setup/openapi/parse-description.ts";
import { Part } from "../../platform/setup/openapi/raw.ts";
import { readDescription } from "../../platform/setup/openapi/read-description.ts";
import type { Answers } from "../../platform/setup/outcome.ts";
import { openApiReader } from "../../platform/setup/readers/openapi.ts";
import { readEvidence, summaryOf } from "../platform/setup/readers/read-evidence.ts";

const reader = openApiReader((text) => ({ kind: "impossible", reason: "device-grant", origin: text }));

const require = createRequire(import.meta.url);

// The compiler does not see the packages of this folder, which are installed for these tests only.
const { dereference } = require("@readme/openapi-parser") as {
  dereference(description: unknown, options: { readonly resolve: { readonly external: boolean } }): Promise<unknown>;
};

const folder = dirname(require.resolve("@readme/oas-examples/package.json"));
const filesOf = (format: "json" | "yaml"): readonly string[] =>
  ["2.0", "3.0", "3.1"].flatMap((version) =>
    readdirSync(join(folder, version, format), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(`.${format}`))
      .map((name) => join(version, format, name)),
  );
const load = (file: string): string => readFileSync(join(folder, file), "utf8");

async function outcomeOf(text: string, answers?: Answers): Promise<string> {
  try {
    return summaryOf(await readEvidence(reader, text, answers));
  } catch (error) {
    if (error instanceof PackAuthError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

const OAUTH2 = "oauth2.flows";
const asks = (...schemes: readonly string[]): string =>
  `security? ${schemes.map((scheme) => `components.securitySchemes.${scheme}`).join(" | ")}`;

/** The security scheme of security.json → its outcome. */
const SCHEMES: Readonly<Record<string, readonly [outcome: string, answers?: Answers]>> = {
  apiKey_cookie: ["impossible session-login: components.securitySchemes.apiKey_cookie"],
  apiKey_header: ["CustomHeaderToken headerName=X-API-KEY"],
  apiKey_query: ["QueryParamToken paramName=apiKey"],
  basic: ["WebBasic"],
  bearer: ["HeaderBearerToken"],
  bearer_jwt: ["HeaderBearerToken"],
  mutualTLS: ["impossible mutual-tls: components.securitySchemes.mutualTLS"],
  oauth2: [
    "security? components.securitySchemes.oauth2.flows.authorizationCode | components.securitySchemes.oauth2.flows.clientCredentials",
  ],
  oauth2_authorizationCode: [
    'OAuth2 authorizationUrl=https://alt.example.com/oauth/dialog tokenUrl=https://alt.example.com/oauth/token scopes=["write:things"]',
    { scopes: "all" },
  ],
  oauth2_clientCredentials: [
    'system OAuth2ClientCredentials tokenUrl=https://alt.example.com/oauth/token scopes=["write:things"]',
    { client: "system", scopes: "all" },
  ],
  oauth2_implicit: ["impossible implicit-grant: components.securitySchemes.oauth2_implicit.flows.implicit"],
  oauth2_password: ["impossible password-grant: components.securitySchemes.oauth2_password.flows.password"],
  openIdConnect: ["impossible device-grant: https://example.com/.well-known/openid-configuration"],
};

/** The path of security-multiple.json → the outcome of what its operation demands. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  "/anything/and":
    'MultiHeaderToken headers=[{"name":"X-API-KEY","description":"Your value of the header X-API-KEY"},{"name":"Authorization","description":"Base64 of user name:password","tokenPrefix":"Basic"}]',
  "/anything/or": asks(`${OAUTH2}.authorizationCode`, `${OAUTH2}.clientCredentials`, "apiKey_header"),
  "/anything/and-or":
    "impossible oauth-and-key: components.securitySchemes.oauth2.flows.authorizationCode and components.securitySchemes.apiKey_header",
  "/anything/many-and-or": asks(`${OAUTH2}.authorizationCode`, `${OAUTH2}.clientCredentials`, "basic", "bearer"),
};

/** The example → its outcome without an answer. */
const EXAMPLES: Readonly<Record<string, string>> = {
  "2.0/json/petstore.json": "impossible implicit-grant: securityDefinitions.petstore_auth",
  "2.0/json/petstore-simple.json": "impossible implicit-grant: securityDefinitions.petstore_auth",
  "2.0/json/petstore-minimal.json": "no-security? none | curl",
  "3.0/json/petstore.json": "impossible implicit-grant: components.securitySchemes.petstore_auth.flows.implicit",
  "3.0/json/petstore-simple.json": "WebBasic",
  "3.0/json/readme-extensions.json": "impossible implicit-grant: components.securitySchemes.petstore_auth.flows.implicit",
  "3.0/json/readme-legacy.json": "WebBasic",
  "3.0/json/security.json": `${asks("apiKey_query", "apiKey_header", "basic", "bearer", `${OAUTH2}.authorizationCode`, `${OAUTH2}.clientCredentials`, "oauth2_authorizationCode.flows.authorizationCode", "oauth2_clientCredentials.flows.clientCredentials", "openIdConnect")} | none`,
  "3.0/json/server-variables.json": "no-security? none | curl",
  "3.0/json/uspto.json": "no-security? none | curl",
  "3.1/json/readme.json": "HeaderBearerToken",
  "3.1/json/train-travel.json":
    'OAuth2 authorizationUrl=https://example.com/oauth/authorize tokenUrl=https://example.com/oauth/token scopes=["read"]',
  "3.1/json/webhooks.json": "no-security? none | curl",
};

describe("the examples of descriptions", () => {
  for (const version of ["3.0", "3.1"]) {
    const description = JSON.parse(load(`${version}/json/security.json`));
    for (const scheme of Object.keys(description.components.securitySchemes))
      it(`${version}, ${scheme}: the expected configuration, question or refusal`, async () => {
        const [outcome, answers] = SCHEMES[scheme] ?? [];
        assert.equal(await outcomeOf(JSON.stringify({ ...description, security: [{ [scheme]: [] }] }), answers), outcome);
      });
  }

  const several = JSON.parse(load("3.0/json/security-multiple.json"));
  for (const [path, outcome] of Object.entries(REQUIREMENTS))
    it(`the schemes of ${path} together: the expected question or refusal`, async () => {
      assert.equal(await outcomeOf(JSON.stringify({ ...several, paths: { [path]: several.paths[path] } })), outcome);
    });

  for (const [file, outcome] of Object.entries(EXAMPLES))
    it(`${file}: the expected configuration, question or refusal`, async () => {
      assert.equal(await outcomeOf(load(file)), outcome);
    });

  it("an example as YAML has the servers and the security of JSON", () => {
    const readWithoutOperations = (file: string) => ({ ...readDescription(parseDescription(load(file))), operations: [] });
    for (const file of filesOf("yaml"))
      assert.deepEqual(readWithoutOperations(file), readWithoutOperations(file.replaceAll("yaml", "json")), file);
  });

  it("references lead to what the library puts in their place", async () => {
    for (const file of filesOf("json")) {
      const description = readDescription(parseDescription(load(file)));
      const judge = await dereference(JSON.parse(load(file)), { resolve: { external: false } });
      assert.deepEqual(description, readDescription(new Part(judge)), file);
    }
  });
});
