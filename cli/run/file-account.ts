// Uses an account of the account file beside the pack. On a terminal the person accepts its references first; without one PACK_AUTH_DOMAINS
// must name every host that gets a value.
import { join } from "node:path";
import { defined } from "../../base/defined.ts";
import { refuseUnnamed } from "../../platform/accounts/destinations.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { PackAuthError, wholeMessage } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { readFileAccounts } from "../../platform/team/account-file.ts";
import { approvedDelivery, type ReferenceQuestion } from "../../platform/team/approval.ts";
import { type Delivery, deliveryOf } from "../../platform/team/delivery.ts";
import { resolveAccount } from "../../platform/team/resolve.ts";
import type { AuthScope } from "../../protocol/run.ts";
import type { FileAccount } from "../../spec/account-file.ts";
import { errorOutput } from "../terminal/output.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import { stateFile } from "../terminal/state-file.ts";
import { makeStorageFolder } from "../terminal/storage-folder.ts";
import { createTerminalPrompter } from "../terminal/terminal-prompter.ts";

/** Returns the accounts of the file beside the pack's entry. A broken file is one line of an error, because other accounts still work. */
export function fileAccounts(entry: string): readonly FileAccount[] {
  try {
    return readFileAccounts(entry);
  } catch (error) {
    if (!(error instanceof PackAuthError)) throw error;
    errorOutput.write(formatMessage`pack-auth: ${printable(wholeMessage(error))}\n`);
    return [];
  }
}

/** Returns the file's account with that label; of two scopes, the user's. */
export function fileAccountCalled(entry: string, label: string, scopes: readonly AuthScope[]): FileAccount | undefined {
  const called = fileAccounts(entry).filter((account) => account.label === label && scopes.includes(account.scope));
  return called.find(({ scope }) => scope === "user") ?? called[0];
}

/** Resolves the account's references for one run. Throws PackAuthError. */
export async function useFileAccount(pack: Pack, account: FileAccount, signal: AbortSignal): Promise<RunAccount> {
  const { env } = process;
  const isOnTerminal = process.stdin.isTTY && process.stderr.isTTY;
  const delivery = isOnTerminal ? await acceptedDelivery(pack, account, signal) : namedDelivery(pack, account, env);
  return resolveAccount(delivery, { environment: env, programSetting: "PACK_AUTH_OP", program: env.PACK_AUTH_OP || undefined, signal });
}

async function acceptedDelivery({ entry, definition }: Pack, account: FileAccount, signal: AbortSignal): Promise<Delivery> {
  const state = stateFile(join(makeStorageFolder(), "state.json"));
  return approvedDelivery({ state, ask: (question) => ask(question, signal) }, entry, account, definition);
}

async function ask({ title, lines }: ReferenceQuestion, signal: AbortSignal): Promise<boolean> {
  const prompter = createTerminalPrompter(process.stdin, process.stderr);
  try {
    const text = [title, ...lines.map((line) => `  ${line}`)].join("\n");
    const reply = await prompter.input({ title: text, prompt: "Accept this? y/N", ...defined({ signal }) });
    return /^\s*y(?:es)?\s*$/i.test(reply ?? "");
  } finally {
    prompter.close();
  }
}

/** A yes on a terminal does not count without one: no person is there to see what runs. */
function namedDelivery({ definition }: Pack, account: FileAccount, env: NodeJS.ProcessEnv): Delivery {
  const delivery = deliveryOf(account, definition);
  refuseUnnamed(delivery.hosts, env.PACK_AUTH_DOMAINS, `the account ${account.label}`);
  return delivery;
}
