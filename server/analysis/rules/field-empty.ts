import type { AuthTypeName } from "../../../spec/auth-types.ts";
import { fieldsWith } from "../../../spec/configuration-fields.ts";
import type { FieldSpec } from "../../../spec/fields.ts";
import { fix, propertyOf } from "../configuration/config.ts";
import { mayHaveEndpoint } from "../configuration/endpoint-source.ts";
import type { Finding } from "../model/findings.ts";
import type { ConfigField, PackModel } from "../model/pack.ts";
import type { Expression } from "../model/values.ts";
import { pack, rule } from "../rule.ts";
import { literalEdits } from "../text/edit.ts";

export default rule({
  id: "field-empty",
  severity: "error",
  verdict: "fails-when-run",
  source: "sdk-facts 2",
  docs: `A field that the credential depends on is empty, or has a space before or after its text.

Fill it in, without spaces around it. With an empty header or parameter name, URL or list of params the credential has no place to go. The upload accepts some of these, and then every request fails.

A space around a name is a warning: it is part of the name, so the answer's property or the parameter is not found.

A Custom authentication without params is legal and only a warning, because it asks the user for nothing. An empty list is right if the account is only its endpoint, as with \`requiresEndpointUrl\`.`,
  examples: [
    { bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: «" "» });` },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: «""», tokenUrl: "https://login.acme.example/t" });`,
    },
    { bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: «[]» });` },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.AWSAccessKey, service: «"s3 "» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.AWSAccessKey, service: "s3" });`,
    },
    { good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [], requiresEndpointUrl: true });` },
    {
      good: pack`
        const HEADER = process.env.HEADER ?? "";
        pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: HEADER, tokenPrefix: "" });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      for (let index = 0; index < auth.fields.length; index++) {
        const { field, property } = auth.fields[index] as ConfigField;
        if (WITHOUT_SPACES.has(field.name)) yield* checkEnds(pack, field.name, property.value);
        if ((!field.required && field.name !== "resource") || field.name === "type") continue;
        if (isLeftOut(pack, auth.type, field, property.value)) {
          yield {
            place: property.value.place,
            severity: "warning",
            message: "Fill in resource, or remove it. Empty is the same as left out.",
          };
          continue;
        }
        // If the account has an endpoint, the platform asks the user for that.
        const isEndpointEnough = field.kind === "objectArray" && mayHaveEndpoint(pack, auth);
        // The upload requires the addresses of OAuth2 alone.
        for (const finding of emptyValues(
          pack,
          field,
          property.value,
          isEndpointEnough ? "off" : auth.type === "Custom" ? "warning" : "error",
        ))
          yield auth.type === "OAuth2" && field.kind === "url" ? { ...finding, verdict: "will-be-rejected" } : finding;
      }
    },
  },
});

/**
 * Fields whose values contain no spaces: names of parameters, of a response's properties, of a service. Other rules check the other fields.
 */
const WITHOUT_SPACES: ReadonlySet<string> = new Set(fieldsWith("exact"));

function* checkEnds(pack: PackModel, name: string, sourceValue: Expression): Iterable<Finding> {
  const value = pack.resolve(sourceValue);
  const trimmedText = value.kind === "string" ? value.value.trim() : "";
  if (value.kind !== "string" || trimmedText === "" || trimmedText === value.value) return;
  yield {
    place: sourceValue.place,
    severity: "warning",
    message: `Write ${JSON.stringify(trimmedText)}, without a space around it. ${name} is used exactly as it is written.`,
    fixes: () => literalEdits(pack, sourceValue, trimmedText).map((edit) => fix(`Change to ${JSON.stringify(trimmedText)}`, edit)),
  };
}

/** The upload accepts an empty resource of OAuth2. */
function isLeftOut(pack: PackModel, type: AuthTypeName, field: FieldSpec, sourceValue: Expression): boolean {
  const value = pack.resolve(sourceValue);
  return field.name === "resource" && type === "OAuth2" && value.kind === "string" && value.value === "";
}

function* emptyValues(pack: PackModel, field: FieldSpec, sourceValue: Expression, ofNone: "off" | "warning" | "error"): Iterable<Finding> {
  const value = pack.resolve(sourceValue);
  if (value.kind === "string" && (field.kind === "string" || field.kind === "url") && value.value.trim() === "")
    yield { place: sourceValue.place, message: `Fill in ${field.name}. Nothing that needs it works while it is empty.` };
  if (value.kind !== "array") return;
  if (value.items.length === 0 && !value.open && ofNone !== "off") {
    yield ofNone === "warning"
      ? {
          place: sourceValue.place,
          severity: "warning",
          message: `Fill in ${field.name}. The user is asked for nothing, and no credential is sent.`,
        }
      : { place: sourceValue.place, message: `Fill in ${field.name}. There is nothing to send while it is empty.` };
  }
  // Only the name decides where a value goes; a description may be empty.
  const name = field.fields?.find((inner) => inner.name === "name");
  for (const item of name === undefined ? [] : value.items) {
    const object = pack.resolve(item);
    const property = object.kind === "object" ? propertyOf(object, "name") : undefined;
    if (name !== undefined && property !== undefined) yield* emptyValues(pack, name, property.value, ofNone);
  }
}
