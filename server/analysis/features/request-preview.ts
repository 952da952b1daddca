// What a request of a configuration will look like, with `••••` for what only the platform knows.
import type { AuthTypeName } from "../../../spec/auth-types.ts";
import { fieldValue, propertyOf } from "../configuration/config.ts";
import { objectsIn } from "../configuration/configuration-objects.ts";
import { paramNames } from "../configuration/params.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";

const SECRET = "••••";

/** Header lines, or a request line where the credential is in the URL. */
export function requestPreview(pack: PackModel, auth: AuthConfig): string {
  const text = (name: string): string | undefined => {
    const value = fieldValue(pack, auth, name);
    return value?.kind === "string" && value.value.trim() !== "" ? value.value : undefined;
  };
  /** Known to be empty is not unknown. */
  const prefix = (otherwise: string): string => {
    const value = fieldValue(pack, auth, "tokenPrefix");
    const given = value === undefined ? otherwise : value.kind === "string" ? value.value : "<tokenPrefix>";
    return given === "" ? "" : `${given} `;
  };
  const host = fieldValue(pack, auth, "requiresEndpointUrl") === undefined ? (pack.domains.declared[0]?.value ?? "…") : "<endpoint>";
  const query = (names: readonly string[]): string =>
    `GET https://${host}/…?${names.map((name) => `${inQuery(name)}=${SECRET}`).join("&")}`;
  switch (auth.type as AuthTypeName) {
    case "HeaderBearerToken":
    case "CodaApiHeaderBearerToken":
    case "GoogleServiceAccount":
    case "GoogleDomainWideDelegation":
      return `Authorization: Bearer ${SECRET}`;
    case "CustomHeaderToken":
      return `${text("headerName") ?? "<headerName>"}: ${prefix("")}${SECRET}`;
    case "MultiHeaderToken":
      return headerLines(pack, auth);
    case "QueryParamToken":
      return query([text("paramName") ?? "<paramName>"]);
    case "MultiQueryParamToken":
      return query(orElse(paramNames(pack, auth), "<name>"));
    case "Custom":
      return orElse(paramNames(pack, auth), "<name>")
        .map((name) => `{{${name}-<invocationToken>}} → ${SECRET}`)
        .join("\n");
    case "WebBasic":
      return `Authorization: Basic ${SECRET}`;
    case "AWSAccessKey":
    case "AWSAssumeRole":
      return `Authorization: AWS4-HMAC-SHA256 Credential=${SECRET}/<date>/<region>/${text("service") ?? "<service>"}/aws4_request, SignedHeaders=…, Signature=${SECRET}`;
    case "OAuth2":
    case "OAuth2ClientCredentials": {
      const param = text("tokenQueryParam");
      return param === undefined ? `Authorization: ${prefix("Bearer")}${SECRET}` : query([param]);
    }
    default:
      return "No credential.";
  }
}

/** As it is sent; a name that is not known stays what it is. */
const inQuery = (name: string): string => (name.startsWith("<") ? name : encodeURIComponent(name));

const orElse = (names: readonly string[], otherwise: string): readonly string[] => (names.length > 0 ? names : [otherwise]);

function headerLines(pack: PackModel, auth: AuthConfig): string {
  const headers = propertyOf(auth.config, "headers");
  const lines = (headers === undefined ? [] : objectsIn(pack, headers.value)).map((entry) => {
    const text = (name: string): string | undefined => {
      const property = propertyOf(entry, name);
      const value = property === undefined ? undefined : pack.resolve(property.value);
      return value?.kind === "string" && value.value !== "" ? value.value : undefined;
    };
    const prefix = text("tokenPrefix");
    return `${text("name") ?? "<name>"}: ${prefix === undefined ? "" : `${prefix} `}${SECRET}`;
  });
  return orElse(lines, `<name>: ${SECRET}`).join("\n");
}
