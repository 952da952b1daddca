// Lists accounts with their states.
import { z } from "zod";
import { accountFiles } from "../../platform/accounts/account-files.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { entryFile } from "../../platform/bundle/entry-file.ts";
import { wholeMessage } from "../../platform/errors.ts";
import { canonicalPath } from "../../platform/files/file-names.ts";
import { teamAccounts } from "../../platform/team/team-account.ts";
import { teamState } from "../../platform/team/use-team-account.ts";
import { input } from "../inputs.ts";
import { operation } from "../operation.ts";

export const listAccounts = operation({
  about:
    "Lists the connected accounts, and those of packauth.accounts.json beside their packs and in this folder: label, state and next step.",
  input: z.strictObject({
    pack: input(
      z.string().optional(),
      "The pack of the accounts: its file or folder. By default a person gets all accounts, and an agent those of its folder's pack.",
      { argument: "PACK" },
    ),
  }),
  missing: {},
  async run({ pack }, world, _person, { note }) {
    const path = pack ?? (world.boundary === undefined ? undefined : ".");
    const entry = path === undefined ? undefined : world.entryOf(path);
    const { accounts, team } = await world.openStore();
    const stored = await accounts.list(entry && packKey(entry));
    const here = entry ?? entryFile(world.folder);
    const entries = new Set([...(here === undefined ? [] : [here]), ...stored.map((account) => account.entry)].map(canonicalPath));
    // An account would otherwise disappear silently.
    await accountFiles(accounts.folder).list((file) => note(`The account in ${file} cannot be read. Delete the file, and connect again.`));
    const ofFiles = [...entries].flatMap((each) => {
      const { accounts: ofFile, problem } = teamAccounts(each);
      if (problem !== undefined) note(wholeMessage(problem, world.words));
      return ofFile;
    });
    return {
      accounts: await Promise.all(stored.map(async (account) => ({ account, state: await accounts.stateOf(account) }))),
      // Without the pack's definition, only the file's side of a yes is compared.
      fileAccounts: ofFiles.map((account) => ({ account, state: teamState(account, team) })),
    };
  },
});
