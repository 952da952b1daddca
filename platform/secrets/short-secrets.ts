// Finds values of a credential that are too short to be masked. People are warned about them when they connect, before a value can reach a
// log.
import type { Credential } from "./credential.ts";
import { SHORTEST_SECRET } from "./redact.ts";

/** Returns the names of the values that would be shown unmasked: `the password`, `region`. */
export function shortSecrets(credential: Credential): readonly string[] {
  return Object.entries(namedSecrets(credential)).flatMap(([name, value]) =>
    value !== "" && value.trim().length < SHORTEST_SECRET ? [name] : [],
  );
}

function namedSecrets(credential: Credential): Readonly<Record<string, string>> {
  switch (credential.kind) {
    case "token":
      return { ["the token"]: credential.token };
    case "values":
      return credential.values;
    case "basic":
      // Some services use the user name as the key, without a password.
      return credential.password === "" ? { ["the user name"]: credential.username } : { ["the password"]: credential.password };
    case "oauth2":
      return { ["the access token"]: credential.accessToken };
    case "aws":
      return { ["the secret access key"]: credential.secretAccessKey };
  }
}
