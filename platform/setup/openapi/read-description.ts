// The description as data → what a set-up uses of it. Swagger 2 and OpenAPI 3 become the same.
import { defined } from "../../../base/defined.ts";
import { spelling } from "../../../spec/spelling.ts";
import { PackAuthError } from "../../errors.ts";
import { certaintyOf, headerCertainty } from "../curl/names.ts";
import { containsToken } from "../tokens.ts";
import type { ApiDescription, Flow, Operation, RequestParameter, Requirement, Scheme, Server, SimpleRequest } from "./api-description.ts";
import { lineOf, type Part } from "./raw.ts";

/** The methods of operations; a path has other members besides. */
const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]);
/** The grants of Swagger 2 that OpenAPI 3 names otherwise. */
const GRANTS: ReadonlyMap<string, string> = new Map([
  ["accessCode", "authorizationCode"],
  ["application", "clientCredentials"],
]);
/** Names of the property with a user's name, the best one first. */
const NAMES = ["name", "display_name", "displayName", "full_name", "fullName", "login", "username", "user_name", "userName", "email"];

/** What a host still handles at once, and no API has. */
const MOST = { "security schemes": 200, servers: 200, operations: 50_000 };
/** Characters of all texts together. The host gets a copy, in which texts that aliases and references share are repeated. */
const MOST_CHARACTERS = 50_000_000;

/** Throws evidence-unreadable if the description has too much of something. */
export function readDescription(raw: Part): ApiDescription {
  const description = wholeDescription(raw);
  const { schemes, servers, operations } = description;
  const counts: typeof MOST = { "security schemes": schemes.size, servers: servers.length, operations: operations.length };
  for (const name of Object.keys(MOST) as (keyof typeof MOST)[])
    if (counts[name] > MOST[name]) throw tooMuch(`${counts[name]} ${name}; at most ${MOST[name]} are read`);
  if (charactersIn(description, MOST_CHARACTERS) > MOST_CHARACTERS) throw tooMuch("too many long texts");
  return description;
}

const tooMuch = (what: string): PackAuthError =>
  new PackAuthError("evidence-unreadable", `The description has ${what}.`, {
    hint: "Remove what the pack does not need from the description, and try again.",
  });

/** Returns the number of characters, or a number above `most`. Each value counts as one more. */
function charactersIn(value: unknown, most: number): number {
  if (typeof value === "string") return value.length + 1;
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  for (const inner of value instanceof Map ? [...value].flat() : Object.values(value)) {
    count += charactersIn(inner, most - count);
    if (count > most) break;
  }
  return count;
}

/** Where descriptions have their security schemes: the places of OpenAPI 3 and Swagger 2, and confusions of the two. */
const FOLDERS = [["components", "securitySchemes"], ["securityDefinitions"], ["components", "securityDefinitions"], ["securitySchemes"]];

function wholeDescription(raw: Part): ApiDescription {
  const isSwagger = raw.at("swagger").value !== undefined;
  const security = requirementsOf(raw.at("security")) ?? [];
  const folder = FOLDERS.find((keys) => raw.entries(...keys).length > 0) ?? [""];
  const service = awsServiceOf(raw);
  const written = raw
    .entries(...folder)
    .map(([name, scheme]) => [name, schemeOf(scheme, [...folder, lineOf(name, 80)].join("."), service)] as const);
  // Some descriptions have the credential as a parameter of each operation, and no scheme.
  const keys = written.length === 0 && security.length === 0 ? keyParametersOf(raw) : new Map<string, Scheme>();
  const schemes: ReadonlyMap<string, Scheme> = new Map([...written, ...keys]);
  const credentials = new Set(
    [...schemes.values()].flatMap((scheme) => (scheme.kind === "key" ? [placeOf(scheme.place, scheme.name)] : [])),
  );
  return {
    schemes,
    security,
    servers: isSwagger ? serversOfSwagger(raw) : raw.list("servers").map((server, index) => serverOf(server, `servers[${index}]`)),
    operations: raw.entries("paths").flatMap(([path, item]) =>
      item
        .entries()
        .filter(([method]) => METHODS.has(method))
        .map(([method, operation]) =>
          operationOf(method, path, item, operation, {
            security: keys.size === 0 ? security : securityByKeys(keys, item, operation),
            credentials,
            serverUrls: urlsOf(raw),
          }),
        ),
    ),
  };
}

const parametersOf = (item: Part, operation: Part): readonly Part[] => [...item.list("parameters"), ...operation.list("parameters")];

