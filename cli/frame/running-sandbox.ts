// Finds the sandbox that a person started: with `pack-auth sandbox`, or in the editor.
import { type Sandbox, startSandbox } from "../../platform/sandbox/launch.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";

/** Throws UsageError if PACK_AUTH_SANDBOX is not set, and sandbox-failed if it is no address of a sandbox. */
export async function runningSandbox({ environment }: Terminal): Promise<Sandbox> {
  const url = environment.PACK_AUTH_SANDBOX;
  if (url) return startSandbox({ url });
  throw new UsageError(
    "Start a sandbox with pack-auth sandbox <pack>, and set PACK_AUTH_SANDBOX as it says. For one run use pack-auth run --sandbox, which needs no other.",
  );
}
