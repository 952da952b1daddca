// The actions on an account in the accounts view, except sharing: rename, test, refresh, sign in again, remove, adopt, choose endpoint,
// copy the redirect address.

import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { changeEndpoint } from "../../platform/connect/change-endpoint.ts";
import { authenticationOf } from "../../platform/connect/choose-flow.ts";
import { publishedAddress } from "../../platform/connect/published-address.ts";
import { removeAccount, revocationUrlOf } from "../../platform/connect/remove-account.ts";
import { testAccount } from "../../platform/connect/test-account.ts";
import { refreshTokenHint } from "../../platform/diagnosis/advice.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { addressToRegister } from "../../platform/oauth/receiver.ts";
import { refreshAccount } from "../../platform/oauth/refresh.ts";
import { worldOf } from "../../platform/runs/run-world.ts";
import type { ClientCredentials } from "../../platform/secrets/credential.ts";
import { runAccount } from "../accounts/run-account.ts";
import type { Services } from "../services.ts";
import { confirm, offer, showInformation, showProgress, showWarning } from "../shown/messages.ts";
import { prompter } from "../shown/questions.ts";
import { redirectSettings, timezone, worldSettings } from "../window/settings.ts";
import { changeSharing } from "./change-sharing.ts";
import { choosePack } from "./choose-pack.ts";
import { connectAccount } from "./connect-account.ts";
import { type AccountAction, type AccountNode, withPack } from "./in-pack.ts";
import type { AccountCommand } from "./rows-of-actions.ts";
import { runWithAccount } from "./run-with-account.ts";
import { showNotes } from "./show-notes.ts";

const withCancel = <T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  showProgress(title, (_, signal) => work(signal));

const rename: AccountAction = async (services, { account }) => {
  const otherAccounts = (await services.accounts.list(account.pack)).filter(({ id }) => id !== account.id);
  const problemOf = (label: string): string | undefined => {
    if (label === "") return "Enter a name.";
    return otherAccounts.some((other) => other.label === label) ? "Enter another name. An account of the pack has this one." : undefined;
  };
  const label = await prompter.input({
    title: "Rename the account",
    prompt: "Enter a new name.",
    value: account.label,
    validate: (value) => problemOf(value.trim()),
  });
  if (label !== undefined) await services.accounts.update(account.id, { label: label.trim(), renamed: true });
};

const remove: AccountAction = async (services, { account, entry }) => {
  const revocable = revocationUrlOf(account) !== undefined;
  const isSure = await confirm(
    `Remove the account ${account.label}? Its credentials are deleted from the editor's secret store${revocable ? ", and its tokens are revoked at the provider" : ""}.`,
    "Remove",
  );
  if (!isSure) return;
  const sandboxClient = await sandboxClientOf(services, account, entry);
  const removal = await withCancel(`Removing ${account.label}`, async (signal) =>
    removeAccount(account.id, { ...services.host(), accounts: services.accounts, signal, ...defined({ sandboxClient }) }),
  );
  if (removal.revoked === false && account.sandboxOrigin === undefined)
    void showWarning(
      `Revoke the application in the account's settings at the provider. ${account.label} is removed here, but its tokens stay valid until they expire: ${removal.problem ?? "the provider names no revocation endpoint"}.`,
    );
};

/** Returns the client only if the sandbox runs and the pack can be opened: the tokens end with the sandbox anyway. */
async function sandboxClientOf(services: Services, account: Account, entry: string | undefined): Promise<ClientCredentials | undefined> {
  if (account.sandboxOrigin === undefined || entry === undefined || services.packs.sandboxEnded(account, entry)) return undefined;
  return services.packs
    .open(entry)
    .then((pack) => services.packs.sandbox(pack, account.scope))
    .then(
      (sandbox) => sandbox.clientCredentials,
      () => undefined,
    );
}

const signInAgain: AccountAction = async (services, { account, entry }) => {
  if (entry !== undefined) await connectAccount(services, { entry, scope: account.scope, account });
};

const test = withPack("Testing an account", async (services, { account, entry }, pack) => {
  const authentication = pack.definition[`${account.scope}Authentication`];
  const runs = runWithAccount(services, account, entry);
  if (!authentication?.hasGetConnectionName) {
    await offer(showInformation, "Run a formula to test the account, because the pack has no getConnectionName.", runs);
    return;
  }
  const host = services.host();
  const runAs = await runAccount(services, pack, account);
  const tested = await withCancel(`Testing ${account.label}`, async (signal) => {
    const context = { auth: authentication, scope: account.scope, packName: packName(entry), host, signal, timezone: timezone() };
    return testAccount(context, account, services.accounts, worldOf(pack, host.fetch, { ...worldSettings(), signal, account: runAs }));
  });
  if (tested === undefined) return;
  const { label, unchecked, note } = tested;
  if (note?.error !== undefined) throw note.error;
  if (note !== undefined) showNotes(services, [note], entry);
  else if (unchecked === undefined) void showInformation(`The account works: getConnectionName returned ${JSON.stringify(label)}.`);
  else await offer(showWarning, `Whether the account works is not known: ${unchecked}.`, runs);
});

