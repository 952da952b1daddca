// `pack-auth sandbox`: starts the sandbox and keeps it running, for `connect --sandbox` and `run`.
import { once } from "node:events";

import { packName } from "../platform/bundle/entry-file.ts";

import { registerPack } from "../platform/sandbox/register-pack.ts";
import { readSwitches, SWITCH_VALUES, SWITCHES_OFF } from "../platform/sandbox/switches.ts";
import type { VerbHelp } from "./options.ts";
import { ENTRY_OPTIONS, findEntry } from "./pack-entry.ts";

import { STOPPED } from "./terminal/interrupt.ts";
import { formatMessage, printable } from "./terminal/printable.ts";
import { UsageError } from "./usage-error.ts";
import { verb } from "./verb.ts";

export const SANDBOX = {
  usage: "sandbox <pack> [switches…] [options]",
  about: `Starts a provider and an API on this machine for the pack's configuration, and runs until Ctrl-C. Answers come from
sandbox.json beside the pack. The first line of the output is the variable to set for connect --sandbox and run.

Switches, as name=value:
${Object.entries(SWITCH_VALUES)
  .map(([name, values]) => `  ${`${name}=`.padEnd(22)}${values.join(" | ")}`)
  .join("\n")}`,
  options: ENTRY_OPTIONS,
  more: `Exit code: 130 after Ctrl-C, 1 it failed, 2 the command is wrong.

Examples:
  pack-auth sandbox .
  pack-auth sandbox . api=429
`,
} as const satisfies VerbHelp;

export const sandbox = verb(SANDBOX, async ({ terminal, signal, positionals, values, openPack, openSandbox }) => {
  const [path, ...texts] = positionals;
  if (path === undefined) throw new UsageError("sandbox needs a pack. See pack-auth sandbox --help.");
  const switches = Object.fromEntries(texts.map(readSwitch));
  const entry = findEntry(terminal, path);
  const pack = await openPack(entry, values);
  const running = await openSandbox();
  const { origin } = await registerPack(running, pack);
  await running.change({ entry: pack.entry, switches: readSwitches(switches, SWITCHES_OFF) });
  terminal.output.writeData(`PACK_AUTH_SANDBOX='${running.url}'\n`);
  terminal.errorOutput.write(
    formatMessage`The sandbox of ${printable(packName(entry))} answers at ${printable(origin)}; https://<host>/<path> is at ${printable(origin)}/<host>/<path>. Ctrl-C ends it.\n`,
  );
  if (!signal.aborted) await once(signal, "abort");
  return STOPPED;
});

function readSwitch(text: string): readonly [string, unknown] {
  const [name = "", value = ""] = text.split("=", 2);
  const allowed = Object.hasOwn(SWITCH_VALUES, name)
    ? (SWITCH_VALUES[name as keyof typeof SWITCH_VALUES] as readonly unknown[])
    : undefined;
  if (allowed === undefined) throw new UsageError(`There is no switch ${name}. There are: ${Object.keys(SWITCH_VALUES).join(", ")}.`);
  const switchValue = allowed.find((each) => String(each) === value);
  if (switchValue === undefined) throw new UsageError(`${name} must be ${allowed.join(", ")}, not ${value || "nothing"}.`);
  return [name, switchValue];
}