/** By place and name, the parameters of operations whose name is that of a credential. */
function keyParametersOf(raw: Part): ReadonlyMap<string, Scheme> {
  const keys = new Map<string, Scheme>();
  for (const [, item] of raw.entries("paths"))
    for (const [, operation] of item.entries().filter(([method]) => METHODS.has(method)))
      for (const parameter of parametersOf(item, operation)) {
        const [place, name] = [parameter.text("in"), parameter.text("name")];
        const isKey =
          place === "header" ? headerCertainty(name, "") === "credential" : place === "query" && certaintyOf(name, "") === "credential";
        if (!isKey || keys.has(placeOf(place, name))) continue;
        const description = lineOf(parameter.text("description"), 500);
        keys.set(placeOf(place, name), { origin: `the ${place} parameter ${lineOf(name, 80)}`, description, kind: "key", place, name });
      }
  return keys;
}

/** Returns the requirement of an operation: all keys that are parameters of it. */
function securityByKeys(keys: ReadonlyMap<string, Scheme>, item: Part, operation: Part): readonly Requirement[] {
  const own = parametersOf(item, operation)
    .map((parameter) => placeOf(parameter.text("in"), parameter.text("name")))
    .filter((place) => keys.has(place));
  return own.length === 0 ? [] : [new Map(own.map((place) => [place, []]))];
}

function requirementsOf(security: Part): readonly Requirement[] | undefined {
  if (!Array.isArray(security.value)) return undefined;
  return security.list().map((requirement) => new Map(requirement.entries().map(([name, scopes]) => [name, textsIn(scopes)])));
}

const textsIn = (part: Part): readonly string[] =>
  part
    .list()
    .map(({ value }) => value)
    .filter((value) => typeof value === "string");

/** What descriptions call Signature Version 4 of AWS. */
const AWS_SIGNATURE = /sig-?v4|aws_iam|aws4-hmac|(?:aws|amazon) signature|signature v(?:ersion )?4/i;

/** Returns the service that a description of AWS names, or whose host its server is. */
function awsServiceOf(raw: Part): string | undefined {
  const named = raw.text("info", "x-aws-signingName");
  if (/^[\w-]{1,60}$/.test(named)) return named;
  const host = `${urlsOf(raw)}\n${raw.text("host")}`;
  return /([a-z\d-]{1,60})(?:\.(?:\{\w{1,40}\}|[a-z]{2}(?:-[a-z]{1,20}){1,3}-\d))?\.amazonaws\.com/.exec(host)?.[1];
}

function schemeOf(scheme: Part, origin: string, awsService: string | undefined): Scheme {
  const about = { origin, description: lineOf(scheme.text("description"), 500) };
  const missing = (problem: string): Scheme => ({ ...about, kind: "unknown", problem });
  const extensions = scheme.entries().filter(([name]) => name.startsWith("x-"));
  const isGateway = extensions.some(([name]) => name.startsWith("x-amazon-apigateway-"));
  const name = scheme.text("name");
  const words = /^authorization$/i.test(name) ? about.description : "";
  const texts = [scheme.text("scheme"), words, ...extensions.map(([key, { value }]) => `${key} ${value}`)];
  if (texts.some((text) => AWS_SIGNATURE.test(text)))
    return { ...about, kind: "aws", ...defined({ service: awsService ?? (isGateway ? "execute-api" : undefined) }) };
  const demand = (member: string, schemeWith: (value: string) => Scheme): Scheme =>
    scheme.text(member) === "" ? missing(`It has no ${member}.`) : schemeWith(scheme.text(member));
  switch (spelling(scheme.text("type"))) {
    case "apikey":
      return demand("in", (place) => demand("name", () => ({ ...about, kind: "key", place: place.toLowerCase(), name })));
    case "basic":
      return { ...about, kind: "http", scheme: "basic" };
    case "http":
      return demand("scheme", (word) => ({ ...about, kind: "http", scheme: word }));
    case "openidconnect":
      return demand("openIdConnectUrl", (url) => ({ ...about, kind: "openIdConnect", url }));
    case "mutualtls":
      return { ...about, kind: "mutualTLS" };
    case "oauth2":
      break;
    case "":
      return scheme.text("$ref") === "" ? missing("It has no type.") : { ...about, kind: "unknown" };
    default:
      return missing("Its type is not one of OpenAPI.");
  }
  if (scheme.entries("flow").length > 0) return missing("It has flow where OpenAPI 3 has flows.");
  const flow = scheme.text("flow");
  const flows =
    flow === ""
      ? scheme.entries("flows").map(([grant, inner]) => flowOf(grant, inner, scheme, `${origin}.flows.${lineOf(grant, 80)}`))
      : [flowOf(flow, scheme, scheme, origin)];
  return flows.length === 0 ? missing("It has no flow.") : { ...about, kind: "oauth2", flows };
}

