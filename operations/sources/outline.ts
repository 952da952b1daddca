// Shows the parts of a pack: setters, formulas, tables, MCP servers, domains and scopes.
import { z } from "zod";
import { PackAuthError } from "../../platform/errors.ts";
import { packInput } from "../inputs.ts";
import { operation } from "../operation.ts";

export const outline = operation({
  about:
    "Shows the parts of a pack as its source has them: the authentications with type and scopes, formulas, sync tables, MCP servers, network domains. Runs no code.",
  input: z.strictObject({ pack: packInput }),
  missing: {
    terminal: { pack: "An author reads the source itself." },
    editor: { pack: "The outline follows the open file." },
  },
  async run({ pack }, { entryOf, sourcesOf, signal }) {
    const outlined = await sourcesOf().outline(entryOf(pack), signal);
    if (outlined === undefined)
      throw new PackAuthError("pack-not-found", `${pack} builds no pack.`, {
        hint: "A pack is built with newPack() of @codahq/packs-sdk, and exported as pack.",
      });
    return outlined;
  },
});
