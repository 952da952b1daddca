// Compares the OAuth configuration of the published pack with this source and its stored client. Pure: it reads and sends nothing.
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { asksProvider, fieldOf, hasSignIn, isAuthTypeName } from "../../spec/auth-types.ts";
import type { PublishedOauthConfig } from "../public-api/public-api.ts";
import type { ClientCredentials } from "../secrets/credential.ts";
import { createRedactor } from "../secrets/redact.ts";

/** One property, as the platform has it and as this source has it. */
export interface DriftLine {
  readonly subject: string;
  readonly there: string;
  readonly here: string;
  /** Absent if the two cannot be compared, or need not be the same. */
  readonly isSame?: boolean;
  /** What the difference is, and what to do. Absent if there is nothing to do. */
  readonly advice?: string;
}

export interface Drift {
  readonly summary: string;
  readonly differs: boolean;
  /** Empty if the pack has no OAuth2 configuration. */
  readonly lines: readonly DriftLine[];
  /** The exact address to register at the provider. */
  readonly redirectAddress?: string;
}

/** Returns the setter whose users sign in at a provider, which is the one that the published OAuth configuration belongs to. */
export const oauthScopeOf = (definition: PackDefinition): AuthScope | undefined =>
  (["user", "system"] as const).find((scope) => asksProvider(definition[`${scope}Authentication`]?.type));

/** `client` is the stored client of the pack's OAuth2 configuration. `published` is not needed if the pack has no such configuration. */
export function driftOf(
  published: PublishedOauthConfig | undefined,
  definition: PackDefinition,
  client: ClientCredentials | undefined,
): Drift {
  const scope = oauthScopeOf(definition);
  const auth = scope === undefined ? undefined : definition[`${scope}Authentication`];
  if (auth === undefined || published === undefined) return { summary: withoutOAuth(definition), differs: false, lines: [] };
  const lines = [
    ...(auth.useDynamicClientRegistration === true ? [] : clientLines(published, client)),
    scopeLine(published, auth),
    addressLine("authorization URL", "authorizationUrl", published, auth),
    addressLine("token URL", "tokenUrl", published, auth),
    prefixLine(published, auth),
    registrationLine(published, auth),
    redirectLine(published),
  ];
  const redirectAddress = shown(published.redirectUri) || undefined;
  // The platform may have the secret from a hand-over, and may repeat it in any field.
  return createRedactor(client?.clientSecret === undefined ? [] : [client.clientSecret]).redactValue({
    summary: summaryOf(published, auth, lines),
    differs: lines.some(({ isSame }) => isSame === false),
    lines,
    ...defined({ redirectAddress }),
  });
}

/** Returns the summary, and what to do about each difference. */
export const driftText = ({ summary, lines }: Drift): string =>
  [summary, ...lines.flatMap(({ isSame, advice }) => (isSame === false && advice !== undefined ? advice : []))].join(" ");

/** Returns the two sides as texts, for a diff, in which only the lines that differ have different texts. */
export function driftTexts({ lines }: Drift): { readonly there: string; readonly here: string } {
  const textOf = (side: "there" | "here"): string =>
    lines
      .map((line) => {
        const { subject, there, here, isSame } = line;
        return `${subject}: ${isSame === false || there === here ? line[side] : `${there} (here: ${here})`}\n`;
      })
      .join("");
  return { there: textOf("there"), here: textOf("here") };
}

/**
 * Returns whether the value fits what the platform shows of it; undefined if it shows no character. The platform replaces some characters,
 * and only the visible ones can be compared.
 */
export function fitsMask(masked: string, value: string): boolean | undefined {
  const parts = masked.split(HIDDEN);
  const [first = "", ...laterParts] = parts;
  if (parts.every((part) => part === "")) return undefined;
  if (laterParts.length === 0) return value === first || value.endsWith(first) || value.startsWith(first);
  const last = laterParts.pop() ?? "";
  if (!value.startsWith(first) || !value.endsWith(last) || value.length < first.length + last.length) return false;
  let rest = value.slice(first.length, value.length - last.length);
  for (const part of laterParts) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}

/** Characters that stand for hidden ones. */
const HIDDEN = /(?:[*•●·…]|\.{3})+/;

/** Characters of one value that a line shows. Scopes may be many. */
const LONGEST = 2_000;
const NONE = "none";

const shown = (text: string | undefined): string => {
  const line = (text ?? "").replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
};

/** Characters at the end of a client ID that messages show. */
const TAIL = 4;

/** Returns the client ID as the platform shows one. A short ID is not shown at all. */
export const maskClientId = (clientId: string): string => `••••${clientId.length > 2 * TAIL ? clientId.slice(-TAIL) : ""}`;

function clientLines(published: PublishedOauthConfig, client: ClientCredentials | undefined): readonly DriftLine[] {
  const { maskedClientId, maskedClientSecret } = published;
  const fits = client === undefined || maskedClientId === "" ? undefined : fitsMask(maskedClientId, client.clientId);
  const needsSecret = client?.clientSecret !== undefined;
  const hasSecret = maskedClientSecret !== "";
  const secretFits = needsSecret && hasSecret ? fitsMask(maskedClientSecret, client.clientSecret) : undefined;
  return [
    {
      subject: "client ID",
      there: shown(maskedClientId) || NONE,
      here: client === undefined ? NONE : maskClientId(client.clientId),
      ...(maskedClientId === ""
        ? {
            isSame: false,
            advice: "No client ID is entered there, so nobody can sign in. Send the one that worked here, or enter it there.",
          }
        : fits === false
          ? { isSame: false, advice: "Another application is entered there. That is right if you keep one for the published pack." }
          : defined({ isSame: fits })),
    },
    {
      subject: "client secret",
      // The platform may show some characters of it, and none of them is needed here.
      there: hasSecret ? "entered" : NONE,
      here: needsSecret ? "stored" : NONE,
      ...(needsSecret && !hasSecret
        ? { isSame: false, advice: "No client secret is entered there. Send the one that worked here, or enter it there." }
        : secretFits === false && fits !== false
          ? { isSame: false, advice: "Another secret is entered there. Send the one that worked here if that one is out of date." }
          : secretFits === true
            ? { isSame: true }
            : {}),
    },
  ];
}

