// Which account a run of the panel takes: the picked one, the system's, none, and never one that nobody picked.
import assert from "node:assert/strict";
import { chooseAccount } from "../../client/panel/choose-account.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import type { PackDefinition } from "../../protocol/definition.ts";

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
  it("is the picked one, and none where none was picked", () => {
    assert.equal(chooseAccount(ALL, pack(), "required", "bob")?.id, "bob");
    assert.equal(chooseAccount(ALL, pack(), "optional", undefined), undefined);
    assert.equal(chooseAccount(ALL, pack(), "required", undefined), undefined);
  });

  it("is never another one where the picked one is gone", () => {
    for (const requirement of ["required", "optional"] as const)
      assert.throws(() => chooseAccount(ALL, WITH_SYSTEM, requirement, "carol"), { code: "account-required", hint: /Choose another/ });
    // A system account is nothing that a person picks.
    assert.throws(() => chooseAccount(ALL, WITH_SYSTEM, "required", "robot"), { code: "account-required" });
  });

  it("is none where the formula takes none, whatever the panel says", () => {
    assert.equal(chooseAccount(ALL, pack(), "none", "alice"), undefined);
    assert.equal(chooseAccount(ALL, pack({ userAuthentication: { ...authentication, type: "None" } }), "required", "alice"), undefined);
  });

  it("is the system's where the pack has system authentication and no account was picked", () => {
    assert.equal(chooseAccount(ALL, WITH_SYSTEM, "none", undefined)?.id, "robot");
    assert.equal(chooseAccount(ALL, WITH_SYSTEM, "none", "alice")?.id, "robot");
    assert.equal(chooseAccount(ALL, WITH_SYSTEM, "optional", "alice")?.id, "alice");
    assert.equal(chooseAccount([], WITH_SYSTEM, "none", undefined), undefined);
  });
});
