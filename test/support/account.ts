// An account as a sign-in creates it, for tests of stored accounts.
import { type Account, newAccountId, packKey } from "../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../platform/accounts/configuration-snapshot.ts";
import { auth } from "./broker.ts";

export const accountOf = (more: Partial<Account> = {}): Account => ({
  id: newAccountId(),
  pack: packKey("/packs/one/pack.ts"),
  entry: "/packs/one/pack.ts",
  scope: "user",
  type: "HeaderBearerToken",
  label: "alice",
  shared: true,
  createdAt: 1,
  configuration: snapshotOf(auth("HeaderBearerToken")),
  ...more,
});
