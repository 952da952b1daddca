// The credentials of a pack in the sandbox. They are generated, and kept as long as they fit the configuration.

import { randomBytes } from "node:crypto";
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { flowKindOf } from "../../spec/auth-types.ts";
import type { AwsKeys } from "../aws/sign-request.ts";
import type { ConfidentialClient, Credential } from "../secrets/credential.ts";

export interface SandboxSecrets {
  readonly client: ConfidentialClient;
  readonly credential?: Credential;
  /** The session for the role of AWSAssumeRole. It is not part of the account's credential. */
  readonly awsSession?: AwsKeys;
}

const secret = (kind: string): string => `sandbox-${kind}-${randomBytes(12).toString("hex")}`;

/** Returns credentials that fit the configuration. Existing credentials are kept if they still fit; the others are generated. */
export function makeSecrets(auth: AuthenticationDefinition, existingSecrets: SandboxSecrets | undefined): SandboxSecrets {
  const client = existingSecrets?.client ?? { clientId: secret("client"), clientSecret: secret("secret") };
  const credential = credentialFor(auth, existingSecrets?.credential);
  const isRole = credential?.kind === "aws" && credential.roleArn !== undefined;
  return { client, ...defined({ credential, awsSession: isRole ? (existingSecrets?.awsSession ?? awsSession()) : undefined }) };
}

function credentialFor(auth: AuthenticationDefinition, existingCredential: Credential | undefined): Credential | undefined {
  switch (flowKindOf(auth.type) ?? "unavailable") {
    case "token":
      return existingCredential?.kind === "token" ? existingCredential : { kind: "token", token: secret("token") };
    case "multi-token":
    case "custom":
      return values(auth.headers ?? auth.params, existingCredential);
    case "web-basic": {
      const usernameOnly = auth.uxConfig?.usernameOnly === true;
      if (existingCredential?.kind === "basic" && (existingCredential.password === "") === usernameOnly) return existingCredential;
      return { kind: "basic", username: usernameOnly ? secret("user") : "sandbox-user", password: usernameOnly ? "" : secret("password") };
    }
    case "aws":
    case "aws-role": {
      const roleArn = flowKindOf(auth.type) === "aws-role" ? "arn:aws:iam::123456789012:role/sandbox" : undefined;
      if (existingCredential?.kind === "aws" && existingCredential.roleArn === roleArn) return existingCredential;
      return { kind: "aws", accessKeyId: awsId("AKIA"), secretAccessKey: secret("aws"), ...defined({ roleArn }) };
    }
    // These types sign in to the sandbox's own provider.
    case "authorization-code":
    case "client-credentials":
    case "none":
    case "unavailable":
      return undefined;
  }
}

/** Returns a key ID: AKIA for a user's key, ASIA for the key of a session. */
const awsId = (prefix: string): string => `${prefix}SANDBOX${randomBytes(6).toString("hex").toUpperCase()}`;

const awsSession = (): AwsKeys => ({ accessKeyId: awsId("ASIA"), secretAccessKey: secret("aws"), sessionToken: secret("session") });

/** Generates values of lower-case letters, digits and hyphens, since a Custom value may be part of a host name. */
function values(declared: readonly { readonly name: string }[] = [], existingCredential: Credential | undefined): Credential {
  const before = existingCredential?.kind === "values" ? existingCredential.values : {};
  return {
    kind: "values",
    values: Object.fromEntries(declared.map(({ name }) => [name, (Object.hasOwn(before, name) && before[name]) || secret("value")])),
  };
}

/**
 * Returns the endpoint of a sandbox account, if the configuration needs one: the one in sandbox.json, else a host under the pack's domain.
 */
export function endpointFor(auth: AuthenticationDefinition, definition: PackDefinition, named: string | undefined): string | undefined {
  if (named !== undefined) return named;
  if (auth.requiresEndpointUrl !== true && auth.endpointKey === undefined && auth.postSetup.length === 0) return undefined;
  const own = typeof auth.networkDomain === "string" ? auth.networkDomain : auth.networkDomain?.[0];
  const domain = auth.endpointDomain ?? own ?? definition.networkDomains[0] ?? "example";
  const endpoint = `https://sandbox.${domain}`;
  return URL.canParse(endpoint) ? endpoint : "https://sandbox.example";
}
