import { propose, type ResolvedAuth, removal, resolvedAuths } from "../configuration/config.ts";
import { type Carriers, carriersOf } from "../configuration/credential-placement.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place } from "../model/values.ts";
import { piecesOf, readBeginning, TOKEN } from "../requests/partial-text.ts";
import { isSwitchedOff, mayOnlyGetCredentials, usersOf } from "../requests/request-context.ts";
import { headersOf, type PackRequest } from "../requests/requests.ts";
import { isWrittenInHeader } from "../requests/written-credential.ts";
import { pack, rule, user } from "../rule.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "fetch-sets-credential",
  severity: "warning",
  source: "auth-spec 5.1.4",
  docs: `A request sets the header or parameter that the platform fills in.

Remove it. The platform adds the credentials automatically, and a request that sets its own value in their place fails. Where users sign in with their own accounts, it is refused also with \`disableAuthentication: true\`. With \`setSystemAuthentication\` alone, that option sends a request without the account's credentials.`,
  // Other problems of the header do not matter, because the header should be removed.
  supersedes: ["endpoint-without-source"],
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.CustomHeaderToken,
        headerName: "X-API-Key",
        getConnectionName: async function (context) {
          let response = await context.fetcher.fetch({
            method: "GET",
            url: "https://acme.example/me",
            headers: {
              Accept: "application/json",
              «"x-api-key": "{{apiKey}}"»,
            },
          });
          return response.body.name;
        },`,
      change: ['"x-api-key": "{{apiKey}}",', ""],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: "key" });
        export async function get(context, id) {
          return context.fetcher.fetch({ method: "GET", url: «\`https://acme.example/items?key=\${id}\`» });
        }`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: "key" });
        export const get = (context) => context.fetcher.fetch({ method: "GET", url: «"https://acme.example/items?key=1&sort=name#top"» });`,
      change: ['"https://acme.example/items?key=1&sort=name#top"', '"https://acme.example/items?sort=name#top"'],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        export async function get(context, value) {
          return context.fetcher.fetch({ method: "POST", url: "https://acme.example/sign-in", headers: { Accept: "*/*", «Authorization: value» }, disableAuthentication: true });
        }`,
      change: [", Authorization: value", ""],
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        export const get = (context, value) => context.fetcher.fetch({ method: "GET", url: "https://acme.example/?key=1", headers: { "X-Authorization": value } });`,
    },
    {
      good: pack`
        pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        export const get = (context, value) => context.fetcher.fetch({ method: "POST", url: "https://acme.example/sign-in", headers: { Authorization: value }, disableAuthentication: true });`,
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        pack.addFormula({
          name: "Open",
          description: "Open to all.",
          parameters: [],
          resultType: coda.ValueType.String,
          connectionRequirement: coda.ConnectionRequirement.None,
          execute: async function ([], context) {
            let response = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { Authorization: "Anonymous" } });
            return response.body;
          },
        });
        pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });`,
    },
  ],
  on: {
    *request(pack, request) {
      const { inForce, ofUsers, headers, params } = filledIn(pack);
      if (headers.length + params.length === 0) return;
      // Finding the callers of a request is slow, and few requests set what the platform sets.
      for (const { sourceRequest, where, name, place, fixes } of [
        ...ownHeaders(pack, request, headers),
        ...ownParams(pack, request, params),
      ]) {
        const isIn = (carriers: Carriers): boolean => carriers[where].includes(where === "headers" ? name.toLowerCase() : name);
        const off = isSwitchedOff(pack, sourceRequest);
        if (off === undefined || !isIn(off ? ofUsers : inForce) || !mayOnlyGetCredentials(pack, request, usersOf(pack), sourceRequest))
          continue;
        yield { place, message: MESSAGES[where](name, isIn(ofUsers)), ...(fixes === undefined ? {} : { fixes }) };
      }
    },
  },
});

const MESSAGES: Readonly<Record<keyof Carriers, (name: string, isOfUsers: boolean) => string>> = {
  headers: (name, isOfUsers) =>
    isOfUsers
      ? `Remove this header. The platform puts the user's credentials into ${name}. It refuses a request that sets it itself, also with disableAuthentication: true.`
      : `Remove this header, or set disableAuthentication: true for a request without the account. The platform puts the credentials into ${name}, and a request that sets it itself fails.`,
  params: (name, isOfUsers) =>
    isOfUsers
      ? `Remove this parameter. The platform puts the user's credentials into ${name}. It refuses a request that sets it itself, also with disableAuthentication: true.`
      : `Remove this parameter, or set disableAuthentication: true for a request without the account. The platform puts the credentials into ${name}, and a request that sets it itself fails.`,
};

