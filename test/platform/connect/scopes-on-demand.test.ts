// More access where a run needs it: offered after a 403 or a MissingScopesError of an account that lacks a scope, asked for with all that it
// has, and kept.
import assert from "node:assert/strict";
import { connect } from "../../../platform/connect/connect.ts";
import { usableAccount } from "../../../platform/connect/usable-account.ts";
import { keepRunFacts } from "../../../platform/evidence/run-facts.ts";
import { scopeRows } from "../../../platform/runs/scope-rows.ts";
import type { RunReport, RunTarget } from "../../../protocol/run.ts";
import { run } from "../../support/run.ts";
import { OAUTH, shopOfSuite } from "../../support/shop.ts";

const FORMULA = (name: string, more: string, body: string): string => `
pack.addFormula({ name: "${name}", description: "", parameters: [], resultType: coda.ValueType.String, ${more} execute: async (_args, context) => {
  ${body}
} });`;
const FETCH = (path: string): string =>
  `return String((await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example${path}" })).status);`;
const FORMULAS = [
  FORMULA("Read", "", FETCH("/read")),
  FORMULA("Write", 'extraOAuthScopes: ["items:write"],', FETCH("/write")),
  FORMULA("Missing", 'extraOAuthScopes: ["items:write"],', "throw new coda.MissingScopesError();"),
  FORMULA("Forbidden", "", FETCH("/write")),
  FORMULA("List", 'extraOAuthScopes: ["items:list"],', FETCH("/read")),
  FORMULA("Admin", "", FETCH("/admin")),
  FORMULA(
    "Wrapped",
    'extraOAuthScopes: ["items:write"],',
    `try { ${FETCH("/write")} } catch (error) { throw new coda.UserVisibleError("no"); }`,
  ),
].join("\n");

