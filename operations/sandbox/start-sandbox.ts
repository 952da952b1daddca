// Starts a sandbox that stays until it is stopped.
import { once } from "node:events";
import { z } from "zod";
import { packName } from "../../platform/bundle/entry-file.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { registerPack } from "../../platform/sandbox/register-pack.ts";
import { readSwitches, SWITCH_VALUES, SWITCHES_OFF } from "../../platform/sandbox/switches.ts";
import { input, packInput } from "../inputs.ts";
import type { Observer } from "../observer.ts";
import { operation } from "../operation.ts";

/** The control address, with its secret token, and where provider and API answer. */
type StartedSandbox = Readonly<Record<"pack" | "url" | "origin", string>>;

export const startSandbox = operation({
  about: `Starts a provider and an API on this machine for the pack's configuration, which run until they are stopped. Answers come from
sandbox.json beside the pack.

Switches, as name=value:
${Object.entries(SWITCH_VALUES)
  .map(([name, values]) => `  ${`${name}=`.padEnd(22)}${values.join(" | ")}`)
  .join("\n")}`,
  input: z.strictObject({
    pack: packInput,
    switches: input(z.array(z.string()).default([]), "Switches, as name=value.", { place: "words" }),
  }),
  missing: {},
  /** The started sandbox is a part; the end of the operation ends it. */
  async run({ pack: path, switches: texts }, world, _person, { part }: Observer<StartedSandbox>) {
    const switches = readSwitches(Object.fromEntries(texts.map(readSwitch)), SWITCHES_OFF);
    const pack = await world.openPack(world.entryOf(path));
    const sandbox = await world.openSandbox();
    const { origin } = await registerPack(sandbox, pack);
    await sandbox.change({ entry: pack.entry, switches });
    part({ pack: packName(pack.entry), url: sandbox.url, origin });
    if (!world.signal.aborted) await once(world.signal, "abort");
  },
});

/** Throws invalid-parameter. */
function readSwitch(text: string): readonly [string, unknown] {
  const [name = "", value = ""] = text.split("=", 2);
  const allowed: readonly unknown[] | undefined = new Map(Object.entries(SWITCH_VALUES)).get(name);
  if (allowed === undefined)
    throw new PackAuthError("invalid-parameter", `There is no switch ${name}. There are: ${Object.keys(SWITCH_VALUES).join(", ")}.`);
  const switchValue = allowed.find((each) => String(each) === value);
  if (switchValue === undefined)
    throw new PackAuthError("invalid-parameter", `${name} must be ${allowed.join(", ")}, not ${value || "nothing"}.`);
  return [name, switchValue];
}
