// An account as an agent sees it: its label and state, never a secret.
import { defined } from "../base/defined.ts";
import type { Account } from "../platform/accounts/account-files.ts";
import type { AccountState } from "../protocol/account-state.ts";
import { fromOutside } from "./outside.ts";

const LONGEST_LABEL = 200;

export const accountRowOf = ({ id, label, scope, type, sandboxOrigin, inFile }: Account, state: AccountState) => ({
  id,
  label: fromOutside(label, LONGEST_LABEL),
  scope,
  type,
  isSandbox: sandboxOrigin !== undefined,
  isOfFile: inFile !== undefined,
  state: state.state,
  ...(state.state === "ready" ? {} : defined({ reason: state.reason, nextStep: state.nextStep })),
});