function flowOf(grant: string, flow: Part, scheme: Part, origin: string): Flow {
  const tokenName = flow.text("x-tokenName") || scheme.text("x-tokenName");
  const authorizationUrl = flow.text("authorizationUrl");
  const tokenUrl = flow.text("tokenUrl");
  const isNamedImplicit = grant === "implicit" && authorizationUrl !== "" && tokenUrl !== "";
  return {
    grant: isNamedImplicit ? "authorizationCode" : (GRANTS.get(grant) ?? grant),
    ...(isNamedImplicit ? { isNamedImplicit } : {}),
    origin,
    ...(authorizationUrl === "" ? {} : { authorizationUrl }),
    ...(tokenUrl === "" ? {} : { tokenUrl }),
    scopes: new Map(
      flow.entries("scopes").flatMap(([scope, description]) => (scope.startsWith("x-") ? [] : [[scope, lineOf(description.text())]])),
    ),
    ...(tokenName === "" ? {} : { tokenName }),
  };
}

function serverOf(server: Part, origin: string): Server {
  return {
    url: addressIn(server.text("url").trim()),
    origin: `${origin}.url`,
    description: lineOf(server.text("description")),
    variables: new Map(
      server.entries("variables").map(([name, variable]) => [
        name,
        {
          value: String(variable.at("default").value ?? ""),
          allowed: variable.list("enum").map(({ value }) => String(value)),
          description: lineOf(variable.text("description")),
        },
      ]),
    ),
  };
}

