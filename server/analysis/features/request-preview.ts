// Previews the request of a configuration, with `••••` for values that only the platform knows.
import { flowKindOf } from "../../../spec/auth-types.ts";
import { paramNames, placeholderOf, textIn } from "../configuration/config.ts";
import { placesIn } from "../configuration/credential-placement.ts";
import { mayHaveEndpoint } from "../configuration/endpoint-source.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";

const SECRET = "••••";

/** Returns header lines, or a request line if the credential is in the URL. */
export function requestPreview(pack: PackModel, auth: AuthConfig): string {
  const flow = flowKindOf(auth.type ?? "");
  if (flow === "custom") {
    const names = paramNames(pack, auth);
    return (names.length > 0 ? names : ["<name>"]).map((name) => `${placeholderOf(name)} → ${SECRET}`).join("\n");
  }
  const places = placesIn(pack, auth);
  if (places.length === 0) return "No credential.";
  const query = places.flatMap(({ in: where, name = "" }) => (where === "query" ? [`${inQuery(name)}=${SECRET}`] : []));
  if (query.length > 0) return `GET https://${hostOf(pack, auth)}/…?${query.join("&")}`;
  const value = flow === "aws" ? signed(pack, auth) : SECRET;
  return places.map(({ name, prefix }) => `${name}: ${prefix === undefined || prefix === "" ? "" : `${prefix} `}${value}`).join("\n");
}

const hostOf = (pack: PackModel, auth: AuthConfig): string =>
  mayHaveEndpoint(pack, auth) ? "<endpoint>" : (pack.domains.declared[0]?.value ?? "…");

/** Encodes a name as it is sent; a placeholder for an unknown name stays as it is. */
const inQuery = (name: string): string => (name.startsWith("<") ? name : encodeURIComponent(name));

function signed(pack: PackModel, auth: AuthConfig): string {
  const service = textIn(pack, auth.config, "service");
  const serviceName = service?.trim() ? service : "<service>";
  return `Credential=${SECRET}/<date>/<region>/${serviceName}/aws4_request, SignedHeaders=…, Signature=${SECRET}`;
}
