// Chooses the Node that runs packs: the first candidate that passes the pack process's own self-test (security.md 1).

import { createOnce } from "../../base/create-once.ts";
import { errorMessage } from "../../base/error-message.ts";
import type { SelfTestReport } from "../../protocol/pack-process.ts";
import { PackAuthError } from "../errors.ts";
import { startPackProcess } from "./process.ts";

interface NodeCandidates {
  /** The Node that runs this program; in the desktop editor it is Electron as Node. */
  readonly own: string;
  /** The value of the setting packAuth.nodePath. */
  readonly configured?: string;
  /** The Nodes on the PATH. */
  readonly onPath: readonly string[];
}

export interface ChosenNode {
  readonly node: string;
  /** The self-test's report on the layers. */
  readonly selfTest: SelfTestReport;
  /** The candidates that were tried before, each with the reason why it was rejected. */
  readonly attempts: readonly string[];
}

const chosen = new Map<string, Promise<ChosenNode>>();

/** Returns a Node that can isolate packs. The result is cached. Throws no-usable-node naming the Nodes that were tried. */
export const chooseNode = (candidates: NodeCandidates, runner: string): Promise<ChosenNode> =>
  createOnce(chosen, JSON.stringify([candidates, runner]), () => findNode(candidates, runner));

/** Returns a description for the log. */
export const describeNode = ({ node, selfTest, attempts }: ChosenNode): string =>
  [
    `Packs run in ${node} (${selfTest.node}). Its self-test: ${selfTest.layers.map(({ name, detail }) => (detail === undefined ? name : `${name} (${detail})`)).join(", ")}.`,
    ...attempts.map((line) => `Not in ${line}`),
  ].join("\n");

async function findNode({ own, configured, onPath }: NodeCandidates, runner: string): Promise<ChosenNode> {
  const attempts: string[] = [];
  for (const node of [own, configured, ...onPath]) {
    if (node === undefined || node === "" || attempts.some((line) => line.startsWith(`${node}:`))) continue;
    try {
      const process = await startPackProcess({ runner, node });
      process.dispose();
      return { node, selfTest: process.selfTest, attempts };
    } catch (error) {
      // Every Node uses the same folder for temporary files, so trying another does not help.
      if (error instanceof PackAuthError && error.code === "storage-failed") throw error;
      attempts.push(`${node}: ${errorMessage(error)}`);
    }
  }
  throw new PackAuthError("no-usable-node", "No Node was found that can isolate pack code, so nothing was run.", {
    hint: `Tried: ${attempts.join(" · ")}.`,
    nextStep: { do: "chooseNode", versions: "22 or 24" },
  });
}