/** Returns a server's URL without user name, password, query and fragment: no request uses them, and they may be a credential. */
const addressIn = (url: string): string => url.replace(/[?#].*$/s, "").replace(/^([^/]*\/\/)[^/]*@/, "$1");

function serversOfSwagger(raw: Part): readonly Server[] {
  const host = raw.text("host");
  const path = raw.text("basePath");
  const server = (url: string, origin: string): Server => ({ url: addressIn(url), origin, description: "", variables: new Map() });
  if (host === "") return [server(path, "basePath")];
  const schemes = textsIn(raw.at("schemes"));
  // Without schemes the one of the description's own address counts, which a text does not have.
  return (schemes.length === 0 ? ["https"] : schemes).map((scheme) => server(`${scheme}://${host}${path}`, "host"));
}

/** What the description says of all operations. */
interface SharedParts {
  readonly security: readonly Requirement[];
  readonly credentials: ReadonlySet<string>;
  readonly serverUrls: string;
}

/** Returns the URLs of the servers of a description, a path or an operation as one text. */
const urlsOf = (part: Part): string =>
  part
    .list("servers")
    .map((server) => server.text("url"))
    .join("\n");

function operationOf(method: string, path: string, item: Part, operation: Part, { security, ...shared }: SharedParts): Operation {
  const request = method === "get" ? requestOf(path, item, operation, shared) : undefined;
  const namePath = method === "get" ? namePathOf(operation) : undefined;
  return {
    method: method.toUpperCase(),
    path,
    origin: `paths.${lineOf(path, 120)}.${method}`,
    id: operation.text("operationId"),
    summary: lineOf(operation.text("summary") || firstSentence(operation.text("description"))),
    security: requirementsOf(operation.at("security")) ?? security,
    ...defined({ request, namePath }),
  };
}

/** Returns the first sentence of the first line. */
const firstSentence = (text: string): string => /^[^\n]*?[.!?](?=\s|$)|^[^\n]*/.exec(text.trim())?.[0] ?? "";

/** The case of a header's name has no meaning (RFC 9110, section 5.1). */
const placeOf = (place: string, name: string): string => `${place} ${place === "header" ? name.toLowerCase() : name}`;

/** Characters of a path that a URL has as they are, besides parameters in braces (RFC 3986, section 3.3). */
const PLAIN_PATH = /^\/(?:[\w\-.~%!$&'()*+,;=:@/]|\{[^{}]+\})*$/;

function requestOf(
  path: string,
  item: Part,
  operation: Part,
  { credentials, serverUrls }: Omit<SharedParts, "security">,
): SimpleRequest | undefined {
  const isTrue = (...keys: readonly string[]): boolean => operation.at(...keys).value === true;
  if (!PLAIN_PATH.test(path) || containsToken(path) || isTrue("deprecated") || isTrue("requestBody", "required")) return undefined;
  // Some descriptions repeat the servers at each path.
  if (![serverUrls, ""].includes(urlsOf(operation) || urlsOf(item))) return undefined;
  const byPlace = new Map<string, Part>();
  for (const parameter of parametersOf(item, operation)) byPlace.set(placeOf(parameter.text("in"), parameter.text("name")), parameter);
  // Some descriptions have the credential both as a scheme and as a parameter.
  for (const credential of credentials) byPlace.delete(credential);
  const parameters: RequestParameter[] = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) =>
    parameterOf(name, "path", byPlace.get(`path ${name}`)),
  );
  const headers: { name: string; value: string }[] = [];
  for (const parameter of byPlace.values()) {
    const [place, name] = [parameter.text("in"), parameter.text("name")];
    if (parameter.at("required").value !== true || place === "path") continue;
    if (place === "query") parameters.push(parameterOf(name, place, parameter));
    else if (place !== "header") return undefined;
    // OpenAPI 3 ignores these headers, and security schemes describe the last.
    else if (!/^(?:accept|content-type|authorization)$/i.test(name)) {
      const value = onlyValue(parameter);
      if (value === undefined || mayBeSecret(name, value)) return undefined;
      headers.push({ name, value });
    }
  }
  return { parameters, headers };
}

/** Swagger 2 describes a parameter's value in the parameter itself. */
const schemaOf = (parameter: Part): Part => firstOf(parameter.at("schema"), parameter);

/** Returns the first part that exists, or else the first of all. */
const firstOf = (...parts: readonly [Part, ...Part[]]): Part => parts.find(({ value }) => value !== undefined) ?? parts[0];

function onlyValue(parameter: Part): string | undefined {
  const schema = schemaOf(parameter);
  const allowed = schema.list("enum");
  return plain(schema.at("const")) ?? plain(schema.at("default")) ?? (allowed.length === 1 ? plain(schema.at("enum", 0)) : undefined);
}

const plain = ({ value }: Part): string | undefined =>
  ["string", "number", "boolean"].includes(typeof value) && !containsToken(String(value)) ? lineOf(value) : undefined;

/** Returns whether the value of an example or a default may be somebody's credential. */
const mayBeSecret = (name: string, value: string): boolean => certaintyOf(name, value) !== "plain";

function parameterOf(name: string, place: "path" | "query", parameter: Part | undefined): RequestParameter {
  if (parameter === undefined) return { name, place, description: "" };
  const schema = schemaOf(parameter);
  const examples = [parameter.at("example"), schema.at("example"), schema.at("examples", 0)];
  const example = [...examples, ...parameter.entries("examples").map(([, inner]) => inner.at("value"))].map(plain).find(Boolean);
  const value = example ?? onlyValue(parameter);
  const isShown = value !== undefined && !mayBeSecret(name, value);
  return { name, place, description: lineOf(parameter.text("description")), ...(isShown ? { example: value } : {}) };
}

function namePathOf(operation: Part): readonly string[] | undefined {
  const response = firstOf(operation.at("responses", "200"), operation.at("responses", "2XX"), operation.at("responses", "default"));
  const [, content] = response.entries("content").find(([type]) => /\bjson\b/i.test(type)) ?? [];
  const properties = propertiesOf((content ?? response).at("schema"));
  const direct = nameIn(properties);
  if (direct !== undefined) return [direct];
  for (const [key, schema] of properties) {
    const inner = nameIn(propertiesOf(schema));
    if (inner !== undefined) return [key, inner];
  }
  return undefined;
}

const nameIn = (properties: ReadonlyMap<string, Part>): string | undefined =>
  NAMES.find((name) => {
    const schema = properties.get(name);
    return schema !== undefined && mayBeText(schema);
  });

/** OpenAPI 3.1 has a list of types where a value may be null. */
function mayBeText(schema: Part): boolean {
  const type = schema.at("type");
  return type.value === undefined
    ? schema.entries("properties").length === 0
    : type.text() === "string" || textsIn(type).includes("string");
}

/** Returns the properties of an object's schema, and of the schemas that it combines. */
function propertiesOf(schema: Part, levels = 3): ReadonlyMap<string, Part> {
  const parts = levels === 0 ? [] : schema.list("allOf").map((part) => propertiesOf(part, levels - 1));
  return new Map([...parts.flatMap((part) => [...part]), ...schema.entries("properties")]);
}
