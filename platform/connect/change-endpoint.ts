// Changes an account's endpoint after the sign-in: the person types it, or chooses from the options that the pack lists now (auth-spec
// 5.7).

import { defined } from "../../base/defined.ts";
import { quoteName } from "../../base/quote.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { nameChange } from "../accounts/account-name.ts";
import type { Account, Accounts } from "../accounts/accounts.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { PackAuthError } from "../errors.ts";
import type { PlatformHost } from "../host.ts";
import type { Pack } from "../process/pack.ts";
import { ownTimezone } from "../runs/read-date.ts";
import { type WorldOptions, worldOf } from "../runs/run-world.ts";
import { askEndpoint, type EndpointContext, endpointNote, type Note, nameAndPlace } from "./account-endpoint.ts";

interface ChangeEndpointOptions {
  readonly auth: AuthenticationDefinition;
  readonly packName: string;
  readonly host: PlatformHost;
  readonly accounts: Accounts;
  /** The account with its credential; its present endpoint is ignored. */
  readonly runAs: RunAccount;
  readonly signal: AbortSignal;
  readonly world?: WorldOptions;
}

/** Returns whether a person can choose the endpoint of such accounts. */
export const hasEndpointChoice = (auth: AuthenticationDefinition): boolean =>
  asksEndpoint(auth) || auth.postSetup.some((step) => step.hasOptions);

/** Returns whether the user types the endpoint (auth-spec 5.7.3). With endpointKey it comes from the token response. */
export const asksEndpoint = (auth: AuthenticationDefinition): boolean =>
  auth.requiresEndpointUrl === true && auth.endpointKey === undefined;

/**
 * Returns the changed account, or undefined if the person cancels; nothing has changed then. A name that a person gave stays.
 * Throws configuration-invalid if the configuration leaves no choice, endpoint-invalid, or the pack's own error.
 */
export async function changeEndpoint(
  pack: Pack,
  account: Account,
  options: ChangeEndpointOptions,
): Promise<{ readonly account: Account; readonly endpointNotes: readonly Note[] } | undefined> {
  const { auth, host, accounts, signal } = options;
  if (!hasEndpointChoice(auth)) {
    throw new PackAuthError("configuration-invalid", `The endpoint of ${quoteName(account.label)} cannot be chosen.`, {
      hint:
        auth.endpointKey === undefined
          ? "The configuration asks for none: add requiresEndpointUrl, or a SetEndpoint step."
          : `It comes from ${auth.endpointKey} in the token response: sign in again.`,
      configPath: `${account.scope}Authentication.${auth.endpointKey === undefined ? "type" : "endpointKey"}`,
    });
  }
  const context: EndpointContext = { auth, scope: account.scope, packName: options.packName, host, timezone: ownTimezone, signal };
  // The options are requested without the present endpoint, as at the sign-in: it would bind the requests to its host.
  const typed = asksEndpoint(auth) ? await askEndpoint(context, account.endpoint) : undefined;
  if (asksEndpoint(auth) && typed === undefined) return undefined;
  const { endpoint: _former, ...runAs } = options.runAs;
  const placed = await nameAndPlace(context, typed, (endpoint) =>
    worldOf(pack, host.fetch, { ...options.world, signal, account: { ...runAs, ...defined({ endpoint }) } }),
  );
  if (placed?.endpoint === undefined || signal.aborted) return undefined;
  const change = { endpoint: placed.endpoint, ...nameChange(account, placed.label) };
  await accounts.update(account.id, change);
  const outside = asksEndpoint(auth) ? undefined : endpointNote(placed.endpoint, auth);
  return {
    account: (await accounts.get(account.id)) ?? { ...account, ...change },
    endpointNotes: [placed.note, outside].filter((note) => note !== undefined),
  };
}
