// Facts that sign-ins and runs showed, kept beside the accounts in one small file for each pack. Invariant: only codes, and names whose
// form was checked; no credential, no body, no label.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf } from "../../base/fingerprint.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { type Fact, isFact } from "../../protocol/evidence.ts";
import { judgedBy } from "../../spec/evidence.ts";
import type { ConfigurationCode } from "../../spec/evidence-codes.ts";
import { packKey } from "../accounts/accounts.ts";
import type { PlatformHost } from "../host.ts";
import { changeFile } from "./change-file.ts";

/** Returns the fingerprint of the fields that a fact about the configuration judges. */
export function configurationFingerprint(code: ConfigurationCode, auth: AuthenticationDefinition): string {
  const fields = new Map<string, unknown>(Object.entries(auth));
  return fingerprintOf(judgedBy(code, (field) => fields.get(field)));
}

/** The facts that one sign-in or run showed about a pack. */
export interface EvidenceUpdate {
  readonly entry: string;
  /** Whether this sign-in or run tested the earlier fact again. The fact is then removed, unless it is in `facts`. */
  judges(fact: Fact): boolean;
  readonly facts: readonly Fact[];
}

export interface Evidence {
  /** The folder of the files with the facts. */
  readonly folder: string;
  /** Returns all facts of all packs. Files that cannot be read are skipped. */
  facts(): readonly Fact[];
  /** Adds facts. Throws storage-failed. */
  add(update: EvidenceUpdate): Promise<void>;
  /** Removes the facts of one account, or all facts. Throws storage-failed. */
  forget(account?: string): Promise<void>;
}

/** The number of facts of one pack. The newest are kept. */
const MOST_FACTS = 50;

export function openEvidence({ storageFolder }: Pick<PlatformHost, "storageFolder">): Evidence {
  const folder = join(storageFolder, "evidence");
  const files = (): readonly string[] => {
    try {
      return readdirSync(folder).filter((name) => name.endsWith(".json"));
    } catch {
      // The folder does not exist before the first fact.
      return [];
    }
  };
  const change = (file: string, make: (facts: readonly Fact[]) => readonly Fact[]): Promise<void> =>
    changeFile(
      file,
      () => factsIn(file),
      (before) => {
        const after = make(before);
        return after.length === 0 ? undefined : after;
      },
    );
  return {
    folder,
    facts: () => files().flatMap((name) => factsIn(join(folder, name))),
    async add({ entry, judges, facts }) {
      const file = join(folder, `${packKey(entry)}.json`);
      // Most runs show nothing. Without earlier facts no file is created for them.
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

/** Whether two facts concern the same thing, at whatever time. */
const isSame = (a: Fact, b: Fact): boolean =>
  a.code === b.code && a.scope === b.scope && a.at?.path === b.at?.path && a.at?.line === b.at?.line && a.formula === b.formula;

/** Returns the valid facts of a file, or none if the file cannot be read. */
function factsIn(file: string): readonly Fact[] {
  try {
    const facts: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(facts) ? facts.filter(isFact) : [];
  } catch {
    return [];
  }
}
