// Which Node runs packs: the first of the candidates that passes the pack process's own self-test (security.md 1).
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
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

/** Every `node` of the PATH. What npm puts there while it runs a script, and what is relative, is the workspace's own: code of it. */
export const nodesOnPath = (path: string): readonly string[] =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules(?:[\\/]|$)/.test(folder))
    .flatMap((folder) => ["node", "node.exe"].map((name) => join(folder, name)))
    .filter((file) => existsSync(file));

async function findNode({ own, configured, path }: NodeCandidates, runner: string): Promise<string> {
  const [fromPath] = nodesOnPath(path);
  const tried: string[] = [];
  for (const node of [own, configured, fromPath]) {
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
