// Says what will become of a pack on the platform.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { preflight as checkPack } from "../../platform/preflight/preflight.ts";
import { isTeamAccount, packAccounts } from "../../platform/team/team-account.ts";
import { teamState } from "../../platform/team/use-team-account.ts";
import { packInput } from "../inputs.ts";
import { operation } from "../operation.ts";

export const preflight = operation({
  about: `Says what will become of the pack on the platform, one line for each thing that decides it: what the upload's validator says, what
needs approval, what has to be entered there, and what was never tried. Nothing is sent, and no credential is needed.`,
  input: z.strictObject({ pack: packInput }),
  missing: {},
  run({ pack: path }, world, _person, { step }) {
    const entry = world.entryOf(path);
    const sources = world.sourcesOf(entry);
    return checkPack({
      entry,
      signal: world.signal,
      words: world.words,
      progress: step,
      storageFolder: world.storageFolder,
      open: () => world.openPack(entry),
      sources,
      locate: (paths) => sources.metadataPlaces(entry, paths),
      accounts: {
        list: async () => packAccounts((await world.openStore()).accounts, entry),
        async stateOf(account, definition) {
          const { accounts, team } = await world.openStore();
          return isTeamAccount(account)
            ? teamState(account, team, definition)
            : accounts.stateOf(account, defined({ definition: definition[`${account.scope}Authentication`] }));
        },
        clientOf: async (scope) => (await world.openStore()).accounts.clientCredentials(packKey(entry), scope),
      },
      publishedApi: (published) => world.openApi(published),
      findTests: () => world.findTests([sources.folder]),
    });
  },
});
