// Chooses the account that a sign-in replaces. The person decides if the API refused the credential, the user already has an account, or
// another user signed in than before. No account is replaced or duplicated silently.
import { defined } from "../../base/defined.ts";
import { isUnnamed } from "../accounts/account-name.ts";
import type { Account } from "../accounts/accounts.ts";
import type { EndpointContext } from "./account-endpoint.ts";
import { titleOf } from "./flows/flow.ts";

interface SignInOutcome {
  /** The account to sign in again. */
  readonly existing: Account | undefined;
  /** All accounts of the pack. */
  readonly accounts: readonly Account[];
  /** What the sign-in says about the user. */
  readonly user: Pick<Account, "scope" | "endpoint" | "sandboxOrigin" | "connectionName">;
  readonly isRefused: boolean;
  /** Whether the person entered the credential, and can enter it again. */
  readonly isEntered: boolean;
}

type Decision = "try again" | { readonly replaced?: Account };

/** Returns the decision, or undefined if the person cancels. Without `replaced`, the account is a new one. */
export async function chooseReplaced(context: EndpointContext, outcome: SignInOutcome): Promise<Decision | undefined> {
  const { existing, accounts, user, isRefused, isEntered } = outcome;
  const { scope, endpoint, sandboxOrigin, connectionName } = user;
  const isSameUser = (other: Account): boolean =>
    isRefused ? other.refused === true && isUnnamed(other) : connectionName !== undefined && other.connectionName === connectionName;
  const twin = accounts.find(
    (other) =>
      other.id !== existing?.id &&
      other.scope === scope &&
      other.endpoint === endpoint &&
      other.sandboxOrigin === sandboxOrigin &&
      isSameUser(other),
  );
  const ofTwin = twin === undefined ? [] : [replacing(twin)];
  const pick = async (placeholder: string, items: readonly Item[]): Promise<Decision | undefined> => {
    const value = await context.host.prompter.pick({
      title: titleOf(context),
      placeholder,
      items: items.map((item, index) => ({ ...item, value: String(index) })),
      signal: context.signal,
    });
    return value === undefined ? undefined : items[Number(value)]?.decision;
  };
  if (isRefused) {
    const keep =
      existing === undefined
        ? { label: "Keep it", detail: "It is saved and marked as refused, and you see why.", decision: {} }
        : replacing(existing);
    const again: Item = { label: "Try again", detail: "Enter the credential once more. Nothing is saved yet.", decision: "try again" };
    const items = [...(isEntered ? [again] : []), ...ofTwin, keep];
    return items.length === 1 ? keep.decision : pick("The API refused this credential (401).", items);
  }
  const both: Item = { label: "Keep both", decision: {} };
  const former = existing?.connectionName;
  // There is only one system account: that of the last sign-in.
  const isOtherUser = scope === "user" && former !== undefined && connectionName !== undefined && connectionName !== former;
  if (existing !== undefined && isOtherUser)
    return pick(`You signed in as ${connectionName}, not ${former}.`, [replacing(existing), ...ofTwin, both]);
  if (existing === undefined && twin !== undefined) return pick(`${twin.label} is connected already.`, [...ofTwin, both]);
  return defined({ replaced: existing });
}

interface Item {
  readonly label: string;
  readonly detail?: string;
  readonly decision: Decision;
}

const replacing = (replaced: Account): Item & { readonly decision: { readonly replaced: Account } } => ({
  label: `Replace ${replaced.label}`,
  decision: { replaced },
});
