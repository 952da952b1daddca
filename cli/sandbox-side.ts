// Signs in at a running sandbox: one of `pack-auth sandbox`, or the editor's.
import type { SandboxSignIn } from "../platform/connect/flows/flow.ts";
import type { Pack } from "../platform/process/pack.ts";
import { type Sandbox, startSandbox } from "../platform/sandbox/launch.ts";
import { registerPack } from "../platform/sandbox/register-pack.ts";
import type { AuthScope } from "../protocol/run.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Throws UsageError if PACK_AUTH_SANDBOX is not set, and sandbox-failed if the sandbox does not answer. */
export async function runningSandbox({ environment }: Terminal): Promise<Sandbox> {
  const url = environment.PACK_AUTH_SANDBOX;
  if (url) return startSandbox({ url });
  throw new UsageError(
    "Start a sandbox with pack-auth sandbox <pack>, and set PACK_AUTH_SANDBOX as it says. For one run use pack-auth run --sandbox, which needs no other.",
  );
}

export async function sandboxSide(terminal: Terminal, pack: Pack, scope: AuthScope): Promise<SandboxSignIn> {
  const { origin, [scope]: side } = await registerPack(await runningSandbox(terminal), pack);
  if (side === undefined) throw new UsageError(`The pack has no ${scope} authentication.`);
  return { ...side, origin };
}
