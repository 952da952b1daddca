import { propertyOf, propose } from "../configuration/config.ts";
import { declaredHosts } from "../domains/hosts.ts";
import type { Expression } from "../model/values.ts";
import { loadingCode } from "../pack/reachable-code.ts";
import { pack, rule } from "../rule.ts";
import { insertStatementBefore, removeStatement } from "../text/edit.ts";

export default rule({
  id: "mcp-server-several",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.12.5",
  source: "SDK 6",
  docs: `A pack has more than one MCP server, or a skill needs a server that the pack does not have.

Put a second server into a pack of its own. A pack may have only one MCP server, and a skill with MCP tools needs one. The platform rejects the pack at upload otherwise.`,
  examples: [
    {
      bad: pack`
        pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/" });
        «pack.addMCPServer»({ name: "More", endpointUrl: "https://more.acme.example/" });`,
      fixed: pack`pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/" });`,
    },
    {
      bad: pack`
        pack.addSkill({
          name: "Help",
          displayName: "Help",
          description: "Helps.",
          prompt: "Help.",
          tools: [{ type: «coda.ToolType.MCP» }],
        });`,
      change: ["pack.addSkill", 'pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/mcp" });\npack.addSkill'],
    },
    { good: pack`pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/" });` },
  ],
  on: {
    *pack(model) {
      const certain = model.mcpServers.filter(({ conditional }) => !conditional);
      for (const { place, statement } of certain.slice(1)) {
        if (!loadingCode(model).has(place)) continue;
        yield {
          place,
          message: "Remove this MCP server, or put it into a pack of its own. The platform takes one for each pack.",
          fixes: () => (statement === undefined ? [] : [propose("Remove this MCP server", removeStatement(model, statement))]),
        };
      }
    },
    *call(pack, { method, arguments: [argument], receiver, statement, conditional, within }) {
      if (method !== "addSkill" || argument === undefined || conditional || within !== undefined) return;
      if (pack.partial || !pack.complete.files) return;
      // A server may be declared in a way that the analysis cannot read.
      if (SERVERS.some((name) => pack.facts.some(({ uses }) => uses("defines", name) || uses("reads", name)))) return;
      const skill = pack.resolve(argument);
      const property = skill.kind === "object" ? propertyOf(skill, "tools") : undefined;
      const tools = property === undefined ? undefined : pack.resolve(property.value);
      if (tools?.kind !== "array") return;
      for (const item of tools.items) {
        const tool = pack.resolve(item);
        // With packId, the server belongs to another pack.
        if (tool.kind !== "object" || tool.open || propertyOf(tool, "packId") !== undefined) continue;
        const type = propertyOf(tool, "type");
        if (type !== undefined && isMcp(type.value))
          yield {
            place: type.value.place,
            message: "Add an MCP server with pack.addMCPServer. The platform rejects a skill with MCP tools without one.",
            fixes() {
              const [domain] = declaredHosts(pack);
              if (statement === undefined || domain === undefined) return [];
              const server = `${receiver}.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.${domain}/mcp" });`;
              return [propose("Add an MCP server", insertStatementBefore(pack, statement, server))];
            },
          };
      }
    },
  },
});

/** The names under which code gives a pack its servers. */
const SERVERS = ["addMCPServer", "mcpServers"];

/** Compares the source, because the model does not contain the values of this enum. */
const isMcp = (value: Expression): boolean => value.kind === "reference" && value.path.slice(-2).join(".") === "ToolType.MCP";
