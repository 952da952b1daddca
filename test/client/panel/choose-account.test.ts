// Which account a run of the panel takes: the picked one, the system's, none, and never one that nobody picked.
import assert from "node:assert/strict";
import { chooseAccount } from "../../../client/panel/choose-account.ts";
import type { Account } from "../../../platform/accounts/accounts.ts";
import type { PackDefinition } from "../../../protocol/definition.ts";

const account = (id: string, scope: Account["scope"]) => ({ id, scope, label: id }) as Account;
const ALL = [account("alice", "user"), account("bob", "user"), account("robot", "system")];
const authentication = { type: "HeaderBearerToken", hasGetConnectionName: false, postSetup: [] };
const pack = (more: Partial<PackDefinition> = {}): PackDefinition => ({
  networkDomains: [],
  formulas: [],
  syncTables: [],
  userAuthentication: authentication,
  ...more,
});
const WITH_SYSTEM = pack({ systemAuthentication: authentication });

describe("the account of a run", () => {
  it("the picked account is used, and none when none was picked", () => {
    assert.equal(chooseAccount(ALL, pack(), "required", "bob")?.id, "bob");
    assert.equal(chooseAccount(ALL, pack(), "optional", undefined), undefined);
    assert.equal(chooseAccount(ALL, pack(), "required", undefined), undefined);
  });

  it("a picked account that is gone is never replaced by another", () => {
    for (const requirement of ["required", "optional"] as const)
      assert.throws(() => chooseAccount(ALL, WITH_SYSTEM, requirement, "carol"), { code: "account-required", hint: /Choose another/ });
    // A system account is nothing that a person picks.
    assert.throws(() => chooseAccount(ALL, WITH_SYSTEM, "required", "robot"), { code: "account-required" });
  });

  it("a formula that takes no account gets none, whatever the panel says", () => {
    assert.equal(chooseAccount(ALL, pack(), "none", "alice"), undefined);
    assert.equal(chooseAccount(ALL, pack({ userAuthentication: { ...authentication, type: "None" } }), "required", "alice"), undefined);
  });

  it("the system account is used where no user's account applies", () => {
    assert.equal(chooseAccount(ALL, WITH_SYSTEM, "none", undefined)?.id, "robot");
    assert.equal(chooseAccount(ALL, WITH_SYSTEM, "none", "alice")?.id, "robot");
    assert.equal(chooseAccount(ALL, WITH_SYSTEM, "optional", "alice")?.id, "alice");
    assert.equal(chooseAccount([], WITH_SYSTEM, "none", undefined), undefined);
  });
});
