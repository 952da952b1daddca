// `pack-auth run --sandbox`: creates a sandbox account for one run. The account signs in without a person, is kept in memory, and ends with
// the run. Requests go only to the sandbox.
import { join } from "node:path";
import { packName } from "../../platform/bundle/entry-file.ts";
import { sandboxAccount } from "../../platform/connect/sandbox-account.ts";
import { makeTemporary } from "../../platform/files/make-temporary.ts";
import { removeTemporary } from "../../platform/files/remove-temporary.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { RunWorld } from "../../platform/runs/run-world.ts";
import { type Sandbox, startSandbox } from "../../platform/sandbox/launch.ts";
import { registerPack } from "../../platform/sandbox/register-pack.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface SandboxRun {
  /** The world that sends a run's requests to the sandbox only. */
  readonly world: RunWorld;
  stop(): void;
}

/**
 * Uses the sandbox that PACK_AUTH_SANDBOX names, else a new one. `definition` contains the authentications to use. Throws PackAuthError.
 */
export async function openSandboxRun(
  { environment, assets }: Terminal,
  pack: Pack,
  definition: PackDefinition,
  signal: AbortSignal,
): Promise<SandboxRun> {
  const running = environment.PACK_AUTH_SANDBOX;
  const folder = makeTemporary("pack-auth-sandbox-");
  let sandbox: Sandbox | undefined;
  const stop = (): void => {
    if (!running) sandbox?.stop();
    removeTemporary(folder);
  };
  try {
    sandbox = await startSandbox(running ? { url: running } : { modulePath: join(assets, "sandbox.cjs") });
    const registered = await registerPack(sandbox, pack);
    return { world: await sandboxAccount(pack, definition, registered, { folder, packName: packName(pack.entry), signal }), stop };
  } catch (error) {
    stop();
    throw error;
  }
}
