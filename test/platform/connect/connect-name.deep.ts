// The spec's sign-in gives the account its name: whose word counts, when it is asked for, and what a throw does.
import assert from "node:assert/strict";
import { reportOf, wholeMessage } from "../../../platform/errors.ts";
import { OAUTH, OPTIONS, shopOfSuite, WHO_AM_I, WITH_STEP } from "../../support/shop.ts";

describe("The name of a new account", function () {
  this.timeout(60_000);
  const { api, connected, open, requestsTo, wire } = shopOfSuite();

  describe("The account's name", () => {
    const bearer = (fields: string) => `setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, ${fields} })`;

    it("auth-spec 5.6.1: an account without getConnectionName is named after the user", async () => {
      const { account } = await connected(await open(bearer("")));
      assert.equal(account.label, "os-user");
    });

    it("auth-spec 2.1 getConnectionName, 5.6.2: getConnectionName runs with the credentials applied, and its value is the label", async () => {
      const { account } = await connected(await open(bearer(WHO_AM_I)));
      assert.equal(account.label, "alice");
      const requests = requestsTo("api.shop.example");
      assert.equal(requests.length, 1, "once, where there is no endpoint to choose");
      assert.equal(requests[0]?.headers.authorization, "Bearer the-pasted-token");
    });

    for (const [what, value] of Object.entries({ "an empty text": '""', blanks: '"  "', null: "null", "a number": "5" })) {
      it(`auth-spec 5.6.3: ${what} gives the default label`, async () => {
        const { account } = await connected(await open(bearer(`getConnectionName: async () => ${value},`)));
        assert.equal(account.label, "os-user");
      });
    }

    it("auth-spec 5.6.2: a getConnectionName that throws is shown with its source line, and the account is kept", async () => {
      const testPack = await open(bearer("getConnectionName: async () => {\n    throw new Error('no name today');\n  },"));
      const { account, signInNotes, accounts } = await connected(testPack);
      assert.equal(account.label, "shop account");
      assert.ok(await accounts.credential(account.id));
      const report = reportOf(signInNotes[0]?.error);
      assert.match(report.message, /no name today/);
      assert.equal(report.stack?.find((frame) => frame.location?.path === testPack.entry)?.location?.line, 5);
    });

    it("a hint follows an API's page, however long the page is", () => {
      const message = wholeMessage({ message: `401 - ${"<p>".repeat(20_000)}`, hint: "Sign in again." });
      assert.match(message, /^401 - <p>.*… Sign in again\.$/);
      assert.ok(message.length < 2_100);
    });

    it("auth-spec 5.6.2: a refusal by the API adds its scheme to the error of getConnectionName", async () => {
      api["/me"] = { status: 401, body: {} };
      const respond = wire.respond;
      wire.respond = (request, response, incoming) => {
        if (request.path === "/me") response.setHeader("www-authenticate", "token");
        respond(request, response, incoming);
      };
      const { signInNotes } = await connected(await open(bearer(WHO_AM_I)));
      const report = reportOf(signInNotes[0]?.error);
      assert.match(report.message, /401/);
      assert.match(report.hint ?? "", /the API asks for the scheme token/);
    });

    it("auth-spec 5.6.4, 5.6.5: getConnectionName runs before and after the choice of endpoint; the second name counts", async () => {
      const { account } = await connected(await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`));
      assert.equal(account.label, "alice (https://globex.shop.example)");
      assert.deepEqual(
        wire.requests.filter(({ path }) => path === "/me").map(({ host }) => host),
        ["api.shop.example", "globex.shop.example"],
      );
    });

    it("auth-spec 5.6.5: a throw before the choice is not reported if getConnectionName works after it", async () => {
      const testPack = await open(
        `setUserAuthentication({ ${OAUTH} getConnectionName: async (context) => { if (!context.endpoint) throw new Error("too early"); return "late"; },
  postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "site", description: "Choose the shop", getOptions: async () => ["https://globex.shop.example"] }] })`,
      );
      const { account, signInNotes } = await connected(testPack);
      assert.deepEqual([account.label, signInNotes], ["late", []]);
    });

    it("a person's label survives the next sign-in, the pack's name is renewed", async () => {
      const { account, connect, accounts } = await connected(await open(bearer(WHO_AM_I)), {
        replies: { "You signed in as": "Replace alice" },
      });
      api["/me"] = { body: { name: "alice the second" } };
      assert.equal((await connect({ existing: account }))?.account.label, "alice the second");
      await accounts.update(account.id, { label: "mine", renamed: true });
      const renamed = await accounts.get(account.id);
      assert.ok(renamed);
      const again = await connect({ existing: renamed });
      assert.equal(again?.account.label, "mine");
      assert.equal((await accounts.list()).length, 1);
    });
  });
});
