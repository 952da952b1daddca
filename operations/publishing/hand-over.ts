// Sends the client ID and secret that worked here to the published pack.
import { z } from "zod";
import { PackAuthError, wholeMessage } from "../../platform/errors.ts";
import type { Drift } from "../../platform/production/drift.ts";
import { handOver as send } from "../../platform/production/hand-over.ts";
import { packInput } from "../inputs.ts";
import type { Observer } from "../observer.ts";
import { operation } from "../operation.ts";
import type { Consent } from "../person.ts";
import { comparePublished } from "./drift.ts";

/**
 * Returns the comparison, which the observer hears before the question, the person's answer, and what the platform has now if something was
 * sent. Without an OAuth2 configuration there is no question. Returns undefined if the person entered no API token. No tool of agents: only
 * a person sends credentials.
 */
export const handOver = operation({
  about: "Sends the client ID and secret that worked here to the published pack, after the person agreed.",
  input: z.strictObject({ pack: packInput }),
  missing: {},
  async run({ pack }, world, person, { part, note }: Observer<Drift>) {
    const comparison = await comparePublished(pack, world);
    if (comparison === undefined) return undefined;
    const { drift, target } = comparison;
    part(drift);
    if (target === undefined) return { drift };
    let answer: Consent = "unanswered";
    const sent = await send({
      ...target,
      whileSending: (requests) => requests(world.signal),
      async agree({ message, detail, packId }) {
        const typed = { name: "the pack ID", text: String(packId) };
        answer = await person.ask({ title: message, facts: [], warnings: [detail], agree: "Send", typed }, world.signal);
        return answer === "agreed";
      },
    }).catch((error: unknown) => {
      // A hand-over that was stopped says what it knows of the platform.
      if (world.signal.aborted && error instanceof PackAuthError) note(wholeMessage(error, world.words));
      throw error;
    });
    return { drift, answer, sent };
  },
});
