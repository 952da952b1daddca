// Whether a host may use an account of an account file, and its use for one run. Invariant: nothing is resolved before the person's yes.

import { defined } from "../../base/defined.ts";
import { type AccountState, READY } from "../../protocol/account-state.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import type { StateStore } from "../host.ts";
import { approvedDelivery, isApproved, type ReferenceQuestion } from "./approval.ts";
import { resolveAccount, type SecretSources } from "./resolve.ts";
import type { TeamAccount } from "./team-account.ts";

/** How a host uses accounts of an account file. */
export interface TeamHost {
  /** Where the person's yes is stored. */
  readonly state: StateStore;
  readonly sources: Omit<SecretSources, "signal">;
  /** Returns undefined if the person trusts the folder, else how to trust it. */
  howToTrust?(): string | undefined;
  /** Returns the sentence that says how the person accepts the references of the account. */
  howToAccept(account: TeamAccount): string;
}

interface UseOptions {
  /** Asks the person. Absent where nobody can be asked. */
  readonly ask?: (question: ReferenceQuestion) => Promise<boolean>;
  readonly signal?: AbortSignal;
}

/** Resolves the account's references for one run. Throws PackAuthError, such as reference-unapproved. */
export async function useTeamAccount(
  { entry, definition }: { readonly entry: string; readonly definition: PackDefinition },
  account: TeamAccount,
  host: TeamHost,
  { ask, signal }: UseOptions = {},
): Promise<RunAccount> {
  const howToTrust = host.howToTrust?.();
  if (howToTrust !== undefined)
    throw new PackAuthError("workspace-untrusted", `The account ${account.label} was not used: ${UNTRUSTED}.`, { hint: howToTrust });
  const asking = { state: host.state, nextStep: host.howToAccept(account), ...defined({ ask }) };
  const delivery = await approvedDelivery(asking, entry, account.inFile, definition);
  return resolveAccount(delivery, { ...host.sources, ...defined({ signal }) });
}

/** Returns whether a run can use the account without a question. Without a definition, only the file's side of a yes is compared. */
export function teamState(account: TeamAccount, host: TeamHost, definition?: PackDefinition): AccountState {
  const unaccepted = (reason: string, nextStep: string): AccountState => ({ state: "unaccepted", reason, nextStep });
  const howToTrust = host.howToTrust?.();
  if (howToTrust !== undefined) return unaccepted(UNTRUSTED, howToTrust);
  try {
    if (isApproved(host.state, account.entry, account.inFile, definition)) return READY;
  } catch (error) {
    if (!(error instanceof PackAuthError)) throw error;
    return unaccepted(error.message.replace(/\.$/, ""), error.hint ?? "");
  }
  return unaccepted("nobody accepted its references", host.howToAccept(account));
}

const UNTRUSTED = "the folder is not trusted";
