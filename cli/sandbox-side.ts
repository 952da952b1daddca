// What a pack has in a sandbox that runs beside the command line: the one that `pack-auth sandbox` started, or the editor's.
import type { SandboxSignIn } from "../platform/flows/flow.ts";
import type { Pack } from "../platform/pack.ts";
import { answersFileOf } from "../platform/sandbox/answers.ts";
import { startSandbox } from "../platform/sandbox/launch.ts";
import type { AuthScope } from "../protocol/run.ts";
import { packName } from "./pack-entry.ts";
import { UsageError } from "./usage-error.ts";

/** Throws UsageError where none is named, sandbox-failed where it does not answer. */
export async function sandboxSide(pack: Pack, scope: AuthScope, env: NodeJS.ProcessEnv): Promise<SandboxSignIn> {
  const url = env.PACK_AUTH_SANDBOX;
  if (!url) throw new UsageError("No sandbox is named. Start one with pack-auth sandbox <pack>, and set PACK_AUTH_SANDBOX as it says.");
  const sandbox = await startSandbox({ url });
  const registered = await sandbox.register({
    entry: pack.entry,
    name: packName(pack.entry),
    definition: pack.definition,
    answersFile: answersFileOf(pack.entry),
  });
  const side = registered[scope];
  if (side === undefined) throw new UsageError(`The pack has no ${scope} authentication.`);
  return { ...side, origin: registered.origin, browserOrigin: registered.browserOrigin };
}
