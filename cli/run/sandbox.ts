// `pack-auth sandbox`: starts the sandbox and keeps it running, for `connect --sandbox` and `run`.
import { operationVerb } from "../frame/operation-verb.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import { STOPPED } from "../terminal/interrupt.ts";
import { formatMessage, printable } from "../terminal/printable.ts";

const help = {
  usage: "sandbox <pack> [switches…] [options]",
  options: ENTRY_OPTIONS,
  more: `The first line of the output is the variable to set for connect --sandbox and run.

Exit code: 130 after Ctrl-C, 1 it failed, 2 the command is wrong.

Examples:
  pack-auth sandbox .
  pack-auth sandbox . api=429
`,
};

export const sandbox = operationVerb("sandbox", help, {
  part({ pack, url, origin }, { terminal }) {
    terminal.output.writeData(`PACK_AUTH_SANDBOX='${url}'\n`);
    terminal.errorOutput.write(
      formatMessage`The sandbox of ${printable(pack)} answers at ${printable(origin)}; https://<host>/<path> is at ${printable(origin)}/<host>/<path>. Ctrl-C ends it.\n`,
    );
  },
  show: () => STOPPED,
});
