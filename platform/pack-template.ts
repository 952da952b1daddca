// The files of a new pack for each authentication type: a valid source, the responses of its API in the sandbox, and the compiler's
// settings. This module returns texts only; the caller writes the files.
import type { AuthTypeName } from "../spec/auth-types.ts";

/** The authentication types that anybody can connect. */
export type NewPackType = Exclude<
  AuthTypeName,
  "Various" | "CodaApiHeaderBearerToken" | "GoogleServiceAccount" | "GoogleDomainWideDelegation"
>;

/** The formula that every new pack has. */
export const NEW_FORMULA = "Greeting";

/** The guides for coding agents: a path in a pack → its text in media/agents, which docs/agents.md also links to. */
export const AGENT_GUIDES: Readonly<Record<string, string>> = {
  "AGENTS.md": "AGENTS.md",
  ".claude/skills/pack-authentication/SKILL.md": "SKILL.md",
};

interface Recipe {
  /** Members of the configuration that follow its type. */
  readonly configuration?: readonly string[];
  /** The API's network domain; `acme.example` by default. */
  readonly domain?: string;
  readonly host?: string;
  /** Members of each request that follow its URL. */
  readonly request?: readonly string[];
}

/** The types in the order of the menu: the ones that most APIs use come first. */
const RECIPES: Readonly<Record<NewPackType, Recipe>> = {
  HeaderBearerToken: {},
  OAuth2: {
    configuration: [
      'authorizationUrl: "https://auth.acme.example/authorize",',
      'tokenUrl: "https://auth.acme.example/token",',
      'scopes: ["profile"],',
      "useProofKeyForCodeExchange: true,",
    ],
  },
  CustomHeaderToken: { configuration: ['headerName: "X-Api-Key",'] },
  QueryParamToken: { configuration: ['paramName: "api_key",'] },
  WebBasic: {},
  Custom: {
    configuration: ['params: [{ name: "key", description: "Your API key." }],'],
    request: [
      "// The platform puts the value in: the code never sees it.",
      'headers: { "X-Api-Key": `{{key-${context.invocationToken}}}` },',
    ],
  },
  MultiHeaderToken: {
    configuration: [
      "headers: [",
      '  { name: "X-App-Id", description: "The ID of your application." },',
      '  { name: "X-Api-Key", description: "Your API key." },',
      "],",
    ],
  },
  MultiQueryParamToken: {
    configuration: [
      "params: [",
      '  { name: "app_id", description: "The ID of your application." },',
      '  { name: "api_key", description: "Your API key." },',
      "],",
    ],
  },
  OAuth2ClientCredentials: { configuration: ['tokenUrl: "https://auth.acme.example/token",', 'scopes: ["profile"],'] },
  AWSAccessKey: { configuration: ['service: "s3",'], domain: "amazonaws.com", host: "acme.s3.eu-west-1.amazonaws.com" },
  AWSAssumeRole: { configuration: ['service: "s3",'], domain: "amazonaws.com", host: "acme.s3.eu-west-1.amazonaws.com" },
  None: {},
};

export const NEW_PACK_TYPES = Object.keys(RECIPES) as readonly NewPackType[];

const indent = (lines: readonly string[], by: string): string => lines.map((line) => `${by}${line}\n`).join("");

const PARAMETER = `  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "word",
      description: "The word to greet with.",
      suggestedValue: "Hello",
    }),
  ],
  resultType: coda.ValueType.String,
`;

function source(type: NewPackType): string {
  const head = `import * as coda from "@codahq/packs-sdk";\n\nexport const pack = coda.newPack();\n`;
  if (type === "None")
    return `${head}
pack.addFormula({
  name: "${NEW_FORMULA}",
  description: "Greets the world.",
${PARAMETER}  execute: async function ([word]) {
    return \`\${word}, world!\`;
  },
});
`;
  const { configuration = [], domain = "acme.example", host = "api.acme.example", request = [] } = RECIPES[type];
  const fetch = indent(
    [
      "const response = await context.fetcher.fetch({",
      '  method: "GET",',
      `  url: "https://${host}/me",`,
      ...request.map((line) => `  ${line}`),
      "});",
    ],
    "    ",
  );
  return `${head}
// Requests go to this domain and those below it: write your API's, here and in the URLs.
pack.addNetworkDomain("${domain}");

pack.setUserAuthentication({
  type: coda.AuthenticationType.${type},
${indent(configuration, "  ")}  // Names each account after its user.
  getConnectionName: async function (context) {
${fetch}    return response.body.name;
  },
});

pack.addFormula({
  name: "${NEW_FORMULA}",
  description: "Greets the user of the account.",
${PARAMETER}  execute: async function ([word], context) {
${fetch}    return \`\${word}, \${response.body.name}!\`;
  },
});
`;
}

const COMPILER = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2022"],
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ["**/*.ts"],
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the text of each file by its name. `name` is the package's name. */
export function newPack(type: NewPackType, name: string): Readonly<Record<string, string>> {
  const { host = "api.acme.example" } = RECIPES[type];
  return packFolder(name, source(type), type === "None" ? [] : [{ request: `GET https://${host}/me`, body: { name: "Alice" } }]);
}

/** Returns the text of each file of a folder that begins with a pack. `answers` are those of its sandbox. */
export const packFolder = (name: string, pack: string, answers: readonly object[]): Readonly<Record<string, string>> => ({
  "pack.ts": pack,
  ...(answers.length === 0 ? {} : { "sandbox.json": json({ answers }) }),
  "tsconfig.json": json(COMPILER),
  "package.json": json({ name, private: true }),
});

/** Returns a name of a package for a folder. */
export const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "pack";
