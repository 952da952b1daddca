// Reads a pasted cURL command: where its credential is says which type of authentication the API has, and the rest is a formula's request.
// Nothing is sent, expanded or read from files. Invariant: the pasted secret is in the outcome's `credential` and nowhere else.
import type { Proposal, ProposedField, ProposedFormula, ProposedRequest } from "../../../protocol/setup.ts";
import type { Credential } from "../../secrets/credential.ts";
import { createRedactor } from "../../secrets/redact.ts";
import { completeFromPage } from "../complete-from-page.ts";
import { readAws } from "../curl/aws.ts";
import { type CurlCommand, readCommand } from "../curl/command.ts";
import { formulaOf } from "../curl/formula.ts";
import { cookieNames, impossibleWay, sessionLogin } from "../curl/impossible-ways.ts";
import { isNoise, isPlain } from "../curl/names.ts";
import { type CredentialPart, placeText, type RequestValues, sortValues } from "../curl/parts.ts";
import { credentialMark, isPlaceholder, parameterMark, parameterName, withSlots } from "../curl/placeholders.ts";
import { bodyFields, type CurlRequest, replaceFields, requestOf } from "../curl/request.ts";
import { readTokenRequest } from "../curl/token-request.ts";
import { curlArguments, MARK } from "../curl/words.ts";
import type { SetupOutcome } from "../outcome.ts";
import type { EvidenceReader, ReaderContext } from "../reader.ts";
import { unreadable } from "../unreadable.ts";

export const readCurl: EvidenceReader = (text, context) => {
  const command = readCommand(curlArguments(text));
  const request = requestOf(command);
  return impossibleWay(command, request, context) ?? readTokenRequest(request, context) ?? readApiRequest(command, request, context);
};

/** A configuration without what all configurations have. */
interface Authentication {
  readonly type: Proposal["type"];
  readonly typeOrigin: string;
  readonly fields?: readonly ProposedField[];
  readonly credential?: Credential | undefined;
  /** The parts of the request that the platform puts in. */
  readonly parts: readonly CredentialPart[];
  readonly remarks?: readonly string[];
}

function readApiRequest(command: CurlCommand, request: CurlRequest, context: ReaderContext): SetupOutcome {
  const aws = readAws(command, request, context);
  if (aws !== undefined)
    return propose(command, aws.request, aws, sortValues(command, aws.request, { hasSession: false, isSigned: true }, context));
  const session = sessionLogin(request);
  const values = sortValues(command, request, { hasSession: session !== undefined, isSigned: false }, context);
  if (values.credential.length === 0 && session !== undefined) return session;
  const cookies = cookieNames(request).length > 0 ? ["The cookies are left out: the platform sends none."] : [];
  const authentication = authenticationBy(values.credential, context);
  return propose(command, request, { ...authentication, remarks: [...(authentication.remarks ?? []), ...cookies] }, values);
}

const fromCommand = (place: string): string => `${place} of the cURL command`;

