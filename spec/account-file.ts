// The account file of a team, packauth.accounts.json: labels, endpoints, and references to secrets that are stored elsewhere. The linter
// and the platform read it by these rules. Invariant: no message contains a text that may be a secret.

import { isRecord } from "../base/is-record.ts";
import { printable } from "../base/printable.ts";
import { isOwnVariable, valueName } from "./own-variables.ts";

export const ACCOUNT_FILE = "packauth.accounts.json";

/** Bytes. */
export const LARGEST_ACCOUNT_FILE = 256 * 1024;
/** Levels of arrays and objects. */
export const DEEPEST_ACCOUNT_FILE = 8;
const MOST_ACCOUNTS = 200;
const MOST_SECRETS = 50;
/** Characters of a label or of the name of a secret. */
const LONGEST_NAME = 200;
const LONGEST_ENDPOINT = 2_048;
const LONGEST_REFERENCE = 500;

/** An account as the file describes it. */
export interface FileAccount {
  readonly label: string;
  readonly scope: "user" | "system";
  readonly endpoint?: string;
  /** The references by the names of the secrets, which the authentication type decides. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface AccountFileProblem {
  /** The members and indexes from the root to the problem. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** A reference to put in place of a literal secret. */
  readonly replacement?: string;
}

export interface ReadAccountFile {
  readonly accounts: readonly FileAccount[];
  readonly problems: readonly AccountFileProblem[];
}

/** Reads the parsed JSON of an account file. The accounts are complete only if there are no problems. */
export function readAccountFile(content: unknown): ReadAccountFile {
  const problems: AccountFileProblem[] = [];
  const flag = (path: AccountFileProblem["path"], message: string): undefined => {
    problems.push({ path, message });
  };
  if (!isRecord(content)) {
    flag([], 'The file must be an object, such as { "version": 1, "accounts": [] }.');
    return { accounts: [], problems };
  }
  allowOnly(content, ["$schema", "version", "accounts"], [], flag);
  if (content.version !== 1) flag(["version"], "Set version to 1, the only version that is read.");
  if (!Array.isArray(content.accounts)) flag(["accounts"], "accounts must be a list of accounts.");
  const listed: readonly unknown[] = Array.isArray(content.accounts) ? content.accounts : [];
  if (listed.length > MOST_ACCOUNTS) flag(["accounts"], `At most ${MOST_ACCOUNTS} accounts are read. Divide the file.`);
  const names = new Set<string>();
  const accounts = listed.slice(0, MOST_ACCOUNTS).flatMap((listedAccount, index): FileAccount[] => {
    const path = ["accounts", index];
    if (!isRecord(listedAccount)) {
      flag(path, 'An account must be an object with "label" and "secrets".');
      return [];
    }
    allowOnly(listedAccount, ["label", "scope", "endpoint", "secrets"], path, flag);
    const { label, scope = "user", endpoint, secrets } = listedAccount;
    if (!isLine(label, LONGEST_NAME)) flag([...path, "label"], `label must be one line of at most ${LONGEST_NAME} characters.`);
    if (scope !== "user" && scope !== "system") flag([...path, "scope"], 'scope must be "user" or "system".');
    if (endpoint !== undefined && !isAddress(endpoint))
      flag([...path, "endpoint"], "endpoint must be a URL that begins with https://, without user name, ? or #.");
    const name = JSON.stringify([scope, label]);
    if (names.has(name)) flag([...path, "label"], "Another account of the file has this label. Choose another one.");
    names.add(name);
    const references = readSecrets(secrets, typeof label === "string" ? label : "", [...path, "secrets"]);
    if (typeof label !== "string" || (scope !== "user" && scope !== "system")) return [];
    return [{ label, scope, ...(typeof endpoint === "string" ? { endpoint } : {}), secrets: references }];
  });
  return { accounts, problems };

  function readSecrets(secrets: unknown, label: string, path: AccountFileProblem["path"]): FileAccount["secrets"] {
    if (!isRecord(secrets) || Object.keys(secrets).length === 0) {
      flag(path, 'secrets must be an object of references, such as { "token": "env:PACK_AUTH_ALICE_TOKEN" }.');
      return {};
    }
    if (Object.keys(secrets).length > MOST_SECRETS) flag(path, `At most ${MOST_SECRETS} secrets are read for an account.`);
    const references = Object.entries(secrets)
      .slice(0, MOST_SECRETS)
      .flatMap(([name, reference]) => {
        const place = [...path, name];
        if (!isLine(name, LONGEST_NAME))
          return flag(path, `The name of a secret must be one line of at most ${LONGEST_NAME} characters.`) ?? [];
        if (typeof reference !== "string") return flag(place, "A reference must be a string, such as env:PACK_AUTH_ALICE_TOKEN.") ?? [];
        const problem = referenceProblem(reference);
        if (problem === undefined) return [[name, reference]];
        problems.push({ path: place, message: problem, ...(isLiteral(reference) ? { replacement: variableFor(label, name) } : {}) });
        return [];
      });
    return Object.fromEntries(references);
  }
}

