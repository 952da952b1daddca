// `pack-auth preflight`: what will become of the pack on the platform. Nothing is sent, and no secret is read but the state of accounts.

import { defined } from "../../base/defined.ts";
import { PRODUCT_VERSION } from "../../base/product-version.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import { preflight as checkPack } from "../../platform/preflight/preflight.ts";
import { type PreflightInput, sourcesFolder } from "../../platform/preflight/preflight-input.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { environmentToken, storedApiOf } from "../../platform/public-api/api-token.ts";
import { TEST_ENDING } from "../../platform/recordings/saved-test.ts";
import { isTeamAccount, packAccounts } from "../../platform/team/team-account.ts";
import { teamState } from "../../platform/team/use-team-account.ts";
import { isJudged, type PreflightReport } from "../../protocol/preflight.ts";
import { findFiles } from "../check/files.ts";
import { checkoutRoot } from "../check/reports/report.ts";
import { createSourceReader } from "../mcp/source-reader.ts";
import { choiceOf, readOptions } from "../options.ts";
import { type EntryOptions, entryArgument, openEntry } from "../pack-entry.ts";
import { teamHost } from "../run/file-account.ts";
import { hasColours, painter } from "../terminal/colour.ts";
import { fail } from "../terminal/failure.ts";
import { type CliHost, openCliHost } from "../terminal/host.ts";
import { onInterrupt, STOPPED } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { isUsageError } from "../usage-error.ts";
import { failingVerdicts, PREFLIGHT, PREFLIGHT_FORMATS, type PreflightFormat } from "./preflight-options.ts";
import { preflightJson, preflightSarif, preflightText } from "./preflight-reports.ts";

/** Runs the verb. Returns the exit code. */
export async function preflight(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = readOptions(PREFLIGHT, args, terminal);
  if (options === undefined) return 0;
  const format = choiceOf("--format", PREFLIGHT_FORMATS, options.values.format);
  const failOn = failingVerdicts(options.values["fail-on"]);
  const entry = entryArgument(terminal, "preflight", options.positionals);
  const interrupt = onInterrupt(terminal);
  const opened: { pack?: Pack; host?: CliHost } = {};
  try {
    const report = await checkPack(inputFor(terminal, entry, options.values, interrupt.signal, opened));
    write(terminal, report, format);
    if (report.lines.some(({ verdict }) => failOn.some((each) => each === verdict))) return 1;
    return isJudged(report) ? 0 : 3;
  } catch (error) {
    if (interrupt.signal.aborted) return STOPPED;
    return await fail(terminal, error, entry);
  } finally {
    interrupt.release();
    opened.pack?.dispose();
    opened.host?.close();
  }
}

/** `opened` receives what the caller closes. */
function inputFor(
  terminal: Terminal,
  entry: string,
  options: EntryOptions,
  signal: AbortSignal,
  opened: { pack?: Pack; host?: CliHost },
): PreflightInput {
  const folder = sourcesFolder(entry);
  const hostOf = async (): Promise<CliHost> => {
    opened.host ??= await openCliHost(terminal, { mayLackStore: true }).catch((error: unknown) => {
      // Without a secret store everything else is checked all the same.
      throw isUsageError(error) ? new PackAuthError("storage-failed", error.message, { cause: error }) : error;
    });
    if (opened.host.unreachable !== undefined) throw opened.host.unreachable;
    return opened.host;
  };
  const accountsOf = async (): Promise<CliHost["accounts"]> => (await hostOf()).accounts;
  return {
    entry,
    signal,
    storageFolder: userDataFolder(terminal.environment),
    async open() {
      opened.pack = await openEntry(terminal, entry, options);
      return opened.pack;
    },
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
