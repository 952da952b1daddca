// The steps of a sign-in with a person: the credential, the account's name and endpoint, and the account that it replaces.

import { defined } from "../../base/defined.ts";
import type { Account } from "../accounts/accounts.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import { worldOf } from "../runs/run-world.ts";
import { askEndpoint, nameAndPlace, type Placed } from "./account-endpoint.ts";
import { BACK, orBack } from "./in-order.ts";
import { chooseReplaced } from "./replaced-account.ts";
import type { SignInPlan } from "./sign-in-plan.ts";

/** A sign-in whose account can be saved. */
export interface Attempt extends Entry {
  readonly placed: Placed;
  /** True if a provider or a sandbox has just issued the credential. */
  readonly isIssued: boolean;
  readonly isRefused: boolean;
  /** The pack's accounts before this one is saved. */
  readonly otherAccounts: readonly Account[];
  /** The account that this one replaces. */
  readonly replaced?: Account;
}

interface Entry {
  readonly signedIn: SignedIn;
  /** The endpoint that the person typed, or that the Packs SDK's credentials have. */
  readonly typedEndpoint: string | undefined;
}

/** Returns undefined if the person cancels. Throws PackAuthError. */
export async function attemptSignIn(plan: SignInPlan): Promise<Attempt | undefined> {
  const { options, existing, context } = plan;
  const { scope, sandbox, existingCredentials } = options;
  let typedEndpoint = plan.endpoint.existing;
  for (;;) {
    const entry = await signIn(plan, typedEndpoint);
    if (entry === undefined || context.signal.aborted) return undefined;
    typedEndpoint = entry.typedEndpoint;
    const placed = await place(plan, entry);
    if (placed === undefined || context.signal.aborted) return undefined;
    // A provider that has just issued a token accepted the user; the sandbox issues its own credentials.
    const isIssued = sandbox !== undefined || (existingCredentials === undefined && entry.signedIn.credential.kind === "oauth2");
    const { endpoint, label: connectionName } = placed;
    const isRefused = !isIssued && placed.isRefused;
    const otherAccounts = await options.accounts.list(plan.key);
    const decision = await chooseReplaced(context, {
      existing,
      accounts: otherAccounts,
      user: { scope, ...defined({ endpoint, sandboxOrigin: sandbox?.origin, connectionName }) },
      isRefused,
      isEntered: existingCredentials === undefined,
    });
    if (decision === undefined) return undefined;
    if (decision !== "try again")
      return { ...entry, placed, isIssued, otherAccounts, isRefused, ...defined({ replaced: decision.replaced }) };
  }
}

/** Asks for the endpoint, if it must be typed, and for the credential. Returns undefined if the person cancels. */
async function signIn(plan: SignInPlan, formerEndpoint: string | undefined): Promise<Entry | undefined> {
  const { context, endpoint, options } = plan;
  let typedEndpoint = formerEndpoint;
  for (;;) {
    if (endpoint.needsQuestion) {
      typedEndpoint = await askEndpoint(context, typedEndpoint ?? endpoint.proposed, options.back);
      if (typedEndpoint === undefined) return undefined;
    }
    const signedIn = await credentialFor(plan, typedEndpoint);
    if (signedIn !== BACK) return signedIn && { signedIn, typedEndpoint };
  }
}

/** Returns the existing credential, or the result of the sign-in's flow. */
async function credentialFor(plan: SignInPlan, endpoint: string | undefined): Promise<SignedIn | typeof BACK | undefined> {
  const { options, client, context, flow, learnt } = plan;
  const { existingCredentials, sandbox } = options;
  if (existingCredentials !== undefined)
    return { credential: existingCredentials.credential, ...defined({ scopesRequested: existingCredentials.scopes }) };
  if (sandbox?.credential !== undefined) return { credential: sandbox.credential };
  return orBack((toEndpoint) =>
    client.withAnotherTry((isSame) => {
      const remembered = (isSame === false ? undefined : learnt.method) ?? context.remembered;
      const back = isSame !== undefined ? undefined : plan.endpoint.needsQuestion ? toEndpoint : options.back;
      return flow({ ...context, ...defined({ endpoint, remembered, back }) });
    }),
  );
}

/** Gets the account's name and endpoint from the pack. Returns undefined if the person cancels. */
function place({ pack, options, context }: SignInPlan, { signedIn, typedEndpoint }: Entry): Promise<Placed | undefined> {
  const { scope, host, sandbox } = options;
  const { credential } = signedIn;
  return nameAndPlace(context, signedIn.endpoint ?? typedEndpoint, (endpoint) =>
    worldOf(pack, host.fetch, {
      ...options.world,
      signal: context.signal,
      account: { scope, credential, ...defined({ endpoint, sandboxOrigin: sandbox?.origin }) },
    }),
  );
}
