// Which flags a Node knows that keep a pack apart, and open a debugger there. A Node is asked itself, once.

import { execFile } from "node:child_process";
import { defined } from "../../base/defined.ts";
import { nodeEnvironment } from "../child-process/node-environment.ts";

export interface NodeFlags {
  /** `--permission` from 22.13, `--experimental-permission` before. */
  readonly permission?: string;
  readonly inspector?: string;
}

/** Milliseconds that a Node has for its answer. */
const PATIENCE = 10_000;
const PERMISSION = ["--permission", "--experimental-permission"];
const INSPECTOR = "--allow-inspector";
const CANDIDATE_FLAGS = [...PERMISSION, INSPECTOR];

const flagsByNode = new Map<string, Promise<NodeFlags>>();

/** None where it does not start. */
export function nodeFlags(node: string): Promise<NodeFlags> {
  const flags = flagsByNode.get(node) ?? askForFlags(node);
  flagsByNode.set(node, flags);
  return flags;
}

/** Whether a Node opens its inspector under the permission model: from Node 24 on. */
export const canInspect = async (node: string): Promise<boolean> => (await nodeFlags(node)).inspector !== undefined;

async function askForFlags(node: string): Promise<NodeFlags> {
  // This Node knows without a process of its own. Electron as a Node takes other flags than the editor around it.
  const isThis = node === process.execPath && process.versions.electron === undefined;
  const allowed = isThis ? CANDIDATE_FLAGS.filter((flag) => process.allowedNodeEnvironmentFlags.has(flag)) : await askProcess(node);
  return defined({
    permission: PERMISSION.find((flag) => allowed.includes(flag)),
    inspector: allowed.find((flag) => flag === INSPECTOR),
  });
}

function askProcess(node: string): Promise<readonly string[]> {
  const question = `${JSON.stringify(CANDIDATE_FLAGS)}.filter((flag) => process.allowedNodeEnvironmentFlags.has(flag)).join(" ")`;
  return new Promise((resolve) => {
    execFile(node, ["-p", question], { env: nodeEnvironment(), timeout: PATIENCE, windowsHide: true }, (error, stdout) => {
      // It may only have been slow, or may be installed meanwhile: it is asked again.
      if (error !== null) flagsByNode.delete(node);
      resolve(error === null ? stdout.trim().split(" ") : []);
    });
  });
}
