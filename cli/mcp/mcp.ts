// `pack-auth mcp`: offers Pack Auth's tools to coding agents, over stdio.

import { openInBrowser } from "../terminal/host.ts";

import { UsageError } from "../usage-error.ts";
import { verb } from "../verb.ts";
import { cliAgentHost } from "./agent-host.ts";
import { MCP } from "./mcp-options.ts";
import { serveAgents } from "./mcp-server.ts";
import { personInBrowser } from "./person-page.ts";

export const mcp = verb(MCP, async ({ terminal, signal, positionals, values, atEnd }) => {
  const [folder = ".", ...extraArguments] = positionals;
  if (extraArguments.length > 0) throw new UsageError("mcp needs one folder. See pack-auth mcp --help.");
  const person = personInBrowser({ openBrowser: (url) => openInBrowser(url, terminal) });
  atEnd(person.close);
  const host = cliAgentHost(terminal, folder, { isTrusted: values.trust === true, person });
  await serveAgents(terminal, host, signal);
  return 0;
});
