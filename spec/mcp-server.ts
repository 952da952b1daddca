// The fields that declare an MCP server of a pack.
import type { FieldSpec } from "./fields.ts";

export const MCP_SERVER_FIELDS: readonly FieldSpec[] = [
  {
    name: "name",
    kind: "string",
    required: true,
    docs: "The server's name, unique in the pack: 1 to 50 letters, digits and underscores, beginning with a letter.",
    source: "sdk-facts-2 1",
  },
  {
    name: "endpointUrl",
    kind: "url",
    required: true,
    docs: `The server's Streamable HTTP address: an https URL in one of the pack's network domains. A path such as \`/mcp\` is resolved against the account's endpoint.`,
    source: "sdk-facts-2 1",
  },
];
