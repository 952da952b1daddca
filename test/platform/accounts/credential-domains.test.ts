// An account is held to the domains that it was made for: a pack that comes to declare another one gets no credential there unasked.
import assert from "node:assert/strict";
import { changesSince, snapshotOf } from "../../../platform/accounts/configuration-snapshot.ts";
import { withCredentialDomains } from "../../../platform/accounts/credential-domains.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { type Auth, definition } from "../../support/sandbox.ts";

const own = (domains: readonly string[], auth: Partial<Auth> = {}): AuthenticationDefinition => {
  const { userAuthentication } = withCredentialDomains(definition({ type: "HeaderBearerToken", ...auth }, { networkDomains: domains }));
  assert.ok(userAuthentication);
  return userAuthentication;
};

describe("The domains of an account", () => {
  for (const [what, before, after, change] of [
    ["the same", own(["good.com"]), own(["good.com"]), undefined],
    ["in another case", own(["good.com"]), own(["GOOD.com"]), undefined],
    ["one more", own(["good.com"]), own(["good.com", "evil.com"]), /its credentials would now go to evil\.com too/],
    ["one more that looks alike", own(["good.com"]), own(["good.com", "evilgood.com"]), /evilgood\.com/],
    ["one under it", own(["good.com"]), own(["good.com", "api.good.com"]), undefined],
    ["one above it", own(["api.good.com"]), own(["good.com"]), /would now go to good\.com/],
    ["one less", own(["good.com", "other.com"]), own(["good.com"]), undefined],
    ["one more that gets none", own(["good.com"]), own(["good.com", "cdn.com"], { networkDomain: "good.com" }), undefined],
    ["another choice", own(["a.com", "b.com"], { networkDomain: "a.com" }), own(["a.com", "b.com"], { networkDomain: "b.com" }), /b\.com/],
    ["the choice taken away", own(["a.com", "b.com"], { networkDomain: "a.com" }), own(["a.com", "b.com"]), /b\.com/],
  ] as const) {
    it(`a change of domains (${what}) ${change === undefined ? "keeps the sign-in" : "asks for a new sign-in"}`, () => {
      const changes = changesSince(snapshotOf(before), after);
      if (change === undefined) assert.equal(changes, undefined);
      else assert.match(changes ?? "", change);
    });
  }

  it("endpointDomain sets the domains only when it chooses among several", () => {
    const endpointDomain = "eu.good.com";
    assert.deepEqual(own(["good.com"], { endpointDomain }).credentialDomains, ["good.com"]);
    assert.deepEqual(own(["good.com", endpointDomain], { endpointDomain }).credentialDomains, [endpointDomain]);
  });

  it("an account saved before domains were recorded keeps its sign-in", () => {
    const { credentialDomains: _none, ...older } = snapshotOf(own(["good.com"]));
    assert.equal(changesSince(older, own(["good.com", "evil.com"])), undefined);
  });
});
