import { nameOf, propertyOf, propose } from "../configuration/config.ts";
import { pack, rule } from "../rule.ts";
import { insertProperty, quoteLike, replace } from "../text/edit.ts";

export default rule({
  id: "mcp-server-name",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.12.5",
  source: "SDK 6",
  docs: `The name of an MCP server is missing or has the wrong form.

Use 1 to 50 letters, digits and underscores, and begin with a letter. The platform rejects the pack at upload otherwise.`,
  examples: [
    {
      bad: pack`pack.addMCPServer({ name: «"Acme tools"», endpointUrl: "https://mcp.acme.example/" });`,
      fixed: pack`pack.addMCPServer({ name: "Acme_tools", endpointUrl: "https://mcp.acme.example/" });`,
    },
    {
      bad: pack`«pack.addMCPServer»({ endpointUrl: "https://mcp.acme.example/" });`,
      fixed: pack`pack.addMCPServer({ endpointUrl: "https://mcp.acme.example/", name: "Tools" });`,
    },
    { good: pack`pack.addMCPServer({ name: "Café_2", endpointUrl: "https://mcp.acme.example/" });` },
  ],
  on: {
    *call(pack, { method, nameSpan, arguments: [argument] }) {
      if (method !== "addMCPServer") return;
      const server = argument === undefined ? undefined : pack.resolve(argument);
      if (argument === undefined || server?.kind === "undefined" || (server !== undefined && NO_SERVERS.has(server.kind)))
        yield { place: nameSpan, message: `Give addMCPServer an object with name and endpointUrl. ${REJECTED}` };
    },
    *mcpServer(pack, { place, definition }) {
      const property = propertyOf(definition, "name");
      if (property === undefined) {
        if (!definition.open)
          yield {
            place,
            message: "Add a name to the MCP server. The platform rejects the pack without it.",
            fixes: () => [propose("Add name", insertProperty(pack, definition, 'name: "Tools"'))],
          };
        return;
      }
      const name = pack.resolve(property.value);
      if (NO_TEXTS.has(name.kind)) yield { place: nameOf(property), message: `Write the name as a string. ${REJECTED}` };
      if (name.kind !== "string" || isName(name.value)) return;
      yield {
        place: property.value.place,
        message: `Use 1 to 50 letters, digits and underscores, beginning with a letter. ${REJECTED}`,
        fixes: () => {
          const right = rightOf(name.value);
          return name.place === property.value.place && isName(right)
            ? [propose(`Rename to ${right}`, replace(name.place, quoteLike(pack, name.place, right)))]
            : [];
        },
      };
    },
  },
});

const REJECTED = "The platform rejects the pack otherwise.";

const NO_TEXTS: ReadonlySet<string> = new Set(["number", "boolean", "null", "undefined", "array", "object", "function"]);

const NO_SERVERS: ReadonlySet<string> = new Set(["string", "template", "number", "boolean", "null", "array", "function"]);

/** The condition of the SDK's validator, which counts UTF-16 code units. */
const isName = (text: string): boolean => text.length <= 50 && /^\p{L}[\p{L}\p{N}_]*$/u.test(text);

const rightOf = (text: string): string =>
  text
    .trim()
    .replace(/[^\p{L}\p{N}_]+/gu, "_")
    .replace(/^[^\p{L}]+/u, "")
    .slice(0, 50);
