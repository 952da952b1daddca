// The pages of a sign-in in a real browser: the sandbox's question and the page where it ends, dark and light as the person has it.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { listenForRedirect } from "../../platform/oauth/loopback-listener.ts";
import { approvalPage, refusalPage } from "../../platform/sandbox/approval-page.ts";
import { root } from "../support/packs.ts";
import { openPage, releaseBrowser } from "../support/webview-page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("Browser pages of a sign-in", function () {
  this.timeout(30_000);
  after(releaseBrowser);

  /** Ends a sign-in with the answer, as a provider's redirect does. */
  async function end(page: Page, query: string): Promise<void> {
    const listener = await listenForRedirect({ host: "127.0.0.1", port: 0, path: "/oauth" });
    const callback = listener.wait("s", {});
    await page.goto(`${listener.redirectUri}?${query}&state=s`);
    await callback;
  }
  const html = (text: string) => (page: Page) => page.setContent(text);
  const pages: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    consent: html(approvalPage({ packName: "todo", provider: "github.com", scopes: ["read:user", "repo"] })),
    refused: html(refusalPage("invalid_client.", "Nobody knows this client.")),
    done: (page) => end(page, "code=1"),
    denied: (page) => end(page, "error=access_denied"),
  };

  for (const [name, open] of Object.entries(pages))
    it(`the page is styled in dark and light, and accessible: ${name}`, async () => {
      mkdirSync(join(root, "test-results"), { recursive: true });
      const looks: string[] = [];
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await openPage({ colorScheme, viewport: { width: 400, height: 500 } });
        await open(page);
        looks.push(
          await page.evaluate(() => `${getComputedStyle(document.body).backgroundColor} ${getComputedStyle(document.body).color}`),
        );
        await page.screenshot({ path: join(root, `test-results/browser-page-${name}-${colorScheme}.png`) });
        assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400, "nothing is cut off");
        await page.evaluate(axe);
        const { violations } = (await page.evaluate("axe.run()")) as {
          violations: readonly { id: string; nodes: readonly { html: string }[] }[];
        };
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
          [],
        );
        await page.close();
      }
      assert.notEqual(looks[0], looks[1]);
    });
});
