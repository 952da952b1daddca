import { isLoopback } from "../../../base/is-loopback.ts";
import { fix, propose } from "../configuration/config.ts";
import { offeredEndpoints } from "../configuration/endpoint-source.ts";
import { hostOf, staticText } from "../domains/url-value.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, Place } from "../model/values.ts";
import { bearer, pack, rule } from "../rule.ts";

export default rule({
  id: "url-insecure",
  severity: "error",
  verdict: "fails-when-run",
  rejectedSince: "1.8.6",
  source: "sdk-facts 2",
  docs: `A credential would travel unencrypted: a URL begins with http://.

Write https://. Everyone on the way could read the credential, so the platform accepts only https. It rejects other OAuth URLs, and refuses other endpoints. An address of this machine (localhost) is only information, since nothing leaves the machine.`,
  supersedes: ["oauth2-url-form", "url-placeholder"],
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/authorize", tokenUrl: «'http://login.acme.example/token'» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/authorize", tokenUrl: 'https://login.acme.example/token' });`,
    },
    {
      bad: bearer`
        postSetup: [{
          type: coda.PostSetupType.SetEndpoint,
          name: "Region",
          description: "Choose",
          getOptions: async function (context) {
            return [{ display: "EU", value: «"http://eu.acme.example"» }, { display: "US", value: "https://us.acme.example" }];
          },
        }],`,
      change: ['"http://eu.acme.example"', '"https://eu.acme.example"'],
    },
    {
      bad: pack`
        export async function get(context, id) {
          return context.fetcher.fetch({ method: "GET", url: «\`http://acme.example/items/\${id}\`» });
        }`,
      change: ["`http://acme.example/items/${id}`", "`https://acme.example/items/${id}`"],
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: "http://acme.example/help" });
        export const link = "http://acme.example/";`,
    },
  ],
  on: {
    *auth(pack, auth) {
      for (const name of ["authorizationUrl", "tokenUrl"]) {
        const property = auth.fields.find(({ field }) => field.name === name)?.property;
        if (property === undefined) continue;
        const value = pack.resolve(property.value);
        // The platform also rejects OAuth2 URLs on this machine, which oauth2-url-form reports.
        if (auth.type === "OAuth2" && isLoopback(hostOf(staticText(value) ?? "") ?? "")) continue;
        for (const finding of checkUrl(pack, name, property.value.place, value))
          yield auth.type === "OAuth2" ? { ...finding, verdict: "will-be-rejected" } : finding;
      }
      // The literal endpoints that SetEndpoint steps offer.
      for (const { place, value } of offeredEndpoints(pack, auth)) yield* checkUrl(pack, "This endpoint", place, value);
    },
    *request(pack, { urls }) {
      if (!urls.some(({ leadingText }) => /^http:/i.test(leadingText))) return;
      for (const { beginning, pieces, leadingText } of urls) {
        const [first] = pieces;
        if (first?.kind !== "text") continue;
        yield* checkUrl(pack, "This request's URL", beginning, { kind: "string", place: first.place, value: leadingText });
      }
    },
  },
});

/** Checks a value; the place is that of the field, which may refer to a constant. */
function* checkUrl(pack: PackModel, what: string, place: Place, value: Expression): Iterable<Finding> {
  const text = staticText(value) ?? "";
  if (!/^http:\/\//i.test(text)) return;
  const local = isLoopback(hostOf(text) ?? "");
  yield {
    place,
    ...(local ? { severity: "information" as const } : {}),
    message: local
      ? `Use an https URL before you upload. ${what} is an unencrypted address of this machine, which works only where you try the pack.`
      : `Use https://. ${what} begins with http://, so the credential would travel unencrypted, and the platform takes https alone.`,
    // A server on this machine may support http only.
    fixes: () => withHttps(pack, value, local ? propose : fix),
  };
}

/** Changes the scheme if it is in a literal, either in the field or in a constant. */
function withHttps(pack: PackModel, value: Expression, make: typeof fix): readonly Fix[] {
  const at = value.place.start + 1;
  if (!/^http:/i.test(pack.text(value.place.file).slice(at, at + 5))) return [];
  return [make("Change to https", { file: value.place.file, start: at, end: at + 4, text: "https" })];
}
