// Facts about a pack that the host observed during a sign-in or a run. The host (the editor, or a file of its own) sends them to the
// analysis, which reports sources that contradict them.
// Invariant: a code and names that were checked by their form, never a credential, never a body.
import { isRecord } from "../base/is-record.ts";
import { type EvidenceCode, isEvidenceCode } from "../spec/evidence-codes.ts";
import type { AuthScope } from "./run.ts";

export interface Fact {
  readonly code: EvidenceCode;
  /** The file that builds the pack. */
  readonly entry: string;
  /** The configuration that the fact is about; absent if it is about a line of code. */
  readonly scope?: AuthScope;
  /**
   * The line that the fact is about, zero-based, as it was in the file that ran; absent if the fact is about a configuration or a schema.
   */
  readonly at?: { readonly path: string; readonly line: number };
  /** The variable parts of the fact, such as a header's name, a host or scopes. They come from outside; each passes `isName`. */
  readonly names: readonly string[];
  /** Fingerprint of the fields of the configuration, of the text of the line, or of the names of `schema-loses`. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  /** The formula or table that ran. */
  readonly formula?: string;
  /** The label of the account in the editor, its ID on disk. */
  readonly account?: string;
}

/** Returns the facts without their accounts, for reports that must not show whose accounts they are. */
export const withoutAccounts = (facts: readonly Fact[]): readonly Fact[] => facts.map(({ account: _account, ...fact }) => fact);

/** The number of names of one fact, and the characters of one name. */
const MOST_NAMES = 20;
const LONGEST_NAME = 200;

/**
 * Returns whether the text is short visible ASCII without characters that end a literal or begin markup. The platform's names, scopes,
 * hosts and addresses contain no others.
 */
export const isName = (text: string): boolean => text.length <= LONGEST_NAME && /^[\w!#$%&*+,./:;=?@^|~-]+$/.test(text);

export const namesIn = (texts: readonly string[]): readonly string[] => texts.filter(isName).slice(0, MOST_NAMES);

/** Returns whether a value has the form of a fact. A file may have been edited by hand, or written by a newer version. */
export function isFact(value: unknown): value is Fact {
  if (!isRecord(value)) return false;
  const { code, entry, scope, at, names, fingerprint, seenAt, formula, account } = value;
  return (
    typeof code === "string" &&
    isEvidenceCode(code) &&
    typeof entry === "string" &&
    (scope === undefined || scope === "user" || scope === "system") &&
    (at === undefined || (isRecord(at) && typeof at.path === "string" && Number.isSafeInteger(at.line))) &&
    Array.isArray(names) &&
    names.every((name) => typeof name === "string" && isName(name)) &&
    typeof fingerprint === "string" &&
    typeof seenAt === "number" &&
    !Number.isNaN(new Date(seenAt).getTime()) &&
    [formula, account].every((text) => text === undefined || typeof text === "string")
  );
}

/**
 * Notification `packAuth/evidence`, client → server: all current facts, which replace the former ones. `entry` and `at.path` are URIs here.
 */
export const EVIDENCE_NOTIFICATION = "packAuth/evidence";
export interface EvidenceParams {
  readonly facts: readonly Fact[];
}
