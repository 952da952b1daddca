// The Node versions that the product supports, installed once into test/nodes from the npm registry.
import { join } from "node:path";
import { canInspect } from "../../platform/process/node-flags.ts";
import { installPackagesNow } from "../../scripts/npm-packages.ts";
import { packages } from "../nodes/install.ts";

export interface NodeVersion {
  readonly name: string;
  readonly path: string;
}

const ownNode: NodeVersion = { name: `this Node (${process.version})`, path: process.execPath };

/** Returns Node 20, 22 and 24 on Linux x64, else this Node. Throws if they cannot be installed. */
export function nodeVersions(): readonly NodeVersion[] {
  if (process.platform !== "linux" || process.arch !== "x64") return [ownNode];
  installPackagesNow(packages);
  return ["node20", "node22", "node24"].map((name) => ({ name, path: join(packages.folder, "node_modules", name, "bin/node") }));
}

/** Returns the Node versions for slow tests: all of them in the deep tests, else this Node. */
export const nodesAtHand = (): readonly NodeVersion[] => (process.env.TESTS_DEEP === undefined ? [ownNode] : nodeVersions());

/** Returns the first version that opens its inspector inside a pack's isolation. */
export async function debuggableNode(): Promise<NodeVersion | undefined> {
  for (const node of nodeVersions()) if (await canInspect(node.path)) return node;
  return undefined;
}
