// The way back through a sign-in: to what was asked before, with what was entered there, and never over what was done outside.
import assert from "node:assert/strict";
import { packKey } from "../../../platform/accounts/accounts.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import { OAUTH, OPTIONS, shopOfSuite, WITH_STEP } from "../../support/shop.ts";

const BACK = Symbol("back");

/** What is asked, by a text of it; what stands in the box; whether a way leads back; and what the person does. */
type Turn = readonly [question: string, value: string | undefined, hasBack: boolean, does: string | typeof BACK | undefined];

describe("Back in a sign-in", function () {
  this.timeout(60_000);
  const { api, open, requestsTo, trial, wire } = shopOfSuite();

  /** Signs in by these turns, and nothing else is asked. `leads`: a way back from the first question; gives how often it was taken. */
  async function signIn(testPack: Pack, turns: readonly Turn[], { leads = false, stored = false } = {}) {
    const attempt = await trial(testPack);
    const key = packKey(testPack.entry);
    await attempt.accounts.removeClientCredentials(key, "user");
    const elsewhere = { clientId: "stored", clientSecret: "stored-secret", tokenEndpoints: ["https://login.former.example/token"] };
    if (stored) await attempt.accounts.saveClientCredentials(key, "user", elsewhere);
    const left = [...turns];
    let overFirst = 0;
    const playTurn = (text: string, value: string | undefined, back: (() => void) | undefined): string | undefined => {
      const [question, expected, hasBack, does] = left.shift() ?? assert.fail(`nothing more was to be asked: ${text}`);
      assert.ok(text.includes(question), `${question} was to be asked, not: ${text}`);
      assert.deepEqual([value, back !== undefined], [expected, hasBack], text);
      if (does !== BACK) return does;
      back?.();
      return undefined;
    };
    attempt.host.prompter.input = async ({ prompt, value, back }) => playTurn(prompt, value, back);
    attempt.host.prompter.pick = async ({ placeholder, items, back }) => {
      const chosen = playTurn(placeholder, undefined, back);
      return items.find((item) => item.value === chosen)?.value;
    };
    const connected = await attempt.connect(leads ? { back: () => overFirst++ } : {});
    assert.deepEqual(left, [], "all of it was asked");
    const account = connected?.account.id;
    return { ...attempt, connected, overFirst, credential: account === undefined ? undefined : await attempt.accounts.credential(account) };
  }

  const params = `params: [{ name: "one", description: "First" }, { name: "two", description: "Second" }, { name: "three", description: "Third" }]`;

  it("Back leads from param to param and keeps what was entered", async () => {
    const { credential } = await signIn(await open(`setUserAuthentication({ type: coda.AuthenticationType.Custom, ${params} })`), [
      ["First", undefined, false, "1"],
      ["Second", undefined, true, "2"],
      ["Third", undefined, true, BACK],
      ["Second", "2", true, BACK],
      ["First", "1", false, "one"],
      ["Second", "2", true, "2"],
      ["Third", undefined, true, "3"],
    ]);
    assert.deepEqual(credential, { kind: "values", values: { one: "one", two: "2", three: "3" } });
  });

  it("Back leads from the user name to the endpoint and keeps both", async () => {
    const { credential, connected } = await signIn(
      await open("setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true })"),
      [
        ["endpoint URL", undefined, false, "https://a.shop.example"],
        ["User name", undefined, true, "alice"],
        ["Password", undefined, true, BACK],
        ["User name", "alice", true, BACK],
        ["endpoint URL", "https://a.shop.example", false, "https://b.shop.example"],
        ["User name", "alice", true, "alice"],
        ["Password", undefined, true, ""],
      ],
    );
    assert.deepEqual(credential, { kind: "basic", username: "alice", password: "" });
    assert.equal(connected?.account.endpoint, "https://b.shop.example");
  });

  it("Back keeps the optional external ID of a role", async () => {
    const arn = "arn:aws:iam::123456789012:role/name";
    const { credential } = await signIn(
      await open('setUserAuthentication({ type: coda.AuthenticationType.AWSAssumeRole, service: "s3" })'),
      [
        ["ARN", undefined, false, arn],
        ["external ID", undefined, true, "external"],
        ["access key ID", undefined, true, BACK],
        ["external ID", "external", true, "external"],
        ["access key ID", undefined, true, "the-key-id"],
        ["secret access key", undefined, true, "the-secret"],
      ],
    );
    assert.deepEqual(credential, {
      kind: "aws",
      accessKeyId: "the-key-id",
      secretAccessKey: "the-secret",
      roleArn: arn,
      externalId: "external",
    });
  });

  it("Back at the first question leads out of the sign-in and stores nothing", async () => {
    const testPack = await open(`setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken })`);
    const { connected, overFirst, accounts, host } = await signIn(testPack, [["Paste", undefined, true, BACK]], { leads: true });
    assert.deepEqual([connected, overFirst, await accounts.list(), host.secretValues.size], [undefined, 1, [], 0]);
  });

  describe("OAuth2", () => {
    const REDIRECT = "address to register at";

    it("Back leads from the redirect address to client ID and secret, not past the browser", async () => {
      const { accounts, openedPack } = await signIn(
        await open(`setUserAuthentication({ ${OAUTH} ${WITH_STEP(OPTIONS)} })`),
        [
          ["Client ID", undefined, true, "wrong"],
          ["Client secret", undefined, true, "the-secret"],
          [REDIRECT, undefined, true, BACK],
          ["Client secret", "the-secret", true, BACK],
          ["Client ID", "wrong", true, "right"],
          ["Client secret", "the-secret", true, "the-secret"],
          [REDIRECT, undefined, true, "open"],
          ["Waiting for the browser", undefined, false, undefined],
          ["Choose the shop", undefined, false, "https://globex.shop.example"],
        ],
        { leads: true },
      );
      const client = await accounts.clientCredentials(packKey(openedPack.entry), "user");
      assert.deepEqual([client?.clientId, client?.clientSecret], ["right", "the-secret"]);
    });

    it("Back leads to the choice of client secret, and from there out of the sign-in", async () => {
      const QUESTION = "May the stored client secret go to";
      const { connected, overFirst } = await signIn(
        await open(`setUserAuthentication({ ${OAUTH} })`),
        [
          [QUESTION, undefined, true, "other"],
          ["Client ID", undefined, true, BACK],
          [QUESTION, undefined, true, "other"],
          ["Client ID", undefined, true, "other"],
          ["Client secret", undefined, true, "other-secret"],
          [REDIRECT, undefined, true, BACK],
          ["Client secret", "other-secret", true, BACK],
          ["Client ID", "other", true, BACK],
          [QUESTION, undefined, true, "send"],
          [REDIRECT, undefined, true, BACK],
          [QUESTION, undefined, true, BACK],
        ],
        { leads: true, stored: true },
      );
      assert.deepEqual([connected, overFirst, requestsTo("login.shop.example")], [undefined, 1, []]);
    });

    it("Back is unavailable once the provider has refused or registered the client", async () => {
      const machine = `type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://login.shop.example/token"`;
      api["/token"] = { status: 401, body: { error: "invalid_client" } };
      const pendingSignIn = signIn(
        await open(`setUserAuthentication({ ${machine} })`),
        [
          ["Client ID", undefined, true, "id"],
          ["Client secret", undefined, true, "mistyped"],
          ["refused to issue a token, because the client ID or secret is wrong", "id", false, "id"],
          ["Client secret", undefined, true, BACK],
          ["refused to issue a token, because the client ID or secret is wrong", "id", false, undefined],
        ],
        { leads: true },
      );
      await assert.rejects(pendingSignIn, { code: "credentials-refused" });

      const registered = `https://login.shop.example/register`;
      const { respond } = wire;
      wire.respond = (request, response, ...rest) => {
        api["/register"] = { status: 201, body: { client_id: "registered" } };
        api["/.well-known/oauth-authorization-server"] = {
          body: {
            issuer: "https://login.shop.example",
            authorization_endpoint: "https://login.shop.example/authorize",
            token_endpoint: "https://login.shop.example/token",
            registration_endpoint: registered,
          },
        };
        return respond(request, response, ...rest);
      };
      const turns: readonly Turn[] = [["registered at the provider", undefined, false, undefined]];
      await signIn(await open(`setUserAuthentication({ ${OAUTH} useDynamicClientRegistration: true })`), turns, { leads: true });
    });
  });
});
