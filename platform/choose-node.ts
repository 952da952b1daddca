// Which Node runs packs: the first of the candidates that passes the pack process's own self-test (security.md 1).
import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import { PackAuthError } from "./errors.ts";
import { startPackProcess } from "./process.ts";

export interface NodeCandidates {
  /** The Node that runs this program; in the desktop editor Electron as Node. */
  readonly own: string;
  /** The setting packAuth.nodePath. */
  readonly configured?: string;
  /** The PATH, to look for `node` in. */
  readonly path: string;
}

const chosen = new Map<string, Promise<string>>();

/** A Node behind which packs can run; remembered. Throws no-usable-node saying what was tried. */
export function chooseNode(candidates: NodeCandidates, runner: string): Promise<string> {
  const key = JSON.stringify([candidates, runner]);
  let choice = chosen.get(key);
  if (choice === undefined) {
    choice = findNode(candidates, runner);
    chosen.set(key, choice);
    // A failure is tried again: the author may have installed one meanwhile.
    choice.catch(() => chosen.delete(key));
  }
  return choice;
}

/**
 * Every Node of the PATH, each once. What npm puts there while it runs a script, and what is relative, is the workspace's own: code of it.
 * On Windows a file `node` beside `node.exe` is a script for another shell.
 */
export function nodesOnPath(
  path: string,
  platform: NodeJS.Platform = process.platform,
  isProgram: (file: string) => boolean = isExecutable,
): readonly string[] {
  const isWindows = platform === "win32";
  const { delimiter, isAbsolute, join } = isWindows ? win32 : posix;
  const files = path
    .split(delimiter)
    // Windows takes a folder in quotation marks.
    .map((folder) => (isWindows ? folder.replace(/^"(.*)"$/, "$1") : folder))
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules(?:[\\/]|$)/.test(folder))
    .map((folder) => join(folder, isWindows ? "node.exe" : "node"));
  return [...new Set(files)].filter(isProgram);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

async function findNode({ own, configured, path }: NodeCandidates, runner: string): Promise<string> {
  const tried: string[] = [];
  for (const node of [own, configured, ...nodesOnPath(path)]) {
    if (node === undefined || node === "" || tried.some((line) => line.startsWith(`${node}:`))) continue;
    try {
      const process = await startPackProcess({ runner, node });
      process.dispose();
      return node;
    } catch (error) {
      tried.push(`${node}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new PackAuthError("no-usable-node", "No Node was found that can keep pack code apart, so nothing was run.", {
    hint: `Install Node 22 or 24, or name one in the setting packAuth.nodePath. Tried: ${tried.join(" · ")}`,
  });
}
