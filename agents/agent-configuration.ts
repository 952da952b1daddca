// How each coding agent starts `pack-auth mcp`: the file of its configuration, and the text that belongs there. The command that adds Pack
// Auth to an agent and docs/agents.md show these texts.
import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser/lib/esm/main.js";
import { DEEPEST_FILE, isTooDeepForFile } from "../base/json-depth.ts";
import { PackAuthError } from "../platform/errors.ts";

export type AgentName = "vscode" | "claude-code" | "codex" | "cursor" | "gemini-cli";

/** "read": the agent's tools execute no code of the folder. "run": the person trusts the folder. */
export type AgentAccess = "read" | "run";

interface AgentSpec {
  readonly label: string;
  /** Relative to the folder of the packs. No file is the user's own, because `--trust` in it would trust every folder. */
  readonly file: string;
  readonly format: "json" | "toml";
  /** The member that has the servers by name. */
  readonly member: string;
  /** Whether an entry says that its server speaks over stdio. */
  readonly hasType: boolean;
  /** The folder that the server works in. An editor starts servers elsewhere; a program in a terminal starts them in its own folder. */
  readonly folder: string;
  /** What this agent needs so that the keyring, the browser and a proxy are reached, and a question to the person can wait. */
  readonly settings: Readonly<Record<string, number | readonly string[]>>;
  /** When the agent gives up a call, in a sentence for the documentation. */
  readonly timeLimit: string;
}

/** Codex gives a server ten variables, such as HOME and PATH, and these by name. */
const FORWARDED =
  "DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_DATA_HOME DISPLAY WAYLAND_DISPLAY BROWSER " +
  "HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS PACK_AUTH_HOME PACK_AUTH_SECRET_STORE";

const EDITOR_FOLDER = "${workspaceFolder}";

export const AGENTS: Readonly<Record<AgentName, AgentSpec>> = {
  vscode: {
    label: "VS Code",
    file: ".vscode/mcp.json",
    format: "json",
    member: "servers",
    hasType: true,
    folder: EDITOR_FOLDER,
    settings: {},
    timeLimit: "VS Code waits for a tool until you cancel it.",
  },
  "claude-code": {
    label: "Claude Code",
    file: ".mcp.json",
    format: "json",
    member: "mcpServers",
    hasType: true,
    folder: ".",
    settings: {},
    timeLimit:
      "Claude Code waits for a tool for hours, unless `MCP_TOOL_TIMEOUT` or a `timeout` of the server, both in milliseconds, is set.",
  },
  codex: {
    label: "Codex",
    file: ".codex/config.toml",
    format: "toml",
    member: "mcp_servers",
    hasType: false,
    folder: ".",
    settings: { env_vars: FORWARDED.split(" "), startup_timeout_sec: 30, tool_timeout_sec: 600 },
    timeLimit:
      "By default Codex stops a tool after 60 seconds, and gives a server ten variables of the environment. A question to you may take longer, so the time limit and further variables are named.",
  },
  cursor: {
    label: "Cursor",
    file: ".cursor/mcp.json",
    format: "json",
    member: "mcpServers",
    hasType: true,
    folder: EDITOR_FOLDER,
    settings: {},
    timeLimit: "Cursor does not document when it gives up a tool.",
  },
  "gemini-cli": {
    label: "Gemini CLI",
    file: ".gemini/settings.json",
    format: "json",
    member: "mcpServers",
    hasType: false,
    folder: ".",
    settings: { timeout: 600_000 },
    timeLimit: "Gemini CLI stops a tool after `timeout` milliseconds.",
  },
};

export const AGENT_NAMES = Object.keys(AGENTS) as readonly AgentName[];

/** The name of the server in every configuration. */
export const SERVER_NAME = "pack-auth";

interface ServerEntry {
  readonly type?: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly [setting: string]: unknown;
}

