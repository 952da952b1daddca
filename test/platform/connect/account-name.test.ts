// What an account is called that nothing named, and what a person is told of one that nothing tried.
import assert from "node:assert/strict";
import { connectedText } from "../../../platform/connect/connected-text.ts";
import { OAUTH, shopOfSuite, WHO_AM_I } from "../../support/shop.ts";

describe("Connecting", function () {
  this.timeout(60_000);
  const { connected, open } = shopOfSuite();
  const bearer = (fields: string) => `setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, ${fields} })`;

  it("auth-spec 5.6.3: accounts that nothing named are told apart by a number", async () => {
    const first = await connected(await open(bearer("")));
    assert.equal(first.account.label, "os-user");
    const second = await first.connect();
    const third = await first.connect();
    assert.deepEqual([second?.account.label, third?.account.label], ["os-user 2", "os-user 3"]);
    const again = await first.connect({ existing: first.account });
    assert.equal(again?.account.label, "os-user", "signed in again, it keeps its name");
  });

  it("auth-spec 5.6.3: accounts that nothing named are told apart by their endpoints", async () => {
    const first = await connected(await open(bearer('requiresEndpointUrl: true, endpointDomain: "shop.example",')), {
      answers: { endpoint: "https://acme.shop.example" },
    });
    assert.equal(first.account.label, "os-user");
    const [second, third] = [await first.connect(), await first.connect()];
    assert.deepEqual([second?.account.label, third?.account.label], ["os-user (acme.shop.example)", "os-user (acme.shop.example) 2"]);
  });

  it("a token that nothing tried is saved, not connected, and it is said that nothing named it", async () => {
    const made = await connected(await open(bearer("")));
    assert.equal(
      connectedText(made, "shop"),
      "Saved, not checked: the pack has no getConnectionName. shop's account is called os-user, by default.",
    );
    assert.equal(made.account.unnamed, true);
  });

  it("a getConnectionName that asks nobody tries nothing", async () => {
    const made = await connected(await open(bearer('getConnectionName: async () => "alice",')));
    assert.equal(
      connectedText(made, "shop"),
      "Saved, not checked: getConnectionName sends no request with the credentials. shop's account is called alice.",
    );
  });

  it("a getConnectionName that fails leaves the token unchecked", async () => {
    const made = await connected(await open(bearer("getConnectionName: async () => {\n    throw new Error('no name today');\n  },")));
    assert.match(connectedText(made, "shop"), /^Saved, not checked: getConnectionName failed\. /);
  });

  it("what an answer of the API confirms is connected", async () => {
    const made = await connected(await open(bearer(WHO_AM_I)));
    assert.equal(connectedText(made, "shop"), "Connected alice to shop.");
    assert.equal(made.account.unnamed, undefined);
  });

  it("a provider that gave a token confirms it; that nothing named the account is said", async () => {
    const made = await connected(await open(`setUserAuthentication({ ${OAUTH} })`));
    assert.equal(connectedText(made, "shop"), "Connected os-user to shop. That is the default name: the pack has no getConnectionName.");
  });
});
