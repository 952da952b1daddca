// `pack-auth sandbox`: starts the sandbox and keeps it running, for `connect --sandbox` and `run`.
import { once } from "node:events";
import { join } from "node:path";
import { packName } from "../platform/bundle/entry-file.ts";
import type { Pack } from "../platform/process/pack.ts";
import { type Sandbox, startSandbox } from "../platform/sandbox/launch.ts";
import { registerPack } from "../platform/sandbox/register-pack.ts";
import { readSwitches, SWITCH_VALUES, SWITCHES_OFF } from "../platform/sandbox/switches.ts";
import { readOptions, type VerbHelp } from "./options.ts";
import { ENTRY_OPTIONS, findEntry, openEntry } from "./pack-entry.ts";
import { fail } from "./terminal/failure.ts";
import { onInterrupt, STOPPED } from "./terminal/interrupt.ts";
import { formatMessage, printable } from "./terminal/printable.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";

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

export async function sandbox(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = readOptions(SANDBOX, args, terminal);
  if (options === undefined) return 0;
  const [path, ...texts] = options.positionals;
  if (path === undefined) throw new UsageError("sandbox needs a pack. See pack-auth sandbox --help.");
  const switches = Object.fromEntries(texts.map(readSwitch));
  const entry = findEntry(terminal, path);
  const interrupt = onInterrupt(terminal);
  let pack: Pack | undefined;
  let running: Sandbox | undefined;
  try {
    pack = await openEntry(terminal, entry, options.values);
    running = await startSandbox({ modulePath: join(terminal.assets, "sandbox.cjs") });
    const { origin } = await registerPack(running, pack);
    await running.change({ entry: pack.entry, switches: readSwitches(switches, SWITCHES_OFF) });
    terminal.output.writeData(`PACK_AUTH_SANDBOX='${running.url}'\n`);
    terminal.errorOutput.write(
      formatMessage`The sandbox of ${printable(packName(entry))} answers at ${printable(origin)}; https://<host>/<path> is at ${printable(origin)}/<host>/<path>. Ctrl-C ends it.\n`,
    );
    if (!interrupt.signal.aborted) await once(interrupt.signal, "abort");
    return STOPPED;
  } catch (error) {
    return interrupt.signal.aborted ? STOPPED : await fail(terminal, error, entry);
  } finally {
    interrupt.release();
    running?.stop();
    pack?.dispose();
  }
}

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
