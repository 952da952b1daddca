import { hasCredential } from "../../../spec/auth-types.ts";
import { isNoText, nameOf, propertyOf, removal } from "../configuration/config.ts";
import type { Finding } from "../model/findings.ts";
import type { AdminAuthentication, PackModel } from "../model/pack.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "admin-authentication",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.8.6",
  source: "sdk-facts-2 8",
  docs: `An admin authentication lacks a field, or one has the wrong form.

The platform rejects the pack at upload. \`name\` needs 1 to 50 letters, digits and underscores, and begins with a letter. \`displayName\` needs 1 to 50 characters, and \`description\` 1 to 1,000. \`authentication\` may have any type except \`None\` and \`Various\`.`,
  examples: [
    {
      bad: pack`
        pack.addAdminAuthentication({
          name: «"All admins"»,
          displayName: "Admins",
          description: "For administrators.",
          authentication: { type: coda.AuthenticationType.HeaderBearerToken },
        });`,
      good: ['"All admins"', '"Admins"'],
    },
    {
      bad: pack`
        pack.addAdminAuthentication({
          name: "Admins",
          displayName: "Admins",
          description: "For administrators.",
          authentication: { type: «coda.AuthenticationType.None» },
        });`,
    },
  ],
  on: {
    *pack(model) {
      for (const admin of model.adminAuthentications) {
        for (const [field, isRight, form] of TEXTS) yield* checkText(model, admin, field, isRight, form);
        yield* checkAuthentication(model, admin);
      }
    },
  },
});

const REJECTED = "The platform rejects the pack otherwise.";
const RESERVED: ReadonlySet<string> = new Set(["defaultUserAuthentication", "systemAuthentication"]);

/** The conditions of the SDK's validator, which counts UTF-16 code units. */
const TEXTS: readonly (readonly [field: string, isRight: (text: string) => boolean, form: string])[] = [
  [
    "name",
    (text) => text.length <= 50 && /^\p{L}[\p{L}\p{N}_]*$/u.test(text) && !RESERVED.has(text),
    "1 to 50 letters, digits and underscores, beginning with a letter, and not the name of the user's or the system's authentication",
  ],
  ["displayName", (text) => text.length > 0 && text.length <= 50, "1 to 50 characters"],
  ["description", (text) => text.length > 0 && text.length <= 1000, "1 to 1,000 characters"],
];

function* checkText(
  pack: PackModel,
  { place, definition }: AdminAuthentication,
  field: string,
  isRight: (text: string) => boolean,
  form: string,
): Iterable<Finding> {
  const property = propertyOf(definition, field);
  if (property === undefined) {
    if (!definition.open) yield { place, message: `Add ${field} to the admin authentication. ${REJECTED}` };
    return;
  }
  const text = pack.resolve(property.value);
  if (isNoText(text) || text.kind === "undefined") yield { place: nameOf(property), message: `Write ${field} as a string. ${REJECTED}` };
  if (text.kind === "string" && !isRight(text.value)) yield { place: property.value.place, message: `Use ${form}. ${REJECTED}` };
}

function* checkAuthentication(pack: PackModel, { place, definition, auths }: AdminAuthentication): Iterable<Finding> {
  const property = propertyOf(definition, "authentication");
  const value = property && pack.resolve(property.value);
  if (property === undefined || value?.kind === "undefined") {
    if (!definition.open) yield { place, message: `Add authentication to the admin authentication. ${REJECTED}` };
  } else if (value !== undefined && value.kind !== "object" && value.kind !== "array" && (isNoText(value) || value.kind === "string"))
    yield { place: property.value.place, message: `Write authentication as an object with a type. ${REJECTED}` };
  for (const { type, typeProperty, config } of auths) {
    const requirement = propertyOf(config, "defaultConnectionRequirement");
    if (requirement !== undefined)
      yield {
        place: nameOf(requirement),
        message: `Remove defaultConnectionRequirement: it is about the accounts of users. ${REJECTED}`,
        fixes: () => removal(pack, config, requirement),
      };
    if (typeProperty !== undefined && !hasCredential(type))
      yield { place: typeProperty.value.place, message: `Use another type: administrators connect an account of it. ${REJECTED}` };
  }
}
