// Reads what this person's sign-ins and runs showed, for a check.
import { defined } from "../../base/defined.ts";
import type { openEvidence } from "../../platform/evidence/evidence.ts";
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import { type Fact, withoutAccounts } from "../../protocol/evidence.ts";
import { slashes } from "../terminal/short-path.ts";

/** Returns the facts without their accounts. `open` is an argument because the platform is a bundle that few checks load. */
export function storedFacts(open: typeof openEvidence, environment: NodeJS.ProcessEnv): readonly Fact[] {
  const folder = userDataFolder(environment);
  if (folder === undefined) return [];
  return withoutAccounts(open({ storageFolder: folder }).facts()).map(({ at, ...fact }) => ({
    ...fact,
    entry: slashes(fact.entry),
    ...defined({ at: at && { ...at, path: slashes(at.path) } }),
  }));
}
