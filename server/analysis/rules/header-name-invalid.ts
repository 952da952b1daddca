import { fieldValue, fix, type KnownAuth, knownAuths, propertyOf, propose } from "../config.ts";
import { quoteLike, replace } from "../edit.ts";
import type { Finding, PackModel, Value } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "header-name-invalid",
  severity: "error",
  source: "RFC 9110, section 5.1",
  types: ["CustomHeaderToken", "MultiHeaderToken"],
  docs: `A header that should carry a credential has a name that no header can have.

A header's name is letters, digits and \`! # $ % & ' * + - . ^ _ | ~\`, without blanks and without the colon. The upload accepts any text, and then every request fails. Headers that the platform writes itself (Host, Content-Length, Cookie …) are a warning: what stands there would be replaced or refused.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: «"X Api Key"» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Api-Key" });\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.MultiHeaderToken,\n  headers: [\n    { name: «'X-Token:'», description: "Token" },\n    { name: «"Host"», description: "Host" },\n  ],\n});\n`,
    },
    {
      good: `import { HEADER } from "elsewhere";\nimport * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: HEADER });\npack.setSystemAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "Authorization" });\n`,
    },
  ],
  *check(pack) {
    for (const auth of knownAuths(pack)) for (const given of headerNames(pack, auth)) yield* checkName(pack, given);
  },
});

/** The values that name headers, as the configuration gives them. */
function headerNames(pack: PackModel, auth: KnownAuth): readonly Value[] {
  const own = auth.type === "CustomHeaderToken" ? propertyOf(auth.config, "headerName") : undefined;
  if (own !== undefined) return [own.value];
  const headers = auth.type === "MultiHeaderToken" ? fieldValue(pack, auth, "headers") : undefined;
  if (headers?.kind !== "array") return [];
  return headers.items.flatMap((item) => {
    const header = pack.resolve(item);
    return header.kind === "object" ? (propertyOf(header, "name")?.value ?? []) : [];
  });
}

/** A token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Written by whoever sends the request: framing, routing and cookies. */
const OWNED = /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|cookie2?|set-cookie2?|proxy-.*)$/i;

function* checkName(pack: PackModel, given: Value): Iterable<Finding> {
  const name = pack.resolve(given);
  // An empty name is field-empty's.
  if (name.kind !== "string" || name.value.trim() === "") return;
  if (TOKEN.test(name.value)) {
    if (OWNED.test(name.value))
      yield {
        place: given,
        severity: "warning",
        message: `The platform writes the header ${name.value} itself, so a credential in it would be replaced or refused. Take the header that the API's documentation names for the token.`,
      };
    return;
  }
  const meant = name.value.trim().replace(/:$/, "").trimEnd().replaceAll(/\s+/g, "-");
  const [forbidden = ""] = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/u.exec(name.value) ?? [];
  yield {
    place: given,
    message: `${JSON.stringify(name.value)} is no header name: it holds ${describe(forbidden)}, and every request would fail. A name has letters, digits and - . _ alone.`,
    fixes:
      given.kind === "string" && TOKEN.test(meant)
        ? [(/\s/.test(name.value.trim()) ? propose : fix)(`Change to ${meant}`, replace(given, quoteLike(pack, given, meant)))]
        : [],
  };
}

const describe = (character: string): string => (/\s/.test(character) ? "a blank" : `the character ${character}`);
