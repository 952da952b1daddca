// The spec's sign-in from the first question to the stored account: what each type asks for, who shares it, and what stays when something fails.
import assert from "node:assert/strict";
import { OAUTH, OPTIONS, shopOfSuite, WITH_STEP } from "../../support/shop.ts";

describe("A new sign-in", function () {
  this.timeout(60_000);
  const { api, connected, open, trial } = shopOfSuite();

  describe("Accounts", () => {
    const bearer = `setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: "https://shop.example/help" })`;

    it("a new account is saved for this workspace only, without a question on sharing", async () => {
      const { account, accounts, host } = await connected(await open(bearer), { workspace: "file:///a" });
      assert.deepEqual([account.shared, account.workspace], [false, "file:///a"]);
      assert.deepEqual(await accounts.list(), [account]);
      assert.deepEqual(host.prompts.length, 1);
    });

    it("an account that is signed in again keeps its sharing", async () => {
      const testPack = await open(bearer, "(pack as any).setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });");
      const attempt = await trial(testPack);
      for (const scope of ["user", "system"] as const) {
        const first = await attempt.connect({ scope });
        assert.ok(first);
        await attempt.accounts.update(first.account.id, { shared: true });
        const existing = await attempt.accounts.get(first.account.id);
        assert.ok(existing);
        const again = await attempt.connect({ scope, ...(scope === "user" ? { existing } : {}) });
        assert.deepEqual([again?.account.id, again?.account.shared], [first.account.id, true]);
      }
    });

    it("auth-spec 1 step 2, 2.1 instructionsUrl, 2.2 HeaderBearerToken, 5.1.5: the sign-in asks for the token, masked, with a link to instructionsUrl", async () => {
      const testPack = await open(bearer);
      const attempt = await trial(testPack);
      const questionDetails: unknown[] = [];
      const { input } = attempt.host.prompter;
      attempt.host.prompter.input = async (question) => {
        questionDetails.push(question.secret, question.link?.url);
        return input(question);
      };
      await attempt.connect();
      assert.deepEqual(questionDetails, [true, "https://shop.example/help"]);
    });

    const asks =
      (config: string, prompts: readonly string[], expected: unknown): (() => Promise<void>) =>
      async () => {
        const attempt = await trial(await open(`setUserAuthentication({ ${config} })`));
        const shownPrompts: string[] = [];
        attempt.host.prompter.input = async ({ prompt, validate }) => {
          shownPrompts.push(prompt);
          for (const bad of ["", "line\nbreak"])
            assert.equal(validate?.(bad) === undefined, bad === "" && prompt === "Shop key", `${prompt}: ${bad}`);
          return `answer-${shownPrompts.length}`;
        };
        const result = await attempt.connect();
        assert.deepEqual(shownPrompts, prompts);
        assert.deepEqual(await attempt.accounts.credential(result?.account.id ?? ""), expected);
      };
    it(
      "auth-spec 2.2 WebBasic, 5.3 sign-in, 5.3 uxConfig: WebBasic asks for user name and password, with uxConfig's labels",
      asks(
        'type: coda.AuthenticationType.WebBasic, uxConfig: { placeholderUsername: "Shop number", placeholderPassword: "Shop key" }',
        ["Shop number", "Shop key"],
        { kind: "basic", username: "answer-1", password: "answer-2" },
      ),
    );
    it(
      "auth-spec 5.3 sign-in: WebBasic with usernameOnly asks for the user name alone",
      asks("type: coda.AuthenticationType.WebBasic, uxConfig: { usernameOnly: true }", ["User name"], {
        kind: "basic",
        username: "answer-1",
        password: "",
      }),
    );
    it(
      "auth-spec 1 step 2, 2.2 Custom, 5.4.1: Custom asks once for each of params, with its description",
      asks(
        'type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "The key" }, { name: "id", description: "The id" }]',
        ["The key", "The id"],
        { kind: "values", values: { key: "answer-1", id: "answer-2" } },
      ),
    );
    it(
      "MultiHeaderToken asks once for each header, with its description",
      asks(
        'type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: "X-A", description: "First" }, { name: "X-B", description: "Second" }]',
        ["First", "Second"],
        { kind: "values", values: { "X-A": "answer-1", "X-B": "answer-2" } },
      ),
    );
    it(
      "MultiQueryParamToken asks once for each param, with its description",
      asks('type: coda.AuthenticationType.MultiQueryParamToken, params: [{ name: "a", description: "First" }]', ["First"], {
        kind: "values",
        values: { a: "answer-1" },
      }),
    );
    it(
      "auth-spec 5.1.5: CustomHeaderToken asks for its token",
      asks('type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key"', ["Paste the API token."], {
        kind: "token",
        token: "answer-1",
      }),
    );
    it(
      "auth-spec 5.1.5: QueryParamToken asks for its token",
      asks('type: coda.AuthenticationType.QueryParamToken, paramName: "key"', ["Paste the API token."], {
        kind: "token",
        token: "answer-1",
      }),
    );

    it("auth-spec 1 system-wide, 4 pack.setSystemAuthentication: a system account coexists with users' accounts, and the next one replaces it", async () => {
      const testPack = await open(
        `setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken })`,
        "(pack as any).setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });",
      );
      const attempt = await trial(testPack, { replies: { Paste: ["of-the-user-1", "of-the-system-1", "of-the-system-2"] } });
      await attempt.connect();
      const first = await attempt.connect({ scope: "system" });
      const second = await attempt.connect({ scope: "system" });
      assert.equal(second?.account.id, first?.account.id);
      assert.deepEqual((await attempt.accounts.list()).map(({ scope }) => scope).sort(), ["system", "user"]);
      assert.deepEqual(await attempt.accounts.credential(second?.account.id ?? ""), { kind: "token", token: "of-the-system-2" });
    });

    it("a cancel at any question of the sign-in stores nothing", async () => {
      const testPack = await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`);
      const questions = ["address to register at", "Choose the shop"];
      for (const question of questions) {
        const attempt = await trial(testPack, { replies: { [question]: undefined } });
        assert.equal(await attempt.connect(), undefined, question);
        assert.deepEqual(await attempt.accounts.list(), [], question);
        assert.ok(![...attempt.host.secretValues.values()].some((value) => value.includes("the-access-token")), question);
      }
    });

    it("an account stays as it was if its new sign-in fails", async () => {
      const testPack = await open(`setUserAuthentication({ ${OAUTH} })`);
      const { account, accounts, connect: again } = await connected(testPack);
      const before = await accounts.credential(account.id);
      api["/token"] = { status: 400, body: { error: "invalid_grant" } };
      await assert.rejects(() => again({ existing: account }), { code: "token-exchange-failed" });
      assert.deepEqual(await accounts.get(account.id), account);
      assert.deepEqual(await accounts.credential(account.id), before);
    });

    it("a type that only the platform supports is reported", async () => {
      const testPack = await open(
        `setUserAuthentication({ type: coda.AuthenticationType.GoogleDomainWideDelegation, scopes: ["https://www.googleapis.com/auth/drive"] })`,
      );
      const attempt = await trial(testPack);
      await assert.rejects(() => attempt.connect(), /is not available outside the platform/);
    });
  });
});
