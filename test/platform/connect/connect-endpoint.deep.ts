// The spec's sign-in finds the account's endpoint: typed, from the token response, picked from the pack's own options, and chosen anew.
import assert from "node:assert/strict";
import { changeEndpoint } from "../../../platform/connect/change-endpoint.ts";
import type { Connected } from "../../../platform/connect/connect.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { pack } from "../../support/open-packs.ts";
import { packFiles } from "../../support/pack-file.ts";
import { makeHost } from "../../support/platform-host.ts";
import { OAUTH, OPTIONS, shopOfSuite, source, type Trial, WITH_STEP } from "../../support/shop.ts";

describe("The endpoint of a new account", function () {
  this.timeout(60_000);
  const { api, connected, open, requestsTo, trial, wire } = shopOfSuite();

  describe("The endpoint", () => {
    const manual = (more = "") =>
      `setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true, ${more} ${`getConnectionName: async (context) => {
        const answer = await context.fetcher.fetch({ method: "GET", url: "/me" });
        return answer.body.name + " at " + context.endpoint;
      },`} })`;

    it("auth-spec 2.1 requiresEndpointUrl, 2.5 context.endpoint, 5.7.1, 5.7.2, 5.7.3 manual entry: a typed endpoint is in context.endpoint and the base of relative URLs", async () => {
      const { account } = await connected(await open(manual('endpointDomain: "shop.example",')), {
        replies: { endpoint: "acme.shop.example/" },
      });
      assert.equal(account.endpoint, "https://acme.shop.example");
      assert.equal(account.label, "alice at https://acme.shop.example");
      assert.equal(requestsTo("acme.shop.example")[0]?.path, "/me");
    });

    it("auth-spec 2.1 endpointDomain, 5.7.3 manual entry, 5.7.4: a typed endpoint is checked against endpointDomain", async () => {
      const testPack = await open(manual('endpointDomain: "shop.example",'));
      const attempt = await trial(testPack, { replies: { "under shop.example": "https://acme.evil.example" } });
      await assert.rejects(
        () => attempt.connect(),
        /the answer https:\/\/acme\.evil\.example was refused: The endpoint must be shop\.example or under it/,
      );
      assert.equal(wire.requests.length, 0);
      assert.deepEqual(await attempt.accounts.list(), []);
    });

    for (const [what, endpoint, messagePattern] of [
      ["has a port", "https://acme.shop.example:8384", /Leave out port 8384\./],
      ["is an IP address", "https://192.168.1.5", /Enter a host name\./],
      ["is an IPv6 address", "https://[fd00::1]", /Enter a host name\./],
    ] as const)
      it(`a typed endpoint that ${what} is refused at once: no request would go there`, async () => {
        const attempt = await trial(await open(manual()), { replies: { "endpoint URL": endpoint } });
        await assert.rejects(() => attempt.connect(), messagePattern);
        assert.deepEqual(await attempt.accounts.list(), []);
      });

    it("a typed endpoint whose path the pack repeats gets a 404 with the full address", async () => {
      const { signInNotes } = await connected(await open(manual()), { replies: { "endpoint URL": "https://acme.shop.example/me/" } });
      const error = signInNotes[0]?.error as PackAuthError | undefined;
      assert.match(
        error?.hint ?? "",
        /^There is nothing at GET https:\/\/acme\.shop\.example\/me\/me\. Check the address and the endpoint of the account\./,
      );
    });

    it("a typed endpoint on this machine may have a port", async () => {
      const { account } = await connected(await open(manual()), { replies: { "endpoint URL": "https://localhost:8384" } });
      assert.equal(account.endpoint, "https://localhost:8384");
    });

    it("auth-spec 2.3 endpointKey, 5.7.3 token exchange: endpointKey reads the endpoint from the token response without a question", async () => {
      api["/token"] = { body: { access_token: "the-access-token", site_url: "https://acme.shop.example/" } };
      const { account, host } = await connected(
        await open(`setUserAuthentication({ ${OAUTH} requiresEndpointUrl: true, endpointKey: "site_url" })`),
      );
      assert.equal(account.endpoint, "https://acme.shop.example");
      assert.ok(!host.prompts.some((text) => text.includes("endpoint URL")));
    });

    it("auth-spec 5.7.3 manual entry: OAuth2 with absolute URLs refuses the sign-in and hints at endpointKey and postSetup", async () => {
      const attempt = await trial(await open(`setUserAuthentication({ ${OAUTH} requiresEndpointUrl: true })`));
      await assert.rejects(() => attempt.connect(), {
        code: "configuration-invalid",
        message: /the user types no endpoint/,
        hint: /endpointKey.*postSetup/,
        configPath: "userAuthentication.requiresEndpointUrl",
      });
      assert.deepEqual(attempt.host.prompts, []);
      assert.deepEqual(await attempt.accounts.list(), []);
    });

    for (const [what, body, message] of [
      ["is not in the token response", { access_token: "the-access-token", other: 1 }, /has no string under site_url/],
      ["names something else", { access_token: "the.secret.thing", site_url: "the.secret.thing" }, /site_url is not an https URL/],
    ] as const) {
      it(`auth-spec 5.7.3 token exchange: an endpointKey that ${what} is reported, and nothing is stored`, async () => {
        api["/token"] = { body };
        const attempt = await trial(await open(`setUserAuthentication({ ${OAUTH} requiresEndpointUrl: true, endpointKey: "site_url" })`));
        await assert.rejects(
          () => attempt.connect(),
          (error: PackAuthError) => {
            assert.match(error.message, message);
            assert.ok(!`${error.message} ${error.hint}`.includes("the.secret.thing"));
            return error.configPath === "userAuthentication.endpointKey";
          },
        );
        assert.deepEqual(await attempt.accounts.list(), []);
      });
    }

    const lists: Readonly<Record<string, [options: string, field: string]>> = {
      "getOptions that gives display and value": [OPTIONS, "getOptions"],
      "getOptionsFormula, the spec's own name": [OPTIONS, "getOptionsFormula"],
      "getOptions that gives texts": ['["https://acme.shop.example", "https://globex.shop.example"]', "getOptions"],
    };
    for (const [what, [options, field]] of Object.entries(lists)) {
      it(`auth-spec 2.1 postSetup, 2.4 type, 2.4 description, 2.4 getOptionsFormula, 5.7.3 user selection, 5.7.5: the endpoint is picked from ${what}, under the step's description`, async () => {
        const step = WITH_STEP(options, field);
        const setter =
          field === "getOptions"
            ? `setUserAuthentication({ ${OAUTH} ${step} })`
            : // The toolkit refuses the old name while the pack is being defined; a pack of that time was built without this check.
              `setUserAuthentication({ ${OAUTH} ${step.replace("getOptionsFormula", "getOptions")} })`;
        const after =
          field === "getOptions"
            ? ""
            : `\nconst step = (pack as any).defaultAuthentication.postSetup[0]; step.getOptionsFormula = step.getOptions; delete step.getOptions;`;
        const testPack = await pack(packFiles({ "pack.ts": source(setter) + after }));
        const { account, host } = await connected(testPack);
        assert.equal(account.endpoint, "https://globex.shop.example");
        assert.ok(host.prompts.includes("Choose the shop"));
      });
    }

    it("auth-spec 2.4 name: a failing step is reported with its name", async () => {
      const attempt = await trial(
        await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP("[]").replace('"site"', '"Pick a branch"')} })`),
      );
      assert.equal(attempt.openedPack.definition.userAuthentication?.postSetup[0]?.name, "Pick a branch");
      await assert.rejects(() => attempt.connect(), /The step Pick a branch lists no endpoint/);
    });

    it("auth-spec 5.7.5: the options are fetched with the account's credentials", async () => {
      await connected(await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`));
      assert.equal(wire.requests.find(({ path }) => path === "/sites")?.headers.authorization, "Bearer the-access-token");
    });

    for (const [what, options, message] of [
      ["no option", "[]", /The step site lists no endpoint/],
      ["options that are no list", "({ sites: 5 })", /The step site lists no endpoint/],
      ["an option that is no https address", '["http://globex.shop.example"]', /http:\/\/globex\.shop\.example cannot be used/],
      ["options that throw", '{ throw new Error("no sites today"); }', /no sites today/],
    ] as const) {
      it(`auth-spec 5.7.5: a step with ${what} is reported, and nothing is stored`, async () => {
        const attempt = await trial(await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(options)} })`), {
          replies: { "Choose the shop": "http://globex.shop.example" },
        });
        await assert.rejects(() => attempt.connect(), message);
        assert.deepEqual(await attempt.accounts.list(), []);
        assert.ok(![...attempt.host.secretValues.values()].some((value) => value.includes("the-access-token")));
      });
    }

    it("auth-spec 5.7.5: the answer of the API is shown if getOptions lists nothing because of it", async () => {
      api["/sites"] = { body: { ok: false, error: "no_sites_for_you" } };
      const attempt = await trial(await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`));
      await assert.rejects(() => attempt.connect(), {
        message: /lists no endpoint\. GET https:\/\/api\.shop\.example\/sites was answered with status 200\.$/,
        hint: /no_sites_for_you/,
      });
      api["/sites"] = { status: 403, body: { message: "Not for this plan" } };
      await assert.rejects(() => attempt.connect(), { hint: /Not for this plan|forbids/ });
    });

    it("auth-spec 5.7.4: a chosen endpoint outside endpointDomain works, with a note that the platform refuses it", async () => {
      const testPack = await open(`setUserAuthentication({ ${OAUTH} endpointDomain: "eu.shop.example", ${WITH_STEP(OPTIONS)} })`);
      const { account, signInNotes } = await connected(testPack);
      assert.equal(account.endpoint, "https://globex.shop.example");
      assert.match(signInNotes.map(({ message }) => message).join(), /the platform would refuse it/);
    });

    describe("The changed endpoint", () => {
      const again = async (attempt: Connected & Trial, endpoint: string | undefined) => {
        const credential = await attempt.accounts.credential(attempt.account.id);
        assert.ok(credential);
        const auth = attempt.openedPack.definition.userAuthentication;
        assert.ok(auth);
        const host = makeHost({ fetch: wire.fetch, replies: { "Choose the shop": endpoint, "endpoint URL": endpoint } });
        return changeEndpoint(attempt.openedPack, (await attempt.accounts.get(attempt.account.id)) ?? attempt.account, {
          auth,
          packName: "shop",
          host,
          accounts: attempt.accounts,
          runAs: { scope: "user", credential, ...(attempt.account.endpoint === undefined ? {} : { endpoint: attempt.account.endpoint }) },
          signal: new AbortController().signal,
          world: { lookup: wire.lookup },
        });
      };

      it("auth-spec 5.7.5: another option replaces the endpoint and the account's name", async () => {
        const attempt = await connected(await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`));
        const changeResult = await again(attempt, "https://acme.shop.example/");
        assert.equal(changeResult?.account.endpoint, "https://acme.shop.example");
        const stored = await attempt.accounts.get(attempt.account.id);
        assert.deepEqual([stored?.endpoint, stored?.label], ["https://acme.shop.example", "alice (https://acme.shop.example)"]);
        await attempt.accounts.update(attempt.account.id, { label: "mine", renamed: true });
        await again(attempt, "https://globex.shop.example");
        assert.equal((await attempt.accounts.get(attempt.account.id))?.label, "mine");
      });

      it("auth-spec 5.7.3 manual entry: a newly typed endpoint replaces the former one; a cancel changes nothing", async () => {
        const attempt = await connected(await open(manual('endpointDomain: "shop.example",')), {
          replies: { "endpoint URL": "acme.shop.example" },
        });
        assert.equal(await again(attempt, undefined), undefined);
        assert.deepEqual(await attempt.accounts.get(attempt.account.id), attempt.account);
        await again(attempt, "globex.shop.example");
        assert.equal((await attempt.accounts.get(attempt.account.id))?.endpoint, "https://globex.shop.example");
      });

      it("a new endpoint is refused if the configuration offers no choice", async () => {
        const attempt = await connected(await open("setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken })"));
        await assert.rejects(again(attempt, "https://x.example"), { code: "configuration-invalid" });
      });
    });
  });
});