/** A scope contains none of these characters (RFC 6749, section 3.3), or it could not be told from two scopes. */
const scopesIn = (text: string): readonly string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

function scopeLine({ scopes }: PublishedOauthConfig, auth: AuthenticationDefinition): DriftLine {
  const there = scopesIn(scopes ?? "");
  const here = scopesIn((auth.scopes ?? []).join(" "));
  const missing = here.filter((scope) => !there.includes(scope));
  const extra = there.filter((scope) => !here.includes(scope));
  const isSame = missing.length === 0 && extra.length === 0;
  const advice = [
    missing.length === 0 ? "" : `Missing there: ${shown(missing.join(" "))}.`,
    extra.length === 0 ? "" : `Only there: ${shown(extra.join(" "))}.`,
    "Upload this source, or correct scopes.",
  ];
  return {
    subject: "scopes",
    there: shown(there.join(" ")) || NONE,
    here: shown(here.join(" ")) || NONE,
    isSame,
    ...(isSame ? {} : { advice: advice.filter(Boolean).join(" ") }),
  };
}

const addressOf = (text: string): string => (URL.canParse(text) ? new URL(text).href : text);

function addressLine(
  subject: string,
  field: "authorizationUrl" | "tokenUrl",
  published: PublishedOauthConfig,
  auth: AuthenticationDefinition,
): DriftLine {
  const here = auth[field];
  const there = published[field];
  // With dynamic registration the platform discovers the address that the source leaves out.
  if (here === undefined && auth.useDynamicClientRegistration === true) return { subject, there: shown(there) || NONE, here: "discovered" };
  const isSame = addressOf(here ?? "") === addressOf(there);
  return {
    subject,
    there: shown(there) || NONE,
    here: shown(here) || NONE,
    isSame,
    ...(isSame ? {} : { advice: `Upload this source, or correct ${field}.` }),
  };
}

function prefixLine(published: PublishedOauthConfig, auth: AuthenticationDefinition): DriftLine {
  const usual = isAuthTypeName(auth.type) ? fieldOf(auth.type, "user", "tokenPrefix")?.default : undefined;
  const byDefault = usual === undefined ? "" : (JSON.parse(usual) as string);
  const [there, here] = [published.tokenPrefix ?? byDefault, auth.tokenPrefix ?? byDefault];
  const isSame = there === here;
  return {
    subject: "token prefix",
    there: shown(there) || NONE,
    here: shown(here) || NONE,
    isSame,
    ...(isSame ? {} : { advice: "Upload this source, or correct tokenPrefix." }),
  };
}

function registrationLine(published: PublishedOauthConfig, auth: AuthenticationDefinition): DriftLine {
  const [there, here] = [published.useDynamicClientRegistration === true, auth.useDynamicClientRegistration === true];
  return {
    subject: "dynamic client registration",
    there: there ? "on" : "off",
    here: here ? "on" : "off",
    isSame: there === here,
    ...(there === here ? {} : { advice: "Upload this source, or correct useDynamicClientRegistration." }),
  };
}

const redirectLine = ({ redirectUri }: PublishedOauthConfig): DriftLine => ({
  subject: "redirect address",
  there: shown(redirectUri) || NONE,
  here: "not part of the source",
  ...(redirectUri === "" ? {} : { advice: "Register this address at the provider, exactly like this." }),
});

function summaryOf(published: PublishedOauthConfig, auth: AuthenticationDefinition, lines: readonly DriftLine[]): string {
  const differences = lines.filter(({ isSame }) => isSame === false).map(({ subject }) => subject);
  const { there, here } = scopeLine(published, auth);
  const clientId = shown(published.maskedClientId);
  const who = auth.useDynamicClientRegistration === true ? "" : clientId === "" ? "no client ID and " : `client ID ${clientId} and `;
  const has = (scopes: string): string => (scopes === NONE ? "no scopes" : `scopes ${scopes}`);
  if (differences.length === 0) return `The published pack fits this source. It has ${who}${has(there)}.`;
  return `The published pack has ${who}${has(there)}; this source has ${here === NONE ? "none" : here}. Different: ${differences.join(", ")}.`;
}

/** Returns what applies to a pack whose users do not sign in at a provider. */
function withoutOAuth({ userAuthentication: user, systemAuthentication: system }: PackDefinition): string {
  const ofUser = hasSignIn(user?.type) ? "Each user of the published pack enters credentials." : "";
  const ofSystem = hasSignIn(system?.type)
    ? `The system authentication is ${system?.type}. Enter its credentials at the published pack, as its system connection.`
    : "";
  return [ofUser, ofSystem, "This source has no OAuth2 configuration, so there is nothing to compare."].filter(Boolean).join(" ");
}
