// How the client authenticates at the token and revocation endpoints (RFC 6749, section 2.3.1), and the order in which methods are tried.
import type * as oauth from "oauth4webapi";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { CLIENT_METHODS, type ClientCredentials, type ClientMethod, type SecretAuthMethod } from "../secrets/credential.ts";

export const METHOD_NAMES: Readonly<Record<ClientMethod, string>> = {
  form: "form body",
  basic: "HTTP Basic",
  "basic-encoded": "HTTP Basic with percent-encoding",
  json: "JSON body",
  "basic-json": "HTTP Basic with a JSON body",
  none: "no secret",
};

/** The value of `credentialsLocation` that pins each method, if there is one. */
export const LOCATIONS: Readonly<Record<ClientMethod, AuthenticationDefinition["credentialsLocation"] | undefined>> = {
  form: "Body",
  basic: "AuthorizationHeader",
  "basic-encoded": "AuthorizationHeader",
  json: undefined,
  "basic-json": undefined,
  none: undefined,
};

/** Returns the methods in order: remembered, registered, form, Basic, JSON. `credentialsLocation` pins the form or Basic (sdk-facts 5). */
export function methodsFor(client: ClientCredentials, auth: AuthenticationDefinition, remembered?: ClientMethod): readonly ClientMethod[] {
  if (client.clientSecret === undefined) return ["none"];
  const { credentialsLocation: location = "Automatic" } = auth;
  const basic = basicForms(client);
  const order = CLIENT_METHODS.filter(
    (method) =>
      (isBasic(method) ? basic.includes(method) : method !== "none" && (method !== "basic-json" || method === remembered)) &&
      (location === "Automatic" || LOCATIONS[method] === location),
  );
  const first = remembered ?? registeredMethod(client);
  // The other form of HTTP Basic directly follows the first one.
  return order.toSorted((one, other) => nearness(other, first) - nearness(one, first));
}

/** Returns the methods for a server that seems to read no form. The platform is not known to send JSON. */
export function jsonMethodsFor(
  { clientSecret }: ClientCredentials,
  { credentialsLocation }: AuthenticationDefinition,
): readonly ClientMethod[] {
  if (clientSecret === undefined || credentialsLocation === "Body") return ["json"];
  return credentialsLocation === "AuthorizationHeader" ? ["basic-json"] : ["json", "basic-json"];
}

/** The platform difference of an account that signed in with such a method. */
export const JSON_ALONE =
  "The token endpoint accepted the parameters only as JSON. The platform is not known to send JSON, so the sign-in of the published pack may fail. Look in the provider's documentation for a token endpoint that reads a form.";

export const isJson = (method: ClientMethod | undefined): boolean => method === "json" || method === "basic-json";

/** In the order in which a registration prefers them. */
const REGISTERED: Readonly<Record<SecretAuthMethod, ClientMethod>> = { client_secret_post: "form", client_secret_basic: "basic" };
export const SECRET_AUTH_METHODS: readonly string[] = Object.keys(REGISTERED);

const registeredMethod = ({ registration }: ClientCredentials): ClientMethod | undefined =>
  registration?.authMethod === undefined ? undefined : REGISTERED[registration.authMethod];

/** Returns whether this token_endpoint_auth_method is one that we can send a secret with. */
export const isSecretAuthMethod = (name: unknown): name is SecretAuthMethod => typeof name === "string" && Object.hasOwn(REGISTERED, name);

/**
 * Returns the forms of HTTP Basic to try. The platform and most servers use client ID and secret unencoded, although RFC 6749 requires
 * encoding.
 * The unencoded form is first; the standard's form follows if it differs. A client ID with a colon can only be sent encoded (RFC 7617,
 * section 2).
 */
export function basicForms(client: ClientCredentials): readonly ClientMethod[] {
  if (client.clientId.includes(":")) return ["basic-encoded"];
  return basicPair(client, "basic") === basicPair(client, "basic-encoded") ? ["basic"] : ["basic", "basic-encoded"];
}

const nearness = (method: ClientMethod, first: ClientMethod | undefined): number =>
  method === first ? 2 : familyOf(method) === familyOf(first) ? 1 : 0;

export const isBasic = (method: ClientMethod): boolean => method === "basic" || method === "basic-encoded";

const familyOf = (method: ClientMethod | undefined): ClientMethod | undefined => (method === "basic-encoded" ? "basic" : method);

/** Returns the client authentication for oauth4webapi, whose own methods encode more than any standard requires. */
export function authenticationBy(method: ClientMethod, client: ClientCredentials): oauth.ClientAuth {
  return (_server, { client_id }, body, headers) => {
    switch (method) {
      case "basic":
      case "basic-encoded":
      case "basic-json":
        headers.set("authorization", `Basic ${Buffer.from(basicPair(client, method)).toString("base64")}`);
        return;
      case "form":
      case "json":
      case "none":
        body.set("client_id", client_id);
        if (client.clientSecret !== undefined) body.set("client_secret", client.clientSecret);
        return;
      default:
        // A method without a case would send no credential, and certainly no secret in a place that nobody chose.
        throw new TypeError(`no client authentication for ${method satisfies never}`);
    }
  };
}

function basicPair({ clientId, clientSecret = "" }: ClientCredentials, method: "basic" | "basic-encoded" | "basic-json"): string {
  return (method === "basic-encoded" ? [formEncoded(clientId), formEncoded(clientSecret)] : [clientId, clientSecret]).join(":");
}

/** Encodes as in RFC 6749, appendix B; unreserved characters (RFC 3986, section 2.3) stay unencoded. */
const formEncoded = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
