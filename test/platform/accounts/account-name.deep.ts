// What an account is called that nothing named, and what a person is told of one that nothing tried.
import assert from "node:assert/strict";
import { packKey } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import { connectedText } from "../../../platform/connect/connected-text.ts";
import { testAccount } from "../../../platform/connect/test-account.ts";
import { usableAccount } from "../../../platform/connect/usable-account.ts";
import { keepRunFacts } from "../../../platform/evidence/run-facts.ts";
import { worldOf } from "../../../platform/runs/run-world.ts";
import { run } from "../../support/run.ts";
import { OAUTH, shopOfSuite, type Trial, WHO_AM_I } from "../../support/shop.ts";

describe("The account's name after a sign-in", function () {
  this.timeout(60_000);
  const { api, connected, open, trial, wire } = shopOfSuite();
  const bearer = (fields: string) => `setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, ${fields} })`;

  it("auth-spec 5.6.3: unnamed accounts are numbered", async () => {
    const first = await connected(await open(bearer("")));
    assert.equal(first.account.label, "os-user");
    const second = await first.connect();
    const third = await first.connect();
    assert.deepEqual([second?.account.label, third?.account.label], ["os-user 2", "os-user 3"]);
    const again = await first.connect({ existing: first.account });
    assert.equal(again?.account.label, "os-user", "signed in again, it keeps its name");
  });

  const labels = async ({ accounts, openedPack }: Pick<Trial, "accounts" | "openedPack">) =>
    (await accounts.list(packKey(openedPack.entry))).map(({ label }) => label);

  it("a second sign-in of one user offers to replace the account or keep both", async () => {
    const first = await connected(await open(bearer(WHO_AM_I)), {
      replies: { "is connected already": ["Replace alice", "Keep both"] },
    });
    const second = await first.connect();
    assert.deepEqual([second?.account.id, second?.account.label], [first.account.id, "alice"]);
    assert.deepEqual(await labels(first), ["alice"]);
    const third = await first.connect();
    assert.ok(third);
    assert.equal(third.account.label, "alice 2");
    assert.equal((await first.connect({ existing: third.account }))?.account.label, "alice 2", "signed in again, it keeps its label");
    assert.deepEqual(await labels(first), ["alice", "alice 2"]);
  });

  it("a new sign-in as another user replaces the account only on consent", async () => {
    const alice = await connected(await open(bearer(WHO_AM_I)), {
      replies: { "You signed in as carol, not alice.": [undefined, "Keep both", "Replace alice"] },
    });
    const { accounts, host } = alice;
    const signInAgain = () => alice.connect({ existing: alice.account });
    api["/me"] = { body: { name: "carol" } };
    assert.equal(await signInAgain(), undefined, "cancelled");
    assert.deepEqual(await labels(alice), ["alice"]);
    assert.equal((await accounts.get(alice.account.id))?.connectionName, "alice");
    const carol = await signInAgain();
    assert.deepEqual(await labels(alice), ["alice", "carol"]);
    assert.notEqual(carol?.account.id, alice.account.id);
    host.offered.length = 0;
    assert.equal((await signInAgain())?.account.id, alice.account.id);
    assert.deepEqual(
      host.offered.filter((text) => text !== ""),
      ["Replace alice", "Replace carol", "Keep both"],
      "the account that carol has already is offered too",
    );
  });

  it("a new sign-in as another user names that user also for a renamed account", async () => {
    const alice = await connected(await open(bearer(WHO_AM_I)));
    await alice.accounts.update(alice.account.id, { label: "mine", renamed: true });
    api["/me"] = { body: { name: "carol" } };
    const existing = await alice.accounts.get(alice.account.id);
    assert.ok(existing);
    assert.equal(await alice.connect({ existing }), undefined);
    assert.ok(alice.host.prompts.includes("You signed in as carol, not alice."));
  });

  it("a refused token can be entered again, kept, or replace another refused one", async () => {
    api["/me"] = { status: 401, body: {} };
    const trialOfShop = await trial(await open(bearer(WHO_AM_I)), {
      replies: { "refused this credential": [undefined, "Keep it", "Replace shop account", "Try again"] },
      onAsk: (text) => {
        if (text.includes("refused this credential") && ++questions === 4) api["/me"] = { body: { name: "alice" } };
      },
    });
    let questions = 0;
    assert.equal(await trialOfShop.connect(), undefined, "cancelled");
    assert.deepEqual(await labels(trialOfShop), []);
    await trialOfShop.connect();
    await trialOfShop.connect();
    assert.deepEqual(await labels(trialOfShop), ["shop account"]);
    const right = await trialOfShop.connect();
    assert.deepEqual([right?.isRefused, right?.account.label], [false, "alice"]);
    assert.equal(trialOfShop.host.prompts.filter((text) => text.includes("Paste")).length, 5, "once more for Try again");
  });

  it("an unnamed account gets its name from a later test; a person's label stays", async () => {
    api["/me"] = { status: 500, body: {} };
    const unnamed = await connected(await open(bearer(WHO_AM_I)));
    const { accounts, host, openedPack } = unnamed;
    const test = async () => {
      const account = (await accounts.get(unnamed.account.id)) ?? unnamed.account;
      const runAs = await usableAccount(openedPack, account, { accounts, host, sandbox: () => Promise.reject(new Error("there is none")) });
      const auth = openedPack.definition.userAuthentication;
      assert.ok(auth);
      const world = worldOf(openedPack, wire.fetch, { lookup: wire.lookup, account: runAs });
      await testAccount(
        { auth, scope: "user", packName: "shop", host, timezone: "UTC", signal: new AbortController().signal },
        account,
        accounts,
        world,
      );
      return accounts.get(account.id);
    };
    assert.equal(unnamed.account.label, "shop account");
    assert.equal((await test())?.label, "shop account", "it still has no name");
    api["/me"] = { body: { name: "alice" } };
    const named = await test();
    assert.deepEqual([named?.label, named?.connectionName, named?.unnamed], ["alice", "alice", false]);
    await accounts.update(unnamed.account.id, { label: "mine", unnamed: true, renamed: true });
    assert.equal((await test())?.label, "mine");
  });

  it("sign-ins of one user at the same moment get distinct labels", async () => {
    const first = await trial(await open(bearer(WHO_AM_I)));
    await Promise.all([first.connect(), first.connect(), first.connect()]);
    assert.deepEqual((await labels(first)).sort(), ["alice", "alice 2", "alice 3"]);
  });

  it("auth-spec 5.6.3: unnamed accounts are distinguished by their endpoints", async () => {
    const first = await connected(await open(bearer('requiresEndpointUrl: true, endpointDomain: "shop.example",')), {
      replies: { endpoint: "https://acme.shop.example" },
    });
    assert.equal(first.account.label, "os-user");
    const [second, third] = [await first.connect(), await first.connect()];
    assert.deepEqual([second?.account.label, third?.account.label], ["os-user (acme.shop.example)", "os-user (acme.shop.example) 2"]);
  });

  it("a sandbox user replaces only the same user of a sandbox that has ended", async () => {
    const { accounts, host, openedPack, connect: connectReal } = await trial(await open(bearer("")));
    const connectAt = (origin: string) =>
      connect(openedPack, {
        scope: "user",
        packName: "shop",
        host,
        accounts,
        shared: true,
        sandbox: { origin, clientCredentials: { clientId: "sandbox" }, credential: { kind: "token", token: `of ${origin}` } },
      });
    await connectReal();
    const first = await connectAt("http://127.0.0.1:1001");
    const beside = await connectAt("http://127.0.0.1:1001");
    assert.deepEqual([first?.account.label, beside?.account.label], ["Sandbox user", "Sandbox user 2"]);
    const later = await connectAt("http://127.0.0.1:1002");
    assert.deepEqual([later?.account.id, later?.account.label], [first?.account.id, "Sandbox user"]);
    const labels = (await accounts.list(packKey(openedPack.entry))).map(({ label, sandboxOrigin }) => [label, sandboxOrigin?.slice(-4)]);
    assert.deepEqual(labels.sort(), [
      ["Sandbox user 2", "1001"],
      ["Sandbox user", "1002"],
      ["os-user", undefined],
    ]);
    assert.deepEqual(await accounts.credential(first?.account.id ?? ""), { kind: "token", token: "of http://127.0.0.1:1002" });
  });

  it("a token without getConnectionName is saved unchecked under the default name", async () => {
    const result = await connected(await open(bearer("")));
    assert.equal(
      connectedText(result, "shop"),
      "Saved, not checked: the pack has no getConnectionName. shop's account is called os-user, by default.",
    );
    assert.equal(result.account.unnamed, true);
  });

  it("a getConnectionName that sends no request leaves the token unchecked", async () => {
    const result = await connected(await open(bearer('getConnectionName: async () => "alice",')));
    assert.equal(
      connectedText(result, "shop"),
      "Saved, not checked: getConnectionName sends no request with the credentials. shop's account is called alice.",
    );
  });

  it("a getConnectionName that fails leaves the token unchecked", async () => {
    const result = await connected(await open(bearer("getConnectionName: async () => {\n    throw new Error('no name today');\n  },")));
    assert.match(connectedText(result, "shop"), /^Saved, not checked: getConnectionName failed\. /);
  });

  it("a token that the API refuses is saved as refused", async () => {
    api["/me"] = { status: 401, body: {} };
    const result = await connected(await open(bearer(WHO_AM_I)));
    assert.equal(
      connectedText(result, "shop"),
      "Saved, but refused: the API answered getConnectionName with 401. shop's account is called shop account, by default.",
    );
    assert.equal(result.isRefused, true);
    assert.equal(result.account.refused, true, "so that the lists of accounts can say so");
    api["/me"] = { body: { name: "alice" } };
    const again = await result.connect({ existing: result.account });
    assert.equal(again?.account.refused, undefined);
  });

  it("a refused account loses that mark once the API names its user", async () => {
    api["/me"] = { status: 401, body: {} };
    const result = await connected(await open(bearer(WHO_AM_I)));
    const { account, accounts, host, openedPack } = result;
    const target = { kind: "authentication", scope: "user", function: { name: "getConnectionName" } } as const;
    const runAgain = async (): Promise<boolean | undefined> => {
      const stored = (await accounts.get(account.id)) ?? account;
      const sandbox = () => Promise.reject(new Error("there is none"));
      const usable = await usableAccount(openedPack, stored, { accounts, host, sandbox });
      const report = await run(openedPack, target, [], { fetch: wire.fetch, lookup: wire.lookup, behindProxy: false, account: usable });
      await keepRunFacts(host, openedPack, report, usable);
      return (await accounts.get(account.id))?.refused;
    };
    assert.equal(await runAgain(), true, "still refused");
    api["/me"] = { body: { name: "alice" } };
    assert.equal(await runAgain(), false);
    assert.equal((await accounts.get(account.id))?.label, account.label);
  });

  it("a 401 that getConnectionName swallows still marks the account as refused", async () => {
    api["/me"] = { status: 401, body: {} };
    const swallowing = WHO_AM_I.replace("const answer =", "const answer: any =").replace(
      ";\n",
      ".catch(() => ({ body: { name: 'somebody' } }));\n",
    );
    const result = await connected(await open(bearer(swallowing)));
    assert.equal(
      connectedText(result, "shop"),
      "Saved, but refused: the API answered getConnectionName with 401. shop's account is called somebody.",
    );
    api["/me"] = { status: 500, body: {} };
    assert.match(
      connectedText(await connected(await open(bearer(swallowing))), "shop"),
      /^Saved, not checked: no request of getConnectionName succeeded\./,
    );
  });

  it("an answer without a name leaves the token unchecked", async () => {
    api["/me"] = { body: {} };
    const result = await connected(await open(bearer(WHO_AM_I)));
    assert.equal(
      connectedText(result, "shop"),
      "Saved, not checked: getConnectionName returned no name, as some APIs give none for a wrong credential. shop's account is called os-user, by default.",
    );
    const oauthResult = await connected(await open(`setUserAuthentication({ ${OAUTH} ${WHO_AM_I} })`));
    assert.equal(
      connectedText(oauthResult, "shop"),
      "Connected os-user to shop. That is the default name: getConnectionName returned no name.",
    );
  });

  it("a redirect to a sign-in page leaves the token unchecked", async () => {
    const respond = wire.respond;
    wire.respond = (request, response, raw) => {
      if (request.path === "/me") response.writeHead(302, { location: "/login" }).end();
      else if (request.path === "/login")
        response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Login</title>");
      else respond(request, response, raw);
    };
    const named = WHO_AM_I.replace("return answer.body.name", "return `RT ${answer.body.name}`");
    const result = await connected(await open(bearer(named)));
    assert.equal(
      connectedText(result, "shop"),
      "Saved, not checked: the API answered getConnectionName with no data. shop's account is called RT undefined.",
    );
    assert.match(result.signInNotes[0]?.message ?? "", /^A redirect led to a web page, not to data\..* sign in again\./);
  });

  it("an API answer behind a redirect confirms the token", async () => {
    const respond = wire.respond;
    wire.respond = (request, response, raw) =>
      request.path === "/me" ? response.writeHead(302, { location: "/v2/me" }).end() : respond(request, response, raw);
    api["/v2/me"] = { body: { name: "alice" } };
    assert.equal(connectedText(await connected(await open(bearer(WHO_AM_I))), "shop"), "Connected alice to shop.");
  });

  it("RFC 6749, 1.5: an account without a refresh token ends with its token", async () => {
    const first = await connected(await open(`setUserAuthentication({ ${OAUTH} })`));
    assert.equal(first.account.unrenewable, undefined);
    api["/token"] = { body: { access_token: "another-access-token", expires_in: 60 } };
    assert.equal((await first.connect({ existing: first.account }))?.account.unrenewable, true);
    assert.equal((await connected(await open(bearer("")))).account.unrenewable, undefined);
  });

  it("an answer of the API confirms the token as connected", async () => {
    const result = await connected(await open(bearer(WHO_AM_I)));
    assert.equal(connectedText(result, "shop"), "Connected alice to shop.");
    assert.equal(result.account.unnamed, undefined);
  });

  it("an issued OAuth token is connected, with a note on its default name", async () => {
    const result = await connected(await open(`setUserAuthentication({ ${OAUTH} })`));
    assert.equal(connectedText(result, "shop"), "Connected os-user to shop. That is the default name: the pack has no getConnectionName.");
  });
});