function authenticationBy(parts: readonly CredentialPart[], context: ReaderContext): Authentication {
  const [part] = parts;
  if (part === undefined) return { type: "None", typeOrigin: "your answer", parts };
  const isSingle = parts.length === 1;
  const typeOrigin = fromCommand(parts.map(placeText).join(" and "));
  const field = (name: string, value: ProposedField["value"]): ProposedField => ({ name, value, origin: typeOrigin });
  const isPasted = parts.every(({ value }) => !isPlaceholder(value));
  const token: Credential | undefined = isPasted ? { kind: "token", token: part.value } : undefined;
  const values = (names: readonly string[]): Credential | undefined =>
    isPasted ? { kind: "values", values: Object.fromEntries(parts.map(({ value }, index) => [names[index] ?? "", value])) } : undefined;
  const remarks = parts.flatMap(remarksOn);
  if (parts.every(({ place }) => place === "header")) {
    if (!isSingle)
      return {
        type: "MultiHeaderToken",
        typeOrigin,
        fields: [
          field(
            "headers",
            parts.map((each) => ({
              name: each.name,
              description: each.basic === undefined ? `The value of ${each.name}.` : "The user name, a colon and the password, in Base64.",
              ...(each.prefix === undefined ? {} : { tokenPrefix: each.prefix }),
            })),
          ),
        ],
        credential: values(parts.map(({ name }) => name)),
        parts,
        remarks,
      };
    if (part.basic !== undefined) return basicAuthentication(part, typeOrigin, context);
    if (part.name === "Authorization" && /^bearer$/i.test(part.prefix ?? ""))
      return { type: "HeaderBearerToken", typeOrigin, credential: token, parts, remarks };
    return {
      type: "CustomHeaderToken",
      typeOrigin,
      fields: [field("headerName", part.name), ...(part.prefix === undefined ? [] : [field("tokenPrefix", part.prefix)])],
      credential: token,
      parts,
      remarks,
    };
  }
  if (parts.every(({ place }) => place === "query"))
    return isSingle
      ? { type: "QueryParamToken", typeOrigin, fields: [field("paramName", part.name)], credential: token, parts, remarks }
      : {
          type: "MultiQueryParamToken",
          typeOrigin,
          fields: [
            field(
              "params",
              parts.map(({ name }) => ({ name, description: `The value of ${name}.` })),
            ),
          ],
          credential: values(parts.map(({ name }) => name)),
          parts,
        };
  const names = customNames(parts);
  return {
    type: "Custom",
    typeOrigin,
    fields: [
      field(
        "params",
        parts.map((each, index) => ({ name: names[index] ?? "", description: descriptionOf(each) })),
      ),
    ],
    credential: values(names),
    parts,
    remarks: [
      ...remarks,
      "No other type puts the credential in these places. The platform approves a pack with the type Custom before its upload.",
    ],
  };
}

const descriptionOf = (part: CredentialPart): string =>
  part.place === "path" && part.prefix !== undefined
    ? `What follows ${part.prefix} in ${placeText(part)}.`
    : `The value of ${placeText(part)}.`;

/** Returns a name for each param of a Custom authentication. */
function customNames(parts: readonly CredentialPart[]): readonly string[] {
  const names: string[] = [];
  for (const { place, name } of parts) {
    const base = place === "path" ? "token" : name === "" ? "body" : parameterName(name.replace(/^x-/i, ""));
    let unique = base;
    for (let count = 2; names.includes(unique); count++) unique = `${base}${count}`;
    names.push(unique);
  }
  return names;
}

function basicAuthentication(part: CredentialPart, typeOrigin: string, context: ReaderContext): Authentication {
  const { username = "", password = "" } = part.basic ?? {};
  const isPasted = part.value !== "";
  const isNameOnly =
    part.hasNameOnly === true &&
    context.choose({
      id: "basic-password",
      text: "The password is empty. What does the API demand of its accounts?",
      options: [
        { value: "name-only", label: "A key as the user name", detail: "People enter the key, and no password." },
        { value: "both", label: "User name and password", detail: "People enter both." },
      ],
    }) === "name-only";
  const labels = { placeholderUsername: "Leave this empty", placeholderPassword: "Key" };
  const uxConfig: readonly ProposedField[] = isNameOnly
    ? [{ name: "uxConfig", value: { usernameOnly: true }, origin: "your answer" }]
    : part.hasPasswordOnly === true
      ? [{ name: "uxConfig", value: labels, origin: typeOrigin }]
      : [];
  return {
    type: "WebBasic",
    typeOrigin,
    fields: uxConfig,
    remarks:
      part.hasPasswordOnly === true ? ["The user name is empty, and the key is the password. The labels of the sign-in say so."] : [],
    credential: isPasted ? { kind: "basic", username, password } : undefined,
    parts: [part],
  };
}

function remarksOn({ name, prefix, value, basic }: CredentialPart): readonly string[] {
  if (basic !== undefined) return ["The header Authorization has the scheme Basic, so people enter user name and password in Base64."];
  if (/^[A-Za-z][\w-]{0,40} {0,3}=/.test(value) && !isPlaceholder(value) && prefix !== undefined)
    return [`People enter all that follows ${prefix} in the header ${name}, with the names and signs in it.`];
  return /^ya29\./.test(value) || expires(value)
    ? [
        "The token looks like an access token of OAuth 2.0, which expires. If the API has OAuth 2.0, set up from its issuer or provider instead.",
      ]
    : [];
}

