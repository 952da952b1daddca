// The probes of the escapes pack, for tests, and the host that answers them.
import { join } from "node:path";
import type { Pack } from "../../../platform/process/pack.ts";
import type { ExecuteHandlers } from "../../../platform/process/process.ts";
import type { RunContext } from "../../../protocol/run.ts";
import { root } from "../packs.ts";
import { pack } from "./pack.ts";

export const escapesPack = join(root, "test/support/escapes/pack.ts");

/** The name and the description of each probe. */
export const escapeProbes = pack.formulas.map(({ name, description }) => ({ name, description }));

export const escapeContext: RunContext = {
  invocationToken: "00000000-0000-4000-8000-000000000000",
  timezone: "UTC",
  invocationLocation: { protocolAndHost: "https://coda.io", source: "Doc" },
};

export const escapeHandlers: ExecuteHandlers = {
  fetch: async ({ url }) =>
    url.endsWith("404")
      ? {
          name: "StatusCodeError",
          message: "404",
          response: { status: 404, headers: {}, body: { text: "no" } },
          options: { method: "GET", url },
        }
      : { name: "Error", message: "refused" },
  console: () => {},
};

/** Returns the result of a probe. Probes that do not change their process share one, by `shared`. */
export async function tryProbe(pack: Pack, name: string, secretFile: string, shared: object): Promise<unknown> {
  const run = name.startsWith("Alone") ? {} : { run: shared };
  try {
    const executed = await pack.execute({ kind: "formula", name }, [secretFile], escapeContext, escapeHandlers, run);
    return executed?.value;
  } catch (error) {
    // The message of a deliberate error contains the result.
    return (error as Error).message;
  }
}
