// The probes of the escapes pack, for tests.
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Pack } from "../../../platform/process/pack.ts";
import type { ExecuteHandlers } from "../../../platform/process/process.ts";
import type { RunContext } from "../../../protocol/run.ts";
import { root } from "../packs.ts";
import { pack } from "./pack.ts";

export const escapesPack = join(root, "test/support/escapes/pack.ts");

/** The name and the description of each probe. */
export const escapeProbes = pack.formulas.map(({ name, description }) => ({ name, description }));

export const { escapeContext, escapeHandlers, tryProbe } = createRequire(import.meta.url)("./host.cjs") as {
  readonly escapeContext: RunContext;
  readonly escapeHandlers: ExecuteHandlers;
  tryProbe(pack: Pack, name: string, secretFile: string, shared: object): Promise<unknown>;
};
