// Which account a sign-in is for, and the scopes that it requests.
import assert from "node:assert/strict";
import { moreAccess } from "../../../operations/connect/connect.ts";
import type { Account } from "../../../platform/accounts/accounts.ts";
import type { PackDefinition } from "../../../protocol/definition.ts";

describe("The operation connect", () => {
  it("scopesOf requests the account's, the sign-in's and the formula's or table's scopes", () => {
    const definition = {
      userAuthentication: { scopes: ["read"] },
      formulas: [{ name: "Post", extraOAuthScopes: ["write"] }],
      syncTables: [{ name: "Rows", extraOAuthScopes: ["list"], updateOAuthScopes: ["edit"] }],
    } as unknown as PackDefinition;
    const grantedAccount = { label: "alice", scopesGranted: ["old"], scopesRequested: ["old", "denied"] } as unknown as Account;
    const requested = { label: "bob", scopesRequested: ["asked"] } as unknown as Account;
    assert.deepEqual(moreAccess(definition, "Post", undefined, [grantedAccount]), {
      scopes: ["old", "read", "write"],
      existing: grantedAccount,
    });
    assert.deepEqual(moreAccess(definition, "Rows", requested, [grantedAccount, requested]), {
      scopes: ["asked", "read", "list", "edit"],
      existing: requested,
    });
    assert.deepEqual(moreAccess(definition, "Post", undefined, []), { scopes: ["read", "write"] });
    assert.throws(() => moreAccess(definition, "Post", undefined, [grantedAccount, requested]), {
      message: /has several accounts/,
      field: "again",
    });
    assert.throws(() => moreAccess(definition, "Pots", undefined, [grantedAccount]), /no formula or table Pots/);
  });
});
