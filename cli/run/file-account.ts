// Uses an account of the account file beside the pack. On a terminal the person accepts its references first; without one PACK_AUTH_DOMAINS
// must name every host that gets a value.
import { join } from "node:path";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { refuseUnnamed } from "../../platform/accounts/destinations.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { wholeMessage } from "../../platform/errors.ts";
import type { StateStore } from "../../platform/host.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { ReferenceQuestion } from "../../platform/team/approval.ts";
import { deliveryOf } from "../../platform/team/delivery.ts";
import { resolveAccount } from "../../platform/team/resolve.ts";
import { type TeamAccount, teamAccounts } from "../../platform/team/team-account.ts";
import { type TeamHost, useTeamAccount } from "../../platform/team/use-team-account.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import { stateFile } from "../terminal/state-file.ts";
import { makeStorageFolder } from "../terminal/storage-folder.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { createTerminalPrompter } from "../terminal/terminal-prompter.ts";

const secretSources = ({ environment }: Terminal): TeamHost["sources"] => ({
  environment,
  programSetting: "PACK_AUTH_OP",
  program: environment.PACK_AUTH_OP || undefined,
});

/** `state`: where the command line stores a person's yes. */
export const teamHost = (terminal: Terminal, state: StateStore): TeamHost => ({
  state,
  sources: secretSources(terminal),
  // The label is text from outside, and somebody may copy the command into a shell.
  howToAccept: ({ id }) => `On a terminal, call pack-auth run with the pack, a formula and --account ${id}, and accept them.`,
});

/** Returns the accounts of the file beside the pack's entry. A broken file is one line of an error, because other accounts still work. */
export function fileAccounts(terminal: Terminal, entry: string): readonly TeamAccount[] {
  const { accounts, problem } = teamAccounts(entry);
  if (problem !== undefined) terminal.errorOutput.write(formatMessage`pack-auth: ${printable(wholeMessage(problem))}\n`);
  return accounts;
}

/** The accounts of this command, by what the file says of each. */
const usedAccounts = new WeakMap<Pack, Map<string, Promise<RunAccount>>>();

/**
 * Resolves the account's references, once for all runs of one command: each test would otherwise ask the person or 1Password again.
 * Throws PackAuthError.
 */
export function useFileAccount(terminal: Terminal, pack: Pack, account: TeamAccount, signal: AbortSignal): Promise<RunAccount> {
  const ofPack = getOrInsert(usedAccounts, pack, () => new Map());
  return getOrInsert(ofPack, JSON.stringify(account.inFile), () => openFileAccount(terminal, pack, account, signal));
}

async function openFileAccount(terminal: Terminal, pack: Pack, account: TeamAccount, signal: AbortSignal): Promise<RunAccount> {
  const { environment, stdin, stderr } = terminal;
  if (stdin.isTTY && stderr.isTTY) {
    const host = teamHost(terminal, stateFile(join(makeStorageFolder(terminal), "state.json")));
    return useTeamAccount(pack, account, host, { signal, ask: (question) => ask(terminal, question, signal) });
  }
  // A yes on a terminal does not count without one: no person is there to see what runs.
  const delivery = deliveryOf(account.inFile, pack.definition);
  refuseUnnamed(delivery.hosts, environment.PACK_AUTH_DOMAINS, `the account ${account.label}`);
  return resolveAccount(delivery, { ...secretSources(terminal), signal });
}

async function ask(terminal: Terminal, { title, lines }: ReferenceQuestion, signal: AbortSignal): Promise<boolean> {
  const text = [title, ...lines.map((line) => `  ${line}`)].join("\n");
  const prompter = createTerminalPrompter(terminal);
  try {
    return /^\s*y(?:es)?\s*$/i.test((await prompter.input({ title: text, prompt: "Accept this? y/N", signal })) ?? "");
  } finally {
    prompter.close();
  }
}