/** The carriers of all authentications, and the conditions under which the platform fills them in. */
interface FilledIn extends Carriers {
  /** The carriers that are certain: of two authentications, either may be in force. */
  readonly inForce: Carriers;
  /** The carriers of each user's own credentials. The platform refuses another value there, whatever the request's options. */
  readonly ofUsers: Carriers;
}

const filledIn = (pack: PackModel): FilledIn => pack.memo(pack, findFilledIn);

function findFilledIn(pack: PackModel): FilledIn {
  const auths = resolvedAuths(pack);
  // A type without credentials fills in nothing, and does not limit the others.
  const all = pack.authsComplete && auths.length === pack.auths.length ? auths.filter(({ type }) => type !== "None") : [];
  const inForce = shared(pack, all);
  const ofUsers = shared(
    pack,
    all.filter(({ scope }) => scope === "user"),
  );
  return {
    inForce,
    ofUsers,
    headers: [...new Set([...inForce.headers, ...ofUsers.headers])],
    params: [...new Set([...inForce.params, ...ofUsers.params])],
  };
}

function shared(pack: PackModel, auths: readonly ResolvedAuth[]): Carriers {
  const [first, ...otherCarriers] = auths.map((auth) => carriersOf(pack, auth));
  return {
    headers: (first?.headers ?? []).filter((name) => otherCarriers.every(({ headers }) => headers.includes(name))),
    params: (first?.params ?? []).filter((name) => otherCarriers.every(({ params }) => params.includes(name))),
  };
}

/** A credential that the code sets in a request. */
interface OwnCredential extends Pick<Finding, "place" | "fixes"> {
  readonly sourceRequest: PackRequest;
  readonly where: keyof Carriers;
  readonly name: string;
}

function* ownHeaders(pack: PackModel, request: PackRequest, names: readonly string[]): Iterable<OwnCredential> {
  for (const { header, headers, request: sourceRequest } of headersOf(pack, request)) {
    const value = pack.resolve(header.value);
    const { name } = header;
    if (!names.includes(name.toLowerCase()) || value.kind === "undefined" || value.kind === "null") continue;
    const pieces = piecesOf(header.value, pack.resolve);
    const { text, whole } = readBeginning(pieces);
    // Other rules report an invocation token or a credential in the source, which are worse.
    if (pieces.some(({ kind }) => kind === "token") || (whole && isWrittenInHeader(name, text))) continue;
    yield { sourceRequest, where: "headers", name, place: header.span, fixes: () => removal(pack, headers, header) };
  }
}

function* ownParams(pack: PackModel, request: PackRequest, names: readonly string[]): Iterable<OwnCredential> {
  if (names.length === 0) return;
  for (const [index, { text }] of request.urls.entries()) {
    const query = text.indexOf("?");
    if (query < 0 || text.includes(TOKEN)) continue;
    const name = names.find((param) => new RegExp(`[?&\\n]${param.replaceAll(/[^\w]/g, "\\$&")}=`).test(text.slice(query)));
    const url = name === undefined ? undefined : request.urls[index];
    if (name === undefined || url === undefined) continue;
    yield { sourceRequest: request, where: "params", name, place: url.place, fixes: () => withoutParam(pack, url.place, name) };
  }
}

/** Removes the parameter, if the query is a single literal. */
function withoutParam(pack: PackModel, place: Place, name: string): readonly Fix[] {
  const literal = pack.text(place.file).slice(place.start, place.end);
  const [, before = "", query, after = ""] = /^(["'`][^\\$?#]*)\?([^\\$#"'`]*)((?:#[^\\$]*)?["'`])$/.exec(literal) ?? [];
  const remainingParts = query?.split("&").filter((part) => part.split("=", 1)[0] !== name);
  if (remainingParts === undefined || remainingParts.length === query?.split("&").length) return [];
  return [
    propose(`Remove ${name}`, replace(place, `${before}${remainingParts.length === 0 ? "" : `?${remainingParts.join("&")}`}${after}`)),
  ];
}
