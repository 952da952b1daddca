// `pack-auth drift`: compares the published pack's OAuth configuration with this source. It only reads, unless a person at the terminal
// hands over the client ID and secret.
import type { Drift } from "../../platform/production/drift.ts";
import { callOperation, FORMAT_OPTIONS, operationHelp, type ShownCall } from "../frame/operation-verb.ts";
import { verb } from "../frame/options.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import { STOPPED } from "../terminal/interrupt.ts";
import { formatMessage, joined, type Printed, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";

const options = {
  ...FORMAT_OPTIONS,
  "send-credentials": { help: "send the client ID and secret that worked here to the published pack; asks on the terminal" },
  ...ENTRY_OPTIONS,
} as const;

const usage = "drift <pack> [options]";

const help = operationHelp("drift", {
  usage,
  options,
  more: `<pack> is the file that builds the pack, or its folder.

The API token of the platform is asked for once, or read from PACK_AUTH_API_TOKEN. It goes only to the host that it was entered for.

Exit code: 0 the same, 1 it differs or failed, 2 the command is wrong, 130 it was cancelled.

Examples:
  pack-auth drift .
  pack-auth drift packs/crm --json
`,
});

export const drift = verb(help, (call, terminal) => {
  if (call.values["send-credentials"] !== true)
    return callOperation("drift", usage, { print: write, end: ({ differs }) => (differs ? 1 : 0) }, call, terminal);
  if (!(terminal.stdin.isTTY && terminal.stderr.isTTY))
    throw new UsageError("--send-credentials needs a terminal, because a person has to agree. Nothing was sent.");
  return callOperation(
    "handOver",
    usage,
    {
      part(compared, { values }: ShownCall<typeof options>) {
        if (values.json !== true && values.format !== "json") write(compared, terminal);
      },
      showsStopped: true,
      json: ({ drift: compared, sent }) => ({ ...compared, sent: sent ?? null }),
      end({ answer, sent }, { errorOutput }) {
        if (answer === undefined) return 0;
        errorOutput.write(formatMessage`${printable(sent ?? "Nothing was sent.")}\n`);
        return sent !== undefined ? 0 : answer === "unanswered" ? STOPPED : 1;
      },
    },
    call,
    terminal,
  );
});

const write = ({ summary, lines }: Drift, { output }: Terminal): void =>
  output.write(formatMessage`${printable(summary)}\n${joined(lines.map(lineOf))}`);

const lineOf = ({ subject, there, here, isSame, advice }: Drift["lines"][number]): Printed => {
  const verdict = isSame === undefined ? "" : isSame ? "same" : "differs";
  return formatMessage`  ${printable(subject.padEnd(28))}${printable(verdict.padEnd(9))}there: ${printable(there)} · here: ${printable(here)}${printable(advice === undefined ? "" : ` · ${advice}`)}\n`;
};
