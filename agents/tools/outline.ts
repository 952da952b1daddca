// Shows the parts of a pack: setters, formulas, tables, MCP servers, domains and scopes.
import { z } from "zod";
import { entryInside } from "../../operations/inside.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { agentTool } from "../agent-tool.ts";
import { packPath, range } from "../schemas.ts";

const part = z.strictObject({ name: z.string(), path: z.string(), range });

export const outline = agentTool({
  title: "Outline a pack",
  description:
    "Shows the parts of a pack as its source has them: the authentications with type and scopes, formulas, sync tables, MCP servers, network domains. Runs no code.",
  input: z.strictObject({ pack: packPath }),
  output: z.strictObject({
    entry: z.string(),
    authentications: z.array(
      z.strictObject({
        scope: z.enum(["user", "system"]),
        type: z.string().optional(),
        scopes: z.array(z.string()).optional(),
        path: z.string(),
        range,
      }),
    ),
    formulas: z.array(part),
    syncTables: z.array(part),
    mcpServers: z.array(part),
    networkDomains: z.array(z.string()),
  }),
  runsCode: false,
  isReadOnly: true,
  isOpenWorld: false,
  async call({ pack }, { session: { host }, signal }) {
    const entry = entryInside(host.folder, pack);
    const outlined = await host.sources.outline(entry, signal);
    if (outlined === undefined)
      throw new PackAuthError("pack-not-found", `${pack} builds no pack.`, {
        hint: "A pack is built with newPack() of @codahq/packs-sdk, and exported as pack.",
      });
    const { authentications, formulas, syncTables, mcpServers, networkDomains } = outlined;
    return {
      entry: outlined.entry,
      authentications: authentications.map(({ scopes, ...setter }) => ({
        ...setter,
        ...(scopes === undefined ? {} : { scopes: [...scopes] }),
      })),
      formulas: [...formulas],
      syncTables: [...syncTables],
      mcpServers: [...mcpServers],
      networkDomains: [...networkDomains],
    };
  },
});