const refresh = withPack("Refreshing an account", async (services, { account }, pack) => {
  const authentication = pack.definition[`${account.scope}Authentication`];
  const credential = await services.accounts.credential(account.id);
  if (authentication === undefined || credential?.kind !== "oauth2")
    throw new PackAuthError("sign-in-again", "Only an OAuth account can be refreshed.", { hint: "Sign in again." });
  const sandbox = account.sandboxOrigin === undefined ? undefined : await services.packs.sandbox(pack, account.scope);
  const fresh = await refreshAccount(account, authentication, credential, {
    ...services.host(),
    accounts: services.accounts,
    ...defined({ sandboxClient: sandbox?.clientCredentials }),
  });
  if (fresh === undefined)
    throw new PackAuthError("refresh-failed", "The provider returned no refresh token for this account.", {
      hint: `Sign in again to get a new token. ${refreshTokenHint(authentication)}`,
    });
  void showInformation(`${account.label} has a new token.`);
});

const chooseEndpoint = withPack("Choosing an endpoint", async (services, { account, entry }, pack) => {
  const auth = authenticationOf(pack, account.scope);
  const endpointChange = await withCancel(`Endpoint of ${account.label}`, async (signal) =>
    changeEndpoint(pack, account, {
      auth,
      packName: packName(entry),
      host: services.host(),
      accounts: services.accounts,
      runAs: await runAccount(services, pack, account),
      signal,
    }),
  );
  if (endpointChange === undefined) return;
  showNotes(services, endpointChange.endpointNotes, entry);
  void showInformation(`${endpointChange.account.label} uses ${String(endpointChange.account.endpoint)}.`);
});

/**
 * The editor treats a moved pack as another pack until a person confirms that it is the same. The credentials then go to the domains that
 * it declares.
 */
const adopt: AccountAction = async (services, { account }) => {
  const entry = await choosePack(services, undefined);
  if (entry === undefined) return;
  const isSure = await confirm(
    `Let ${packName(entry)} use the account ${account.label} of the pack that was at ${account.entry}? Its credentials go to the domains that ${packName(entry)} declares.`,
    "Use it",
  );
  if (isSure) await services.accounts.adopt(account.id, entry);
};

const copyRedirect: AccountAction = async (services, { entry }) => {
  const published = entry === undefined ? undefined : publishedAddress(entry);
  const address = await addressToRegister(redirectSettings(), services.host());
  await vscode.env.clipboard.writeText(address);
  const copied = `Copied ${address}. Register it at the provider exactly like this.`;
  if (published === undefined) return void showInformation(copied);
  if (published.address === undefined) return void showInformation(`${copied} ${published.whereToFind}`);
  const choice = await showInformation(copied, COPY_PUBLISHED);
  if (choice !== COPY_PUBLISHED) return;
  await vscode.env.clipboard.writeText(published.address);
  void showInformation(`Copied ${published.address}. Register it at the provider too: the published pack needs it.`);
};

const COPY_PUBLISHED = "Copy the published pack's redirect address";

/** Shows the error, with a button to sign in if that helps. */
export async function showAccountError(services: Services, node: AccountNode, error: unknown): Promise<void> {
  const helps = error instanceof PackAuthError && ["sign-in-again", "refresh-failed", "credentials-refused"].includes(error.code);
  await services.showError(error, node.entry, helps ? { ["Sign in again"]: () => signInAgain(services, node) } : {});
}

export const ACCOUNT_ACTIONS: Readonly<Record<AccountCommand, AccountAction>> = {
  "packAuth.accounts.rename": rename,
  "packAuth.accounts.changeSharing": (services, { account }) => changeSharing(services, account),
  "packAuth.accounts.remove": remove,
  "packAuth.accounts.signInAgain": signInAgain,
  "packAuth.accounts.test": test,
  "packAuth.accounts.refresh": refresh,
  "packAuth.accounts.copyRedirect": copyRedirect,
  "packAuth.accounts.chooseEndpoint": chooseEndpoint,
  "packAuth.accounts.adopt": adopt,
};