/** Returns whether a JSON Web Token has an expiry (RFC 7519, section 4.1.4). */
function expires(token: string): boolean {
  const payload = /^eyJ[\w-]{1,8000}\.([\w-]{1,20000})\./.exec(token)?.[1];
  return payload !== undefined && /"exp"\s{0,9}:/.test(Buffer.from(payload, "base64url").toString("utf8"));
}

/** A longer text is a body, which no other place repeats. */
const LONGEST_SECRET = 500;

function propose(command: CurlCommand, request: CurlRequest, authentication: Authentication, values: RequestValues): SetupOutcome {
  const { type, typeOrigin, fields = [], credential, parts, remarks = [] } = authentication;
  const { domain, hasEndpoint } = request;
  const url = fromCommand("the URL");
  if (hasEndpoint && type === "None")
    throw unreadable("The URL's host is a placeholder, and no account without a credential has an address.", "Write the API's host.");
  const marks = marksOf(authentication, values);
  const opaque = [...values.parameters.keys(), ...values.leftOut].filter(({ value }) => value.length <= LONGEST_SECRET && !isPlain(value));
  const formula = formulaOf(proposedRequest(request, marks), pathOf(request, marks));
  const secrets = [...(credential === undefined ? [] : secretsOf(credential)), ...pastedSecrets(command, request, [...parts, ...opaque])];
  const obstacle = hasSecret(formula, secrets)
    ? "The formula is left out, because its request repeats the credential at another place."
    : undefined;
  return {
    kind: "proposal",
    proposal: completeFromPage({
      scope: values.scope,
      type,
      typeOrigin,
      fields: [
        ...fields,
        ...(hasEndpoint ? [{ name: "requiresEndpointUrl", value: true, origin: url }] : []),
        ...(hasEndpoint && domain !== undefined ? [{ name: "endpointDomain", value: domain, origin: url }] : []),
      ],
      domains: domain === undefined ? [] : [{ domain, origin: url }],
      ...(obstacle === undefined ? { formula } : {}),
      remarks: [
        ...request.remarks,
        ...remarks,
        ...values.remarks,
        ...(obstacle === undefined ? [] : [obstacle]),
        ...(parts.length > 0 && credential === undefined
          ? ["The command has no value for the credential, which is entered at the first sign-in."]
          : []),
      ],
    }),
    ...(credential === undefined ? {} : { credential }),
  };
}

const PLACEHOLDER_MARK = new RegExp(`${MARK}[^${MARK}]*${MARK}`);

/** By part, the mark that is in its place in the request; undefined if the platform puts it in, or if it is left out. */
type Marks = ReadonlyMap<CredentialPart, string | undefined>;

function marksOf({ type, parts }: Authentication, { parameters, leftOut }: RequestValues): Marks {
  const names = customNames(parts);
  return new Map([
    ...parts.map((part, index) => [part, type === "Custom" ? credentialMark(names[index] ?? "") : undefined] as const),
    ...[...parameters].map(([part, name]) => [part, parameterMark(name)] as const),
    ...leftOut.map((part) => [part, undefined] as const),
  ]);
}

/** Returns the path, with a mark for each part that is a credential or a parameter. */
const pathOf = ({ segments }: CurlRequest, marks: Marks): readonly string[] =>
  segments.map((segment, index) => {
    const part = [...marks.keys()].find(({ place, name }) => place === "path" && name === `${index}`);
    const mark = part && marks.get(part);
    if (mark === undefined) return segment;
    // A placeholder is only its part of the text: bot<token>.
    return segment.includes(MARK) ? segment.replace(PLACEHOLDER_MARK, mark) : (part?.prefix ?? "") + mark;
  });

