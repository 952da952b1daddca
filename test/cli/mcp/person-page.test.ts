// Questions to the person on a page of this machine, over real HTTP: who may answer them, and what each answer means.
import assert from "node:assert/strict";
import { request as send } from "node:http";
import { personInBrowser } from "../../../cli/mcp/person-page.ts";
import type { ConsentQuestion } from "../../../operations/consent-question.ts";
import type { Consent, Person, Prompts } from "../../../operations/person.ts";
import { PackAuthError, wholeMessage } from "../../../platform/errors.ts";

const question: ConsentQuestion = {
  title: "Send GET to api.example.com with the account Ada?",
  facts: [
    { label: "Formula", text: "Cities" },
    { label: "Body", text: "one\ntwo" },
  ],
  warnings: ["The answer goes to the agent."],
  agree: "Send",
};

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request with any headers, which fetch does not allow. */
function request(address: string, options: { method?: string; headers?: object; body?: string; path?: string } = {}): Promise<Reply> {
  const url = new URL(address);
  return new Promise((resolve, reject) => {
    const headers = { "content-length": Buffer.byteLength(options.body ?? ""), ...options.headers };
    const path = options.path ?? url.pathname + url.search;
    const outgoing = send({ host: "127.0.0.1", port: url.port, path, method: options.method ?? "GET", headers }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    outgoing.on("error", reject).end(options.body);
  });
}

const formToken = (page: string): string => /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";

const formHeaders = (address: string): Record<string, string> => ({
  origin: new URL(address).origin,
  "sec-fetch-site": "same-origin",
  "content-type": "application/x-www-form-urlencoded",
});

const post = (address: string, fields: Readonly<Record<string, string>>, headers: object = {}): Promise<Reply> =>
  request(address, { method: "POST", headers: { ...formHeaders(address), ...headers }, body: new URLSearchParams(fields).toString() });

/** Presses a button of the page, as a browser does, and returns the page that follows. */
async function press(address: string, action: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const { text } = await request(address);
  const reply = await post(address, { token: formToken(text), action, ...fields });
  assert.equal(reply.status, 303);
  assert.equal(new URL(String(reply.headers.location), address).href, address);
  return (await request(address)).text;
}

/** A person whose browser records the addresses that it opens. */
function openPerson(timeLimit?: number) {
  const addresses: string[] = [];
  let onOpen: ((address: string) => void) | undefined;
  const person = personInBrowser({
    async openBrowser(url) {
      addresses.push(url);
      onOpen?.(url);
      return true;
    },
    ...(timeLimit === undefined ? {} : { timeLimit, promptTimeLimit: timeLimit }),
  });
  /** Resolves to the n-th address that was opened. */
  const address = async (index = 0): Promise<string> => {
    while (addresses[index] === undefined)
      await new Promise<void>((resolve) => {
        onOpen = () => resolve();
      });
    return addresses[index];
  };
  return { person, addresses, address };
}

const { signal: never } = new AbortController();

/** Opens a question, and refuses it after the test. */
async function withQuestion(work: (address: string, answer: Promise<Consent>) => Promise<void>, shown = question): Promise<void> {
  const { person, address } = openPerson();
  const ending = new AbortController();
  const answer = person.ask(shown, ending.signal);
  try {
    await work(await address(), answer);
  } finally {
    ending.abort();
  }
}

/** Waits until a page contains the text, as its own reloads do. */
async function pageWith(address: string, text: string): Promise<string> {
  for (;;) {
    const reply = await request(address);
    if (reply.text.includes(text)) return reply.text;
    const next = /content="1; url=([^"]+)"/.exec(reply.text)?.[1];
    assert.ok(next, `the page does not reload itself:\n${reply.text}`);
    const later = await request(new URL(next, address).href);
    if (later.text.includes(text)) return later.text;
  }
}