describe("Scopes on demand", () => {
  const shop = shopOfSuite();

  /** A provider that grants what is asked for, and an API that looks at it. */
  async function signedIn(scopes = '["items:read"]') {
    const requestedScopes: string[] = [];
    let grantedScope = "";
    shop.wire.respond = ({ path }, response) => {
      const isWrite = path.startsWith("/write");
      const isAdmin = path.startsWith("/admin");
      const isAllowed = !isAdmin && (!isWrite || grantedScope.includes("items:write"));
      response.writeHead(isAllowed ? 200 : 403, {
        "content-type": "application/json",
        ...(isAdmin ? { "www-authenticate": 'Bearer error="insufficient_scope", scope="items:admin"' } : {}),
      });
      response.end(
        JSON.stringify(
          path.startsWith("/token")
            ? { access_token: `token-of-${requestedScopes.length}`, refresh_token: "r", expires_in: 3600, scope: grantedScope }
            : {},
        ),
      );
    };
    const testPack = await shop.open(`setUserAuthentication({ ${OAUTH} scopes: ${scopes} })`, FORMULAS);
    const attempt = await shop.trial(testPack, {
      openBrowser: async (url) => {
        const { searchParams } = new URL(url);
        grantedScope = searchParams.get("scope") ?? "";
        requestedScopes.push(grantedScope);
        const back = new URL(searchParams.get("redirect_uri") ?? "");
        back.search = new URLSearchParams({ code: "the-code", state: searchParams.get("state") ?? "" }).toString();
        void fetch(back);
        return true;
      },
    });
    const connected = await attempt.connect();
    assert.ok(connected);
    const { host, accounts } = attempt;
    const stored = async () => (await accounts.get(connected.account.id)) ?? assert.fail("the account is gone");
    const start = async (name: string, target: RunTarget = { kind: "formula", name }): Promise<RunReport> => {
      const usable = await usableAccount(testPack, await stored(), {
        accounts,
        host,
        sandbox: () => Promise.reject(new Error("no sandbox here")),
      });
      const report = await run(testPack, target, [], { fetch: shop.wire.fetch, lookup: shop.wire.lookup, account: usable });
      await keepRunFacts(host, testPack, report, usable);
      return report;
    };
    const grant = async (scopes: readonly string[]) =>
      connect(testPack, {
        scope: "user",
        packName: "shop",
        host,
        accounts,
        redirect: { host: "localhost", port: 0, path: "/oauth" },
        world: { lookup: shop.wire.lookup },
        scopes,
        ...(await accounts.get(connected.account.id).then((existing) => (existing === undefined ? {} : { existing }))),
      });
    return { requestedScopes: requestedScopes, start, grant, accounts, id: connected.account.id, testPack: testPack, stored };
  }
  const remedies = ({ outcome }: RunReport): unknown => (outcome.status === "failed" ? (outcome.error.remedies ?? []) : outcome);

  it("a refused run offers the missing scopes, and works once they are granted", async () => {
    const { requestedScopes, start, grant, accounts, id, testPack } = await signedIn();
    assert.equal((await start("Read")).outcome.status, "succeeded");
    const refusedReport = await start("Write");
    assert.deepEqual(remedies(refusedReport), [
      { kind: "grantAccess", account: id, scopes: ["items:read", "items:write"], label: "Grant more access" },
    ]);
    await grant(["items:read", "items:write"]);
    assert.deepEqual(requestedScopes, ["items:read", "items:read items:write"]);
    assert.deepEqual((await start("Write")).outcome, { status: "succeeded", value: "200" });
    const account = await accounts.get(id);
    assert.ok(account);
    assert.deepEqual(
      [account.scopesRequested, account.scopesGranted],
      [
        ["items:read", "items:write"],
        ["items:read", "items:write"],
      ],
    );
    // The configuration is what it was: nothing asks to sign in again.
    assert.equal((await accounts.stateOf(account, testPack.definition.userAuthentication)).state, "ready");
  });

  it("a MissingScopesError offers the scopes; other errors and granted scopes offer nothing", async () => {
    const { start, grant } = await signedIn();
    assert.equal((remedies(await start("Missing")) as readonly unknown[]).length, 1);
    assert.deepEqual(remedies(await start("Wrapped")), []);
    assert.deepEqual(remedies(await start("Forbidden")), []);
    await grant(["items:read", "items:write"]);
    assert.deepEqual(remedies(await start("Missing")), []);
  });

  it("scopes granted under another spelling are not offered and are listed once", async () => {
    const { start, accounts, id, stored } = await signedIn('["email", "items:write"]');
    await accounts.update(id, { scopesGranted: ["https://www.googleapis.com/auth/userinfo.email", "items:write"] });
    assert.deepEqual(remedies(await start("Missing")), []);
    assert.deepEqual(
      scopeRows(await stored()).map(({ scope, isGranted }) => [scope, isGranted]),
      [
        ["email", true],
        ["items:write", true],
      ],
    );
  });

  it("the scopes table shows who requests each scope and whether it is granted", async () => {
    const { grant, testPack, stored } = await signedIn('["items:read", "items:profile"]');
    const table = async () =>
      scopeRows(await stored(), testPack.definition).map(
        ({ scope, requestedBy, isGranted, remark = "" }) =>
          `${scope} | ${requestedBy?.join(", ")} | ${isGranted ? "granted" : "-"} | ${remark}`,
      );
    const later = "It is requested when a run needs it.";
    assert.deepEqual(await table(), [
      "items:read | the configuration | granted | ",
      "items:profile | the configuration | granted | ",
      `items:write | Write, Missing, Wrapped | - | ${later}`,
      `items:list | List | - | ${later}`,
    ]);
    await grant(["items:read", "items:profile", "items:write", "items:admin"]);
    assert.deepEqual((await table()).slice(2), [
      "items:write | Write, Missing, Wrapped | granted | ",
      `items:list | List | - | ${later}`,
      "items:admin |  | granted | Nothing in the pack asks for it.",
    ]);
  });

  it("scopes that the provider did not grant are marked, also without a loaded pack", async () => {
    const { stored } = await signedIn();
    const account = { ...(await stored()), scopesRequested: ["items:read", "items:more"] };
    assert.deepEqual(
      scopeRows(account).map(({ scope, isGranted, requestedBy, remark }) => [scope, isGranted, requestedBy, remark]),
      [
        ["items:read", true, undefined, undefined],
        ["items:more", false, undefined, "The provider did not grant it."],
      ],
    );
    assert.deepEqual(scopeRows({ ...account, type: "HeaderBearerToken" }), []);
  });

  it("a scope added to the configuration asks for a new sign-in before a run", async () => {
    const { start, testPack } = await signedIn('["items:read"]');
    const auth = testPack.definition.userAuthentication as { scopes: readonly string[] };
    auth.scopes = ["items:read", "items:list"];
    await assert.rejects(start("Forbidden"), /sign|scopes/i);
  });
});
