// `packAuth.tryServer`: opens the panel of an MCP server that a pack declares, and lists its tools at once.
import * as vscode from "vscode";
import { inPack } from "../commands/in-pack.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";
import { pick } from "../shown/questions.ts";
import type { FormulaPanels } from "./formula-panel.ts";

interface ServerArgument {
  /** URI of a file of the pack. */
  readonly uri?: string;
  readonly server?: string;
}

export async function tryServer(services: Services, panels: FormulaPanels, { uri, server }: ServerArgument = {}): Promise<void> {
  const outline = uri === undefined ? undefined : await services.server.outline(uri);
  const argument = outline === undefined ? undefined : { entry: vscode.Uri.parse(outline.entry).fsPath };
  await inPack(services, argument, "Trying an MCP server", async (entry) => {
    const name = server ?? (await choose(services, entry));
    if (name !== undefined) panels.start({ entry, kind: "mcpServer", name }, "run");
  });
}

async function choose(services: Services, entry: string): Promise<string | undefined> {
  const { mcpServers = [] } = (await services.packs.saveAndOpen(entry)).definition;
  const [only] = mcpServers;
  if (only === undefined) {
    void showInformation("Declare an MCP server with pack.addMCPServer. The pack has none.");
    return undefined;
  }
  if (mcpServers.length === 1) return only.name;
  return pick({
    placeholder: "Which MCP server?",
    items: mcpServers.map(({ name, endpointUrl }) => ({ label: name, description: endpointUrl, value: name })),
  });
}
