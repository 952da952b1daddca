// The extension's own copy of the command line, which tasks and agents start: npx would run whatever the workspace or the registry has
// under that name.
import { join } from "node:path";

export const COMMAND_LINE = join(__dirname, "cli.cjs");

/** Makes the editor's program behave as Node; Node itself ignores it. */
export const AS_NODE = { ELECTRON_RUN_AS_NODE: "1" };
