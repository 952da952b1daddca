// A sign-in at the sandbox that the person started.
import { noAuthentication } from "../../platform/connect/choose-flow.ts";
import type { SandboxSignIn } from "../../platform/connect/flows/flow.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { registerPack } from "../../platform/sandbox/register-pack.ts";
import type { AuthScope } from "../../protocol/run.ts";
import type { World } from "../world.ts";

/** Throws sandbox-failed if no sandbox answers, and configuration-invalid if the pack lacks the authentication. */
export async function sandboxSignIn(
  { runningSandbox }: Pick<World, "runningSandbox">,
  pack: Pack,
  scope: AuthScope,
): Promise<SandboxSignIn> {
  const { origin, [scope]: side } = await registerPack(await runningSandbox(), pack);
  if (side === undefined) throw noAuthentication(scope);
  return { ...side, origin };
}