/** Waits until nothing listens at the address. */
async function waitUntilClosed(address: string): Promise<void> {
  for (;;) {
    try {
      await request(address);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ECONNREFUSED") return;
      // The listener closes its connections when it ends.
      assert.equal(code, "ECONNRESET");
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe("the person's answer on a page in the browser", () => {
  it("the address is on 127.0.0.1 and has a token of 32 random bytes", () =>
    withQuestion(async (address) => {
      assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/);
    }));

  it("the button that agrees is the only way to agree, and the address is dead when the agent has left", async () => {
    const { person, address } = openPerson();
    const answer = person.ask(question, never);
    const page = await press(await address(), "answer");
    assert.equal(await answer, "agreed");
    assert.match(page, /<h1>This question was answered\.<\/h1>/);
    assert.equal(formToken(page), "");
    person.close();
    await waitUntilClosed(await address());
  });

  it("the button that refuses refuses", async () => {
    const { person, address } = openPerson();
    const answer = person.ask(question, never);
    assert.match(await press(await address(), "cancel"), /This question was answered\./);
    assert.equal(await answer, "refused");
  });

  it("an unknown button answers nothing", () =>
    withQuestion(async (address, answer) => {
      for (const action of ["", "back", "yes"]) assert.match(await press(address, action), /Do not allow/);
      await press(address, "answer");
      assert.equal(await answer, "agreed");
    }));

  it("no answer within the time limit is no consent, and the page says so", async () => {
    const { person, address } = openPerson(50);
    const answer = person.ask(question, never);
    assert.equal(await answer, "unanswered");
    assert.match((await request(await address())).text, /This question is no longer asked\./);
  });

  it("an abort ends the question at once, and the form of the page is not accepted any more", async () => {
    const { person, address } = openPerson();
    const ending = new AbortController();
    const answer = person.ask(question, ending.signal);
    const token = formToken((await request(await address())).text);
    ending.abort();
    assert.equal(await answer, "unanswered");
    const reply = await post(await address(), { token, action: "answer" });
    assert.equal(reply.status, 403);
    assert.match(reply.text, /This question is no longer asked\./);
  });

  it("two questions at once are on one page, the second after the first", async () => {
    const { person, address, addresses } = openPerson();
    const first = person.ask(question, never);
    const second = person.ask({ ...question, title: "And this?" }, never);
    const ending = new AbortController();
    const third = person.ask(question, ending.signal);
    ending.abort();
    assert.equal(await third, "unanswered", "a queued question ends with its signal");
    assert.match((await request(await address())).text, /Send GET/);
    assert.equal(addresses.length, 1);
    await press(await address(), "cancel");
    await pageWith(await address(), "And this?");
    await press(await address(), "answer");
    assert.deepEqual(await Promise.all([first, second]), ["refused", "agreed"]);
    assert.equal(addresses.length, 1);
  });

  it("a later question appears on the page that is open, and opens it again if its tab was closed", async () => {
    const { person, address, addresses } = openPerson();
    const first = person.ask(question, never);
    const page = await press(await address(), "answer");
    assert.equal(await first, "agreed");
    const next = new URL(/content="1; url=([^"]+)"/.exec(page)?.[1] ?? assert.fail(page), await address());
    const waiting = request(next.href);
    const second = person.ask({ ...question, title: "And this?" }, never);
    await waiting;
    await pageWith(await address(), "And this?");
    const last = await press(await address(), "cancel");
    assert.deepEqual([await second, addresses.length], ["refused", 1]);
    const poll = send(new URL(/content="1; url=([^"]+)"/.exec(last)?.[1] ?? assert.fail(last), await address()));
    poll.on("error", () => {}).end();
    await request(await address(), { path: "/" });
    poll.destroy();
    await request(await address(), { path: "/" });
    const third = person.ask(question, never);
    assert.equal(await address(1), await address());
    await press(await address(), "cancel");
    assert.equal(await third, "refused");
  });

  for (const [name, openBrowser] of Object.entries({
    "returns false": async () => false,
    throws: async (url: string) => Promise.reject(new Error(`spawn failed: ${url}`)),
  }))
    it(`a browser that ${name} makes the person unreachable, without the address in the error`, async () => {
      let address = "";
      const person = personInBrowser({
        openBrowser(url) {
          address = url;
          return openBrowser(url);
        },
      });
      for (const attempt of [() => person.ask(question, never), () => person.withPrompts(question, async () => assert.fail())])
        await assert.rejects(attempt, (error) => {
          assert.ok(error instanceof PackAuthError);
          assert.equal(error.code, "person-unreachable");
          assert.match(wholeMessage(error), /pack-auth connect in a terminal/);
          assert.equal(error.cause, undefined);
          return true;
        });
      assert.match((await request(address)).text, /asks nothing more/);
    });
});

describe("requests to the page of a question", () => {
  const refusals: Readonly<Record<string, readonly [number, (address: string, token: string) => Promise<Reply>]>> = {
    "another path": [404, (address) => request(address, { path: "/" })],
    "a longer path": [404, (address) => request(`${address}/`)],
    "a whole URL as the target": [404, (address) => request(address, { path: address })],
    "a token with another last character": [404, (address) => request(address.replace(/.$/, (last) => (last === "A" ? "B" : "A")))],
    "the method PUT": [405, (address) => request(address, { method: "PUT", headers: formHeaders(address) })],
    "the method HEAD": [405, (address) => request(address, { method: "HEAD" })],
    "no Origin": [
      403,
      (address, token) => {
        const { origin: _, ...headers } = formHeaders(address);
        return request(address, { method: "POST", headers, body: `token=${token}&action=answer` });
      },
    ],
    "the Origin null": [403, (address, token) => post(address, { token, action: "answer" }, { origin: "null" })],
    "the Origin localhost": [
      403,
      (address, token) => post(address, { token, action: "answer" }, { origin: `http://localhost:${new URL(address).port}` }),
    ],
    "the Origin of another port": [403, (address, token) => post(address, { token, action: "answer" }, { origin: "http://127.0.0.1:1" })],
    "a cross-site submission": [403, (address, token) => post(address, { token, action: "answer" }, { "sec-fetch-site": "cross-site" })],
    "a same-site submission": [403, (address, token) => post(address, { token, action: "answer" }, { "sec-fetch-site": "same-site" })],
    "another content type": [415, (address, token) => post(address, { token, action: "answer" }, { "content-type": "text/plain" })],
    "a body over 64 KB": [413, (address, token) => post(address, { token, action: "answer", text: "a".repeat(64 * 1024) })],
    "no form token": [403, (address) => post(address, { action: "answer" })],
    "another form token": [
      403,
      (address, token) => post(address, { token: token.replace(/^./, (first) => (first === "A" ? "B" : "A")), action: "answer" }),
    ],
    "the form token in the URL": [403, (address, token) => post(`${address}?token=${token}`, { action: "answer" })],
  };
  for (const [name, [status, attempt]] of Object.entries(refusals))
    it(`a request is refused and answers nothing: ${name}`, () =>
      withQuestion(async (address, answer) => {
        const { text } = await request(address);
        const reply = await attempt(address, formToken(text));
        assert.equal(reply.status, status);
        if (status !== 403) assert.ok(!reply.text.includes("Send GET"));
        await press(address, "cancel");
        assert.equal(await answer, "refused");
      }));

  it("a GET changes nothing, whatever its query says", () =>
    withQuestion(async (address, answer) => {
      const token = formToken((await request(address)).text);
      const reply = await request(`${address}?token=${token}&action=answer`);
      assert.equal(formToken(reply.text), token, "the person may reload the page");
      await press(address, "cancel");
      assert.equal(await answer, "refused");
    }));

  it("a form token is accepted once", () =>
    withQuestion(async (address) => {
      const token = formToken((await request(address)).text);
      assert.equal((await post(address, { token, action: "unknown" })).status, 303);
      assert.equal((await post(address, { token, action: "answer" })).status, 403);
    }));

  it("a form without Sec-Fetch-Site is accepted, as from an old browser", () =>
    withQuestion(async (address, answer) => {
      const { "sec-fetch-site": _, ...headers } = formHeaders(address);
      const token = formToken((await request(address)).text);
      assert.equal((await request(address, { method: "POST", headers, body: `token=${token}&action=answer` })).status, 303);
      assert.equal(await answer, "agreed");
    }));

  it("the headers forbid scripts, frames, other forms and copies", () =>
    withQuestion(async (address) => {
      const { headers } = await request(address);
      assert.equal(headers["cache-control"], "no-store");
      assert.match(String(headers["content-security-policy"]), /default-src 'none'.*frame-ancestors 'none'; form-action 'self'/);
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.equal(headers["x-frame-options"], "DENY");
      assert.equal(headers["referrer-policy"], "same-origin");
    }));
});

/** Fails unless the page has one heading of the first level, and a label for each visible input. */
function assertAccessible(page: string): void {
  assert.equal(page.match(/<h1>/g)?.length, 1);
  assert.match(page, /<html lang="en">/);
  for (const [input] of page.matchAll(/<input [^>]*>/g)) {
    if (/type="(?:hidden|radio)"/.test(input)) continue;
    assert.ok(page.includes(`<label for="${/id="(\w+)"/.exec(input)?.[1]}">`), input);
  }
  for (const [radio] of page.matchAll(/[^>]*>\s*<input type="radio"/g)) assert.match(radio, /label/);
}

describe("the text on the person's page", () => {
  it("a question is a heading, facts and warnings, with the refusal as the first button", () =>
    withQuestion(async (address) => {
      const { text } = await request(address);
      assertAccessible(text);
      assert.match(text, /<title>Send GET to api\.example\.com with the account Ada\?<\/title>/);
      assert.match(text, /<dl><dt>Formula<\/dt><dd>Cities<\/dd><dt>Body<\/dt><dd>one\ntwo<\/dd><\/dl>/);
      assert.match(text, /<ul [^>]*role="list"[^>]*><li>The answer goes to the agent\.<\/li><\/ul>/);
      assert.deepEqual(
        [...text.matchAll(/<button[^>]*>([^<]*)/g)].map(([, label]) => label),
        ["Do not allow", "Send"],
      );
      assert.doesNotMatch(text, /<script|<a /);
    }));

  it("markup, links and control characters remain text", () => {
    const hostile = '<img src=x onerror=alert(1)>"><a href="https://evil.example">x</a>\u001b[2J\u202e\u0000';
    return withQuestion(
      async (address) => {
        const { text } = await request(address);
        assert.doesNotMatch(text, /<img|<a |\p{Bidi_Control}/u);
        assert.ok(!text.includes("\u001b") && !text.includes("\0"));
        assert.equal(text.match(/&lt;img src=x onerror=alert\(1\)&gt;&quot;&gt;/g)?.length, 6);
        assert.equal(text.match(/\\u001b\[2J\\u202e\\u0000/g)?.length, 6);
      },
      { title: hostile, facts: [{ label: hostile, text: hostile }], warnings: [hostile], agree: hostile },
    );
  });
});

describe("prompts on the person's page", () => {
  const notice: ConsentQuestion = {
    title: "Connect an account for your agent?",
    facts: [{ label: "Pack", text: "pack.ts" }],
    warnings: ["What you enter goes to api.example.com."],
    agree: "Connect",
  };
  const prompt = { title: "Sign in to Cities", prompt: "API token" };

  /** Runs prompts, with the address of their tab. */
  async function withPrompts<T>(
    work: (prompts: Prompts) => Promise<T>,
    act: (address: string) => Promise<void>,
    { person, address }: { person: Person; address(): Promise<string> } = openPerson(),
  ): Promise<T | undefined> {
    const result = person.withPrompts(notice, work);
    result.catch(() => {});
    await act(await address());
    return result;
  }

  it("each prompt shows the notice and the step, in one tab that reloads itself between prompts", async () => {
    const { person, address, addresses } = openPerson();
    const steps = [1, 2].map((step) => ({ ...prompt, prompt: `Value ${step}`, step, totalSteps: 2 }));
    let resume = (): void => {};
    const answers = await withPrompts(
      async ({ prompter }) => {
        const first = await prompter.input(steps[0] ?? prompt);
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
        return [first, await prompter.input(steps[1] ?? prompt)];
      },
      async (tab) => {
        const page = await pageWith(tab, "Value 1");
        assertAccessible(page);
        assert.match(page, /Step 1 of 2/);
        assert.match(page, /<h1>Connect an account for your agent\?<\/h1>/);
        assert.match(page, /What you enter goes to api\.example\.com\./);
        assert.doesNotMatch(page, /http-equiv="refresh"/, "a form stays as the person fills it");
        const waiting = await press(tab, "answer", { text: "one" });
        assertAccessible(waiting);
        assert.match(waiting, /role="status">Wait for the next step\./);
        assert.match(waiting, /What you enter goes to api\.example\.com\./);
        const next = pageWith(tab, "Value 2");
        resume();
        assert.match(await next, /Step 2 of 2/);
        assert.match(await press(tab, "answer", { text: "two" }), /Pack Auth has what it needs\..*Go back to your agent/s);
      },
      { person, address },
    );
    assert.deepEqual(answers, ["one", "two"]);
    assert.equal(addresses.length, 1);
  });

  it("a value that is not valid shows why at the field, and keeps what was typed", async () => {
    const validate = (value: string): string | undefined => (value === "good" ? undefined : "Enter a good value.");
    const answer = await withPrompts(
      ({ prompter }) => prompter.input({ ...prompt, value: "first", placeholder: "abc", validate }),
      async (tab) => {
        assert.match(await pageWith(tab, "API token"), /placeholder="abc" value="first"/);
        const page = await press(tab, "answer", { text: 'b"ad' });
        assertAccessible(page);
        assert.match(page, /value="b&quot;ad" aria-describedby="problem" aria-invalid="true"/);
        assert.match(page, /id="problem"[^>]*>Enter a good value\./);
        await press(tab, "answer", { text: "good" });
      },
    );
    assert.equal(answer, "good");
  });

  it("a secret is in no page, neither the stored one nor the one that was typed", async () => {
    const pages: string[] = [];
    const validate = (value: string): string | undefined => (value.startsWith("canary-bad") ? "Not this one." : undefined);
    const answers = await withPrompts(
      async ({ prompter }) => [
        await prompter.input({ ...prompt, secret: true, value: "canary-stored", validate }),
        await prompter.input({ ...prompt, prompt: "Again", secret: true, value: "canary-stored" }),
      ],
      async (tab) => {
        pages.push(await pageWith(tab, "API token"));
        pages.push(await press(tab, "answer", { text: "canary-bad" }));
        assert.match(pages[1] ?? "", /type="password" autocomplete="off"[^>]*aria-describedby="problem former"/);
        pages.push(await press(tab, "answer", { text: "canary-new" }), await pageWith(tab, "Again"));
        pages.push(await press(tab, "answer", { text: "" }));
      },
    );
    assert.deepEqual(answers, ["canary-new", "canary-stored"]);
    assert.ok(!pages.join("").includes("canary"));
  });

  it("Back calls back, and Cancel does not; without `back` there is no such button", async () => {
    let backs = 0;
    const back = (): void => void backs++;
    const answers = await withPrompts(
      async ({ prompter }) => [
        await prompter.input({ ...prompt, prompt: "First", back }),
        await prompter.input({ ...prompt, prompt: "Second", back }),
        await prompter.input({ ...prompt, prompt: "Third" }),
      ],
      async (tab) => {
        await pageWith(tab, "First");
        await press(tab, "back", { text: "lost" });
        await pageWith(tab, "Second");
        await press(tab, "cancel");
        const page = await pageWith(tab, "Third");
        assert.doesNotMatch(page, /value="back"/);
        assert.match(await press(tab, "back"), /Third/);
        assert.match(await press(tab, "cancel"), /Pack Auth asks nothing more\./);
      },
    );
    assert.deepEqual([answers, backs], [[undefined, undefined, undefined], 1]);
  });

  it("a choice is a group of labelled items, and needs one of them", async () => {
    const items = [
      { label: "Copy", value: "copy" },
      { label: "Open", description: "in a browser", detail: "now", value: "open" },
    ] as const;
    const answer = await withPrompts(
      ({ prompter }) => prompter.pick({ title: "Sign in", placeholder: "What next?", items }),
      async (tab) => {
        const page = await pageWith(tab, "What next?");
        assertAccessible(page);
        assert.match(page, /<fieldset><legend>What next\?<\/legend>/);
        for (const choice of [{}, { choice: "" }, { choice: "2" }, { choice: "open" }])
          assert.match(await press(tab, "answer", choice), /aria-describedby="problem".*Choose one of these\./s);
        await press(tab, "answer", { choice: "1" });
      },
    );
    assert.equal(answer, "open");
  });

  it("a text to copy is read-only, and a link is text", async () => {
    await withPrompts(
      ({ prompter }) =>
        prompter.input({
          ...prompt,
          copy: { label: "Copy the redirect address", text: "http://localhost:3000/oauth" },
          link: { label: "Where to find it", url: "https://acme.example/" },
        }),
      async (tab) => {
        const page = await pageWith(tab, "API token");
        assertAccessible(page);
        assert.match(page, /readonly value="http:\/\/localhost:3000\/oauth"/);
        assert.match(page, /<p>Where to find it: https:\/\/acme\.example\/<\/p>/);
        assert.doesNotMatch(page, /<a /);
        await press(tab, "cancel");
      },
    );
  });

  it("a sign-in in another tab: the page says so, shows the actions meanwhile, and follows when it is over", async () => {
    const { person, address, addresses } = openPerson();
    const arrived = new AbortController();
    const answer = await withPrompts(
      async ({ prompter, openBrowser }) => {
        assert.equal(await openBrowser("https://provider.example/authorize"), true);
        await new Promise((resolve) => setTimeout(resolve, 100));
        return prompter.pick({
          title: "Sign in",
          placeholder: "Waiting for the browser.",
          items: [{ label: "Open the browser again", value: "open" }],
          progress: "Waiting…",
          signal: arrived.signal,
        });
      },
      async (tab) => {
        await pageWith(tab, "The sign-in continues in another tab.");
        const page = await pageWith(tab, "Open the browser again");
        assert.match(page, /http-equiv="refresh"/);
        const end = pageWith(tab, "Pack Auth has what it needs.");
        arrived.abort();
        await end;
      },
      { person, address },
    );
    assert.equal(answer, undefined);
    assert.equal(addresses[1], "https://provider.example/authorize");
  });

  it("a browser that does not open for the sign-in is reported to the work", async () => {
    let opened = 0;
    const person = personInBrowser({
      async openBrowser() {
        if (opened++ > 0) throw new Error("no browser");
        return true;
      },
    });
    assert.equal(await person.withPrompts(notice, ({ openBrowser }) => openBrowser("https://provider.example/")), false);
  });

  it("no answer within the time limit, and an abort, are no answer", async () => {
    const { person } = openPerson(50);
    const items = [{ label: "A", value: "a" }];
    const answers = await person.withPrompts(notice, async ({ prompter }) => [
      await prompter.input(prompt),
      await prompter.pick({ title: "T", placeholder: "P", items }),
      await prompter.input({ ...prompt, signal: AbortSignal.abort() }),
    ]);
    assert.deepEqual(answers, [undefined, undefined, undefined]);
  });

  it("work that throws closes the page, and an open prompt ends", async () => {
    const { person, address } = openPerson();
    let open: Promise<string | undefined> | undefined;
    await assert.rejects(
      person.withPrompts(notice, async ({ prompter }) => {
        open = prompter.input(prompt);
        throw new Error("broken");
      }),
      /broken/,
    );
    assert.equal(await open, undefined);
    assert.match((await request(await address())).text, /Pack Auth asks nothing more\./);
  });
});
