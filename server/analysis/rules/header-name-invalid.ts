import { areNear } from "../../../base/closest.ts";
import { fix, propose, respell, valueIn } from "../configuration/config.ts";
import { type CredentialName, namesHeaders, readCredentialNames } from "../configuration/credential-placement.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place } from "../model/values.ts";
import { headersOf } from "../requests/requests.ts";
import { pack, rule, source, user } from "../rule.ts";
import { insertProperty, literalEdits, quoteLike, replace } from "../text/edit.ts";

export default rule({
  id: "header-name-invalid",
  severity: "error",
  verdict: "fails-when-run",
  source: "RFC 9110, section 5.1",
  docs: `A header for a credential has an invalid name.

A header's name consists of letters, digits and \`! # $ % & ' * + - . ^ _ | ~\`, without spaces and without the colon. The upload accepts any string, and then every request fails. A name that is \`Authorization\` but for a letter or two is a warning, also in a header that the pack sets itself. Services ignore it, and answer 401. Headers that the platform writes itself (Host, Content-Length, Cookie …) are a warning, because the platform replaces or refuses them.`,
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: «"X Api Key"» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Api-Key" });`,
    },
    {
      bad: user`
        type: coda.AuthenticationType.MultiHeaderToken,
        headers: [
          { name: «'X-Token:'», description: "Token" },
          { name: «"Host"», description: "Host" },
        ],`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: «"Authorisation"» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization" });`,
    },
    {
      good: source`
        import { HEADER } from "elsewhere";
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();
        pack.addNetworkDomain("acme.example");
        pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: HEADER });
        pack.setSystemAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization" });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (namesHeaders(auth)) for (const name of readCredentialNames(pack, auth)) yield* checkName(pack, name);
    },
    *request(pack, request) {
      for (const { header } of headersOf(pack, request))
        if (isNearlyAuthorization(header.name)) yield misspelt(pack, header.nameSpan, header.name);
    },
  },
});

/** A token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers that the HTTP client sets: framing, routing and cookies. */
const OWNED = /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|cookie2?|set-cookie2?|proxy-.*)$/i;

function* checkName(pack: PackModel, named: CredentialName): Iterable<Finding> {
  const { nameValue } = named;
  const name = pack.resolve(nameValue);
  // The rule field-empty reports an empty name.
  if (name.kind !== "string" || name.value.trim() === "") return;
  if (TOKEN.test(name.value)) {
    if (isNearlyAuthorization(name.value)) yield misspelt(pack, nameValue.place, name.value);
    if (OWNED.test(name.value))
      yield {
        place: nameValue.place,
        severity: "warning",
        message: `Use the header that the API's documentation names for the token. The platform writes ${name.value} itself, and replaces or refuses a credential in it.`,
      };
    return;
  }
  const [forbidden = ""] = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/u.exec(name.value) ?? [];
  const problem = `${JSON.stringify(name.value)} contains ${describe(forbidden)}, so every request would fail.`;
  // If only a space separates them, the second word is certainly a scheme only after `Authorization`.
  const [, beforeColon, beforeSpace, scheme = ""] =
    /^(?:([^\s:]+)[ \t]*:|(authorization)[ \t])[ \t]*([a-z][\w-]*)$/i.exec(name.value.trim()) ?? [];
  const header = beforeColon ?? beforeSpace ?? "";
  if (TOKEN.test(header)) {
    yield {
      place: nameValue.place,
      message: `Write ${header} here and ${scheme} in tokenPrefix. ${problem}`,
      fixes: () => split(pack, named, header, scheme),
    };
    return;
  }
  const correctedName = name.value.trim().replace(/:$/, "").trimEnd().replaceAll(/\s+/g, "-");
  yield {
    place: nameValue.place,
    message: `Use only letters, digits and - . _ in a header name. ${problem}`,
    fixes: (TOKEN.test(correctedName) ? literalEdits(pack, nameValue, correctedName) : []).map((edit) =>
      (/\s/.test(name.value.trim()) ? propose : fix)(`Change to ${correctedName}`, edit),
    ),
  };
}

/** Returns whether the name misspells `Authorization`. `X-Authorization` is another header. */
const isNearlyAuthorization = (name: string): boolean =>
  /^[a-z]+$/i.test(name) && name.toLowerCase() !== AUTHORIZATION && areNear(name.toLowerCase(), AUTHORIZATION, 2);

const AUTHORIZATION = "authorization";

function misspelt(pack: PackModel, place: Place, name: string): Finding {
  const source = pack.text(place.file).slice(place.start, place.end);
  const replacement = source === name ? "Authorization" : quoteLike(pack, place, "Authorization");
  return {
    place,
    severity: "warning",
    message: `Write Authorization. Services know no header ${name}, so the credential in it is ignored.`,
    fixes: () => (source.includes(name) ? [respell("Change to Authorization", replace(place, replacement))] : []),
  };
}

/** Moves the scheme to tokenPrefix, because the platform sends the prefix before the token. */
function split(pack: PackModel, { nameValue, object }: CredentialName, header: string, scheme: string): readonly Fix[] {
  const prefix = valueIn(pack, object, "tokenPrefix");
  const isThere = prefix?.kind === "string" && prefix.value.toLowerCase() === scheme.toLowerCase();
  if (nameValue.kind !== "string" || (prefix !== undefined && !isThere) || object.open) return [];
  return [
    propose(
      `Change to ${header}, with tokenPrefix ${scheme}`,
      replace(nameValue.place, quoteLike(pack, nameValue.place, header)),
      ...(isThere ? [] : [insertProperty(pack, object, `tokenPrefix: ${quoteLike(pack, nameValue.place, scheme)}`)]),
    ),
  ];
}

const describe = (character: string): string => (/\s/.test(character) ? "a space" : `the character ${character}`);
