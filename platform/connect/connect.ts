// The sign-in of the specification (auth-spec 5, product.md "Connecting"): endpoint, credentials, name, endpoint choice, sharing.
// Invariants: a cancel at any step leaves nothing stored; the finished account is saved before the person chooses who shares it.

import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import { type Account, packKey } from "../accounts/accounts.ts";
import { enteredFor } from "../accounts/client-binding.ts";
import { openEvidence } from "../evidence/evidence.ts";
import { type SignInRecord, signInFacts } from "../evidence/sign-in-facts.ts";
import type { Pack } from "../process/pack.ts";
import type { ClientCredentials, ClientMethod } from "../secrets/credential.ts";
import type { Note } from "./account-endpoint.ts";
import type { FlowContext } from "./flows/flow.ts";
import { accountOf, isWithoutName, notesOf } from "./new-account.ts";
import { type Attempt, attemptSignIn } from "./sign-in-attempt.ts";
import { SignInClient } from "./sign-in-client.ts";
import { type ConnectOptions, type ProviderResponses, planSignIn, type SignInPlan } from "./sign-in-plan.ts";

export type { Note } from "./account-endpoint.ts";
export type { ConnectOptions };

export interface Connected {
  readonly account: Account;
  readonly signInNotes: readonly Note[];
  /** Why the credentials are unverified; absent if the provider, the sandbox or an API response verified them. */
  readonly unchecked?: string;
  /** Whether the API refused the credentials with 401. */
  readonly isRefused: boolean;
  /** Why the account has the default name. */
  readonly unnamed?: string;
}

/** Connects an account. Returns undefined if the person cancels. Throws PackAuthError. */
export async function connect(pack: Pack, options: ConnectOptions): Promise<Connected | undefined> {
  const auth = pack.definition[`${options.scope}Authentication`];
  const client = new SignInClient({ ...options, ...defined({ auth }) }, packKey(pack.entry), options.typedClient);
  const providerResponses: ProviderResponses = { exchanges: [] };
  try {
    const plan = await planSignIn(pack, options, client, providerResponses);
    const attempt = await attemptSignIn(plan);
    if (attempt === undefined) return undefined;
    const connected = await store(plan, attempt);
    await keepFacts(pack, options, providerResponses, { signedIn: attempt.signedIn, account: connected.account.id });
    return connected;
  } catch (error) {
    // The error is a consequence of the cancel.
    if (options.signal?.aborted) return undefined;
    await keepFacts(pack, options, providerResponses, { error });
    // A client that the provider accepted need not be typed again because a later step failed.
    await client.save().catch(() => {});
    throw error;
  }
}

/** Records facts about the real provider. Best effort: the sign-in does not depend on them. */
async function keepFacts(
  pack: Pack,
  { scope, sandbox, existingCredentials, host }: ConnectOptions,
  providerResponses: ProviderResponses,
  outcome: SignInRecord["outcome"],
): Promise<void> {
  const { definition, entry } = pack;
  const auth = definition[`${scope}Authentication`];
  if (auth === undefined || sandbox !== undefined || existingCredentials !== undefined) return;
  try {
    await openEvidence(host).add(signInFacts({ entry, definition, auth, scope, ...providerResponses, outcome, now: host.now() }));
  } catch (error) {
    host.log(errorMessage(error));
  }
}

/** Stores the account with its credential, and the client and its method for the pack's next sign-in. */
async function store(plan: SignInPlan, attempt: Attempt): Promise<Connected> {
  const { auth, options, client, context } = plan;
  const { signedIn, placed, isIssued, isRefused, replaced } = attempt;
  const { existingCredentials, sandbox, accounts } = options;
  const signInNotes = notesOf(plan, attempt);
  const newAccount = accountOf(plan, attempt);
  const clientNotes =
    existingCredentials?.client === undefined ? [] : await acceptClient(enteredFor(existingCredentials.client, auth), client);
  await client.save();
  if (sandbox === undefined) await rememberMethod(signedIn.clientMethod, context);
  return {
    account: await accounts.save(newAccount, signedIn.credential, signedIn.client),
    signInNotes: [...signInNotes, ...clientNotes],
    isRefused,
    ...defined({
      unchecked: isIssued ? undefined : placed.unchecked,
      unnamed: isWithoutName(attempt) && replaced?.renamed !== true ? placed.unnamed : undefined,
    }),
  };
}

/**
 * Saves the method that worked for the pack's next sign-in, which otherwise starts with the form. Best effort: the tokens are already
 * issued.
 */
async function rememberMethod(method: ClientMethod | undefined, { remember, remembered }: FlowContext): Promise<void> {
  if (method !== undefined && method !== "none" && (method !== "form" || remembered !== undefined)) await remember(method).catch(() => {});
}

/** Stores the client of a file, but never replaces the client credentials that a person stored. */
async function acceptClient(toolkitClient: ClientCredentials, client: SignInClient): Promise<readonly Note[]> {
  const stored = await client.stored();
  if (stored === undefined) await client.keep(toolkitClient);
  return stored === undefined || stored.clientId === toolkitClient.clientId
    ? []
    : [
        {
          message: `Sign in again once the token expires. The file has another client ID than the stored one (${stored.clientId}), which is unchanged.`,
        },
      ];
}
