// Completes whole configurations for a setter without an argument: one for each type, and one for each provider with a page.
import type { AuthScope, AuthTypeSpec } from "../../../../spec/auth-types.ts";
import { wholePage } from "../../../../spec/provider-readings.ts";
import { oauth2Providers } from "../../../../spec/providers.ts";
import { configFields } from "../../configuration/configuration-objects.ts";
import { enumText } from "../../configuration/starter-values.ts";
import type { AuthConfig, PackModel } from "../../model/pack.ts";
import type { Span } from "../../model/values.ts";
import type { Frame } from "../cursor.ts";
import { describeProvider, fenced } from "../describe.ts";
import { requestPreview } from "../request-preview.ts";
import { type Completion, type CompletionPlace, emptyObject } from "./completion.ts";
import { declaredDomains, fieldSnippet } from "./field-values.ts";
import { providerConfiguration } from "./provider-configuration.ts";
import { blank, choice, lastStop, literally, renumbered } from "./snippet.ts";
import { offeredTypes } from "./types.ts";

/** `braces` adds the braces of the object, if they do not exist yet. */
export function configurationCompletions(
  { pack, file }: CompletionPlace,
  scope: AuthScope,
  setter: Frame,
  span: Span,
  braces: boolean,
): readonly Completion[] {
  const types = offeredTypes(pack, scope);
  const whole = (members: readonly string[]): string => {
    const lines = members.map((member) => `  ${member.replaceAll("\n", "\n  ")},`).join("\n");
    return braces ? `{\n${lines}\n${literally("}")}` : `\n${lines}\n`;
  };
  const byType = types.map((type, index): Completion => {
    const auth = imagined(file, scope, type);
    return {
      label: `${type.name} configuration`,
      kind: "configuration",
      snippet: whole(members(pack, file, auth, type)),
      span,
      detail: "whole configuration",
      sort: `!0${String(index).padStart(2, "0")}`,
      docs: () => `${type.docs}\n\n${fenced(requestPreview(pack, auth))}`,
    };
  });
  if (!types.some(({ name }) => name === "OAuth2")) return byType;
  const byProvider = oauth2Providers().map((provider): Completion => {
    const { members, also } = providerConfiguration(pack, file, provider, setter);
    return {
      label: `${provider.title} (OAuth2)`,
      kind: "configuration",
      snippet: whole([typeMember(pack, file, "OAuth2"), ...members]),
      span,
      ...(also.length === 0 ? {} : { also }),
      detail: "whole configuration",
      sort: `!1${provider.title.toLowerCase()}`,
      docs: () =>
        `OAuth 2.0 with ${provider.title}.\n\n- \`${provider.oauth2.authorizationUrl}\`\n- \`${provider.oauth2.tokenUrl}\`\n\n${describeProvider(wholePage(provider))}`,
    };
  });
  return [...byType, ...byProvider];
}

/** A future configuration, of which only the type is known. */
function imagined(file: string, scope: AuthScope, type: Pick<AuthTypeSpec, "name">): AuthConfig {
  const at = { file, start: 0, end: 0 };
  return { scope, isAdmin: false, place: at, type: type.name, config: emptyObject(at) };
}

const typeMember = (pack: PackModel, file: string, type: string): string =>
  `type: ${literally(enumText(pack, file, "AuthenticationType", type))}`;

/** Returns the type, its required fields, and the domain that gets the credentials if there are several. */
function members(pack: PackModel, file: string, auth: AuthConfig, type: AuthTypeSpec): readonly string[] {
  const requiredFields = configFields(pack, auth).filter((field) => field.required && field.name !== "type");
  const memberTexts = [typeMember(pack, file, type.name)];
  let stops = 0;
  const add = (member: string): void => {
    const counted = renumbered(member, stops);
    stops = Math.max(stops, lastStop(counted));
    memberTexts.push(counted);
  };
  for (const field of requiredFields) add(`${field.name}: ${fieldSnippet({ pack, file, auth }, field)}`);
  if (type.name === "OAuth2" || type.name === "OAuth2ClientCredentials") add(`scopes: [${blank(1)}]`);
  if (type.hasBaseFields) for (const member of domainMember(pack)) add(member);
  return memberTexts;
}

function domainMember(pack: PackModel): readonly string[] {
  const domains = declaredDomains(pack);
  return domains.length > 1 ? [`networkDomain: "${choice(1, domains)}"`] : [];
}
