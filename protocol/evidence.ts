// What a sign-in or a run showed of a pack, so that it can be said where the source says otherwise: facts, from the host (the editor, or a
// file of its own) to the analysis. Invariant: a code and names that were checked by their form, never a credential, never a body.
import { isRecord } from "../base/is-record.ts";
import type { AuthScope } from "./run.ts";

const EVIDENCE_CODES = [
  "no-refresh-token",
  "client-authentication",
  "nested-token",
  "endpoint-in-token",
  "scopes-differ",
  "pkce",
  "token-prefix",
  "token-in-query",
  "host-refused",
  "url-moved",
  "authorization-moved",
  "header-name",
  "unauthorized-swallowed",
  "request-not-awaited",
  "schema-loses",
] as const;
export type EvidenceCode = (typeof EVIDENCE_CODES)[number];

export interface Fact {
  readonly code: EvidenceCode;
  /** The file that builds the pack. */
  readonly entry: string;
  /** The configuration that it is about; absent where it is about a line of code. */
  readonly scope?: AuthScope;
  /** The line that it is about, zero-based, as it was in the file that ran; absent where a configuration or a schema is judged. */
  readonly at?: { readonly path: string; readonly line: number };
  /** What the code leaves open: a header's name, a host, scopes. Texts from outside, each of a form that `isName` takes. */
  readonly names: readonly string[];
  /** Of what was judged: the fields of the configuration, the text of the line, or the names of schema-loses. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  /** The formula or table that was run. */
  readonly formula?: string;
  /** In the editor, the label of the account; on disk its id. */
  readonly account?: string;
}

/** Names of one fact, and characters of one. */
const MOST_NAMES = 20;
const LONGEST_NAME = 200;

/** Visible ASCII, without what would end a literal or begin markup; the platform's names, scopes, hosts and addresses have no other. */
export const isName = (text: string): boolean => text.length <= LONGEST_NAME && /^[\w!#$%&*+,./:;=?@^|~-]+$/.test(text);

export const namesIn = (texts: readonly string[]): readonly string[] => texts.filter(isName).slice(0, MOST_NAMES);

const CODES: ReadonlySet<string> = new Set<EvidenceCode>(EVIDENCE_CODES);

/** Whether it has the form of a fact: files may be edited by hand, or written by a newer version. */
export function isFact(value: unknown): value is Fact {
  if (!isRecord(value)) return false;
  const { code, entry, scope, at, names, fingerprint, seenAt, formula, account } = value;
  return (
    typeof code === "string" &&
    CODES.has(code) &&
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
 * Notification `packAuth/evidence`, client → server: all facts that are known now; those that it knew are gone. `entry` and `at.path` are
 * URIs here.
 */
export const EVIDENCE_NOTIFICATION = "packAuth/evidence";
export interface EvidenceParams {
  readonly facts: readonly Fact[];
}
