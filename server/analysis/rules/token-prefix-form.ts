import { AUTH_TYPES, type AuthTypeName } from "../../../spec/auth-types.ts";
import { fieldValue, fix, propertyOf, type ResolvedAuth, removal, textIn } from "../configuration/config.ts";
import type { Finding } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue, Property } from "../model/values.ts";
import { piecesOf } from "../requests/partial-text.ts";
import { headersOf } from "../requests/requests.ts";
import { oauth2, pack, rule, user } from "../rule.ts";
import { literalEdits } from "../text/edit.ts";

export default rule({
  id: "token-prefix-form",
  severity: "warning",
  source: "RFC 9110, section 11.4",
  docs: `\`tokenPrefix\`, or an \`Authorization\` header, has a colon after the scheme, or contains the name of the header. Or a \`tokenPrefix\` has a space around it, the scheme twice, or a placeholder for the token. Or it ends in an equals sign or a quote.

The platform writes the header's name, the colon, the space and the token itself: \`<header>: <tokenPrefix> <token>\`. Write only the scheme, such as \`Bearer\` or \`Token\`. With a colon or the header's name in it, services see another scheme and answer 401. With a space after it, two spaces are sent, and many services answer 401. A colon and the header's name are as wrong in a header that the pack sets itself.

A prefix cannot be the beginning of a parameter, such as \`Token token=\`: a space would be before its value. Write \`Token\`, and tell users in \`instructionsUrl\` to enter \`token=\` with their token behind it. Or use Custom authentication, whose placeholder may be anywhere.`,
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization", tokenPrefix: «"Bearer: "» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization", tokenPrefix: "Bearer" });`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization", tokenPrefix: «"Token "» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization", tokenPrefix: "Token" });`,
    },
    { bad: oauth2`tokenPrefix: «"Authorization: Token"»,`, fixed: oauth2`tokenPrefix: "Token",` },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Authorization: «\`Bearer: {{key-\${context.invocationToken}}}\`» } });
        }`,
      change: ["`Bearer: {{key-${context.invocationToken}}}`", "`Bearer {{key-${context.invocationToken}}}`"],
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization", tokenPrefix: «"Bearer {token}"» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization", tokenPrefix: "Bearer" });`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization", tokenPrefix: «"Token token="» });`,
    },
    {
      good: user`
        type: coda.AuthenticationType.MultiHeaderToken,
        headers: [
          { name: "Authorization", description: "Token, with token= before it", tokenPrefix: "Token" },
          { name: "Token", description: "Token", tokenPrefix: "Token" },
          { name: "X-Key", description: "Key" },
        ],`,
    },
  ],
  on: {
    *auth(pack, auth) {
      for (const prefixed of prefixesOf(pack, auth)) yield* checkPrefix(pack, prefixed, auth.type);
    },
    *request(pack, request) {
      for (const { header } of headersOf(pack, request)) yield* checkHeader(pack, header);
    },
  },
});

/** A prefix, the object that contains it, and the header that it is sent in. */
interface Prefixed {
  readonly object: ObjectValue;
  readonly property: Property;
  readonly header: string;
}

function prefixesOf(pack: PackModel, auth: ResolvedAuth): readonly Prefixed[] {
  const within = (object: ObjectValue, header: string | undefined): readonly Prefixed[] => {
    const property = propertyOf(object, "tokenPrefix");
    return property === undefined || header === undefined ? [] : [{ object, property, header }];
  };
  const { fields } = AUTH_TYPES[auth.type];
  const has = (name: string): boolean => fields.some((field) => field.name === name);
  if (has("headers")) {
    const headers = fieldValue(pack, auth, "headers");
    return (headers?.kind === "array" ? headers.items : []).flatMap((item) => {
      const header = pack.resolve(item);
      return header.kind === "object" ? within(header, textOf(pack, header, "name")) : [];
    });
  }
  if (!has("tokenPrefix")) return [];
  if (has("headerName")) return within(auth.config, textOf(pack, auth.config, "headerName"));
  // With tokenQueryParam, no header is sent; another rule reports that.
  return propertyOf(auth.config, "tokenQueryParam") === undefined ? within(auth.config, "Authorization") : [];
}

/** Empty if unknown. */
const textOf = (pack: PackModel, object: ObjectValue, name: string): string => textIn(pack, object, name) ?? "";