/** Returns why a text cannot be resolved, or undefined for a reference. */
function referenceProblem(text: string): string | undefined {
  if (parseReference(text) !== undefined) return undefined;
  if (/^env:/i.test(text))
    return isOwnVariable(text.slice("env:".length))
      ? `${text.slice("env:".length)} is a variable of Pack Auth itself, and no account may read it. Name another variable.`
      : "A reference env: names a variable that begins with PACK_AUTH_, in capital letters, digits and underscores. Write env: in small letters.";
  if (/^op:/i.test(text))
    return "Write op://vault/item/field or op://vault/item/section/field, in letters, digits, spaces and the characters - _ . only.";
  return "This is a secret, and everybody who has the file can read it. Revoke it, since git may keep it. Then write a reference such as env:PACK_AUTH_ALICE_TOKEN or op://vault/item/field.";
}

const isLiteral = (text: string): boolean => !/^(?:env|op):/i.test(text);

export type Reference =
  | { readonly kind: "env"; readonly variable: string }
  /** The text is passed to 1Password's program as one argument. */
  | { readonly kind: "op"; readonly text: string };

/** A part of an `op://` reference: it never begins like an option of a program. */
const OP_PART = "[A-Za-z0-9_](?:[A-Za-z0-9_. -]*[A-Za-z0-9_.-])?";
const OP = new RegExp(`^op://${OP_PART}(?:/${OP_PART}){2,3}$`);

/** Returns the reference; undefined if the text is none, or may not be resolved. */
export function parseReference(text: string): Reference | undefined {
  if (text.length > LONGEST_REFERENCE) return undefined;
  const variable = /^env:(PACK_AUTH_[A-Z0-9_]+)$/.exec(text)?.[1];
  if (variable !== undefined) return isOwnVariable(variable) ? undefined : { kind: "env", variable };
  return OP.test(text) ? { kind: "op", text } : undefined;
}

/** Returns the reference that the fix of a literal secret writes. */
const variableFor = (label: string, name: string): string =>
  `env:PACK_AUTH_${valueName(`${label} ${name.replace(/(?<=[a-z])(?=[A-Z])/g, "_")}`).slice(0, LONGEST_NAME) || "SECRET"}`;

function allowOnly(
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
  path: AccountFileProblem["path"],
  flag: (path: AccountFileProblem["path"], message: string) => void,
): void {
  // The name is not shown: a secret may stand in the wrong place.
  if (Object.keys(object).some((name) => !names.includes(name)))
    flag(path, `Only these members are read here: ${names.filter((name) => name !== "$schema").join(", ")}. Remove the others.`);
}

/** Returns whether the value is a text that fits on one line, without control characters or direction marks. */
const isLine = (value: unknown, mostCharacters: number): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= mostCharacters && !/[\t\n]/.test(value) && printable(value) === value;

/** Returns whether the value is a plain address. Whether the pack may use it is decided where the pack is known. */
const isAddress = (value: unknown): boolean =>
  typeof value === "string" &&
  value.length <= LONGEST_ENDPOINT &&
  /^https:\/\/[A-Za-z0-9._-]+(?::\d+)?(?:\/[\w.~%!$&'()*+,;=:/-]*)?$/.test(value);
