// The parts of a credential that is not typed at a prompt: in environment variables, or in an account file. One table for both, since both
// depend on the authentication type alone.

import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { flowKindOf } from "../../spec/auth-types.ts";
import { valueName } from "../../spec/own-variables.ts";
import type { Credential } from "../secrets/credential.ts";

/** A part of a credential. */
export interface CredentialField {
  /** The name in an account file. */
  readonly name: string;
  /** The name of the environment variable, after its prefix. */
  readonly variable: string;
  /** True if spaces around the value may be part of it. */
  readonly isPassword?: boolean;
  readonly isOptional?: boolean;
}

interface CredentialForm {
  readonly fields: readonly CredentialField[];
  /** Returns the credential. `read` returns the value of a field; only an optional one may be empty. */
  credential(read: (field: CredentialField) => string): Credential;
}

const TOKEN = { name: "token", variable: "TOKEN" };
const USERNAME = { name: "username", variable: "USERNAME" };
const PASSWORD = { name: "password", variable: "PASSWORD", isPassword: true };
const ACCESS_TOKEN = { name: "accessToken", variable: "ACCESS_TOKEN" };
const ACCESS_KEY_ID = { name: "accessKeyId", variable: "AWS_ACCESS_KEY_ID" };
const SECRET_ACCESS_KEY = { name: "secretAccessKey", variable: "AWS_SECRET_ACCESS_KEY" };
const SESSION_TOKEN = { name: "sessionToken", variable: "AWS_SESSION_TOKEN", isOptional: true };
const REGION = { name: "region", variable: "AWS_REGION", isOptional: true };

export function credentialForm(auth: AuthenticationDefinition): CredentialForm {
  switch (flowKindOf(auth.type) ?? "unavailable") {
    case "web-basic": {
      const alone = auth.uxConfig?.usernameOnly === true;
      return {
        fields: alone ? [USERNAME] : [USERNAME, PASSWORD],
        credential: (read) => ({ kind: "basic", username: read(USERNAME), password: alone ? "" : read(PASSWORD) }),
      };
    }
    case "authorization-code":
    case "client-credentials":
      return { fields: [ACCESS_TOKEN], credential: (read) => ({ kind: "oauth2", accessToken: read(ACCESS_TOKEN) }) };
    case "aws":
    case "aws-role":
      return {
        fields: [ACCESS_KEY_ID, SECRET_ACCESS_KEY, SESSION_TOKEN, REGION],
        credential: (read) => ({
          kind: "aws",
          accessKeyId: read(ACCESS_KEY_ID),
          secretAccessKey: read(SECRET_ACCESS_KEY),
          ...defined({ sessionToken: read(SESSION_TOKEN) || undefined, region: read(REGION) || undefined }),
        }),
      };
    case "multi-token":
    case "custom": {
      const fields = (auth.headers ?? auth.params ?? []).map(({ name }) => ({ name, variable: valueName(name) }));
      return {
        fields,
        credential: (read) => ({ kind: "values", values: Object.fromEntries(fields.map((field) => [field.name, read(field)])) }),
      };
    }
    case "token":
    case "none":
    case "unavailable":
      return { fields: [TOKEN], credential: (read) => ({ kind: "token", token: read(TOKEN) }) };
  }
}
