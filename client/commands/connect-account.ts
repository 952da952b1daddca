// `packAuth.connectTestAccount` and `packAuth.addSystemAuthentication`: the spec's sign-in, with progress and cancel.

import { t } from "@vscode/l10n";
import type { Account } from "../../platform/accounts/accounts.ts";
import { TOOLKIT_FILE } from "../../platform/accounts/toolkit-credentials.ts";
import { type Connected, connect } from "../../platform/connect/connect.ts";
import { connectedText, echoNotes } from "../../platform/connect/connected-text.ts";
import { BACK, orBack } from "../../platform/connect/in-order.ts";
import type { TypedClient } from "../../platform/connect/oauth-credentials.ts";
import { type ErrorCode, PackAuthError, reportOf } from "../../platform/errors.ts";
import { isSameFile } from "../../platform/files/file-names.ts";
import type { Back } from "../../platform/host.ts";
import { switchRemedies } from "../../platform/runs/remedies.ts";
import { defined } from "../../protocol/defined.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { packName } from "../packs/pack-name.ts";
import type { Services } from "../services.ts";
import { redirectSettings, runSettings } from "../settings.ts";
import type { Actions } from "../show-error.ts";
import { showInformation, showProgress, showWarning } from "../shown/messages.ts";
import { type Choice, pick } from "../shown/questions.ts";
import { applyRemedy } from "./apply-remedy.ts";
import type { PackArgument } from "./choose-pack.ts";
import { importCredentials, importOffered, shouldOfferImport } from "./import-credentials.ts";
import { inPack } from "./in-pack.ts";
import { ADD_ANSWER, addAnswers, showNotes } from "./show-notes.ts";
import { TEST_WITH_FORMULA, testWithFormula } from "./test-with-formula.ts";

export interface ConnectArgument extends PackArgument {
  readonly scope?: AuthScope;
  /** Sign in again. */
  readonly account?: Account;
  /** Then for these scopes. */
  readonly scopes?: readonly string[];
}

export const connectAccount = (services: Services, argument?: ConnectArgument): Promise<Account | undefined> =>
  inPack(services, argument, t`Connecting an account`, async (entry) => {
    const scope = argument?.scope ?? "user";
    const former = argument?.account;
    if (former !== undefined) return connectWith(services, { ...argument, entry, scope }, former.sandboxOrigin ? "sandbox" : "real");
    for (;;) {
      const where = await askWhere(services, entry);
      if (where === undefined) return undefined;
      if (where === "import") return importCredentials(services, { entry, scope });
      const account = await orBack((toWhere) => connectWith(services, { ...argument, entry, scope }, where, toWhere));
      if (account !== BACK) return account;
    }
  });

type WholeArgument = ConnectArgument & Required<Pick<ConnectArgument, "entry" | "scope">>;

async function connectWith(
  services: Services,
  argument: WholeArgument,
  where: "sandbox" | "real",
  back?: Back,
  typedClient: TypedClient = {},
): Promise<Account | undefined> {
  const { entry, scope } = argument;
  const withSandbox = where === "sandbox";
  try {
    const connected = await showProgress(t`Connect ${packName(entry)}`, async (tell, signal) => {
      tell(t`building the pack…`);
      const pack = await services.packs.saveAndOpen(entry);
      const sandbox = withSandbox ? await services.packs.sandbox(pack, scope) : undefined;
      if (signal.aborted) return undefined;
      return connect(pack, {
        scope,
        packName: packName(entry),
        host: services.host(tell),
        accounts: services.accounts,
        redirect: redirectSettings(),
        signal,
        run: runSettings(),
        typedClient,
        ...defined({ sandbox, back, existing: argument.account, scopes: argument.scopes }),
      });
    });
    if (connected === undefined) return undefined;
    const { notes } = connected;
    showNotes(
      services,
      notes.filter(({ echo }) => echo === undefined),
      entry,
    );
    void tellConnected(services, connected, entry);
    return connected.account;
  } catch (error) {
    let account: Account | undefined;
    const again = async (): Promise<void> => {
      account = await connectWith(services, argument, where, back, typedClient);
    };
    await services.showError(error, entry, {
      ...(mayWorkAgain(error) ? { [t`Try again`]: again } : {}),
      ...(withSandbox ? resettingSwitches(services, error, entry, again) : {}),
    });
    return account;
  }
}

/** What another attempt alone can put right: a person's, a provider's or a port's no. */
const AGAIN: ReadonlySet<ErrorCode> = new Set([
  "authorization-denied",
  "authorization-timed-out",
  "authorization-invalid",
  "token-exchange-failed",
  "credentials-refused",
  "redirect-port-busy",
  "network-error",
  "time-limit",
  "pack-threw",
  "sandbox-failed",
  "storage-failed",
]);

const mayWorkAgain = (error: unknown): boolean => error instanceof PackAuthError && AGAIN.has(error.code);

/** What the sandbox was told to do wrong is taken back first. */
function resettingSwitches(services: Services, error: unknown, entry: string, again: () => Promise<void>): Actions {
  const switches = services.packs.sandboxes.list().find((pack) => isSameFile(pack.entry, entry))?.switches;
  const remedies = switches === undefined ? [] : switchRemedies(switches, reportOf(error), []);
  return Object.fromEntries(
    remedies.map((remedy) => [t`${remedy.label} and try again`, () => applyRemedy(services, entry, remedy).then(again)]),
  );
}

const SIGN_IN_AGAIN = t`Sign in again`;

/** In one message, with what the sandbox had no answer for. */
async function tellConnected(services: Services, connected: Connected, entry: string): Promise<void> {
  const echoes = echoNotes(connected).map(({ echo }) => echo);
  const { account, refused = false, unchecked } = connected;
  const next = refused ? SIGN_IN_AGAIN : unchecked === undefined ? undefined : TEST_WITH_FORMULA;
  const buttons = [...(echoes.length === 0 ? [] : [ADD_ANSWER]), ...(next === undefined ? [] : [next])];
  const tell = echoes.length === 0 && !refused ? showInformation : showWarning;
  const choice = await tell(connectedText(connected, packName(entry)), ...buttons);
  if (choice === ADD_ANSWER) await addAnswers(services, echoes, entry);
  else if (choice === SIGN_IN_AGAIN) await connectAccount(services, { entry, scope: account.scope, account });
  else if (choice !== undefined) await testWithFormula(services, account, entry);
}

type Where = "sandbox" | "real" | "import";

/** Undefined: cancelled. */
async function askWhere(services: Services, entry: string): Promise<Where | undefined> {
  const items: Choice<Where>[] = [
    {
      icon: "beaker",
      label: t`Connect with sandbox`,
      detail: t`Use a local provider and API, made from the configuration. You need no real account.`,
      value: "sandbox",
    },
    { icon: "plug", label: t`Connect a real account`, detail: t`Sign in at the provider that the configuration names.`, value: "real" },
  ];
  if (shouldOfferImport(services, entry))
    items.push({
      icon: "cloud-download",
      label: t`Import credentials from the SDK`,
      detail: t`Move them from ${TOOLKIT_FILE}, which is plain text, into the editor's secret store.`,
      value: "import",
    });
  const where = await pick({ title: t`Connect ${packName(entry)}`, placeholder: t`How do you want to connect?`, items });
  if (where !== undefined) await importOffered(services, entry);
  return where;
}
