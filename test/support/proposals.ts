// Proposals for each authentication type, and their sources.
import { existsSync, readFileSync, statSync } from "node:fs";
import type { Proposal, ProposedField } from "../../protocol/setup.ts";
import type { SetupAnswer, WrittenSetup } from "../../protocol/written-setup.ts";
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { answerSetup } from "../../server/analysis/features/setup/setup-answer.ts";
import type { AuthTypeName } from "../../spec/auth-type-name.ts";

const API = "https://api.acme.example";

const field = (name: string, value: ProposedField["value"]): ProposedField => ({ name, value, origin: `the ${name} of the description` });

const ME = {
  method: "GET",
  url: [`${API}/me`],
  headers: [{ name: "Accept", value: ["application/json"] }],
  origin: "the operation getMe",
  namePath: ["data", "name"],
} as const satisfies Proposal["userRequest"];

const FORMULA: Proposal["formula"] = {
  name: "GetIssues",
  description: "Returns the issues.",
  parameters: [],
  request: { method: "GET", url: [`${API}/issues?state=open`], headers: [], origin: "the cURL command" },
};

interface Changes extends Partial<Omit<Proposal, "formula">> {
  /** Null for none. */
  readonly formula?: Proposal["formula"] | null;
}

/** Returns a proposal for an API with a request that names the user, and a formula without parameters. */
export const proposal = (type: AuthTypeName, { formula = FORMULA, ...more }: Changes = {}): Proposal => ({
  scope: "user",
  type,
  typeOrigin: "the security scheme of the description",
  fields: [],
  domains: [{ domain: "acme.example", origin: "the URL of the cURL command" }],
  ...(type === "None" ? {} : { userRequest: ME }),
  ...(formula ? { formula } : {}),
  remarks: [],
  ...more,
});

const inCustomHeader = (name: string) => [{ name: "X-Api-Key", value: ["Key ", { credential: name }] }] as const;

const AWS = [{ domain: "amazonaws.com", origin: "the URL of the cURL command" }] as const;
const BUCKET = { ...ME, url: ["https://acme.s3.eu-west-1.amazonaws.com/me"] } as const;

/** One proposal or more for each type that anybody can connect. */
export const PROPOSALS: readonly Proposal[] = [
  proposal("None"),
  proposal("HeaderBearerToken", { fields: [field("instructionsUrl", "https://acme.example/help")] }),
  proposal("HeaderBearerToken", { scope: "system" }),
  proposal("CustomHeaderToken", { fields: [field("headerName", "X-Api-Key"), field("tokenPrefix", "Token")] }),
  proposal("QueryParamToken", { fields: [field("paramName", "api_key")] }),
  proposal("WebBasic", { fields: [field("uxConfig", { placeholderUsername: "API key", usernameOnly: true })] }),
  proposal("MultiHeaderToken", {
    fields: [
      field("headers", [
        { name: "X-App-Id", description: "The ID of your application." },
        { name: "X-Api-Key", description: "Your API key.", tokenPrefix: "Token" },
      ]),
    ],
  }),
  proposal("MultiQueryParamToken", {
    fields: [
      field("params", [
        { name: "app_id", description: "The ID." },
        { name: "api_key", description: "The key." },
      ]),
    ],
  }),
  proposal("Custom", {
    fields: [field("params", [{ name: "key", description: "Your API key." }])],
    userRequest: { ...ME, headers: inCustomHeader("key") },
    formula: {
      name: "CreateIssue",
      description: "Creates an issue.",
      parameters: [],
      request: {
        method: "POST",
        url: [`${API}/issues/`, { credential: "key" }],
        headers: [...inCustomHeader("key"), { name: "Content-Type", value: ["application/json"] }],
        body: ['{"token":"', { credential: "key" }, '","labels":["a","b"]}'],
        origin: "the cURL command",
      },
    },
  }),
  proposal("OAuth2", {
    fields: [
      field("authorizationUrl", "https://auth.acme.example/authorize"),
      field("tokenUrl", "https://auth.acme.example/token"),
      field("scopes", ["profile", "offline_access"]),
      field("credentialsLocation", "AuthorizationHeader"),
      field("additionalParams", { audience: "acme", prompt: "consent" }),
      field("useProofKeyForCodeExchange", true),
    ],
  }),
  proposal("OAuth2", {
    fields: [
      field("authorizationUrl", "https://auth.acme.example/authorize"),
      field("tokenUrl", "https://auth.acme.example/token"),
      field("endpointKey", "instance_url"),
    ],
    userRequest: { ...ME, url: [{ endpoint: true }, "/me"] },
    formula: null,
  }),
  proposal("OAuth2ClientCredentials", {
    fields: [field("tokenUrl", "https://auth.acme.example/token"), field("scopes", ["profile"])],
  }),
  proposal("HeaderBearerToken", {
    fields: [field("requiresEndpointUrl", true), field("endpointDomain", "acme.example")],
    userRequest: { ...ME, url: [{ endpoint: true }, "/me"] },
    formula: {
      name: "GetIssues",
      description: "Returns the issues.",
      parameters: [],
      request: { method: "GET", url: [{ endpoint: true }, "?state=open"], headers: [], origin: "the cURL command" },
    },
  }),
  proposal("AWSAccessKey", { fields: [field("service", "s3")], domains: AWS, userRequest: BUCKET, formula: null }),
  proposal("AWSAssumeRole", { fields: [field("service", "s3")], domains: AWS, userRequest: BUCKET, formula: null }),
];

/** Writes a proposal into sources in memory; all other files are read from disk. */
export function answered(entry: string, own: Proposal, files: Readonly<Record<string, string>>): SetupAnswer {
  const read = (path: string): string | undefined =>
    files[path] ?? (existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : undefined);
  return answerSetup(entry, own, read, (readNow) => {
    const analysis = createAnalysis({ readFile: readNow, reportsSyntax: true });
    analysis.addCandidates(Object.keys(files));
    return analysis;
  });
}

/** Returns the sources. Throws if the proposal cannot be written. */
export function written(entry: string, own: Proposal, files: Readonly<Record<string, string>>): WrittenSetup {
  const answer = answered(entry, own, files);
  if ("problem" in answer) throw new Error(answer.problem);
  return answer;
}
