// An agent in the editor: an extension of ours that calls the language model tools that a journey names.
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

export interface AgentCaller {
  /** The folder of the extension. */
  readonly extension: string;
  /** The names of all tools that the editor has. */
  tools(): Promise<readonly string[]>;
  /** Calls one of Pack Auth's tools, by its name in the table. Returns what an agent would read. */
  // biome-ignore lint/suspicious/noExplicitAny: a journey reads results as an agent does, without their types.
  call(tool: string, input?: object): Promise<any>;
  close(): void;
}

/** Milliseconds for a call, with the questions that a journey answers. */
const PATIENCE = 90_000;

export function createAgentCaller(): AgentCaller {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-agent-"));
  cpSync(join(import.meta.dirname, "agent-caller"), folder, { recursive: true });
  let count = 0;
  async function send(call: object): Promise<unknown> {
    const path = join(folder, String(++count));
    writeFileSync(`${path}.part`, JSON.stringify(call));
    renameSync(`${path}.part`, `${path}.call`);
    for (const end = Date.now() + PATIENCE; !existsSync(`${path}.result`); await setTimeout(50))
      if (Date.now() > end) throw new Error(`no result of ${JSON.stringify(call)}`);
    return JSON.parse(readFileSync(`${path}.result`, "utf8"));
  }
  return {
    extension: folder,
    tools: async () => (await send({})) as readonly string[],
    call: (tool, input = {}) => send({ tool: `packAuth_${tool}`, input }),
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
