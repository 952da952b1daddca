// `pack-auth mcp`: offers Pack Auth's tools to coding agents, over stdio.
import { readOptions } from "../options.ts";
import { openInBrowser } from "../terminal/host.ts";
import { onInterrupt } from "../terminal/interrupt.ts";
import { UsageError } from "../usage-error.ts";
import { cliAgentHost } from "./agent-host.ts";
import { MCP } from "./mcp-options.ts";
import { serveAgents } from "./mcp-server.ts";
import { personInBrowser } from "./person-page.ts";

export async function mcp(args: readonly string[]): Promise<number> {
  const options = readOptions(MCP, args);
  if (options === undefined) return 0;
  const [folder = ".", ...extraArguments] = options.positionals;
  if (extraArguments.length > 0) throw new UsageError("mcp needs one folder. See pack-auth mcp --help.");
  const interrupt = onInterrupt();
  const host = cliAgentHost(folder, {
    isTrusted: options.values.trust === true,
    person: personInBrowser({ openBrowser: openInBrowser }),
  });
  await serveAgents(host, interrupt.signal);
  interrupt.release();
  return 0;
}
