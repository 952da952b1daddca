// `pack-auth preflight`: what will become of the pack on the platform. Nothing is sent, and no secret is read but the state of accounts.

import { defined } from "../../base/defined.ts";
import { PRODUCT_VERSION } from "../../base/product-version.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import { preflight as checkPack } from "../../platform/preflight/preflight.ts";
import { type PreflightInput, sourcesFolder } from "../../platform/preflight/preflight-input.ts";
import { environmentToken, storedApiOf } from "../../platform/public-api/api-token.ts";
import { TEST_ENDING } from "../../platform/recordings/saved-test.ts";
import { isTeamAccount, packAccounts } from "../../platform/team/team-account.ts";
import { teamState } from "../../platform/team/use-team-account.ts";
import { isJudged, type PreflightReport } from "../../protocol/preflight.ts";
import { findFiles } from "../check/files.ts";
import { checkoutRoot } from "../check/reports/report.ts";
import { createSourceReader } from "../mcp/source-reader.ts";
import { choiceOf } from "../options.ts";
import { type EntryOptions, entryArgument } from "../pack-entry.ts";
import { teamHost } from "../run/file-account.ts";
import { hasColours, painter } from "../terminal/colour.ts";

import type { CliHost } from "../terminal/host.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { isUsageError } from "../usage-error.ts";
import { type VerbSession, verb } from "../verb.ts";
import { failingVerdicts, PREFLIGHT, PREFLIGHT_FORMATS, type PreflightFormat } from "./preflight-options.ts";
import { preflightJson, preflightSarif, preflightText } from "./preflight-reports.ts";

/** Runs the verb. Returns the exit code. */
export const preflight = verb(PREFLIGHT, async ({ positionals, values, ...session }) => {
  const format = choiceOf("--format", PREFLIGHT_FORMATS, values.format);
  const failOn = failingVerdicts(values["fail-on"]);
  const entry = entryArgument(session.terminal, "preflight", positionals);
  const report = await checkPack(inputFor(session, entry, values));
  write(session.terminal, report, format);
  if (report.lines.some(({ verdict }) => failOn.some((each) => each === verdict))) return 1;
  return isJudged(report) ? 0 : 3;
});

function inputFor({ terminal, signal, openPack, openHost }: VerbSession, entry: string, options: EntryOptions): PreflightInput {
  const folder = sourcesFolder(entry);
  let opened: CliHost | undefined;
  const hostOf = async (): Promise<CliHost> => {
    opened ??= await openHost({ mayLackStore: true }).catch((error: unknown) => {
      // Without a secret store everything else is checked all the same.
      throw isUsageError(error) ? new PackAuthError("storage-failed", error.message, { cause: error }) : error;
    });
    if (opened.unreachable !== undefined) throw opened.unreachable;
    return opened;
  };
  const accountsOf = async (): Promise<CliHost["accounts"]> => (await hostOf()).accounts;
  return {
    entry,
    signal,
    storageFolder: userDataFolder(terminal.environment),
    open: () => openPack(entry, options),
    sources: { folder, ...createSourceReader(folder, terminal.environment) },
    async locate(paths) {
      return (await import("../analysis.ts")).metadataPlaces(entry, paths);
    },
    accounts: {
      list: async () => packAccounts(await accountsOf(), entry),
      stateOf: async (account, definition) =>
        isTeamAccount(account)
          ? teamState(account, teamHost(terminal, (await hostOf()).globalState), definition)
          : (await accountsOf()).stateOf(account, defined({ definition: definition[`${account.scope}Authentication`] })),
      clientOf: async (scope) => (await accountsOf()).clientCredentials(packKey(entry), scope),
    },
    publishedApi: async (published) => storedApiOf(await hostOf(), published, environmentToken(terminal.environment)),
    // A folder that cannot be read belongs to somebody else, and has no test of this pack.
    findTests: async () =>
      findFiles(
        [folder],
        terminal.folder,
        (name) => name.endsWith(TEST_ENDING),
        () => {},
      ),
  };
}

function write({ output, environment, folder: cwd }: Terminal, report: PreflightReport, format: PreflightFormat): void {
  if (format === "json") output.writeJson(preflightJson(report, cwd));
  else if (format === "sarif") output.writeJson(preflightSarif(report, checkoutRoot(cwd, environment), PRODUCT_VERSION));
  else output.write(preflightText(report, cwd, painter(hasColours(output, environment))));
}
