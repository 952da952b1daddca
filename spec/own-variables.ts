// The environment variables whose names start with PACK_AUTH_. Some are Pack Auth's own, and all others may contain a credential.

/**
 * Pack Auth's own variables, after PACK_AUTH_, and whether code of the workspace may read them. Neither a pack nor an account file may select
 * one: the passphrase opens every account, and the others are treated as harmless.
 */
const OWN: Readonly<Record<string, "harmless" | "secret">> = {
  API_HOST: "harmless",
  API_TOKEN: "secret",
  CODE_CACHE: "harmless",
  DOMAINS: "harmless",
  ENDPOINT: "harmless",
  HOME: "harmless",
  OP: "harmless",
  PASSPHRASE: "secret",
  SANDBOX: "harmless",
  SECRET_STORE: "harmless",
  START: "harmless",
};

const PREFIX = /^PACK_AUTH_/;

export const isOwnVariable = (name: string): boolean => Object.hasOwn(OWN, name.replace(PREFIX, ""));

/** Returns true for a variable of ours that contains no secret. Every other one whose name starts with PACK_AUTH_ may. */
export const isHarmlessVariable = (name: string): boolean =>
  PREFIX.test(name) && isOwnVariable(name) && OWN[name.replace(PREFIX, "")] === "harmless";

/** Converts a text to letters, digits and underscores, as shells require. */
export const shellName = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

/** Returns the name of the variable for a value that a pack names, after PACK_AUTH_ and the account's label. */
export const valueName = (name: string): string => (isOwnVariable(shellName(name)) ? `${shellName(name)}_VALUE` : shellName(name));
