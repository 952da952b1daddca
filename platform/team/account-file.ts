// Reads the account file beside a pack's entry. A broken file is one clear line, and never the end of the other accounts.

import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDepthScan } from "../../base/json-depth.ts";
import {
  ACCOUNT_FILE,
  type AccountFileProblem,
  DEEPEST_ACCOUNT_FILE,
  type FileAccount,
  LARGEST_ACCOUNT_FILE,
  readAccountFile,
} from "../../spec/account-file.ts";
import { PackAuthError } from "../errors.ts";
import { readUnlinkedFile } from "../files/regular-file.ts";

export const accountFileOf = (entry: string): string => join(dirname(entry), ACCOUNT_FILE);

/** Returns the accounts of the file beside the pack's entry; none if there is no file. Throws account-file-invalid. */
export function readFileAccounts(entry: string): readonly FileAccount[] {
  const file = accountFileOf(entry);
  const text = readUnlinkedFile(file, LARGEST_ACCOUNT_FILE);
  if (text === undefined) {
    if (!exists(file)) return [];
    throw invalid(
      `it is no file of at most ${LARGEST_ACCOUNT_FILE / 1024} KiB that can be read`,
      "Put a file in its place. A link is not followed.",
    );
  }
  if (NO_TEXT.test(text)) throw invalid("it is not UTF-8 text", "Save it as UTF-8.");
  if (createDepthScan(DEEPEST_ACCOUNT_FILE)(text))
    throw invalid(`it nests more than ${DEEPEST_ACCOUNT_FILE} levels deep`, "Remove the levels below the secrets.");
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    // The parser's message quotes the text around the mistake, which may be a secret.
    throw invalid("it is not JSON", "Open it in an editor, which shows the mistake.");
  }
  const { accounts, problems } = readAccountFile(content);
  const [first] = problems;
  if (first !== undefined) throw invalid(`at ${placeOf(first)}`, first.message);
  return accounts;
}

/** Bytes that are no UTF-8 are read as U+FFFD, and UTF-16 has a zero byte in every ASCII character. */
const NO_TEXT = /[\0\ufffd]/;

const invalid = (reason: string, hint: string): PackAuthError =>
  new PackAuthError("account-file-invalid", `${ACCOUNT_FILE} cannot be used: ${reason}.`, { hint });

/** Returns the place as code writes it, such as `accounts[0].secrets.token`. */
const placeOf = ({ path }: AccountFileProblem): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : /^\w{1,100}$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`))
    .join("")
    .replace(/^\./, "") || "its root";

function exists(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
