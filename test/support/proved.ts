// Proves proposals as the product does: written into an empty pack, checked, loaded, and signed in at one sandbox for the suite.
import assert from "node:assert/strict";
import { openPack } from "../../platform/process/pack.ts";
import type { Sandbox } from "../../platform/sandbox/launch.ts";
import { proveSetup } from "../../platform/setup/prove.ts";
import type { Proposal } from "../../protocol/setup.ts";
import { EMPTY_PACK } from "../../spec/toolkit.ts";
import { runner } from "./open-packs.ts";
import { packFiles } from "./pack-file.ts";
import { written } from "./proposals.ts";

/** Asserts that the proposal is written without a finding but notes. Returns the pack's text. */
export function assertClean(proposal: Proposal): string {
  const entry = packFiles({});
  const { findings, files } = written(entry, proposal, { [entry]: EMPTY_PACK });
  const text = files[0]?.text ?? "";
  assert.deepEqual(
    findings.filter(({ severity }) => severity !== "information"),
    [],
    text,
  );
  return text;
}

/** Asserts that the proposal passes each step of its proof. */
export async function assertProved(proposal: Proposal, sandbox: Omit<Sandbox, "stop">): Promise<void> {
  const entry = packFiles({});
  const setup = written(entry, proposal, { [entry]: EMPTY_PACK });
  const { problem, steps } = await proveSetup(proposal, setup, {
    openPack: (texts) => openPack(entry, { process: { runner, node: process.execPath }, texts }),
    openSandbox: async () => ({ register: sandbox.register, addSamples: sandbox.addSamples, stop() {} }),
    signal: new AbortController().signal,
  });
  assert.equal(problem, undefined, `${JSON.stringify(problem)}\n${setup.files[0]?.text}`);
  assert.deepEqual(
    steps.filter(({ passed }) => !passed),
    [],
  );
}
