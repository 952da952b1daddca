// The Node versions that the product must run on: installed once into test/nodes, from the npm registry.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { canInspect } from "../../platform/process/node-flags.ts";
import { root } from "./packs.ts";

const folder = join(root, "test/nodes");

export interface NodeVersion {
  readonly name: string;
  readonly path: string;
}

const ownNode: NodeVersion = { name: `this Node (${process.version})`, path: process.execPath };

/** This Node, and 20, 22 and 24 on Linux x64. Throws where they cannot be installed. */
export function nodeVersions(): readonly NodeVersion[] {
  if (process.platform !== "linux" || process.arch !== "x64") return [ownNode];
  const others = ["node20", "node22", "node24"].map((name) => ({ name, path: join(folder, "node_modules", name, "bin/node") }));
  if (!others.every((node) => existsSync(node.path))) {
    const { status, stderr } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`The other Node versions could not be installed:\n${stderr}`);
  }
  return others;
}

/** What is tried for long is tried on all of them in CI, and on a desk by the Node at hand. */
export const nodesAtHand = (): readonly NodeVersion[] => (process.env.CI ? nodeVersions() : [ownNode]);

/** The first that opens its inspector behind the walls of a pack. */
export async function debuggableNode(): Promise<NodeVersion | undefined> {
  for (const node of nodeVersions()) if (await canInspect(node.path)) return node;
  return undefined;
}

if (process.argv[1]?.endsWith("nodes.ts")) nodeVersions();