function serverEntry({ hasType, folder, settings }: AgentSpec, access: AgentAccess): ServerEntry {
  return {
    ...(hasType ? { type: "stdio" } : {}),
    // The installed program, and not npx: that would install whatever has this name in a registry.
    command: "pack-auth",
    args: ["mcp", folder, ...(access === "run" ? ["--trust"] : [])],
    ...settings,
  };
}

/** Returns the configuration of an agent that has no other servers. */
export function agentConfiguration(name: AgentName, access: AgentAccess): string {
  const agent = AGENTS[name];
  const entry = serverEntry(agent, access);
  if (agent.format === "json") return withServer("", name, access).text;
  // TOML writes strings, numbers and lists of strings as JSON does.
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  return `[${agent.member}.${SERVER_NAME}]\n${lines.join("")}`;
}

interface Addition {
  readonly text: string;
  /** "replacement": the file has a server of this name with other settings. */
  readonly change: "none" | "addition" | "replacement";
  /** The offset of the server's name in the text. */
  readonly start: number;
}

/**
 * Returns the text of an agent's JSON file with the server. Comments and other members stay. `path` is the file that errors name. Throws
 * storage-failed.
 */
export function withServer(text: string, name: AgentName, access: AgentAccess, path: string = AGENTS[name].file): Addition {
  const { member } = AGENTS[name];
  const entry = serverEntry(AGENTS[name], access);
  const newLine = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? "  ";
  const json = (value: unknown, depth: number): string =>
    JSON.stringify(value, null, unit).replaceAll("\n", `${newLine}${unit.repeat(depth)}`);
  // A new member is the first, so that the text of the others and their comments stays as it is.
  const inserted = (parent: Node, key: string, value: unknown, depth: number): string => {
    const end = (parent.children ?? []).length > 0 ? "," : `${newLine}${unit.repeat(depth - 1)}`;
    return spliced(text, parent.offset + 1, 0, `${newLine}${unit.repeat(depth)}"${key}": ${json(value, depth)}${end}`);
  };

  const root = parseConfiguration(text, member, path);
  const servers = root && findNodeAtLocation(root, [member]);
  const existing = servers && findNodeAtLocation(servers, [SERVER_NAME]);
  // The parser's objects have no prototype, which a clone has.
  const isSame = existing !== undefined && isDeepStrictEqual(structuredClone(getNodeValue(existing)), entry);
  const change = existing === undefined ? "addition" : isSame ? "none" : "replacement";
  let after = text;
  if (root === undefined)
    after = `${text.trimEnd()}${text.trim() === "" ? "" : newLine}${json({ [member]: { [SERVER_NAME]: entry } }, 0)}${newLine}`;
  else if (servers === undefined) after = inserted(root, member, { [SERVER_NAME]: entry }, 1);
  else if (existing === undefined) after = inserted(servers, SERVER_NAME, entry, 2);
  else if (change === "replacement") after = spliced(text, existing.offset, existing.length, json(entry, 2));
  return { text: after, change, start: after.indexOf(`"${SERVER_NAME}"`, servers?.offset) };
}

const spliced = (text: string, at: number, length: number, piece: string): string => text.slice(0, at) + piece + text.slice(at + length);

/** Returns the tree of a JSON file with comments; undefined if it has no value yet. */
function parseConfiguration(text: string, member: string, path: string): Node | undefined {
  const fail = (offset: number, problem: string): never => {
    const before = text.slice(0, offset).split("\n");
    const location = { path, line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    throw new PackAuthError("storage-failed", `${path}, line ${location.line + 1}: ${problem}.`, {
      location,
      hint: "Correct the file, and add Pack Auth again. Nothing was changed.",
    });
  };
  if (isTooDeepForFile(text)) return fail(0, `the file nests more than ${DEEPEST_FILE} levels deep`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined)
    return fail(
      error.offset,
      printParseErrorCode(error.error)
        .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
        .toLowerCase(),
    );
  if (root === undefined) return undefined;
  if (root.type !== "object") return fail(root.offset, "the file must be an object");
  const servers = findNodeAtLocation(root, [member]);
  return servers === undefined || servers.type === "object" ? root : fail(servers.offset, `${member} must be an object`);
}
