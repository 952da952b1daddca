// Which Node runs packs: the first of the candidates that passes the pack process's own self-test (security.md 1).
import { PackAuthError } from "./errors.ts";
import { startPackProcess } from "./process.ts";

export interface NodeCandidates {
  /** The Node that runs this program; in the desktop editor Electron as Node. */
  readonly own: string;
  /** The setting packAuth.nodePath. */
  readonly configured?: string;
  /** Those of the PATH. */
  readonly onPath: readonly string[];
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

async function findNode({ own, configured, onPath }: NodeCandidates, runner: string): Promise<string> {
  const tried: string[] = [];
  for (const node of [own, configured, ...onPath]) {
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
