// `pack-auth mcp`: offers Pack Auth's tools to coding agents, over stdio.
import { verb } from "../frame/options.ts";
import { inSession } from "../frame/verb.ts";
import { openInBrowser } from "../terminal/host.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { cliAgentHost } from "./agent-host.ts";
import { serveAgents } from "./mcp-server.ts";
import { personInBrowser } from "./person-page.ts";

export const mcp = verb(
  {
    usage: "mcp [folder] [options]",
    about: `Offers Pack Auth's tools to a coding agent: an MCP server on standard input and output. An agent's configuration starts it.
The agent can check packs, run them in the sandbox, save and run tests, and ask you to sign in. It never gets a credential. Before a
request carries the credential of a real account, a page in your browser asks you.
All paths are inside the folder (default: the working directory).`,
    options: {
      trust: { help: "let the agent run the folder's code: run, test, drill and connect need it" },
      "allow-loopback": { help: "let a pack that declares localhost send requests to this machine" },
    },
    more: `See docs/agents.md for the configuration of each agent.

Exit code: 0 the agent disconnected, 2 the command is wrong.
`,
  },
  ({ positionals: [folder = ".", ...extraArguments], values }, terminal) =>
    inSession(terminal, async ({ signal, atEnd }) => {
      if (extraArguments.length > 0) throw new UsageError("mcp needs one folder. See pack-auth mcp --help.");
      const person = personInBrowser({ openBrowser: (url) => openInBrowser(url, terminal) });
      atEnd(person.close);
      await serveAgents(
        terminal,
        cliAgentHost(terminal, folder, { isTrusted: values.trust === true, allowLoopback: values["allow-loopback"] === true, person }),
        signal,
      );
      return 0;
    }),
);
