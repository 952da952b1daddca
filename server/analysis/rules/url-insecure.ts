import { fix, knownAuths } from "../config.ts";
import { offeredEndpoints } from "../endpoint-source.ts";
import type { Fix, PackModel, Place, Value } from "../model.ts";
import type { UrlText } from "../read-request.ts";
import { requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";
import { hostOf, isLoopback, knownText } from "../url-value.ts";

export default rule({
  id: "url-insecure",
  severity: "error",
  source: "sdk-facts 2",
  about: "plainHttp",
  docs: `A credential would travel unencrypted: a URL begins with http://.

Everyone on the way could read the credential, so the platform takes https alone: it rejects OAuth URLs, and refuses endpoints, that are anything else. Write https://. An address of this machine itself (localhost) is information only, since nothing travels.`,
  supersedes: ["oauth2-url-form", "url-placeholder"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/authorize", tokenUrl: «'http://login.acme.example/token'» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/authorize", tokenUrl: 'https://login.acme.example/token' });\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  postSetup: [{\n    type: coda.PostSetupType.SetEndpoint,\n    name: "Region",\n    description: "Choose",\n    getOptions: async function (context) {\n      return [{ display: "EU", value: «"http://eu.acme.example"» }, { display: "US", value: "https://us.acme.example" }];\n    },\n  }],\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  postSetup: [{\n    type: coda.PostSetupType.SetEndpoint,\n    name: "Region",\n    description: "Choose",\n    getOptions: async function (context) {\n      return [{ display: "EU", value: "https://eu.acme.example" }, { display: "US", value: "https://us.acme.example" }];\n    },\n  }],\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\nexport async function get(context, id) {\n  return context.fetcher.fetch({ method: "GET", url: «\`http://acme.example/items/\${id}\`» });\n}\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\nexport async function get(context, id) {\n  return context.fetcher.fetch({ method: "GET", url: \`https://acme.example/items/\${id}\` });\n}\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: "http://acme.example/help" });\nexport const link = "http://acme.example/";\n`,
    },
  ],
  *check(pack) {
    for (const source of SOURCES) {
      for (const { what, place, value } of source(pack)) {
        const text = knownText(value) ?? "";
        if (!/^http:\/\//i.test(text)) continue;
        const local = isLoopback(hostOf(text) ?? "");
        yield {
          place,
          ...(local ? { severity: "information" as const } : {}),
          message: local
            ? `${what} is an address of this machine, and unencrypted: that works where the pack is tried, and not on the platform, which takes https alone.`
            : `${what} begins with http://, so the credential would travel unencrypted: the platform takes https alone. Write https://.`,
          fixes: () => withHttps(pack, value),
        };
      }
    }
  },
});

/** A URL to which a credential goes; the place is what the author sees, which may be a name that the value stands behind. */
interface CredentialUrl {
  readonly what: string;
  readonly place: Place;
  readonly value: Value;
}

/** Where such URLs stand; one function for each kind. */
const SOURCES: readonly ((pack: PackModel) => Iterable<CredentialUrl>)[] = [oauthUrls, endpoints, fetched];

function* oauthUrls(pack: PackModel): Iterable<CredentialUrl> {
  for (const auth of knownAuths(pack)) {
    for (const name of ["authorizationUrl", "tokenUrl"]) {
      const property = auth.given.find(({ field }) => field.name === name)?.property;
      if (property === undefined) continue;
      const value = pack.resolve(property.value);
      // The platform rejects an OAuth2 URL on this machine as well: that is oauth2-url-form's to say.
      if (auth.type === "OAuth2" && isLoopback(hostOf(knownText(value) ?? "") ?? "")) continue;
      yield { what: name, place: property.value, value };
    }
  }
}

/** What SetEndpoint steps offer, as far as it is written out. */
function* endpoints(pack: PackModel): Iterable<CredentialUrl> {
  for (const auth of knownAuths(pack))
    for (const { place, value } of offeredEndpoints(pack, auth)) yield { what: "This endpoint", place, value };
}

/** What requests go to, where that is written. */
function* fetched(pack: PackModel): Iterable<CredentialUrl> {
  const { all } = requestsOf(pack);
  const isInsecure = ({ known }: UrlText): boolean => /^http:/i.test(known);
  const seen = new Set<string>();
  for (const request of all) {
    if (!request.urls.some(isInsecure)) continue;
    for (const { beginning: place, pieces, known } of request.urls) {
      const [first] = pieces;
      if (first?.kind !== "text") continue;
      const { file, start, end } = first;
      const key = `${place.file}:${place.start}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield { what: "This request's URL", place, value: { kind: "string", file, start, end, value: known } };
    }
  }
}

/** Where the beginning is written out: in the text, or in the constant that it stands behind. */
function withHttps(pack: PackModel, value: Value): readonly Fix[] {
  const at = value.start + 1;
  if (!/^http:/i.test(pack.text(value.file).slice(at, at + 5))) return [];
  return [fix("Change to https", { file: value.file, start: at, end: at + 4, text: "https" })];
}
