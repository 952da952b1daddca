// A pack at the sandbox that an agent's call uses.
import { basename, dirname } from "node:path";
import type { Pack } from "../process/pack.ts";
import type { Sandbox } from "../sandbox/launch.ts";
import type { RegisterResponse } from "../sandbox/protocol.ts";
import { stubsFilePath } from "../sandbox/stubs.ts";

/** Returns the name of a pack: the folder of its entry file. */
export const packNameOf = (entry: string): string => basename(dirname(entry));

/** Throws sandbox-failed, for an invalid sandbox.json among other reasons. */
export const registerPack = (sandbox: Pick<Sandbox, "register">, { entry, definition }: Pack): Promise<RegisterResponse> =>
  sandbox.register({ entry, name: packNameOf(entry), definition, stubsFile: stubsFilePath(entry) });