/** Returns the request without its credential, or with its slots. */
function proposedRequest(request: CurlRequest, marks: Marks): ProposedRequest {
  const parts = [...marks.keys()];
  const partAt = (place: CredentialPart["place"], name: string): CredentialPart | undefined =>
    parts.find(
      (part) => part.place === place && (place === "header" ? part.name.toLowerCase() === name.toLowerCase() : part.name === name),
    );
  /** The mark, the text as it is, or undefined if it is not in the request. */
  const valueAt = (place: CredentialPart["place"], name: string, text: string): string | undefined => {
    const part = partAt(place, name);
    if (part === undefined) return text;
    const mark = marks.get(part);
    return mark === undefined ? undefined : `${part.prefix === undefined ? "" : `${part.prefix} `}${mark}`;
  };
  const query = request.query.flatMap(({ name, raw }) => {
    const value = valueAt("query", name, raw);
    return value === undefined ? [] : [value === raw ? raw : `${raw.split("=", 1)[0]}=${value}`];
  });
  // The account of --user has no header of its own.
  const account = parts.find(({ place, name }) => place === "header" && name === "Authorization");
  const hasHeader = request.headers.some(({ name }) => name.toLowerCase() === "authorization");
  const headers = [...request.headers, ...(account === undefined || hasHeader ? [] : [{ name: "Authorization", value: "" }])].flatMap(
    ({ name, value }) => {
      const text = isNoise(name, value) ? undefined : valueAt("header", name, value);
      return text === undefined ? [] : [{ name, value: text }];
    },
  );
  const whole = partAt("body", "");
  const body = bodyOf(request, whole && marks.get(whole), (name, value) => valueAt("body", name, value) ?? value);
  const isMultipart = request.body?.kind === "multipart" && whole === undefined;
  return {
    method: request.method,
    url: withSlots(request.origin + pathOf(request, marks).join("/") + (query.length === 0 ? "" : `?${query.join("&")}`)),
    headers: [
      ...headers.filter(({ name }) => !(isMultipart && name.toLowerCase() === "content-type")),
      ...(isMultipart ? [{ name: "Content-Type", value: `multipart/form-data; boundary=${BOUNDARY}` }] : []),
    ].map(({ name, value }) => ({ name, value: withSlots(value) })),
    ...(body === undefined ? {} : { body: withSlots(body) }),
    origin: "the cURL command",
  };
}

/** A line that no field of a form contains. */
const BOUNDARY = "----form-field-f3a1c95e";

function bodyOf(request: CurlRequest, whole: string | undefined, valueAt: (name: string, value: string) => string): string | undefined {
  if (request.body === undefined) return undefined;
  const changes = new Map<string, string>(whole === undefined ? [] : [["", whole]]);
  for (const { name, value } of bodyFields(request.body)) {
    const change = valueAt(name, value);
    if (change !== value) changes.set(name, change);
  }
  const body = changes.size === 0 ? request.body : replaceFields(request.body, changes);
  if (body.kind !== "multipart") return body.text;
  const quoted = (name: string): string => name.replaceAll(/["\r\n]/g, "_");
  const parts = body.parts.map(
    ({ name, value }) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

const secretsOf = (credential: Credential): readonly string[] => {
  if (credential.kind === "basic") return [credential.password === "" ? credential.username : credential.password];
  if (credential.kind === "values") return Object.values(credential.values);
  return credential.kind === "aws"
    ? [credential.accessKeyId, credential.secretAccessKey, credential.sessionToken ?? ""]
    : credential.kind === "token"
      ? [credential.token]
      : [];
};

/** Returns what the command has as a credential, whether the platform puts it in or not. */
const pastedSecrets = ({ bearer = "" }: CurlCommand, { user = "" }: CurlRequest, parts: readonly CredentialPart[]): readonly string[] =>
  [...parts.map(({ value }) => value), bearer, user.slice(user.indexOf(":") + 1)].filter((secret) => !isPlaceholder(secret));

/** Returns whether a request has one of the secrets, in its own spelling or encoded. */
const hasSecret = (formula: ProposedFormula, secrets: readonly string[]): boolean => createRedactor(secrets).finds(JSON.stringify(formula));
