// Proves sources that a proposal was written into, before they are on disk: they check clean, load, sign in at the sandbox, and run there.

import type { AuthScope, ErrorReport, RunTarget } from "../../protocol/run.ts";
import type { Proposal, ProposedRequest } from "../../protocol/setup.ts";
import type { WrittenSetup } from "../../protocol/written-setup.ts";
import { hasSignIn } from "../../spec/auth-types.ts";
import { packName } from "../bundle/entry-file.ts";
import { sandboxAccount } from "../connect/sandbox-account.ts";
import { PackAuthError, reportOf } from "../errors.ts";
import { canonicalPath } from "../files/file-names.ts";
import { makeTemporary } from "../files/make-temporary.ts";
import { removeTemporary } from "../files/remove-temporary.ts";
import type { Pack } from "../process/pack.ts";
import { run } from "../runs/run.ts";
import { inputOf } from "../runs/run-input.ts";
import { observe } from "../runs/run-observer.ts";
import type { RunWorld } from "../runs/run-world.ts";
import type { Sandbox } from "../sandbox/launch.ts";
import { registerPack } from "../sandbox/register-pack.ts";
import type { Stub } from "../sandbox/stubs.ts";

/** Step → what a pack that passes it does. */
export const PROOF_STEPS = {
  /** No error and no warning that the sources did not have before. */
  check: "checks clean",
  /** The pack is bundled, and its process reads the definition. */
  load: "loads",
  /** The sandbox issues a credential, and getConnectionName names its user. */
  "sign-in": "signs in at the sandbox",
  /** The formula returns a result; only if it needs no parameter. */
  run: "its formula runs there",
} as const;

export type ProofStep = keyof typeof PROOF_STEPS;

export interface SetupProof {
  /** The steps in their order; the last one failed if there is a problem. */
  readonly steps: readonly { readonly step: ProofStep; readonly passed: boolean }[];
  readonly problem?: ErrorReport;
}

export interface ProofHost {
  /** Opens the pack with these texts in place of files; see BundleOptions. The proof disposes it. */
  openPack(texts: ReadonlyMap<string, string>): Promise<Pack>;
  openSandbox(): Promise<Pick<Sandbox, "register" | "addSamples" | "stop">>;
  readonly signal: AbortSignal;
}

/** Never throws a PackAuthError: what fails is the proof's problem. */
export async function proveSetup(proposal: Proposal, { files, findings, formulaName }: WrittenSetup, host: ProofHost): Promise<SetupProof> {
  const steps: { step: ProofStep; passed: boolean }[] = [];
  const pass = async <T>(step: ProofStep, work: () => Promise<T>): Promise<T> => {
    steps.push({ step, passed: false });
    const result = await work();
    host.signal.throwIfAborted();
    steps[steps.length - 1] = { step, passed: true };
    return result;
  };
  const owned: (() => void)[] = [];
  try {
    await pass("check", async () => {
      const finding = findings.find(({ severity }) => severity !== "information");
      if (finding === undefined) return;
      throw new PackAuthError("setup-unproven", `${finding.rule}: ${finding.message}`, {
        location: { path: finding.path, line: finding.line, character: 0 },
      });
    });
    const pack = await pass("load", () => host.openPack(new Map(files.map(({ path, text }) => [canonicalPath(path), text]))));
    owned.push(() => pack.dispose());
    const world = (): Promise<RunWorld> => worldInSandbox(pack, proposal, host, owned);
    const signedIn = hasSignIn(proposal.type)
      ? await pass("sign-in", async () => {
          const signed = await world();
          if (proposal.userRequest !== undefined) await namesUser(signed, proposal.scope);
          return signed;
        })
      : undefined;
    if (formulaName !== undefined && proposal.formula?.parameters.length === 0)
      await pass("run", async () => succeeded({ kind: "formula", name: formulaName }, signedIn ?? (await world())));
    return { steps };
  } catch (error) {
    if (!(error instanceof PackAuthError)) throw error;
    return { steps, problem: reportOf(error) };
  } finally {
    for (const release of owned.reverse()) release();
  }
}

async function worldInSandbox(
  pack: Pack,
  proposal: Proposal,
  { openSandbox, signal }: ProofHost,
  owned: (() => void)[],
): Promise<RunWorld> {
  const folder = makeTemporary("pack-auth-proof-");
  owned.push(() => removeTemporary(folder));
  const sandbox = await openSandbox();
  owned.push(() => sandbox.stop());
  const registered = await registerPack(sandbox, pack);
  await sandbox.addSamples({ entry: pack.entry, samples: answersOf(proposal) });
  // An existing pack may have another authentication, which is not what is proved.
  const { userAuthentication, systemAuthentication, ...rest } = pack.definition;
  const own = proposal.scope === "user" ? { userAuthentication } : { systemAuthentication };
  const definition = Object.values(own)[0] === undefined ? rest : { ...rest, ...own };
  return sandboxAccount(pack, definition as typeof pack.definition, registered, { folder, packName: packName(pack.entry), signal });
}

async function namesUser(world: RunWorld, scope: AuthScope): Promise<void> {
  const name = await succeeded({ kind: "authentication", scope, function: { name: "getConnectionName" } }, world);
  if (typeof name !== "string" || name === "")
    throw new PackAuthError("setup-unproven", "getConnectionName returned no name at the sandbox.", {
      hint: "Correct the path of the name in the response.",
    });
}

/** Returns the result. Throws setup-unproven. */
async function succeeded(target: RunTarget, world: RunWorld): Promise<unknown> {
  const { outcome } = await run(inputOf(target, []), world, observe());
  if (outcome.status === "succeeded") return outcome.value;
  if (outcome.status === "cancelled") throw new PackAuthError("setup-unproven", "The run at the sandbox was cancelled.");
  const { message, hint, nextStep } = outcome.error;
  throw new PackAuthError("setup-unproven", message, { hint, nextStep });
}

/** Returns the sandbox's answer to the request that names the user. */
export function answersOf({ userRequest }: Proposal): readonly Stub[] {
  if (userRequest === undefined) return [];
  const body = userRequest.namePath.reduceRight<unknown>(
    (inner, name) => (/^(?:0|[1-9]\d?)$/.test(name) ? Array.from({ length: Number(name) + 1 }, () => inner) : { [name]: inner }),
    "Alice",
  );
  return [{ request: `${userRequest.method} ${patternOf(userRequest)}`, body }];
}

/** Returns the URL with `*` for each slot, without its query. */
function patternOf({ url }: ProposedRequest): string {
  const pattern = url.map((part) => (typeof part === "string" ? part : "endpoint" in part ? "https://*" : "*")).join("");
  return pattern.replace(/[?#].*$/s, "");
}
