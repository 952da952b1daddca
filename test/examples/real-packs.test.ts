// Packs that others wrote, from sign-in to request, in the sandbox. Checkouts are named in TESTS_CORPUS; what needs one that is not
// there says so.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connected } from "../support/connected.ts";
import { notRun } from "../support/not-run.ts";
import { sandboxOfSuite } from "../support/open-packs.ts";
import { run } from "../support/run.ts";
import { removeStubsFiles, writeStubsFile } from "../support/sandbox.ts";

const corpora = (process.env.TESTS_CORPUS ?? "").split(":").filter(Boolean);
const entryOf = (name: string) => corpora.map((folder) => join(folder, "examples", name, "pack.ts")).find((path) => existsSync(path));

describe("Real packs in the sandbox", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(removeStubsFiles);

  const github = entryOf("github");
  if (github === undefined) notRun("the GitHub pack of coda/packs-examples (name a checkout in TESTS_CORPUS)");
  else
    it("GitHub signs in with its token prefix, and its formula and paged table run", async () => {
      const pulls = "https://api.github.com/repos/acme/site/pulls";
      const pull = (number: number) => ({
        id: number,
        number,
        title: `PR ${number}`,
        html_url: `${pulls}/${number}`,
        labels: [{ name: "bug" }],
      });
      const file = writeStubsFile({
        answers: [
          { request: "GET https://api.github.com/user", body: { login: "octocat" } },
          { request: `POST ${pulls}/7/reviews`, body: { id: 1, state: "COMMENTED", body: "Nice" } },
          { request: `GET ${pulls}?page=2`, body: [pull(3)] },
          { request: `GET ${pulls}`, headers: { Link: `<${pulls}?page=2>; rel="next"` }, body: [pull(1), pull(2)] },
        ],
      });
      const { openedPack, savedAccount, account, call, host } = await connected(sandbox, github, { stubsFile: file });
      assert.equal(savedAccount.label, "octocat");
      assert.deepEqual(savedAccount.scopesGranted, ["read:user", "repo"]);
      assert.match(host.openedUrls[0] ?? "", /^http:\/\/127\.0\.0\.1:\d+\/github\.com\/login\/oauth\/authorize\?/);
      assert.deepEqual(
        openedPack.definition.formulas.map(({ name }) => name),
        ["ReviewPullRequest", "UserEmail"],
      );
      const review = await call("ReviewPullRequest", "https://github.com/acme/site/pull/7", "COMMENT", "Nice");
      assert.equal(review.outcome.status, "succeeded", JSON.stringify(review.outcome));
      const [request] = review.requests;
      assert.equal(request?.url, `${pulls}/7/reviews`);
      assert.equal(request?.requestHeaders.authorization, "token ••••");
      assert.deepEqual(request?.credentials, [{ carrier: "Authorization", host: "api.github.com" }]);
      const table = await run(openedPack, { kind: "syncTable", name: "PullRequests" }, ["https://github.com/acme/site"], {
        fetch,
        account,
      });
      assert.equal(table.outcome.status === "succeeded" && table.outcome.rows, 3, JSON.stringify(table.outcome));
      assert.deepEqual(
        table.requests.map(({ url }) => url),
        [`${pulls}?per_page=100`, `${pulls}?page=2`],
      );
    });

  const box = entryOf("box");
  if (box === undefined) notRun("the Box pack of coda/packs-examples (name a checkout in TESTS_CORPUS)");
  else
    it("Box without scopes and answers connects as Sandbox user", async () => {
      const { savedAccount, account } = await connected(sandbox, box);
      assert.equal(savedAccount.label, "Sandbox user");
      assert.equal(account.credential.kind, "oauth2");
    });
});
