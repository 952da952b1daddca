// The agents' sessions in this window, one for each workspace folder. Every agent of the window shares them: the editor does not say which
// agent calls.
import { isAbsolute } from "node:path";
import * as vscode from "vscode";
import { AgentSession } from "../../agents/agent-session.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { folderOf } from "../packs/packs.ts";
import type { Services } from "../services.ts";
import { askModal } from "../shown/messages.ts";
import { prompter } from "../shown/questions.ts";
import { openWebPage } from "../shown/web-page.ts";
import { createAgentHost } from "./agent-host.ts";
import { personAtWindow } from "./person.ts";

export class AgentSessions {
  readonly #services: Services;
  readonly #person = personAtWindow({ askModal, prompter, openBrowser: openWebPage });
  /** By the URI of the workspace folder. */
  readonly #sessions = new Map<string, AgentSession>();
  /** The session of the last run, whose requests the tool `requests` shows. */
  #ran: AgentSession | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Returns the result as JSON. Throws pack-not-found if no folder is open. */
  async call(tool: string, input: unknown, signal: AbortSignal): Promise<string> {
    const folder = await this.#folderFor(input);
    if (folder === undefined) throw noFolder();
    // Loads the schemas of the tools.
    const { callTool } = await import("../../agents/call-tool.ts");
    const own = getOrInsert(
      this.#sessions,
      folder.uri.toString(),
      () => new AgentSession(createAgentHost(this.#services, this.#person, folder)),
    );
    const session = tool === "requests" ? (this.#ran ?? own) : own;
    if (tool === "run") this.#ran = session;
    const result = await callTool(tool, input, { session, signal, progress: () => {} });
    return JSON.stringify("output" in result ? result.output : result);
  }

  /** Returns the folder of an absolute path in the input, else the first folder with packs. */
  async #folderFor(input: unknown): Promise<vscode.WorkspaceFolder | undefined> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    if (folders.length < 2) return folders[0];
    const { pack, paths } = (input ?? {}) as { readonly pack?: unknown; readonly paths?: unknown };
    const absolute = [pack, paths].flat().find((path) => typeof path === "string" && isAbsolute(path));
    if (absolute !== undefined) return folderOf(absolute as string) ?? folders[0];
    const packs = await this.#services.server.packs();
    const withPacks = packs.map(({ entry }) => vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(entry))?.uri.toString());
    return folders.find(({ uri }) => withPacks.includes(uri.toString())) ?? folders[0];
  }
}

/** The editor passes nothing but the message of an error to an agent. */
const noFolder = (): PackAuthError =>
  new PackAuthError("pack-not-found", "No folder is open in this window. Ask the person to open the folder of the packs.");
