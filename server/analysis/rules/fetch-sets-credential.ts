import { carriersOf } from "../carriers.ts";
import { knownAuths, propertyOf, removal } from "../config.ts";
import type { Finding, PackModel } from "../model.ts";
import { carriesCredentials, usersOf } from "../request-context.ts";
import { type PackRequest, requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";
import { isLiteralCredential } from "../secret-formats.ts";
import { knownBeginning, piecesOf, TOKEN } from "../text-pieces.ts";

export default rule({
  id: "fetch-sets-credential",
  severity: "warning",
  source: "auth-spec 5.1.4",
  about: "ownCredential",
  docs: `A request sets the header or parameter that the platform fills in.

The account's credentials are added to requests automatically. A request that puts a value of its own in their place fails. Remove it; for a request that is to go without the account's credentials, set \`disableAuthentication: true\`.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.CustomHeaderToken,\n  headerName: "X-API-Key",\n  getConnectionName: async function (context) {\n    let response = await context.fetcher.fetch({\n      method: "GET",\n      url: "https://example.com/me",\n      headers: {\n        Accept: "application/json",\n        «"x-api-key"»: "{{apiKey}}",\n      },\n    });\n    return response.body.name;\n  },\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.CustomHeaderToken,\n  headerName: "X-API-Key",\n  getConnectionName: async function (context) {\n    let response = await context.fetcher.fetch({\n      method: "GET",\n      url: "https://example.com/me",\n      headers: {\n        Accept: "application/json",\n      },\n    });\n    return response.body.name;\n  },\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: "key" });\nexport async function get(context, id) {\n  return context.fetcher.fetch({ method: "GET", url: «\`https://example.com/items?key=\${id}\`» });\n}\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\nexport async function get(context, value) {\n  await context.fetcher.fetch({ method: "POST", url: "https://example.com/sign-in", headers: { Authorization: value }, disableAuthentication: true });\n  return context.fetcher.fetch({ method: "GET", url: "https://example.com/?key=1", headers: { "X-Authorization": value } });\n}\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\npack.addFormula({\n  name: "Open",\n  description: "Open to all.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  connectionRequirement: coda.ConnectionRequirement.None,\n  execute: async function ([], context) {\n    let response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/", headers: { Authorization: "Anonymous" } });\n    return response.body;\n  },\n});\n`,
    },
  ],
  *check(pack) {
    const auths = knownAuths(pack);
    if (!pack.authsComplete || auths.length === 0 || auths.length !== pack.auths.length) return;
    const carriers = auths.map((auth) => carriersOf(pack, auth));
    const shared = {
      // Of two authentications, either may be in force.
      headers: (carriers[0]?.headers ?? []).filter((name) => carriers.every(({ headers }) => headers.includes(name))),
      params: (carriers[0]?.params ?? []).filter((name) => carriers.every(({ params }) => params.includes(name))),
    };
    if (shared.headers.length + shared.params.length === 0) return;
    let users: ReturnType<typeof usersOf> | undefined;
    for (const request of requestsOf(pack).all) {
      const findings = [...ownHeaders(pack, request, shared.headers), ...ownParams(request, shared.params)];
      if (findings.length === 0) continue;
      // Who leads to a request takes long to find out, and few set what the platform sets.
      users ??= usersOf(pack);
      if (carriesCredentials(pack, request, users)) yield* findings;
    }
  },
});

function* ownHeaders(pack: PackModel, { options }: PackRequest, names: readonly string[]): Iterable<Finding> {
  const property = options && propertyOf(options, "headers");
  const headers = property && pack.resolve(property.value);
  if (headers?.kind !== "object") return;
  for (const header of headers.properties) {
    const value = pack.resolve(header.value);
    if (!names.includes(header.name.toLowerCase()) || value.kind === "undefined" || value.kind === "null") continue;
    const pieces = piecesOf(header.value, pack.resolve);
    const { text, whole } = knownBeginning(pieces);
    // That it is the invocation token, or a credential in the source, is worse, and said elsewhere.
    if (pieces.some(({ kind }) => kind === "token") || (/authorization$/i.test(header.name) && whole && isLiteralCredential(text)))
      continue;
    yield {
      place: { file: header.value.file, ...header.nameSpan },
      message: `The platform puts the account's credentials into ${header.name}, and a request that sets it itself fails. Remove it, or set disableAuthentication: true for a request without the account.`,
      fixes: () => removal(pack, headers, header),
    };
  }
}

function* ownParams(request: PackRequest, names: readonly string[]): Iterable<Finding> {
  if (names.length === 0) return;
  for (const [index, { text }] of request.urls.entries()) {
    const query = text.indexOf("?");
    if (query < 0 || text.includes(TOKEN)) continue;
    const name = names.find((param) => new RegExp(`[?&\\n]${param.replaceAll(/[^\w]/g, "\\$&")}=`).test(text.slice(query)));
    const url = name === undefined ? undefined : request.urls[index];
    if (url === undefined) continue;
    yield {
      place: url.place,
      message: `The platform puts the account's credentials into the parameter ${name}, and a request that sets it itself fails. Remove it, or set disableAuthentication: true for a request without the account.`,
    };
  }
}
