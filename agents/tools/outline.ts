// Shows the parts of a pack: setters, formulas, tables, MCP servers, domains and scopes.
import { z } from "zod";
import { outline as operation } from "../../operations/sources/outline.ts";
import { agentTool } from "../agent-tool.ts";
import { agentInput, runOperation } from "../operation-tool.ts";
import { range } from "../schemas.ts";

const part = z.strictObject({ name: z.string(), path: z.string(), range });

export const outline = agentTool({
  title: "Outline a pack",
  description: operation.about,
  input: agentInput(operation),
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
  async call(input, call) {
    const { authentications, formulas, syncTables, mcpServers, networkDomains, entry } = await runOperation(operation, input, call);
    return {
      entry,
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
