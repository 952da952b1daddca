// `pack-auth mcp`: offers Pack Auth's tools to coding agents, over stdio.
import { readOptions } from "../options.ts";
import { openInBrowser } from "../terminal/host.ts";
import { onInterrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";
import { cliAgentHost } from "./agent-host.ts";
import { MCP } from "./mcp-options.ts";
import { serveAgents } from "./mcp-server.ts";
import { personInBrowser } from "./person-page.ts";

export async function mcp(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = readOptions(MCP, args, terminal);
  if (options === undefined) return 0;
  const [folder = ".", ...extraArguments] = options.positionals;
  if (extraArguments.length > 0) throw new UsageError("mcp needs one folder. See pack-auth mcp --help.");
  const interrupt = onInterrupt(terminal);
  const host = cliAgentHost(terminal, folder, {
    isTrusted: options.values.trust === true,
    person: personInBrowser({ openBrowser: (url) => openInBrowser(url, terminal) }),
  });
  await serveAgents(terminal, host, interrupt.signal);
  interrupt.release();
  return 0;
}
