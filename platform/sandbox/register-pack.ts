// Registers a pack with a running sandbox, under its own entry and with the answers of its sandbox.json.
import { packName } from "../bundle/entry-file.ts";
import type { Sandbox } from "./launch.ts";
import type { RegisterRequest, RegisterResponse } from "./protocol.ts";
import { stubsFilePath } from "./stubs.ts";

/** Throws sandbox-failed, for an invalid sandbox.json among other reasons. */
export const registerPack = (
  sandbox: Pick<Sandbox, "register">,
  { entry, definition }: Pick<RegisterRequest, "entry" | "definition">,
): Promise<RegisterResponse> => sandbox.register({ entry, name: packName(entry), definition, stubsFile: stubsFilePath(entry) });
