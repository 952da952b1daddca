// `pack-auth run --sandbox`: a sandbox and an account in it for one run. The account signs in without a person, is kept in memory, and
// ends with the run; nothing is sent anywhere but to the sandbox.
import { join } from "node:path";
import { type AtSandbox, sandboxAccount } from "../../platform/connect/sandbox-account.ts";
import { makeTemporary } from "../../platform/files/make-temporary.ts";
import { removeTemporary } from "../../platform/files/remove-temporary.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { type Sandbox, startSandbox } from "../../platform/sandbox/launch.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import { packName } from "../pack-entry.ts";
import { register } from "../sandbox-side.ts";

interface SandboxRun {
  /** What a run needs to go to the sandbox, and nowhere else. */
  readonly options: AtSandbox;
  stop(): void;
}

/** The sandbox that PACK_AUTH_SANDBOX names, or one of its own; `definition` has the authentications that count. Throws PackAuthError. */
export async function openSandboxRun(pack: Pack, definition: PackDefinition, signal: AbortSignal): Promise<SandboxRun> {
  const running = process.env.PACK_AUTH_SANDBOX;
  const folder = makeTemporary("pack-auth-sandbox-");
  let sandbox: Sandbox | undefined;
  const stop = (): void => {
    if (!running) sandbox?.stop();
    removeTemporary(folder);
  };
  try {
    sandbox = await startSandbox(running ? { url: running } : { modulePath: join(__dirname, "sandbox.cjs") });
    const registered = await register(sandbox, pack);
    return { options: await sandboxAccount(pack, definition, registered, { folder, packName: packName(pack.entry), signal }), stop };
  } catch (error) {
    stop();
    throw error;
  }
}
