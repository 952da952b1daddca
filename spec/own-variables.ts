// The environment variables whose names start with PACK_AUTH_. Some are Pack Auth's own, and all others may contain a credential.

/**
 * The names of Pack Auth's own variables, after PACK_AUTH_. Neither a pack nor an account file may select one of them: the passphrase opens
 * every account. Nor may a credential be in a variable that other code treats as harmless (platform/bundle/esbuild.ts).
 */
const OWN: ReadonlySet<string> = new Set([
  "API_HOST",
  "API_TOKEN",
  "CODE_CACHE",
  "CORPUS",
  "COUNTS",
  "DOMAINS",
  "ENDPOINT",
  "HOME",
  "OP",
  "PASSPHRASE",
  "SANDBOX",
  "SECRET_STORE",
  "START",
]);

export const isOwnVariable = (name: string): boolean => OWN.has(name.replace(/^PACK_AUTH_/, ""));

/** Converts a text to letters, digits and underscores, as shells require. */
export const shellName = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

/** Returns the name of the variable for a value that a pack names, after PACK_AUTH_ and the account's label. */
export const valueName = (name: string): string => (isOwnVariable(shellName(name)) ? `${shellName(name)}_VALUE` : shellName(name));
