import type { FieldSpec } from "../../../spec/fields.ts";
import { knownAuths, propertyOf } from "../config.ts";
import { mayHaveEndpoint } from "../endpoint-source.ts";
import type { Finding, GivenField, PackModel, Value } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "field-empty",
  severity: "error",
  source: "sdk-facts 2",
  about: "knownType",
  docs: `A field that the credential depends on is empty or blank.

An empty header or parameter name, URL or list of params leaves the credential without a place to go. The upload accepts some of these and every request fails, which is worse. Fill it in. (A Custom authentication without params is legal, and only a warning: it asks the user for nothing. An empty list is right where the account is its endpoint, as with \`requiresEndpointUrl\`.)`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: «" "» });\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: «""», tokenUrl: "https://login.acme.example/t" });\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: «[]» });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [], requiresEndpointUrl: true });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\nconst HEADER = process.env.HEADER ?? "";\npack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: HEADER, tokenPrefix: "" });\n`,
    },
  ],
  *check(pack) {
    for (const auth of knownAuths(pack))
      for (let index = 0; index < auth.given.length; index++) {
        const { field, property } = auth.given[index] as GivenField;
        if ((!field.required && field.name !== "resource") || field.name === "type") continue;
        // Where the account is its endpoint, that is what the user is asked for.
        const isEndpointEnough = field.kind === "objectArray" && mayHaveEndpoint(pack, auth);
        yield* emptyValues(pack, field, property.value, isEndpointEnough ? "off" : auth.type === "Custom" ? "warning" : "error");
      }
  },
});

function* emptyValues(pack: PackModel, field: FieldSpec, given: Value, ofNone: "off" | "warning" | "error"): Iterable<Finding> {
  const value = pack.resolve(given);
  if (value.kind === "string" && (field.kind === "string" || field.kind === "url") && value.value.trim() === "")
    yield { place: given, message: `${field.name} is empty, so nothing that needs it can work.` };
  if (value.kind !== "array") return;
  if (value.items.length === 0 && !value.open && ofNone !== "off") {
    yield ofNone === "warning"
      ? { place: given, severity: "warning", message: `${field.name} is empty: the user is asked for nothing, and no credential is sent.` }
      : { place: given, message: `${field.name} is empty, so there is nothing to send.` };
  }
  // The name alone decides where a value goes; a description may be left blank.
  const name = field.fields?.find((inner) => inner.name === "name");
  for (const item of name === undefined ? [] : value.items) {
    const object = pack.resolve(item);
    const property = object.kind === "object" ? propertyOf(object, "name") : undefined;
    if (name !== undefined && property !== undefined) yield* emptyValues(pack, name, property.value, ofNone);
  }
}
