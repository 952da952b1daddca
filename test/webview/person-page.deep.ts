// The page of a question to the person in a real browser: with the keyboard alone, in dark and light, and between prompts.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { personInBrowser } from "../../cli/mcp/person-page.ts";
import type { ConsentQuestion } from "../../operations/consent-question.ts";
import type { Person } from "../../operations/person.ts";
import { root } from "../support/packs.ts";
import { openPage, releaseBrowser } from "../support/webview-page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const question: ConsentQuestion = {
  title: "Send POST to api.example.com with the account Ada?",
  facts: [
    { label: "Formula", text: "AddCity" },
    { label: "URL", text: "https://api.example.com/v1/cities?country=norway&units=metric" },
    { label: "Body", text: '{\n  "name": "Bergen",\n  "token": "•••"\n}' },
  ],
  warnings: ["The answer goes to the agent.", "The pack has changed since you last agreed."],
  agree: "Send",
};
const notice: ConsentQuestion = {
  title: "Connect an account of Cities for your agent?",
  facts: [
    { label: "Pack", text: "packs/cities/pack.ts" },
    { label: "Hosts", text: "api.example.com\nauth.example.com" },
  ],
  warnings: ["An agent started this. What you enter goes to these hosts."],
  agree: "Connect",
};
const { signal } = new AbortController();

