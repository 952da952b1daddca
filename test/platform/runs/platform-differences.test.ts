// What a run tells that is different once the pack is uploaded, with the line of the source.
import assert from "node:assert/strict";
import type { RunReport } from "../../../protocol/run.ts";
import { pack } from "../../support/open-packs.ts";
import { packFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";
import { countResponses, formula, RUN_PACK, runsOfSuite, value } from "../../support/run-pack.ts";

const SOURCE = `${RUN_PACK}
formula("ThrowsOwn", async () => { throw new Error("plain"); });
formula("ThrowsForUser", async () => { throw new coda.UserVisibleError("told"); });
formula("Number", async () => 5);
formula("Uses", async (_: any, context: any) => {
  context.logger.info("logged", Object.keys(context).includes("logger"), "logger" in { ...context });
  const response = await context.fetcher.fetch({ method: "GET", url: "https://good.com/headers" });
  const { link, "x-total": total, "x-absent": absent } = response.headers;
  const copy = { ...(await context.fetcher.fetch({ method: "GET", url: "https://good.com/more" })).headers };
  console.log(response);
  response.headers.mine = "m";
  delete response.headers.link;
  if (response.headers.mine !== "m" || response.headers.link !== undefined) throw new Error("headers are the pack's to change");
  return [link, total, absent, copy["x-total"], response.headers["content-type"], context.invocationLocation.source].join();
});
formula("Fetches", async (_: any, context: any) => get(context, "https://undeclared.com/"));
formula("Limited", async (_: any, context: any) => get(context, "https://good.com/429"));
formula("Own", async (_: any, context: any) => { for (const more of [{}, { disableAuthentication: true }]) await get(context, "https://good.com/own?key=1", { headers: { authorization: "Bearer mine" }, ...more }); return "x"; });
formula("Files", async (_: any, context: any) => { for (const more of [{}, { disableAuthentication: true }]) await get(context, "https://codahosted.io/x", more); return "x"; });
formula("Swallows", async (_: any, context: any) => {
  try { await get(context, "https://good.com/401"); } catch {}
  return "fine";
});
formula("SignsInByCookie", async (_: any, context: any) => {
  const { headers } = await context.fetcher.fetch({ method: "GET", url: "https://good.com/cookie" });
  return String(headers["set-cookie"]) + JSON.stringify(headers);
});
formula("Forgets", async (_: any, context: any) => {
  void get(context, "https://good.com/never");
  return "too early";
});
`;

describe("Differences after upload", function () {
  this.timeout(30_000);
  const { go, wire, lineOf } = runsOfSuite(SOURCE);
  countResponses(wire);

  it("a pack exported without the platform's name is reported", async () => {
    const nameless = await pack(packFiles({ "pack.ts": `${SOURCE.replace("export const pack", "const pack")}export default pack;\n` }));
    const { platformDifferences } = await run(nameless, formula("Number"), [], { fetch: wire.fetch, lookup: wire.lookup });
    assert.match(platformDifferences[0]?.message ?? "", /needs an export named pack/);
    assert.equal(platformDifferences[0]?.location?.path, nameless.entry);
    assert.deepEqual((await go(formula("Number"))).platformDifferences, []);
  });

  describe("Parity notes", () => {
    /** Notes with the line that they name. */
    const noteLines = ({ platformDifferences }: RunReport): readonly string[] =>
      platformDifferences.map(({ message, location }) => `${location?.line ?? "–"} ${message}`);
    it("an error that users cannot read is noted with its line", async () => {
      const report = await go(formula("ThrowsOwn"));
      assert.match(
        noteLines(report).join(),
        new RegExp(`^${lineOf('formula("ThrowsOwn"')} Throw a UserVisibleError to show this message to users`),
      );
      const forUser = await go(formula("ThrowsForUser"));
      assert.deepEqual([forUser.outcome.status === "failed" && forUser.outcome.error.code, noteLines(forUser)], ["UserVisibleError", []]);
      // What the platform itself refuses is no word of the pack.
      const refusedReport = await go(formula("Fetches"));
      assert.deepEqual(noteLines(refusedReport).length, 1);
      assert.match(noteLines(refusedReport).join(), /Not sent: undeclared.com/);
    });
    it("a hidden response header and removed toolkit features are noted with their lines", async () => {
      const report = await go(formula("Uses"));
      assert.equal(value(report), "<next>,9,,9,text/plain,Doc");
      assert.match(report.console[0]?.message ?? "", /^logged false false$/);
      assert.match(report.console[1]?.message ?? "", /"x-total"|x-total: "9"/);
      assert.deepEqual(
        noteLines(report).map((note) => note.split(/[.:] |, /)[0]),
        [
          `${lineOf("context.logger.info")} Use console.log instead of context.logger`,
          `${lineOf("const { link, ")} Expect <<<REDACTED by Superhuman>>> in the response header x-total`,
        ],
      );
    });
    it("a cookie in a response is noted as hidden", async () => {
      const report = await go(formula("SignsInByCookie"));
      assert.match(value(report) as string, /^undefined/);
      assert.deepEqual(noteLines(report), [
        `${lineOf('headers["set-cookie"]')} Use another way to sign in than a cookie. Set-Cookie is hidden from the pack here, and the platform shows packs only headers that it considers safe.`,
      ]);
    });
    it("a 429 is noted as repeated by the platform, also if the run fails", async () => {
      const report = await go(formula("Limited"));
      assert.equal(report.outcome.status, "failed");
      assert.match(
        noteLines(report).join("\n"),
        new RegExp(`^${lineOf("const get = async")} GET https://good.com/429 was answered with 429`),
      );
    });
    it("a platform file requested with the account is noted", async () => {
      const own = await pack(
        packFiles({
          "pack.ts": SOURCE.replace(
            "const { None }",
            "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\nconst { Required: None }",
          ),
        }),
      );
      const account = { scope: "user", credential: { kind: "token", token: "the-token" } } as const;
      const report = await run(own, formula("Files"), [], { fetch: wire.fetch, lookup: wire.lookup, account });
      assert.deepEqual(
        noteLines(report).map((note) => note.split(/\. /)[0]),
        [`${lineOf("const get =") + 1} Set disableAuthentication: true on requests for the platform's own files, as the SDK's samples do`],
      );
      assert.deepEqual(
        report.requests.map(({ credentials }) => credentials),
        [[], []],
      );
    });
    it("a pack's own credential in the place of its users' is noted", async () => {
      const own = await pack(
        packFiles({
          "pack.ts": SOURCE.replace(
            "const { None }",
            'pack.setUserAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: "Authorization", description: "" }] });\nconst { None }',
          ),
        }),
      );
      const report = await run(own, formula("Own"), [], { fetch: wire.fetch, lookup: wire.lookup });
      assert.match(
        noteLines(report).join("\n"),
        /^\d+ The pack sets the header Authorization itself, where the credentials of its users go/,
      );
      assert.deepEqual(noteLines(await go(formula("Own"))), []);
    });
    it("an account whose token endpoint read JSON alone is noted", async () => {
      const source = SOURCE.replace(
        "const { None }",
        'pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://good.com/a", tokenUrl: "https://good.com/t" });\nconst { None }',
      );
      const credential = { kind: "oauth2", accessToken: "the-token" } as const;
      const account = { scope: "user", credential, clientMethod: "json" } as const;
      const options = { fetch: wire.fetch, lookup: wire.lookup, account };
      const report = await run(await pack(packFiles({ "pack.ts": source })), formula("Swallows"), [], options);
      assert.match(noteLines(report).join("\n"), /only as JSON\. The platform is not known to send JSON/);
    });
    it("a swallowed 401 is noted with its line", async () => {
      const [note] = (await go(formula("Swallows"))).platformDifferences;
      assert.match(note?.message ?? "", /GET https:\/\/good\.com\/401 was answered with 401, and the formula continued/);
      assert.equal(note?.location?.line, lineOf("const get ="));
    });
    it("a request that is not awaited is noted", async () => {
      const [note] = (await go(formula("Forgets"))).platformDifferences;
      assert.match(note?.message ?? "", /^Await this request\. The formula returned before it was answered/);
      assert.equal(note?.location?.line, lineOf("const get ="));
    });
  });
});
