// Imports the credentials that the Packs SDK's command stores in plain text beside the pack (`.coda-credentials.json`). They can be moved
// into the secret store once; the file is then deleted and ignored.

import { appendFileSync, existsSync, lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { flowKindOf, valuesFieldOf } from "../../spec/auth-types.ts";
import { credentialPlaces } from "../../spec/credential-placement.ts";
import { PackAuthError } from "../errors.ts";
import { canonicalPath } from "../files/file-names.ts";
import { readRegularFile, readUnlinkedFile } from "../files/regular-file.ts";
import { retryWhileBusy } from "../files/retry-while-busy.ts";
import type { ClientCredentials, Credential } from "../secrets/credential.ts";
import { gitRepositoryOf } from "./git-repository.ts";
import { checkedValue } from "./pasted-value.ts";

export const TOOLKIT_FILE = ".coda-credentials.json";

/** The credentials in the file, for one authentication type. */
export interface ToolkitCredentials {
  readonly credential: Credential;
  readonly client?: ClientCredentials;
  readonly endpoint?: string;
  readonly scopes?: readonly string[];
}

const toolkitFile = (entry: string): string => join(dirname(entry), TOOLKIT_FILE);

/**
 * Returns whether the file exists. A link does not count: it could name another pack's file, whose credentials would go to this pack's
 * domain.
 */
export function hasToolkitCredentials(entry: string): boolean {
  try {
    return lstatSync(toolkitFile(entry), { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // The path cannot exist, for example because its folder is a file.
    return false;
  }
}

/**
 * Returns the file's credentials. Throws credentials-missing if the file cannot be read, has none for this type, or has an invalid value.
 */
export function readToolkitCredentials(entry: string, auth: AuthenticationDefinition): ToolkitCredentials {
  const file = toolkitFile(entry);
  let content: unknown;
  try {
    content = JSON.parse((hasToolkitCredentials(entry) ? readRegularFile(file) : undefined) ?? "");
  } catch (cause) {
    throw new PackAuthError("credentials-missing", `${TOOLKIT_FILE} could not be read.`, {
      hint: "Connect the account again instead. The file is not JSON, or cannot be read.",
      cause,
    });
  }
  const stored = isRecord(content) && isRecord(content.credentials) ? content.credentials : {};
  const credential = credentialOf(stored, auth);
  if (credential === undefined) {
    throw new PackAuthError("credentials-missing", `${TOOLKIT_FILE} contains no credentials for ${auth.type}.`, {
      hint: "Connect the account again instead. They may be of a type that the pack had before.",
    });
  }
  const { endpointUrl, scopes } = stored;
  const clientId = credential.kind === "oauth2" ? checkedField(stored, "clientId") : undefined;
  return {
    credential,
    ...defined({
      endpoint: textOf(endpointUrl),
      client: clientId === undefined ? undefined : { clientId, ...defined({ clientSecret: checkedField(stored, "clientSecret") }) },
      scopes: Array.isArray(scopes) ? scopes.filter(isText) : undefined,
    }),
  };
}

type Stored = Readonly<Record<string, unknown>>;

function credentialOf(stored: Stored, auth: AuthenticationDefinition): Credential | undefined {
  switch (flowKindOf(auth.type) ?? "unavailable") {
    case "token": {
      const token = checkedField(stored, credentialPlaces(auth.type, auth)[0]?.in === "query" ? "paramValue" : "token");
      return token === undefined ? undefined : { kind: "token", token };
    }
    case "multi-token":
    case "custom":
      return valuesOf(stored, auth);
    case "web-basic": {
      const username = checkedField(stored, "username");
      const password = textOf(stored.password) ?? "";
      return username === undefined ? undefined : { kind: "basic", username, password: checkedValue(password, placeOf("password"), true) };
    }
    case "authorization-code":
    case "client-credentials":
      return oauthOf(stored);
    // Access keys must be entered again: they are few, and new ones are safer.
    case "aws":
    case "aws-role":
    case "none":
    case "unavailable":
      return undefined;
  }
}

function valuesOf(stored: Stored, auth: AuthenticationDefinition): Credential | undefined {
  const field = valuesFieldOf(auth.type);
  const storedValues = stored[field];
  const names = (auth[field] ?? []).map(({ name }) => name);
  if (!isRecord(storedValues) || !names.every((name) => isText(storedValues[name]))) return undefined;
  return { kind: "values", values: Object.fromEntries(names.map((name) => [name, checkedField(storedValues, name, `${field}.`) ?? ""])) };
}

function oauthOf(stored: Stored): Credential | undefined {
  const accessToken = checkedField(stored, "accessToken");
  if (accessToken === undefined) return undefined;
  const { expires } = stored;
  const expiresAt = isText(expires) ? Date.parse(expires) : Number.NaN;
  return {
    kind: "oauth2",
    accessToken,
    ...defined({ refreshToken: checkedField(stored, "refreshToken"), expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt }),
  };
}

/**
 * Deletes the file, and adds it to the `.gitignore` beside it if the pack is in a git repository that does not ignore it.
 * Returns whether git already tracks the file, so that everybody with the repository knows its credentials. Throws storage-failed.
 */
export async function forgetToolkitFile(entry: string): Promise<{ readonly wasCommitted: boolean; readonly ignored: boolean }> {
  const file = toolkitFile(entry);
  try {
    const repository = gitRepositoryOf(dirname(file));
    const wasCommitted = repository?.has(file) === true;
    const needsLine = repository !== undefined && !isIgnored(file, repository.root);
    await retryWhileBusy(() => rmSync(file, { force: true }));
    if (needsLine) addLine(join(dirname(file), ".gitignore"), TOOLKIT_FILE);
    return { wasCommitted, ignored: needsLine };
  } catch (cause) {
    throw new PackAuthError("storage-failed", `${TOOLKIT_FILE} could not be deleted, or .gitignore not be written.`, {
      hint: "Delete it by hand. It contains credentials in plain text.",
      cause,
    });
  }
}

/**
 * Returns whether a `.gitignore` in the file's folder or above names the file. If another pattern covers it, an extra line does no harm.
 */
function isIgnored(file: string, root: string): boolean {
  for (let folder = canonicalPath(dirname(file)); ; folder = dirname(folder)) {
    const lines = (readUnlinkedFile(join(folder, ".gitignore")) ?? "").split(/\r?\n/);
    if (lines.includes(TOOLKIT_FILE)) return true;
    if (folder === root || folder === dirname(folder)) return false;
  }
}

function addLine(file: string, line: string): void {
  // A link may lead out of the folder, and git does not follow links for `.gitignore`.
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const text = isLink ? undefined : existsSync(file) ? readRegularFile(file) : "";
  if (text === undefined) throw new Error(`${file} is not a file that can be written`);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  appendFileSync(file, `${text === "" || text.endsWith("\n") ? "" : end}${line}${end}`);
}

const placeOf = (field: string): string => `${field} of ${TOOLKIT_FILE}`;

/** Returns the field's text after checking it; undefined if the field is absent. */
function checkedField(stored: Stored, field: string, above = ""): string | undefined {
  const text = textOf(stored[field]);
  return text === undefined ? undefined : checkedValue(text, placeOf(above + field));
}

const textOf = (value: unknown): string | undefined => (isText(value) ? value : undefined);

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