describe("The page of a question to the person", function () {
  this.timeout(60_000);
  after(releaseBrowser);

  /** A person whose browser is a new page. */
  function openPerson(): { readonly person: Person; readonly page: Promise<Page> } {
    let opened = (_: Page): void => {};
    const page = new Promise<Page>((resolve) => {
      opened = resolve;
    });
    const person = personInBrowser({
      async openBrowser(url) {
        const tab = await openPage({ viewport: { width: 480, height: 640 } });
        await tab.goto(url, { waitUntil: "commit" });
        opened(tab);
        return true;
      },
    });
    return { person, page };
  }

  /** Waits until a waiting page has requested what follows. The form of such a page is sent to the same address, but with POST. */
  const waitUntilPending = (page: Page): Promise<unknown> =>
    page.waitForRequest((request) => request.method() === "GET" && request.url().includes("?after="));
  const focusedText = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");

  it("Tab reaches the refusal first, and Enter there refuses", async () => {
    const { person, page } = openPerson();
    const answer = person.ask(question, signal);
    const tab = await page;
    await tab.getByRole("button", { name: "Send" }).waitFor();
    await tab.keyboard.press("Enter");
    await tab.keyboard.press("Tab");
    assert.equal(await focusedText(tab), "Do not allow");
    await tab.keyboard.press("Enter");
    assert.equal(await answer, "refused");
    await tab.getByRole("heading", { name: "This question was answered." }).waitFor();
    await tab.close();
  });

  it("Tab reaches the button that agrees next, with a visible focus, and Enter there agrees", async () => {
    const { person, page } = openPerson();
    const answer = person.ask(question, signal);
    const tab = await page;
    await tab.getByRole("button", { name: "Send" }).waitFor();
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("Tab");
    assert.equal(await focusedText(tab), "Send");
    assert.equal(await tab.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle), "solid");
    await tab.keyboard.press("Enter");
    assert.equal(await answer, "agreed");
    await tab.close();
  });

  it("a whole sign-in runs in one tab with the keyboard alone, and the tab follows each step by itself", async () => {
    const { person, page } = openPerson();
    const arrived = new AbortController();
    const answers = person.withPrompts(notice, async ({ prompter }) => {
      const token = await prompter.input({
        title: "Sign in",
        prompt: "Token",
        secret: true,
        validate: (text) => (text ? undefined : "Enter a token."),
      });
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const items = [
        { label: "Copy", value: "copy" },
        { label: "Open", value: "open" },
      ];
      const choice = await prompter.pick({ title: "Sign in", placeholder: "What next?", items });
      const meanwhile = { title: "Sign in", placeholder: "Waiting.", items, progress: "Waiting…", signal: arrived.signal };
      return [token, choice, await prompter.pick(meanwhile), await prompter.pick(meanwhile)];
    });
    const tab = await page;
    await tab.getByLabel("Token").focus();
    await tab.keyboard.press("Enter");
    await tab.getByRole("alert").getByText("Enter a token.").waitFor();
    await tab.keyboard.press("Tab");
    await tab.keyboard.type("t0ken");
    await tab.keyboard.press("Enter");
    await tab.getByRole("group", { name: "What next?" }).waitFor();
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("ArrowDown");
    await tab.keyboard.press("Enter");
    // While its request is pending, the page can be used, but the browser evaluates no script of a test.
    await waitUntilPending(tab);
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("Space");
    await tab.keyboard.press("Enter");
    await waitUntilPending(tab);
    arrived.abort();
    await tab.getByRole("heading", { name: "Pack Auth has what it needs." }).waitFor();
    assert.deepEqual(await answers, ["t0ken", "open", "copy", undefined]);
    await tab.close();
  });

  const prompt = { title: "Sign in to Cities", step: 1, totalSteps: 2, back: () => {} };
  /** What each page asks, and a part of its HTML. */
  const pages: Readonly<Record<string, readonly [string, (person: Person, ending: AbortSignal) => Promise<unknown>]>> = {
    consent: ["<button", (person, ending) => person.ask(question, ending)],
    waiting: [
      'role="status"',
      (person, ending) =>
        person.withPrompts(notice, () => new Promise<void>((resolve) => ending.addEventListener("abort", () => resolve()))),
    ],
    input: [
      'id="text"',
      (person, ending) =>
        person.withPrompts(notice, ({ prompter }) =>
          prompter.input({
            ...prompt,
            prompt: "Client ID from the provider's developer settings",
            placeholder: "Client ID",
            copy: { label: "Copy the redirect address", text: "http://localhost:3000/oauth" },
            link: { label: "Where to find it", url: "https://provider.example/settings/applications" },
            signal: ending,
          }),
        ),
    ],
    problem: [
      'id="problem"',
      (person, ending) =>
        person.withPrompts(notice, ({ prompter }) =>
          prompter.input({
            ...prompt,
            prompt: "Client secret",
            secret: true,
            value: "former",
            validate: () => "This is the client ID.",
            signal: ending,
          }),
        ),
    ],
    pick: [
      "<fieldset",
      (person, ending) =>
        person.withPrompts(notice, ({ prompter }) =>
          prompter.pick({
            title: "Sign in to Cities",
            placeholder: "Redirect address to register at the provider: http://localhost:3000/oauth",
            items: [
              { label: "Open the browser", description: "to sign in", detail: "The provider must know this address.", value: "open" },
              { label: "Copy the redirect address", value: "copy" },
            ],
            signal: ending,
          }),
        ),
    ],
  };

  /** Returns the HTML of a page. Without its reload, the browser evaluates scripts at any time. */
  async function htmlOf([part, ask]: (typeof pages)[string]): Promise<string> {
    const ending = new AbortController();
    let opened = (_: string): void => {};
    const address = new Promise<string>((resolve) => {
      opened = resolve;
    });
    const person = personInBrowser({
      async openBrowser(url) {
        opened(url);
        return true;
      },
    });
    const work = ask(person, ending.signal);
    const url = await address;
    let html = await (await fetch(url)).text();
    while (!html.includes(part)) {
      const token = /name="token" value="([^"]+)"/.exec(html)?.[1];
      const next = token === undefined ? `${url}${/url=([^"]+)/.exec(html)?.[1]}` : url;
      const body = new URLSearchParams({ token: token ?? "", action: "answer" });
      html = await (
        await fetch(next, token === undefined ? {} : { method: "POST", headers: { origin: new URL(url).origin }, body })
      ).text();
    }
    ending.abort();
    await work;
    return html.replace(/<meta http-equiv="refresh"[^>]*>/, "");
  }

  for (const [name, shape] of Object.entries(pages))
    it(`the page is styled in dark and light, and accessible: ${name}`, async () => {
      mkdirSync(join(root, "test-results"), { recursive: true });
      const html = await htmlOf(shape);
      const looks: string[] = [];
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await openPage({ colorScheme, viewport: { width: 480, height: 640 } });
        await page.setContent(html);
        looks.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
        await page.screenshot({ path: join(root, `test-results/person-page-${name}-${colorScheme}.png`), fullPage: true });
        assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 480, "nothing is cut off");
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
