// An account from environment variables, for continuous integration: PACK_AUTH_TOKEN and the like, by the pack's own type of
// authentication. With --account LABEL the names carry the label (PACK_AUTH_ALICE_TOKEN), for system authentication SYSTEM.
import type { Credential } from "../platform/credential.ts";
import { normaliseEndpoint } from "../platform/endpoint.ts";
import type { RunAccount } from "../platform/run-options.ts";
import type { AuthenticationDefinition, PackDefinition } from "../protocol/definition.ts";

export interface EnvironmentAccount {
  readonly account?: RunAccount;
  /** The variables that would make one, for what the pack needs. */
  readonly wanted: readonly string[];
}

/** Letters, digits and underscores, as shells take them. */
const shellName = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

/** The user's account where its variables are set, else the system's. */
export function accountFromEnvironment(definition: PackDefinition, label: string | undefined, env: NodeJS.ProcessEnv): EnvironmentAccount {
  const name = label === undefined ? "" : `${shellName(label)}_`;
  const wanted: string[] = [];
  for (const [scope, auth, prefix] of [
    ["user", definition.userAuthentication, `PACK_AUTH_${name}`],
    ["system", definition.systemAuthentication, `PACK_AUTH_SYSTEM_${name}`],
  ] as const) {
    if (auth === undefined || auth.type === "None") continue;
    const variables = variablesOf(auth);
    wanted.push(...variables.required.map((variable) => prefix + variable));
    const credential = variables.read((variable) => env[prefix + variable] || undefined);
    if (credential === undefined) continue;
    const endpoint = env[`${prefix}ENDPOINT`];
    if (auth.requiresEndpointUrl === true && !endpoint) wanted.push(`${prefix}ENDPOINT`);
    return { wanted, account: { scope, credential, ...(endpoint ? { endpoint: normaliseEndpoint(endpoint) } : {}) } };
  }
  return { wanted };
}

interface Variables {
  readonly required: readonly string[];
  read(variable: (name: string) => string | undefined): Credential | undefined;
}

function variablesOf(auth: AuthenticationDefinition): Variables {
  const names = (auth.headers ?? auth.params)?.map((each) => each.name);
  switch (auth.type) {
    case "WebBasic": {
      const alone = auth.uxConfig?.usernameOnly === true;
      return {
        required: alone ? ["USERNAME"] : ["USERNAME", "PASSWORD"],
        read(variable) {
          const username = variable("USERNAME");
          const password = alone ? "" : variable("PASSWORD");
          return username === undefined || password === undefined ? undefined : { kind: "basic", username, password };
        },
      };
    }
    case "OAuth2":
    case "OAuth2ClientCredentials":
      return {
        required: ["ACCESS_TOKEN"],
        read(variable) {
          const accessToken = variable("ACCESS_TOKEN");
          return accessToken === undefined ? undefined : { kind: "oauth2", accessToken };
        },
      };
    case "AWSAccessKey":
    case "AWSAssumeRole":
      return {
        required: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
        read(variable) {
          const [accessKeyId, secretAccessKey] = [variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY")];
          const [sessionToken, region] = [variable("AWS_SESSION_TOKEN"), variable("AWS_REGION")];
          return accessKeyId === undefined || secretAccessKey === undefined
            ? undefined
            : {
                kind: "aws",
                accessKeyId,
                secretAccessKey,
                ...(sessionToken === undefined ? {} : { sessionToken }),
                ...(region === undefined ? {} : { region }),
              };
        },
      };
    default:
      return names === undefined ? oneToken : namedValues(names);
  }
}

const oneToken: Variables = {
  required: ["TOKEN"],
  read(variable) {
    const token = variable("TOKEN");
    return token === undefined ? undefined : { kind: "token", token };
  },
};

const namedValues = (names: readonly string[]): Variables => ({
  required: names.map(shellName),
  read(variable) {
    const values = names.map((each) => [each, variable(shellName(each))] as const);
    return values.some(([, value]) => value === undefined)
      ? undefined
      : { kind: "values", values: Object.fromEntries(values) as Record<string, string> };
  },
});
