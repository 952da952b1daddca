// Turns sign-ins of the published pack that fail into a fact about the configuration, and removes the fact once one works again. Invariant:
// of an entry only the version, the day and a count remain, beside the name of the diagnosis and its field.
import type { PackDefinition } from "../../protocol/definition.ts";
import { type Fact, isName, namesIn } from "../../protocol/evidence.ts";
import { configurationFingerprint, type Evidence } from "../evidence/evidence.ts";
import type { LogEntry } from "../public-api/public-api.ts";
import { explainLog, scopeOfLogs } from "./explain-log.ts";

const CODE = "published-sign-in-fails";

interface EvidenceOptions {
  readonly entry: string;
  readonly definition: PackDefinition;
  readonly evidence: Pick<Evidence, "facts" | "add">;
  /** Milliseconds since the epoch. An entry of a later time is not read. */
  readonly now: number;
}

type SignIn = Extract<LogEntry, { type: "auth" }> & { readonly at: number };

/**
 * Saves what log entries show of the sign-ins of the published pack. `entries` are all that were read from the newest on, without a filter:
 * an older part would hide that a later sign-in worked. Throws storage-failed.
 */
export async function recordProductionSignIns(entries: readonly LogEntry[], options: EvidenceOptions): Promise<void> {
  const { entry, definition, evidence, now } = options;
  const scope = scopeOfLogs(definition);
  const auth = scope && definition[`${scope}Authentication`];
  const signIns = entries
    .flatMap((each) => (each.type === "auth" && isName(each.packVersion) ? { ...each, at: Date.parse(each.createdAt) } : []))
    .filter(({ at }) => at <= now)
    .sort((one, other) => one.at - other.at);
  if (scope === undefined || auth === undefined || signIns.length === 0) return;
  const former = evidence.facts().find((fact) => fact.code === CODE && fact.scope === scope && fact.entry === entry);
  const failures = lastFailures(signIns, definition);
  const last = failures.at(-1);
  const isNewer = last !== undefined && (former === undefined || last.at >= former.seenAt);
  await evidence.add({
    entry,
    facts: isNewer ? [factOf(failures, former)] : [],
    judges: (fact) => fact.code === CODE && fact.scope === scope && worked(signIns, fact),
  });

  function factOf(failed: readonly SignIn[], before: Fact | undefined): Fact {
    const newest = failed.at(-1) as SignIn;
    const version = newest.packVersion;
    // Earlier failures of the same version count, unless one of its sign-ins worked in between.
    const earlier = before !== undefined && before.names[0] === version && !worked(signIns, before) ? before : undefined;
    const [, since, count] = earlier?.names ?? [];
    const first = [since, dayOf(failed[0]?.at ?? newest.at)].filter((day) => day !== undefined).sort()[0] as string;
    const connections = Math.max(Number(count ?? 0), new Set(failed.map(({ connectionId }) => connectionId)).size);
    const { diagnosis, field } = explainLog(newest, definition) ?? {};
    return {
      code: CODE,
      entry,
      scope: scope as "user" | "system",
      names: namesIn([version, first, String(connections), ...[diagnosis, field].flatMap((name) => name ?? [])]),
      // The source may have been corrected since: the fact stays about the configuration with which it was seen first.
      fingerprint: earlier?.fingerprint ?? configurationFingerprint(CODE, auth as NonNullable<typeof auth>),
      seenAt: newest.at,
    };
  }
}

/** Returns the failures that no sign-in of their version followed that worked, of the version that failed last. */
function lastFailures(signIns: readonly SignIn[], definition: PackDefinition): readonly SignIn[] {
  const workedAt = new Map(
    signIns.filter(({ errorMessage }) => errorMessage === undefined).map(({ packVersion, at }) => [packVersion, at]),
  );
  const failures = signIns.filter(
    (signIn) => signIn.errorMessage !== undefined && signIn.at > (workedAt.get(signIn.packVersion) ?? 0) && !isDenial(signIn, definition),
  );
  return failures.filter(({ packVersion }) => packVersion === failures.at(-1)?.packVersion);
}

/** A person who declines is no fault of the pack. */
const isDenial = (signIn: SignIn, definition: PackDefinition): boolean => explainLog(signIn, definition)?.diagnosis === "access-denied";

/** Returns whether a sign-in of the fact's version worked after the failure. */
const worked = (signIns: readonly SignIn[], { names: [version], seenAt }: Fact): boolean =>
  signIns.some(({ packVersion, errorMessage, at }) => packVersion === version && errorMessage === undefined && at > seenAt);

const dayOf = (timestamp: number): string => new Date(timestamp).toISOString().slice(0, 10);
