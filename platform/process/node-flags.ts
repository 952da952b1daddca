// Finds the flags with which a Node isolates a pack and opens a debugger there. Each Node is asked once for the flags that it knows.

import { execFile } from "node:child_process";
import { defined } from "../../base/defined.ts";
import { nodeEnvironment } from "../child-process/node-environment.ts";

export interface NodeFlags {
  /** `--permission` from Node 22.13 on, `--experimental-permission` before. */
  readonly permission?: string;
  readonly inspector?: string;
}

/** Time limit for a Node's answer in milliseconds. */
const PATIENCE = 10_000;
const PERMISSION = ["--permission", "--experimental-permission"];
const INSPECTOR = "--allow-inspector";
const CANDIDATE_FLAGS = [...PERMISSION, INSPECTOR];

const flagsByNode = new Map<string, Promise<NodeFlags>>();

/** Resolves to the Node's flags, or to none if the Node does not start. */
export function nodeFlags(node: string): Promise<NodeFlags> {
  const flags = flagsByNode.get(node) ?? askForFlags(node);
  flagsByNode.set(node, flags);
  return flags;
}

/** Whether a Node can open its inspector under the permission model, which Node 24 and later can. */
export const canInspect = async (node: string): Promise<boolean> => (await nodeFlags(node)).inspector !== undefined;

async function askForFlags(node: string): Promise<NodeFlags> {
  // This Node knows its flags without starting a process. Electron as Node accepts other flags than the editor itself.
  const isThis = node === process.execPath && process.versions.electron === undefined;
  const allowed = isThis ? CANDIDATE_FLAGS.filter((flag) => process.allowedNodeEnvironmentFlags.has(flag)) : await askProcess(node);
  return defined({ permission: PERMISSION.find((flag) => allowed.includes(flag)), inspector: allowed.find((flag) => flag === INSPECTOR) });
}

function askProcess(node: string): Promise<readonly string[]> {
  const question = `${JSON.stringify(CANDIDATE_FLAGS)}.filter((flag) => process.allowedNodeEnvironmentFlags.has(flag)).join(" ")`;
  return new Promise((resolve) => {
    execFile(node, ["-p", question], { env: nodeEnvironment(), timeout: PATIENCE, windowsHide: true }, (error, stdout) => {
      // The failure is not cached: the Node may have been slow, or may be installed later.
      if (error !== null) flagsByNode.delete(node);
      resolve(error === null ? stdout.trim().split(" ") : []);
    });
  });
}
