// Completions inside addMCPServer: the whole server, its fields, and its likely URLs.
import { MCP_SERVER_FIELDS } from "../../../../spec/mcp-server.ts";
import { hasNoEndpointForServers } from "../../configuration/endpoint-source.ts";
import type { PackModel } from "../../model/pack.ts";
import { describeField } from "../describe.ts";
import { type Completion, type CompletionPlace, literalCompletion } from "./completion.ts";
import { declaredDomains } from "./field-values.ts";
import { named } from "./fields.ts";
import { blank, choice, literally } from "./snippet.ts";

const ADDRESS = "The server's Streamable HTTP address. Its documentation says which.";

export function mcpServerCompletions(place: CompletionPlace): readonly Completion[] {
  const { frames, spot, text, word } = place.cursor;
  const inner = frames.at(-1);
  const call = inner?.kind === "object" ? frames.at(-2) : inner;
  if (call?.kind !== "call" || call.index > 0 || !call.callee?.endsWith(".addMCPServer")) return [];
  if (inner === call) {
    // A call with an argument needs no second one.
    if (spot !== "value" || text !== undefined || !/^\s*(?:[);]|$)/.test(place.text.slice(word.end))) return [];
    const members = MCP_SERVER_FIELDS.map(({ name }, index) => `  ${name}: ${snippetOf(place.pack, name, index + 1)},\n`);
    const docs = () => MCP_SERVER_FIELDS.map((field) => `**${field.name}**: ${field.docs}`).join("\n\n");
    return [
      {
        label: "MCP server",
        kind: "configuration",
        snippet: `{\n${members.join("")}${literally("}")}`,
        span: word,
        detail: "whole server",
        sort: "0",
        docs,
      },
    ];
  }
  if (spot === "name")
    return MCP_SERVER_FIELDS.filter(({ name }) => !inner?.members.includes(name)).map((field, index) => ({
      ...named(place, field.name, () => snippetOf(place.pack, field.name, 1)),
      kind: "field",
      detail: "required",
      sort: String(index),
      docs: () => describeField(field),
    }));
  if (spot !== "value" || inner?.property !== "endpointUrl") return [];
  return addressesOf(place.pack).map((address, index) =>
    literalCompletion(place, literally(address), { sort: String(index).padStart(2, "0"), docs: () => ADDRESS }),
  );
}

const snippetOf = (pack: PackModel, field: string, stop: number): string =>
  field === "name" ? `"${blank(stop, "Tools")}"` : `"${choice(stop, addressesOf(pack))}"`;

/** Returns common addresses of MCP servers on the declared domains, and `/mcp` on the account's endpoint if accounts have one. */
function addressesOf(pack: PackModel): readonly string[] {
  const own = pack.auths.length === 0 || hasNoEndpointForServers(pack) ? [] : ["/mcp"];
  return [...own, ...declaredDomains(pack).flatMap((domain) => [`https://mcp.${domain}/mcp`, `https://${domain}/mcp`])];
}
