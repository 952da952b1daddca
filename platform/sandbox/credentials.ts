// The credentials that a pack has in the sandbox: generated, and kept as long as they still fit the configuration.
import { randomBytes } from "node:crypto";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import type { ClientCredentials, Credential } from "../credential.ts";

export interface SandboxSecrets {
  readonly client: Required<ClientCredentials>;
  readonly credential?: Credential;
}

const secret = (kind: string): string => `sandbox-${kind}-${randomBytes(12).toString("hex")}`;

/** New credentials where there are none or the configuration asks for others now; what still fits stays. */
export function makeSecrets(auth: AuthenticationDefinition, known: SandboxSecrets | undefined): SandboxSecrets {
  const client = known?.client ?? { clientId: secret("client"), clientSecret: secret("secret") };
  const credential = credentialFor(auth, known?.credential);
  return credential === undefined ? { client } : { client, credential };
}

function credentialFor(auth: AuthenticationDefinition, known: Credential | undefined): Credential | undefined {
  switch (auth.type) {
    case "HeaderBearerToken":
    case "CodaApiHeaderBearerToken":
    case "CustomHeaderToken":
    case "QueryParamToken":
      return known?.kind === "token" ? known : { kind: "token", token: secret("token") };
    case "MultiHeaderToken":
      return values(auth.headers, known);
    case "MultiQueryParamToken":
    case "Custom":
      return values(auth.params, known);
    case "WebBasic": {
      const usernameOnly = auth.uxConfig?.usernameOnly === true;
      if (known?.kind === "basic" && (known.password === "") === usernameOnly) return known;
      return { kind: "basic", username: usernameOnly ? secret("user") : "sandbox-user", password: usernameOnly ? "" : secret("password") };
    }
    default:
      return undefined;
  }
}

/** Lower-case letters, digits and hyphens only, since a Custom value may stand in a host. */
function values(declared: readonly { readonly name: string }[] = [], known: Credential | undefined): Credential {
  const before = known?.kind === "values" ? known.values : {};
  return {
    kind: "values",
    values: Object.fromEntries(declared.map(({ name }) => [name, (Object.hasOwn(before, name) && before[name]) || secret("value")])),
  };
}

/** The endpoint of a sandbox account, where the configuration needs one: what sandbox.json names, else one under the pack's domain. */
export function endpointFor(auth: AuthenticationDefinition, definition: PackDefinition, named: string | undefined): string | undefined {
  if (named !== undefined) return named;
  if (auth.requiresEndpointUrl !== true && auth.endpointKey === undefined) return undefined;
  const own = typeof auth.networkDomain === "string" ? auth.networkDomain : auth.networkDomain?.[0];
  const domain = auth.endpointDomain ?? own ?? definition.networkDomains[0] ?? "example";
  const endpoint = `https://sandbox.${domain}`;
  return URL.canParse(endpoint) ? endpoint : "https://sandbox.example";
}
