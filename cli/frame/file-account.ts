// Uses an account of the account file beside the pack. On a terminal the person accepts its references first; without one PACK_AUTH_DOMAINS
// must name every host that gets a value.
import { join } from "node:path";
import { refuseUnnamed } from "../../platform/accounts/destinations.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import type { Prompter, StateStore } from "../../platform/host.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { deliveryOf } from "../../platform/team/delivery.ts";
import { resolveAccount } from "../../platform/team/resolve.ts";
import type { TeamAccount } from "../../platform/team/team-account.ts";
import { type TeamHost, useTeamAccount } from "../../platform/team/use-team-account.ts";
import { stateFile } from "../terminal/state-file.ts";
import { makeStorageFolder } from "../terminal/storage-folder.ts";
import type { Terminal } from "../terminal/terminal.ts";

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

/** Resolves the account's references. Throws PackAuthError. */
export async function useFileAccount(
  terminal: Terminal,
  prompter: Prompter,
  pack: Pack,
  account: TeamAccount,
  signal: AbortSignal,
): Promise<RunAccount> {
  const { environment, stdin, stderr } = terminal;
  if (stdin.isTTY && stderr.isTTY)
    return useTeamAccount(pack, account, teamHost(terminal, stateFile(join(makeStorageFolder(terminal), "state.json"))), {
      signal,
      async ask({ title, lines }) {
        const text = [title, ...lines.map((line) => `  ${line}`)].join("\n");
        return /^\s*y(?:es)?\s*$/i.test((await prompter.input({ title: text, prompt: "Accept this? y/N", signal })) ?? "");
      },
    });
  // A yes on a terminal does not count without one: no person is there to see what runs.
  const delivery = deliveryOf(account.inFile, pack.definition);
  refuseUnnamed(delivery.hosts, environment.PACK_AUTH_DOMAINS, `the account ${account.label}`);
  return resolveAccount(delivery, { ...secretSources(terminal), signal });
}
