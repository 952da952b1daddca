// The facts that a sign-in, a run, or the logs of the published pack can show of a pack, by code.

/**
 * What a fact is about: the configuration, which a sign-in, a refused request or the sign-ins of the published pack showed; a line of code;
 * or a property of a schema.
 */
export type Subject = "sign-in" | "credential" | "production" | "line" | "schema";

export const EVIDENCE = {
  "no-refresh-token": "sign-in",
  "client-authentication": "sign-in",
  "nested-token": "sign-in",
  "endpoint-in-token": "sign-in",
  "scopes-differ": "sign-in",
  pkce: "sign-in",
  "url-moved": "sign-in",
  "authorization-moved": "sign-in",
  "token-prefix": "credential",
  "token-in-query": "credential",
  "header-name": "credential",
  "published-sign-in-fails": "production",
  "host-refused": "line",
  "unauthorized-swallowed": "line",
  "request-not-awaited": "line",
  "schema-loses": "schema",
} as const satisfies Readonly<Record<string, Subject>>;

export type EvidenceCode = keyof typeof EVIDENCE;

export type CodeAbout<About extends Subject> = {
  [Code in EvidenceCode]: (typeof EVIDENCE)[Code] extends About ? Code : never;
}[EvidenceCode];

/** Facts about the configuration, which depend on some of its fields. */
export type ConfigurationCode = CodeAbout<"sign-in" | "credential" | "production">;

export const isEvidenceCode = (code: string): code is EvidenceCode => Object.hasOwn(EVIDENCE, code);

export const isConfigurationCode = (code: EvidenceCode): code is ConfigurationCode =>
  EVIDENCE[code] !== "line" && EVIDENCE[code] !== "schema";
