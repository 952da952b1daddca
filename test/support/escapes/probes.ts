// The probes of the escapes pack as tests see them, and the host that they are tried against.
import { join } from "node:path";
import type { ExecuteHandlers } from "../../../platform/process.ts";
import { root } from "../packs.ts";
import { pack } from "./pack.ts";

export const escapesPack = join(root, "test/support/escapes/pack.ts");

export interface EscapeProbe {
  /** The formula's. */
  readonly name: string;
  readonly description: string;
  /** It bends what others rely on, and needs a process of its own. */
  readonly alone: boolean;
}

export const escapeProbes: readonly EscapeProbe[] = pack.formulas.map(({ name, description }) => ({
  name,
  description,
  alone: name.startsWith("Alone"),
}));

export const escapeContext = {
  invocationToken: "00000000-0000-4000-8000-000000000000",
  timezone: "UTC",
  invocationLocation: { protocolAndHost: "https://coda.io" },
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