function* checkPrefix(pack: PackModel, { object, property, header }: Prefixed, type: AuthTypeName): Iterable<Finding> {
  const sourceValue = property.value;
  const value = pack.resolve(sourceValue);
  if (value.kind !== "string") return;
  const prefix = value.value.trim();
  const withoutName = afterName(prefix, header);
  const withoutToken = withoutName.replace(TOKEN_AT_END, "");
  let correctedPrefix = withoutToken;
  while (/[\s:]$/.test(correctedPrefix)) correctedPrefix = correctedPrefix.slice(0, -1);
  const [, scheme = correctedPrefix] = /^([\w-]+)\s+\1$/i.exec(correctedPrefix) ?? [];
  const isTwice = scheme !== correctedPrefix;
  correctedPrefix = scheme;
  const [, parameter] = BEGINS_PARAMETER.exec(correctedPrefix) ?? [];
  if (parameter !== undefined) {
    const before = correctedPrefix.slice(0, -parameter.length).trimEnd();
    const isEntered = !type.startsWith("OAuth2");
    yield {
      place: sourceValue.place,
      message: `${before === "" ? "Remove the prefix" : `Write ${JSON.stringify(before)}`}${isEntered ? `, and let users enter ${parameter} before their token, or use Custom authentication` : ""}. The platform puts a space behind the prefix, and sends ${correctedPrefix} <token>, which services do not read as a parameter.`,
    };
    return;
  }
  if (correctedPrefix === value.value || prefix === "") return;
  const what =
    withoutName !== prefix
      ? `contains the name of the header ${header}`
      : withoutToken !== prefix
        ? "contains a placeholder for the token"
        : isTwice
          ? "contains the scheme twice"
          : correctedPrefix === prefix
            ? "has a space before or after it"
            : "ends in a colon";
  const remedy = correctedPrefix === "" ? "Remove it" : `Write ${JSON.stringify(correctedPrefix)}`;
  const title = `Change to ${JSON.stringify(correctedPrefix)}`;
  const change = literalEdits(pack, sourceValue, correctedPrefix).map((edit) => fix(title, edit));
  yield {
    place: sourceValue.place,
    message: `${remedy}: the prefix ${JSON.stringify(value.value)} ${what}. The platform writes the header's name, the colon, the space and the token itself.`,
    fixes: () => (correctedPrefix === "" ? removal(pack, object, property) : change),
  };
}

/** Matches `Token token=`, `Token token="`. */
const BEGINS_PARAMETER = /(?:^|[\s,])([\w-]+=["']?)$/;

/** Matches `{token}`, `<token>`, `YOUR_TOKEN` at the end of a prefix. */
const TOKEN_AT_END = /(?:\$?\{{1,2}[\w -]*\}{1,2}|<[\w -]*>|\bYOUR_[A-Z_]+)$/;

/** Matches `Bearer: …`, `Authorization: Bearer …`: common schemes, which no service expects before a colon. */
const WITH_COLON = /^\s*(?:authorization\s*:\s*|(bearer|basic|token)\s*:\s*)/i;

/** Checks a header that the pack sets itself, for example with a placeholder. */
function* checkHeader(pack: PackModel, { name, value }: Property): Iterable<Finding> {
  if (!/^authorization$/i.test(name)) return;
  const [first] = piecesOf(value, pack.resolve);
  const [matchedText, scheme] = (first?.kind === "text" && WITH_COLON.exec(first.text)) || [];
  if (first === undefined || matchedText === undefined) return;
  const start = pack.text(first.place.file).indexOf(matchedText, first.place.start);
  const isWritten = start >= 0 && start + matchedText.length <= first.place.end;
  const replacement = scheme === undefined ? "" : `${scheme} `;
  yield {
    place: value.place,
    message: `${scheme === undefined ? "Remove the header's name from its value" : `Write ${scheme} without a colon`}: services read another scheme, and answer 401.`,
    fixes: () =>
      isWritten
        ? [
            fix(`Change to ${JSON.stringify(replacement)}`, {
              file: first.place.file,
              start,
              end: start + matchedText.length,
              text: replacement,
            }),
          ]
        : [],
  };
}

/** Returns the text behind the header's name, or all of it if the name is absent. A scheme may have the same name as a one-word header. */
function afterName(prefix: string, header: string): string {
  const [, name, rest = ""] = /^([\w-]+)\s*(:.*)?$/s.exec(prefix) ?? [];
  if (name?.toLowerCase() !== header.toLowerCase()) return prefix;
  if (rest !== "") return rest.slice(1).trimStart();
  return name.includes("-") || /^authorization$/i.test(name) ? "" : prefix;
}
