// What the published pack has and this source has: which differences count, and what is compared of a masked value.
import assert from "node:assert/strict";
import { driftOf, driftTexts, fitsMask } from "../../../platform/production/drift.ts";
import type { PublishedOauthConfig } from "../../../platform/public-api/public-api.ts";
import type { ClientCredentials } from "../../../platform/secrets/credential.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../../protocol/definition.ts";

const OAUTH: AuthenticationDefinition = {
  type: "OAuth2",
  hasGetConnectionName: false,
  postSetup: [],
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token",
  scopes: ["a", "b", "c"],
};
const PACK: PackDefinition = { networkDomains: ["shop.example"], formulas: [], syncTables: [] };
const THERE: PublishedOauthConfig = {
  maskedClientId: "••••abcd",
  maskedClientSecret: "••••wxyz",
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token",
  scopes: "c b a",
  redirectUri: "https://docs.superhuman.com/packsAuth/oauth2/123456",
};
const CLIENT: ClientCredentials = { clientId: "client-1234-abcd", clientSecret: "canary-secret-wxyz" };

const drift = (
  there: Partial<PublishedOauthConfig> = {},
  auth: Partial<AuthenticationDefinition> = {},
  client: ClientCredentials | undefined = CLIENT,
) => driftOf({ ...THERE, ...there }, { ...PACK, userAuthentication: { ...OAUTH, ...auth } }, client);

describe("The drift between the published pack and its source", () => {
  it("the same configuration has none, whatever the order of scopes, their delimiter and the spelling of a URL are", () => {
    for (const there of [
      {},
      { scopes: "a,b,c" },
      { scopes: "b; c; a" },
      { tokenUrl: "https://LOGIN.shop.example:443/token" },
      { tokenPrefix: "Bearer" },
    ]) {
      const compared = drift(there);
      assert.equal(compared.differs, false, JSON.stringify(compared.lines));
      assert.equal(compared.summary.split(".")[0], "The published pack fits this source");
    }
  });

  it("the summary names the client ID and the scopes of both sides", () => {
    assert.equal(
      drift({ scopes: "a b" }).summary,
      "The published pack has client ID ••••abcd and scopes a b; this source has a b c. Different: scopes.",
    );
    assert.equal(
      drift({ scopes: "", maskedClientId: "" }).summary,
      "The published pack has no client ID and no scopes; this source has a b c. Different: client ID, scopes.",
    );
  });

  const differences: Readonly<Record<string, readonly [ReturnType<typeof drift>, advice: RegExp]>> = {
    "client ID": [drift({ maskedClientId: "••••zzzz" }), /Another application/],
    "client secret": [drift({ maskedClientSecret: "" }), /No client secret/],
    scopes: [drift({ scopes: "a b d" }), /Missing there: c\. Only there: d\./],
    "authorization URL": [drift({ authorizationUrl: "https://login.shop.example/v1/authorize" }), /correct authorizationUrl/],
    "token URL": [drift({ tokenUrl: "https://login.shop.example/v1/token" }), /correct tokenUrl/],
    "token prefix": [drift({}, { tokenPrefix: "token" }), /correct tokenPrefix/],
    "dynamic client registration": [drift({ useDynamicClientRegistration: true }), /correct useDynamicClientRegistration/],
  };
  for (const [subject, [compared, advice]] of Object.entries(differences))
    it(`a difference is one line with advice: ${subject}`, () => {
      assert.deepEqual(
        compared.lines.filter(({ isSame }) => isSame === false).map((line) => line.subject),
        [subject],
      );
      assert.match(compared.lines.find((line) => line.subject === subject)?.advice ?? "", advice);
      const [there = [], here = []] = Object.values(driftTexts(compared)).map((text) => text.split("\n"));
      assert.deepEqual(
        there.filter((line, index) => line !== here[index]).map((line) => line.split(":")[0]),
        [subject],
      );
    });

  it("the redirect address is the published one, and no difference", () => {
    const compared = drift();
    assert.equal(compared.redirectAddress, THERE.redirectUri);
    assert.match(compared.lines.at(-1)?.advice ?? "", /^Register this address at the provider/);
  });

  it("a published client is not judged without a stored one", () => {
    const compared = driftOf(THERE, { ...PACK, userAuthentication: OAUTH }, undefined);
    assert.deepEqual([compared.differs, compared.lines[0]?.here], [false, "none"]);
  });

  it("a source that registers its client has no client to compare, and its addresses are discovered", () => {
    const { authorizationUrl: _page, tokenUrl: _token, ...rest } = OAUTH;
    const compared = driftOf(
      { ...THERE, maskedClientId: "", maskedClientSecret: "", useDynamicClientRegistration: true },
      { ...PACK, userAuthentication: { ...rest, useDynamicClientRegistration: true } },
      undefined,
    );
    assert.equal(compared.differs, false, JSON.stringify(compared.lines));
  });

  it("a source without OAuth2 says what applies", () => {
    const token: AuthenticationDefinition = { type: "HeaderBearerToken", hasGetConnectionName: false, postSetup: [] };
    const ofUser = driftOf(undefined, { ...PACK, userAuthentication: token }, undefined);
    assert.equal(
      ofUser.summary,
      "Each user of the published pack enters credentials. This source has no OAuth2 configuration, so there is nothing to compare.",
    );
    const ofSystem = driftOf(undefined, { ...PACK, systemAuthentication: token }, undefined);
    assert.match(ofSystem.summary, /^The system authentication is HeaderBearerToken\. Enter its credentials at the published pack/);
    assert.deepEqual([ofSystem.lines, ofSystem.differs], [[], false]);
  });

  it("no line contains the secret, or the whole client ID", () => {
    const text = JSON.stringify([drift(), drift({ maskedClientId: "", maskedClientSecret: "" })]);
    for (const value of [CLIENT.clientId, CLIENT.clientSecret ?? "", "wxyz"]) assert.ok(!text.includes(value), value);
  });

  it("a secret that the platform repeats in any field is masked", () => {
    const secret = CLIENT.clientSecret ?? "";
    const repeated = { scopes: `a ${secret}`, redirectUri: `https://docs.superhuman.com/${encodeURIComponent(secret)}` };
    const text = JSON.stringify(drift({ ...repeated, maskedClientId: secret, tokenUrl: secret, tokenPrefix: secret }));
    assert.equal(text.includes(secret), false);
    assert.match(text, /"differs":true/);
  });

  it("a masked value is compared by its visible characters only", () => {
    for (const [masked, value, expected] of [
      ["••••abcd", "client-abcd", true],
      ["****abcd", "client-abcd", true],
      ["client...", "client-abcd", true],
      ["cl****cd", "client-abcd", true],
      ["cl**en**cd", "client-abcd", true],
      ["…abcd", "client-abce", false],
      ["cl****cd", "clcd", true],
      ["clcd••clcd", "clcd", false],
      ["abcd", "client-abcd", true],
      ["abcd", "client-abce", false],
      ["••••", "client-abcd", undefined],
      ["", "client-abcd", undefined],
    ] as const)
      assert.equal(fitsMask(masked, value), expected, masked);
  });
});
