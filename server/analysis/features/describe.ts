// Describes a field, a type or a param as Markdown, for hovers and completions.
import { AUTH_TYPES, isAuthTypeName } from "../../../spec/auth-types.ts";
import type { FieldSpec } from "../../../spec/fields.ts";
import type { FactSource, ProviderPage } from "../../../spec/provider-page.ts";
import { sourceAddress, sourcesOfFact } from "../../../spec/provider-readings.ts";
import { placeholderOf } from "../configuration/config.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import { code, codeBlock, plain } from "../text/markdown.ts";
import { requestPreview } from "./request-preview.ts";

export function describeField(field: FieldSpec): string {
  const parts = [field.docs];
  if (field.deprecated !== undefined) parts.push(`**Deprecated.** ${field.deprecated}`);
  if (field.values !== undefined) parts.push(`One of ${field.values.map((value) => `\`${JSON.stringify(value)}\``).join(", ")}.`);
  if (field.default !== undefined) parts.push(`Default: ${code(field.default)}`);
  return parts.join("\n\n");
}

/** Returns the description with the field's name and whether it is required. */
export const titledField = (field: FieldSpec, isNeeded = field.required === true): string =>
  `**${field.name}** ${isNeeded ? "(required)" : "(optional)"}\n\n${describeField(field)}`;

/** Describes the configuration's type, and the requests that it produces. */
export function describeAuth(pack: PackModel, auth: AuthConfig): string {
  if (auth.type === undefined || !isAuthTypeName(auth.type))
    return auth.scope === "user" ? "Authentication of each user." : "Authentication of the whole pack.";
  const type = AUTH_TYPES[auth.type];
  return `**${type.name}**: ${type.docs}\n\n${fenced(requestPreview(pack, auth))}`;
}

/** Shows a request with the parts that carry the credential. */
export const fenced = (request: string): string => `A request carries:\n\n${codeBlock("http", request)}`;

/** Describes the redirect address that the published pack needs at the provider. */
export function describeRedirect(pack: PackModel): string {
  const published = pack.publishedRedirect();
  if (published.address === undefined) return `${published.whereToFind} Register that address at the provider.`;
  return `Register this redirect address at the provider, for the published pack: ${code(published.address)} (legacy: ${published.legacy.map(code).join(", ")}).`;
}

/** Describes the provider by the facts of its page that its users notice, with their sources. */
export function describeProvider(page: ProviderPage): string {
  const { oauth2, verification } = page;
  const lifetime = oauth2?.tokenLifetime;
  const facts = [
    [
      "oauth2.tokenLifetime",
      lifetime && (lifetime === "none" ? "Access tokens do not expire." : `Access tokens last ${duration(lifetime)}.`),
    ],
    ["oauth2.refresh.rotates", oauth2?.refresh?.rotates && "Refresh tokens rotate: each refresh ends the old one."],
    ["verification", verification && plain(verification)],
  ].filter((fact): fact is [string, string] => typeof fact[1] === "string");
  const sources = new Set(
    ["oauth2.authorizationUrl", ...facts.map(([name]) => name)].flatMap((name) => sourcesOfFact(page, name).slice(0, 1).map(sourceName)),
  );
  return `**${plain(page.title)}**: ${facts.map(([, text]) => `${text} `).join("")}From ${[...sources].map(code).join(", ")}; compare with the provider's own documentation.`;
}

/** Returns the repository, the package with its version, or the host of what was read. */
const sourceName = (source: FactSource): string =>
  /^npm (\S+)/.exec(source.read)?.[1] ??
  sourceAddress(source)
    .match(/^https:\/\/(?:(?:raw\.githubusercontent|github)\.com\/([^/]+\/[^/]+)|([^/]+))/)
    ?.slice(1)
    .find(Boolean) ??
  source.read;

const duration = (seconds: number): string => {
  const [amount, unit] =
    seconds % 86_400 === 0
      ? [seconds / 86_400, "day"]
      : seconds % 3_600 === 0
        ? [seconds / 3_600, "hour"]
        : [Math.round(seconds / 60), "minute"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
};

/** Describes a param of a Custom authentication. */
export function describeParam(name: string, description: string | undefined): string {
  const prompt = description === undefined ? "" : `\n\nThe connect dialog asks: ${plain(description)}`;
  return `**${plain(name)}**: a param of the Custom authentication.${prompt}\n\nBefore a request is sent, the platform puts the account's value in place of ${code(placeholderOf(name))}. The pack never sees it.`;
}
