// An account as an agent sees it: its label and state, never a secret.
import { z } from "zod";
import { defined } from "../base/defined.ts";
import type { Account } from "../platform/accounts/account-files.ts";
import { type AccountState, type AccountStateName, NEEDS_SIGN_IN } from "../protocol/account-state.ts";
import { fromOutside, outsideText } from "./outside.ts";

const LONGEST_LABEL = 200;

export const accountRow = z.strictObject({
  id: z.string(),
  label: outsideText.describe("The name that the API or the person gave the account."),
  scope: z.enum(["user", "system"]),
  type: z.string(),
  isSandbox: z.boolean(),
  isOfFile: z
    .boolean()
    .describe("Whether it is of packauth.accounts.json, which names its secrets by references. Only the person can accept them."),
  state: z.enum(Object.keys(NEEDS_SIGN_IN) as AccountStateName[]),
  reason: z.string().optional(),
  nextStep: z.string().optional().describe("What the person or you can do next."),
});

export const accountRowOf = (
  { id, label, scope, type, sandboxOrigin, inFile }: Account,
  state: AccountState,
): z.infer<typeof accountRow> => ({
  id,
  label: fromOutside(label, LONGEST_LABEL),
  scope,
  type,
  isSandbox: sandboxOrigin !== undefined,
  isOfFile: inFile !== undefined,
  state: state.state,
  ...(state.state === "ready" ? {} : defined({ reason: state.reason, nextStep: state.nextStep })),
});
