// `packAuth.connectTestAccount` and `packAuth.addSystemAuthentication`: sign in, with progress and cancel.

import { defined } from "../../base/defined.ts";
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import { TOOLKIT_FILE } from "../../platform/accounts/toolkit-credentials.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { type Connected, connect } from "../../platform/connect/connect.ts";
import { connectedText, echoNotes } from "../../platform/connect/connected-text.ts";
import { BACK, orBack } from "../../platform/connect/in-order.ts";
import type { ConnectOptions } from "../../platform/connect/sign-in-plan.ts";
import { type ErrorCode, PackAuthError, reportOf } from "../../platform/errors.ts";
import { isSameFile } from "../../platform/files/file-names.ts";
import { switchRemedies } from "../../platform/sandbox/switch-remedies.ts";
import type { Credential } from "../../platform/secrets/credential.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { type FlowKind, flowKindOf } from "../../spec/auth-types.ts";
import type { Services } from "../services.ts";
import { offer, showInformation, showProgress, showWarning } from "../shown/messages.ts";
import { type Choice, pick } from "../shown/questions.ts";
import { redirectSettings, timezone, worldSettings } from "../window/settings.ts";
import type { Actions } from "../window/show-error.ts";
import { applyRemedy } from "./apply-remedy.ts";
import { changeSharing } from "./change-sharing.ts";
import type { PackArgument } from "./choose-pack.ts";
import { importCredentials, importOffered, shouldOfferImport } from "./import-credentials.ts";
import { inPack } from "./in-pack.ts";
import { runWithAccount } from "./run-with-account.ts";
import { ADD_STUB, addStubs, showNotes } from "./show-notes.ts";

export interface ConnectArgument extends PackArgument {
  readonly scope?: AuthScope;
  /** The name of the authentication type in the source. */
  readonly type?: string;
  /** The account to sign in again. */
  readonly account?: Account;
  /** The scopes to sign in again for. */
  readonly scopes?: readonly string[];
}

export const connectAccount = (services: Services, argument?: ConnectArgument): Promise<Account | undefined> =>
  inPack(services, argument, "Connecting an account", async (entry) => {
    const scope = argument?.scope ?? "user";
    const former = argument?.account;
    if (former !== undefined) return connectWith(services, { ...argument, entry, scope }, former.sandboxOrigin ? "sandbox" : "real");
    for (;;) {
      const type = argument?.type ?? services.packs.definition(entry)?.[`${scope}Authentication`]?.type;
      const where = await askWhere(services, entry, type);
      if (where === undefined) return undefined;
      if (where === "import") return importCredentials(services, { entry, scope });
      const account = await orBack((back) => connectWith(services, { ...argument, entry, scope }, where, { back }));
      if (account !== BACK) return account;
    }
  });

/** Connects an account in the sandbox without asking where. */
export const connectSandbox = (
  services: Services,
  argument: Required<Pick<ConnectArgument, "entry" | "scope">> & Pick<ConnectArgument, "account">,
): Promise<Account | undefined> => connectWith(services, argument, "sandbox");

/** Connects a real account with a credential that the person pasted before. */
export const connectPasted = (
  services: Services,
  { credential, ...argument }: Required<Pick<ConnectArgument, "entry" | "scope">> & { readonly credential: Credential },
): Promise<Account | undefined> => connectWith(services, argument, "real", { existingCredentials: { credential } });

type WholeArgument = ConnectArgument & Required<Pick<ConnectArgument, "entry" | "scope">>;

type Attempt = Pick<ConnectOptions, "back" | "existingCredentials" | "typedClient">;

