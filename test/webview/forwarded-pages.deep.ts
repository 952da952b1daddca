// Pages that the product serves to a browser on another machine: through a forwarding that strips a path, and through one with hosts of its
// own.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { personInBrowser } from "../../cli/mcp/person-page.ts";
import { connected } from "../support/connected.ts";
import { type Forwarding, openForwarding } from "../support/forwarding.ts";
import { sandboxOfSuite } from "../support/open-packs.ts";
import { root } from "../support/packs.ts";
import { openPage, releaseBrowser } from "../support/webview-page.ts";

for (const form of ["path", "host"] as const)
  describe(`Pages behind a forwarding by ${form}`, function () {
    this.timeout(60_000);
    const sandbox = sandboxOfSuite();
    let forwarding: Forwarding;
    before(async () => {
      forwarding = await openForwarding(form);
    });
    after(async () => {
      forwarding.close();
      await releaseBrowser();
    });

    /** Opens the address as the editor's forwarding does, with the same browser each time. */
    const openIn = (page: Page) => async (url: string) => {
      await page.goto(await forwarding.external(url));
      return true;
    };

    it("a sign-in at the sandbox ends on the forwarded redirect page, a second time in the same browser too", async () => {
      const page = await openPage({});
      for (let times = 0; times < 2; times++) {
        const { call } = await connected(sandbox, join(root, "examples/todo-oauth2/pack.ts"), {
          externalAddress: forwarding.external,
          async openBrowser(url) {
            await openIn(page)(url);
            await page.getByRole("button", { name: "Approve" }).click();
            return true;
          },
        });
        // The sign-in ends when the code arrives, which is before the browser shows the answer.
        await page.waitForURL(
          form === "path" ? /^http:\/\/127\.0\.0\.1:\d+\/user\/ada\/proxy\/\d+\/oauth\?/ : /\.hub\.localhost:\d+\/oauth\?/,
        );
        await page.getByRole("heading", { name: "You are signed in" }).waitFor();
        assert.ok(await call("GetTask", "7"));
      }
      await page.context().close();
    });

    it("the page of a question accepts the answer", async () => {
      const page = await openPage({});
      const person = personInBrowser({ openBrowser: openIn(page) });
      const answer = person.ask({ title: "Send POST?", facts: [], warnings: [], agree: "Send" }, new AbortController().signal);
      await page.getByRole("button", { name: "Send" }).click();
      assert.equal(await answer, "agreed");
      await page.getByRole("heading", { name: "This question was answered." }).waitFor();
      await page.context().close();
    });

    if (form === "host")
      it("a host that no sign-in announced is refused by the sandbox", async () => {
        const page = await openPage({});
        const { origin } = await sandbox.register({
          entry: "/x/pack.ts",
          name: "x",
          definition: { networkDomains: ["example.com"], formulas: [], syncTables: [] } as never,
        });
        const response = await page.goto(await forwarding.external(`${origin}/example.com/`));
        assert.equal(response?.status(), 421);
        await page.context().close();
      });
  });
