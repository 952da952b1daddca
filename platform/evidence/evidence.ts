// What sign-ins and runs showed, kept beside the accounts: for each pack one small file of facts. Invariant: codes, and names that were
// checked by their form; no credential, no body, no label.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf } from "../../base/fingerprint.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { type Fact, isFact } from "../../protocol/evidence.ts";
import { type ConfigurationCode, judgedBy } from "../../spec/evidence.ts";
import { packKey } from "../accounts/accounts.ts";
import { PackAuthError } from "../errors.ts";
import { withLock } from "../files/file-lock.ts";
import { retryWhileBusy } from "../files/retry-while-busy.ts";
import { writeWhole } from "../files/write-file.ts";
import type { PlatformHost } from "../host.ts";

/** Facts about how requests carry the token: runs tell of them, and sign-ins do not. */
export const OF_REQUESTS: ReadonlySet<Fact["code"]> = new Set([
  "token-prefix",
  "token-in-query",
  "header-name",
] satisfies ConfigurationCode[]);

/** Of what a fact about the configuration judges. */
export function configurationFingerprint(code: ConfigurationCode, auth: AuthenticationDefinition): string {
  const fields = new Map<string, unknown>(Object.entries(auth));
  return fingerprintOf(judgedBy(code, (field) => fields.get(field)));
}

/** What one sign-in or run showed of a pack. */
export interface EvidenceUpdate {
  readonly entry: string;
  /** Whether an earlier fact was judged anew: it goes, unless it is among the facts. */
  judges(fact: Fact): boolean;
  readonly facts: readonly Fact[];
}

interface Evidence {
  /** The folder whose files change with the facts. */
  readonly folder: string;
  /** All of them, of all packs; what cannot be read is left out. */
  facts(): readonly Fact[];
  /** Throws storage-failed. */
  add(update: EvidenceUpdate): Promise<void>;
  /** Of one account, or all. Throws storage-failed. */
  forget(account?: string): Promise<void>;
}

/** Facts of one pack: the newest stay. */
const MOST_FACTS = 50;
/** Milliseconds to wait for another window. */
const PATIENCE = 5_000;

export function openEvidence({ storageFolder }: Pick<PlatformHost, "storageFolder">): Evidence {
  const folder = join(storageFolder, "evidence");
  const files = (): readonly string[] => {
    try {
      return readdirSync(folder).filter((name) => name.endsWith(".json"));
    } catch {
      // Where nothing was ever seen there is no folder.
      return [];
    }
  };
  const change = (file: string, make: (facts: readonly Fact[]) => readonly Fact[]): Promise<void> =>
    withLock(
      file,
      async () => {
        const before = factsIn(file);
        const after = make(before);
        if (JSON.stringify(before) === JSON.stringify(after)) return;
        if (after.length === 0) await retryWhileBusy(() => rmSync(file, { force: true }));
        else await writeWhole(file, JSON.stringify(after));
      },
      { patience: PATIENCE, busy: storageFailed },
    ).catch((error: unknown) => {
      throw error instanceof PackAuthError ? error : storageFailed(error);
    });
  return {
    folder,
    facts: () => files().flatMap((name) => factsIn(join(folder, name))),
    async add({ entry, judges, facts }) {
      const file = join(folder, `${packKey(entry)}.json`);
      // Most runs show nothing, and nothing was seen before: there is no file, and none is made.
      if (facts.length === 0 && factsIn(file).length === 0) return;
      await change(file, (before) =>
        [...before.filter((fact) => !judges(fact) && !facts.some((newer) => isSame(newer, fact))), ...facts].slice(-MOST_FACTS),
      );
    },
    async forget(account) {
      for (const name of files())
        await change(join(folder, name), (facts) => facts.filter((fact) => account !== undefined && fact.account !== account));
    },
  };
}

const storageFailed = (cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", "What the sign-in or run showed could not be saved.", {
    hint: "Check that the disk has free space and the folder can be written.",
    cause,
  });

/** About the same thing, whenever it was seen. */
const isSame = (a: Fact, b: Fact): boolean =>
  a.code === b.code && a.scope === b.scope && a.at?.path === b.at?.path && a.at?.line === b.at?.line && a.formula === b.formula;

/** Those of a file that are whole; none of one that cannot be read. */
function factsIn(file: string): readonly Fact[] {
  try {
    const facts: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(facts) ? facts.filter(isFact) : [];
  } catch {
    return [];
  }
}