async function connectWith(
  services: Services,
  argument: WholeArgument,
  where: "sandbox" | "real",
  options: Attempt = {},
): Promise<Account | undefined> {
  const { entry, scope } = argument;
  const attempt = { typedClient: {}, ...options };
  const withSandbox = where === "sandbox";
  try {
    const title = `Connect ${packName(entry)}`;
    const signIn = async (reportStep: (message: string) => void, signal: AbortSignal): Promise<Connected | undefined> => {
      reportStep("building the pack…");
      const pack = await services.packs.saveAndOpen(entry);
      const sandbox = withSandbox ? await services.packs.sandbox(pack, scope) : undefined;
      if (signal.aborted) return undefined;
      return connect(pack, {
        scope,
        packName: packName(entry),
        host: services.host(reportStep),
        accounts: services.accounts,
        redirect: redirectSettings(),
        signal,
        world: worldSettings(),
        timezone: timezone(),
        ...attempt,
        ...defined({ sandbox, existing: argument.account, scopes: argument.scopes }),
      });
    };
    const connected = await services.signIns.replace(`${packKey(entry)} ${scope}`, title, (abort) => showProgress(title, signIn, abort));
    if (connected === undefined) return undefined;
    const { signInNotes } = connected;
    showNotes(
      services,
      signInNotes.filter(({ echo }) => echo === undefined),
      entry,
    );
    void showConnected(services, connected, entry);
    return connected.account;
  } catch (error) {
    let account: Account | undefined;
    const again = async (): Promise<void> => {
      account = await connectWith(services, argument, where, attempt);
    };
    await services.showError(error, entry, {
      ...(mayWorkAgain(error) ? { ["Try again"]: again } : {}),
      ...(withSandbox ? resettingSwitches(services, error, entry, again) : {}),
    });
    return account;
  }
}

/** Errors that another attempt alone may resolve: a refusal by a person, a provider or a port. */
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

/** Returns actions that turn off the sandbox's switches for errors, and then try again. */
function resettingSwitches(services: Services, error: unknown, entry: string, again: () => Promise<void>): Actions {
  const switches = services.packs.sandboxes.list().find((pack) => isSameFile(pack.entry, entry))?.switches;
  const remedies = switches === undefined ? [] : switchRemedies(switches, reportOf(error), []);
  return Object.fromEntries(
    remedies.map((remedy) => [`${remedy.label} and try again`, () => applyRemedy(services, entry, remedy).then(again)]),
  );
}

/** Shows a single message for the sign-in, including requests that the sandbox could not answer. */
async function showConnected(services: Services, connected: Connected, entry: string): Promise<void> {
  const echoes = echoNotes(connected).map(({ echo }) => echo);
  const { account, isRefused } = connected;
  const signInAgain = (): unknown => connectAccount(services, { entry, scope: account.scope, account });
  const isReal = account.sandboxOrigin === undefined;
  await offer(echoes.length === 0 && !isRefused ? showInformation : showWarning, connectedText(connected, packName(entry)), {
    ...(isRefused ? { ["Sign in again"]: signInAgain } : runWithAccount(services, account, entry)),
    ...(echoes.length === 0 ? {} : { [ADD_STUB]: () => addStubs(services, echoes, entry) }),
    // auth-spec 1, step 3: the platform asks after the sign-in.
    ...(isReal && !account.shared && account.scope === "user" ? { ["Share…"]: () => changeSharing(services, account) } : {}),
  });
}

const BY_CONFIGURATION = "Sign in at the provider that the configuration names.";

/** The step with which a person connects a real account. */
const REAL_SIGN_INS: Readonly<Record<FlowKind, string>> = {
  none: BY_CONFIGURATION,
  token: "Paste an API token.",
  "multi-token": "Paste the values of the API's parameters.",
  custom: "Enter the values that the pack asks for.",
  "web-basic": "Enter a user name and a password.",
  aws: "Enter an access key.",
  "aws-role": "Enter a role, and an access key that may assume it.",
  "client-credentials": "Enter the client ID and secret of your application.",
  "authorization-code": "Sign in at the provider, in the browser.",
  unavailable: BY_CONFIGURATION,
};

type Where = "sandbox" | "real" | "import";

/** Returns undefined if the person cancelled. */
async function askWhere(services: Services, entry: string, type: string | undefined): Promise<Where | undefined> {
  const items: Choice<Where>[] = [
    {
      icon: "beaker",
      label: "Connect with sandbox",
      detail: "Use a local provider and API, made from the configuration. You need no real account.",
      value: "sandbox",
    },
    { icon: "plug", label: "Connect a real account", detail: REAL_SIGN_INS[flowKindOf(type ?? "") ?? "unavailable"], value: "real" },
  ];
  if (shouldOfferImport(services, entry))
    items.push({
      icon: "cloud-download",
      label: "Import credentials from the SDK",
      detail: `Move them from ${TOOLKIT_FILE}, which is plain text, into the editor's secret store.`,
      value: "import",
    });
  const where = await pick({ title: `Connect ${packName(entry)}`, placeholder: "How do you want to connect?", items });
  if (where !== undefined) await importOffered(services, entry);
  return where;
}
