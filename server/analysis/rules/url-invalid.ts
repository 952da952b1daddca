import { fieldValue, fix, isAbsent, isTrue, propertyOf, propose, type ResolvedAuth, resolvedAuths } from "../configuration/config.ts";
import { mayHaveAnyEndpoint } from "../configuration/endpoint-source.ts";
import { declaredHosts, isUnder } from "../domains/hosts.ts";
import { withScheme } from "../domains/url-value.ts";
import type { Finding } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, Place } from "../model/values.ts";
import { mapped, type Piece } from "../requests/partial-text.ts";
import { placeIn } from "../requests/placeholder-texts.ts";
import type { RequestUrl } from "../requests/read-request.ts";
import { hasOwnFetch } from "../requests/requests.ts";
import { pack, rule } from "../rule.ts";
import { quoteLike, replace } from "../text/edit.ts";

export default rule({
  id: "url-invalid",
  severity: "error",
  verdict: "fails-when-run",
  source: "auth-spec 2",
  docs: `A URL of the configuration, or of a request, is not valid.

Write the whole URL, with https:// and without spaces. Nobody can sign in with an \`authorizationUrl\` or \`tokenUrl\` that is not a URL, though the upload may accept it. For an \`instructionsUrl\` it is a warning, also with a placeholder such as \`<your-site>\`. The connect dialog shows it as a link.

In a request, \`api.example.com/me\` and \`//api.example.com/me\` are relative to the account's endpoint. Without one, the request fails. They are reported where their host is under a declared network domain.`,
  supersedes: ["oauth2-url-form", "url-placeholder", "url-insecure"],
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: «"https://login.acme .example/authorize"», tokenUrl: "https://login.acme.example/token" });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/authorize", tokenUrl: "https://login.acme.example/token" });`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: «"https://<tenant>.acme.example/authorize"», tokenUrl: «'ask them'» });`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: «"acme.example/settings/tokens"» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: "https://acme.example/settings/tokens" });`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: «"https://acme.example/<workspace>/settings"» });`,
    },
    {
      bad: pack`
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "«api.acme.example»/me" });
        }`,
      change: ["api.acme.example", "https://api.acme.example"],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });
        pack.addFormula({
          name: "A", description: "A.", parameters: [], resultType: coda.ValueType.String,
          execute: async function (args, context) {
            let response = await context.fetcher.fetch({ method: "GET", url: \`«https://»\${context.endpoint}/me\` });
            return response.body.name;
          },
        });`,
    },
    {
      good: pack`
        const HOST = process.env.HOST;
        pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: \`https://\${HOST}/authorize\`, tokenUrl: HOST + "/token", instructionsUrl: "https://acme.example/help#tokens" });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type === "OAuth2" || auth.type === "OAuth2ClientCredentials")
        for (const name of ["authorizationUrl", "tokenUrl", "resource"]) yield* checkUrl(pack, auth, name);
      yield* checkInstructions(pack, auth);
    },
    *request(pack, { urls }) {
      for (const url of urls) yield* checkRequest(pack, url);
    },
  },
});

const CONSEQUENCES: Readonly<Record<string, string>> = {
  authorizationUrl: "Nobody can sign in there",
  tokenUrl: "Nobody gets a token there",
  resource: "No provider knows it",
};

/** What the upload accepts in OAuth2 although no URL parser takes it. */
const ACCEPTED: Readonly<Record<string, RegExp>> = {
  authorizationUrl: /^https:\/\/./,
  tokenUrl: /^https:\/\/./,
  resource: /^https:\/\/\S+$/,
};

function* checkUrl(pack: PackModel, auth: ResolvedAuth, name: string): Iterable<Finding> {
  const property = auth.fields.find(({ field }) => field.name === name)?.property;
  const value = property === undefined ? undefined : pack.resolve(property.value);
  // The rule field-empty reports an empty URL.
  if (property === undefined || value?.kind !== "string" || isUrl(value.value) || value.value.trim() === "") return;
  // The rule oauth2-url-form reports a URL that must be relative, or that only lacks its beginning.
  const isRelative = value.value.startsWith("/") || (isTrue(pack, auth, "requiresEndpointUrl") && !value.value.includes("://"));
  if (isRelative || withScheme(value.value) !== undefined) return;
  yield {
    place: property.value.place,
    ...(auth.type === "OAuth2" && ACCEPTED[name]?.test(value.value) === true ? {} : { verdict: "will-be-rejected" as const }),
    message: `Write the whole URL from the provider's documentation, beginning with https://. ${name} is not a URL: ${reason(value.value)}. ${String(CONSEQUENCES[name])}.`,
    fixes: () => repairs(pack, property.value),
  };
}

function* checkInstructions(pack: PackModel, auth: ResolvedAuth): Iterable<Finding> {
  const property = propertyOf(auth.config, "instructionsUrl");
  const value = fieldValue(pack, auth, "instructionsUrl");
  if (property === undefined || value?.kind !== "string" || value.value.trim() === "") return;
  if (isUrl(value.value) && !/<[^<>]*>/.test(value.value)) return;
  yield {
    place: property.value.place,
    severity: "warning",
    message: `Write the whole URL of the page that says where users find the credential. instructionsUrl is not a URL: ${reason(value.value)}. The link in the connect dialog leads nowhere.`,
    fixes: () => repairs(pack, property.value),
  };
}

/** Matches `api.acme.com/me`, `//api.acme.com`, `https//api.acme.com`, and `https:/api.acme.com`, which URL parsers correct. */
const WITHOUT_SCHEME = /^(?:(https?:(?:\/?|\/{3,}))|https?\/\/|\/\/|)([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?=([/?#:])|$)/i;

/** Checks a request's URL. A host under a declared domain shows the intention. */
function* checkRequest(pack: PackModel, { leadingText, whole, chosen, pieces }: RequestUrl): Iterable<Finding> {
  const twice = chosen || hasOwnFetch(pack) ? undefined : secondScheme(pack, pieces);
  if (twice !== undefined) {
    yield {
      place: twice,
      message: "Write https:// once. What follows it here begins with it, too, so the request fails.",
      fixes: () => (isSchemeAt(pack, twice) ? [propose("Remove https://", replace(twice, ""))] : []),
    };
    return;
  }
  const [text, corrected, host = "", end] = WITHOUT_SCHEME.exec(leadingText) ?? [];
  if (text === undefined || chosen || (end === undefined && !whole)) return;
  if (!declaredHosts(pack).some((domain) => isUnder(host.toLowerCase(), domain))) return;
  const place = hasOwnFetch(pack) ? undefined : placeIn(pack, mapped(pieces), 0, text.length);
  if (place === undefined) return;
  const replacement = `https://${host}`;
  const isWritten = pack.text(place.file).slice(place.start, place.end) === text;
  const fails = corrected === undefined && !mayHaveAnyEndpoint(pack);
  yield {
    place,
    ...(fails ? {} : { severity: "warning" as const }),
    message: fails
      ? `Write ${replacement}. ${text} does not begin with https://, so the request fails.`
      : `Write ${replacement}. ${text} does not begin with https://, so the request may go elsewhere or fail.`,
    fixes: () => (isWritten ? [(fails ? fix : propose)(`Change to ${replacement}`, replace(place, replacement))] : []),
  };
}

/** Returns the scheme before another scheme, or before an endpoint that the user entered, which is a whole URL. */
function secondScheme(pack: PackModel, pieces: readonly Piece[]): Place | undefined {
  const [first, next] = pieces;
  if (first?.kind !== "text") return undefined;
  const { text } = first;
  const isBefore =
    /^https?:\/\/https?:\/\//i.test(text) ||
    (/^https?:\/\/$/i.test(text) &&
      (next?.kind === "text"
        ? /^https?:\/\//i.test(next.text)
        : next?.kind === "parameter" && next.path.at(-1) === "endpoint" && isContextName(next.path.at(-2)) && areEntered(pack)));
  return isBefore ? placeIn(pack, mapped(pieces), 0, text.indexOf("//") + 2) : undefined;
}

const isContextName = (name: string | undefined): boolean => name !== undefined && /(?:context|ctx)$/i.test(name);

/** Returns whether all endpoints are URLs that users entered. Endpoints from a token response or a list of options may lack the scheme. */
const areEntered = (pack: PackModel): boolean =>
  pack.authsComplete &&
  resolvedAuths(pack).every(
    (auth) =>
      auth.type === "None" ||
      (isTrue(pack, auth, "requiresEndpointUrl") && isAbsent(pack, auth, "endpointKey") && isAbsent(pack, auth, "postSetup")),
  );

const isSchemeAt = (pack: PackModel, { file, start, end }: Place): boolean => /^https?:\/\/$/i.test(pack.text(file).slice(start, end));

const isUrl = (text: string): boolean => URL.canParse(text);

const HIGHEST_PORT = 65_535;

function reason(text: string): string {
  if (/<[^<>]*>|\[(?=[^[\]]*\])[^[\]a-z_-]*[a-z_-]/i.test(text)) return "it contains a placeholder";
  if (/\s/.test(text.trim())) return "it contains a space";
  if (Number(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*:(\d+)(?=[/?#]|$)/i.exec(text)?.[1]) > HIGHEST_PORT) return `its port is above ${HIGHEST_PORT}`;
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? "its host cannot be read" : "it does not begin with https://";
}

function repairs(pack: PackModel, sourceValue: Expression): readonly ReturnType<typeof fix>[] {
  if (sourceValue.kind !== "string") return [];
  const whole = sourceValue.value.replaceAll(/\s+/g, "");
  const correctedUrl = /^https?:\/\//i.test(whole) && /\./.test(whole) && URL.canParse(whole) ? whole : withScheme(sourceValue.value);
  return correctedUrl === undefined || /[<>]/.test(correctedUrl)
    ? []
    : [fix(`Change to ${correctedUrl}`, replace(sourceValue.place, quoteLike(pack, sourceValue.place, correctedUrl)))];
}
