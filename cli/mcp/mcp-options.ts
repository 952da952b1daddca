// The options of `pack-auth mcp`, apart from the verb, whose bundle is large.
import type { VerbHelp } from "../options.ts";

export const MCP = {
  usage: "mcp [folder] [options]",
  about: `Offers Pack Auth's tools to a coding agent: an MCP server on standard input and output. An agent's configuration starts it.
The agent can check packs, run them in the sandbox, save and run tests, and ask you to sign in. It never gets a credential. Before a
request carries the credential of a real account, a page in your browser asks you.
All paths are inside the folder (default: the working directory).`,
  options: { trust: { help: "let the agent run the folder's code: run, test, drill and connect need it" } },
  more: `See docs/agents.md for the configuration of each agent.

Exit code: 0 the agent disconnected, 2 the command is wrong.
`,
} as const satisfies VerbHelp;
