// How much of one source is looked at: rules that compare each with each would take seconds for more.
import type { FileFacts } from "../model/facts.ts";
import { Involved } from "../text/involved.ts";

/** More of them than anybody writes into one source. */
const LIMITS = {
  calls: 500,
  callsWithPack: 500,
  braced: 2_000,
  modules: 500,
  contextCalls: 2_000,
  endpointUses: 2_000,
} as const;

type Limited = keyof typeof LIMITS;

/** Throws {@link Involved} where a source has more of something than that. */
export function assertLimits(facts: Pick<FileFacts, Limited>): void {
  for (const [name, most] of Object.entries(LIMITS)) if (facts[name as Limited].length > most) throw new Involved();
}
