// Which values of a credential are too short to be masked: people are told when they connect, before any of them can reach a log.
import type { Credential } from "./credential.ts";
import { SHORTEST_SECRET } from "./redact.ts";

/** What people call the values that would be shown unmasked: `the password`, `region`. */
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
      // Some services take the key as the user name and no password.
      return credential.password === "" ? { ["the user name"]: credential.username } : { ["the password"]: credential.password };
    case "oauth2":
      return { ["the access token"]: credential.accessToken };
    case "aws":
      return { ["the secret access key"]: credential.secretAccessKey };
  }
}
