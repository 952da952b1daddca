// Reads what this person's sign-ins and runs showed, for a check.
import { defined } from "../../base/defined.ts";
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import { type Fact, withoutAccounts } from "../../protocol/evidence.ts";
import { slashes } from "../terminal/short-path.ts";

/** Returns the facts without their accounts. */
export async function storedFacts(environment: NodeJS.ProcessEnv): Promise<readonly Fact[]> {
  const folder = userDataFolder(environment);
  if (folder === undefined) return [];
  // Few checks need it.
  const { openEvidence } = await import("../../platform/evidence/evidence.ts");
  return withoutAccounts(openEvidence({ storageFolder: folder }).facts()).map(({ at, ...fact }) => ({
    ...fact,
    entry: slashes(fact.entry),
    ...defined({ at: at && { ...at, path: slashes(at.path) } }),
  }));
}
