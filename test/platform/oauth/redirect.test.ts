// How the browser comes back: to the listener, through a tunnel, into the editor, or by an address that a person pastes; and how a
// sign-in ends that does not come back.
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { signInWithBrowser } from "../../../platform/connect/flows/authorization-code.ts";
import type { FlowContext } from "../../../platform/connect/flows/flow.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import type { EditorAddress } from "../../../platform/host.ts";
import { readPasted } from "../../../platform/oauth/callback.ts";
import { listenForRedirect } from "../../../platform/oauth/loopback-listener.ts";
import { portOwner } from "../../../platform/oauth/port-owner.ts";
import { addressToRegister, DEFAULT_REDIRECT, receiveInEditor, withForwardedPort } from "../../../platform/oauth/receiver.ts";
import { type FlowOptions, flowContext } from "../../support/flow-context.ts";
import { makeHost, type TestHost, type TestHostOptions } from "../../support/platform-host.ts";
import { RUNS } from "../../support/runs.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

const REDIRECT = "http://localhost:3000/oauth";

/** Like the editor: told of every address that it is opened with. */
function editor(): EditorAddress & { open(uri: string): readonly boolean[]; readonly listeners: Set<(uri: string) => boolean> } {
  const listeners = new Set<(uri: string) => boolean>();
  return {
    listeners,
    address: async () => "vscode://pack-auth.pack-auth/oauth",
    onOpened(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open: (uri) => [...listeners].map((listener) => listener(uri)),
  };
}

describe("The redirect of a sign-in", () => {
  let server: TokenServer;
  before(async () => {
    server = await openTokenServer();
  });
  after(() => server.close());
  beforeEach(() => {
    server.reset();
    server.responses = [{ body: '{"access_token":"the-access-token"}' }];
  });

  const context = (host: TestHost, more: FlowOptions = {}): FlowContext & { readonly remembered: string[] } => {
    const remembered: string[] = [];
    const context = flowContext(server, { host, client: { rememberRedirect: async (address) => void remembered.push(address) }, ...more });
    return { ...context, remembered: remembered as never } as FlowContext & { readonly remembered: string[] };
  };
  const answering = (more: TestHostOptions = {}) => makeHost({ ...more, replies: { "edirect address": "open", ...more.replies } });
  const stateIn = (url: string): string => new URL(url).searchParams.get("state") ?? "";
  const redirectIn = (url: string): string => new URL(url).searchParams.get("redirect_uri") ?? "";
  const sentRedirect = (): string | null => new URLSearchParams(server.received[0]?.body).get("redirect_uri");

  it("auth-spec 5.5.3: the address to register is shown, and can be copied, before the browser opens", async () => {
    const host = makeHost({ replies: { "Redirect address to register": ["copy", "open"] } });
    const signedIn = await signInWithBrowser(context(host));
    assert.equal(signedIn?.credential.kind, "oauth2");
    const [authorizationUrl = ""] = host.openedUrls;
    assert.deepEqual(host.copied, [redirectIn(authorizationUrl)]);
    assert.match(host.prompts[0] ?? "", /^Redirect address to register at the provider: http:\/\/localhost:\d+\/oauth$/);
    assert.equal(sentRedirect(), redirectIn(authorizationUrl), "the exchange names the same address (RFC 6749, 4.1.3)");
  });

  it("auth-spec 5.5.3: a changed address is reported, and remembered once it worked", async () => {
    const changedContext = context(answering(), { lastRedirect: REDIRECT });
    await signInWithBrowser(changedContext);
    assert.match(
      (changedContext.host as TestHost).prompts[0] ?? "",
      /The redirect address changed: register http:\/\/localhost:\d+\/oauth at the provider/,
    );
    assert.ok((changedContext.host as TestHost).offered.includes("At the last sign-in it was http://localhost:3000/oauth."));
    assert.deepEqual(changedContext.remembered, [redirectIn((changedContext.host as TestHost).openedUrls[0] ?? "")]);
    server.responses = [{ status: 400, body: '{"error":"invalid_grant"}' }];
    const failing = context(answering());
    await assert.rejects(async () => signInWithBrowser(failing));
    assert.deepEqual(failing.remembered, []);
  });

  it("the browser's last address can be pasted, with the same checks and exchange", async () => {
    let host: TestHost;
    const problems: string[] = [];
    const pasting = answering({ decision: "ignore", replies: { "Waiting for the browser": "paste" } });
    host = {
      ...pasting,
      prompter: {
        ...pasting.prompter,
        async input({ prompt, secret, validate }) {
          assert.match(prompt, /Paste the address/);
          assert.equal(secret, true, "the address holds the code");
          const [authorizationUrl = ""] = host.openedUrls;
          const back = (parameters: Record<string, string>, base = redirectIn(authorizationUrl)) =>
            `${base}?${new URLSearchParams(parameters)}`;
          const state = stateIn(authorizationUrl);
          for (const wrong of [
            "",
            "the-code",
            back({ code: "c", state: "another" }),
            back({ code: "c" }),
            back({ state }),
            back({ code: "c", state }, "https://evil.example/oauth"),
            back({ code: "c", state }, `${redirectIn(authorizationUrl)}/x`),
            back({ code: "c", state }, `${redirectIn(authorizationUrl)}/`),
            back({}, redirectIn(authorizationUrl)).replace("?", "#code=c"),
          ])
            problems.push(validate?.(wrong) ?? `${wrong} was taken`);
          return `  ${back({ code: "the-code", state }).replace("localhost", "127.0.0.1")}\n`;
        },
      },
    };
    const signedIn = await signInWithBrowser(context(host));
    assert.equal(signedIn?.credential.kind, "oauth2");
    assert.equal(new URLSearchParams(server.received[0]?.body).get("code"), "the-code");
    assert.deepEqual(
      problems.map((text) => text.split(/[:,]/)[0]),
      [
        "Paste the whole address from the browser's address bar.",
        "Paste all of the browser's address bar",
        "Paste the address that this sign-in ended at. This one belongs to another sign-in.",
        "Cancel this sign-in",
        "This address contains neither a code nor an error.",
        "Paste the address that begins with http",
        "Paste the address that begins with http",
        "The browser came back to another address than the redirect address. A slash at the end counts.",
        "This answer contains neither a code nor an error. The provider may have put them behind a # (response_mode=fragment)",
      ],
    );
  });

  it("the waiting sign-in can reopen the browser, be cancelled, or continue without the offer", async () => {
    let openCount = 0;
    const host = answering({
      replies: { "Waiting for the browser": ["open", "cancel"] },
      openBrowser: async () => {
        openCount++;
        return true;
      },
    });
    assert.equal(await signInWithBrowser(context(host)), undefined);
    assert.equal(openCount, 2);
    assert.ok(await signInWithBrowser(context(answering())), "the offer was put away unanswered");
  });

  it("a browser that does not open leaves its address to copy, or a cancel", async () => {
    const host = answering({ replies: { "The browser did not open": ["copy", undefined as never] }, openBrowser: async () => false });
    assert.equal(await signInWithBrowser(context(host)), undefined);
    assert.deepEqual(host.copied, [host.openedUrls[0]]);
    await released(redirectIn(host.openedUrls[0] ?? ""));
  });

  it("a cancel while the browser is open ends the sign-in and frees the port", async () => {
    const abort = new AbortController();
    const host = answering({ decision: "ignore", onAsk: (text) => text.includes("Waiting") && setTimeout(() => abort.abort(), 10) });
    assert.equal(await signInWithBrowser(context(host, { signal: abort.signal })), undefined);
    await released(redirectIn(host.openedUrls[0] ?? ""));
    assert.equal(server.received.length, 0);
  });

  it("a denial ends the sign-in and frees the port", async () => {
    server.callback = (query) => ({ error: "access_denied", state: query.get("state") ?? "" });
    const host = answering();
    await assert.rejects(async () => signInWithBrowser(context(host)), { code: "authorization-denied" });
    await released(redirectIn(host.openedUrls[0] ?? ""));
  });

  it("a tunnel's address is registered at the provider and accepted from the browser", async () => {
    const listener = await listenForRedirect({ host: "localhost", port: 0, path: "/oauth" }, async (address) => {
      return `https://tunnel-${new URL(address).port}.example${new URL(address).pathname}`;
    });
    const { host } = new URL(listener.redirectUri);
    const port = Number(/\d+/.exec(host)?.[0]);
    assert.equal(listener.redirectUri, `https://tunnel-${port}.example/oauth`);
    const callback = listener.wait("s", {});
    assert.equal(await get(port, "/oauth?code=1&state=s", "evil.example"), 421);
    assert.equal(await get(port, "/oauth?code=1&state=s", host), 200);
    assert.equal((await callback)?.get("code"), "1");
  });

  it("a failing tunnel frees the port", async () => {
    let boundPort = 0;
    await assert.rejects(
      listenForRedirect({ host: "localhost", port: 0, path: "/oauth" }, async (address) => {
        boundPort = Number(new URL(address).port);
        throw new Error("no tunnel");
      }),
      /no tunnel/,
    );
    await released(`http://localhost:${boundPort}/`);
  });

  it("RFC 8252, 7.1: the editor's own address works the same and refuses any other state", async () => {
    const fakeEditor = editor();
    const host: TestHost = { ...answering({ decision: "ignore" }), editorAddress: fakeEditor };
    host.openBrowser = async (url: string) => {
      host.openedUrls.push(url);
      const state = stateIn(url);
      setTimeout(() => {
        for (const wrong of [
          "",
          "vscode://pack-auth.pack-auth/oauth",
          "vscode://pack-auth.pack-auth/oauth?code=evil&state=guess",
          "no address",
        ])
          assert.deepEqual(fakeEditor.open(wrong), [false], wrong);
        fakeEditor.open(`vscode://pack-auth.pack-auth/oauth?code=the-code&state=${state}`);
      }, 5);
      return true;
    };
    const signedIn = await signInWithBrowser(context(host, { redirect: { ...DEFAULT_REDIRECT, via: "editor" } }));
    assert.equal(signedIn?.credential.kind, "oauth2");
    assert.equal(sentRedirect(), "vscode://pack-auth.pack-auth/oauth");
    assert.equal(new URLSearchParams(server.received[0]?.body).get("code"), "the-code");
    assert.equal(fakeEditor.listeners.size, 0);
  });

  it("the wait at the editor's address ends at the time-out, on cancel, and on close", async () => {
    const fakeEditor = editor();
    await assert.rejects((await receiveInEditor(fakeEditor)).wait("s", { timeout: 20 }), { code: "authorization-timed-out" });
    const abort = new AbortController();
    const cancelled = (await receiveInEditor(fakeEditor)).wait("s", { signal: abort.signal });
    abort.abort();
    assert.equal(await cancelled, undefined);
    const receiver = await receiveInEditor(fakeEditor);
    const pendingCallback = receiver.wait("s", {});
    receiver.close();
    assert.equal(await pendingCallback, undefined);
    assert.equal(await receiver.wait("s", { signal: abort.signal }), undefined);
    assert.equal(fakeEditor.listeners.size, 0);
  });

  it("the address to register is known before a sign-in: fixed, free port, tunnel, editor", async () => {
    const free = { ...DEFAULT_REDIRECT, port: 0 };
    const tunnel = { externalAddress: async (address: string) => address.replace("http://localhost:3000", "https://t.example") };
    assert.equal(await addressToRegister(DEFAULT_REDIRECT, {}), REDIRECT);
    assert.equal(
      await addressToRegister({ ...DEFAULT_REDIRECT, host: "127.0.0.1", port: 4000, path: "/back" }, {}),
      "http://127.0.0.1:4000/back",
    );
    assert.equal(await addressToRegister(free, {}), "http://localhost/oauth");
    assert.equal(await addressToRegister(DEFAULT_REDIRECT, tunnel), "https://t.example/oauth");
    assert.equal(
      await addressToRegister({ ...DEFAULT_REDIRECT, via: "editor" }, { editorAddress: editor() }),
      "vscode://pack-auth.pack-auth/oauth",
    );
    assert.equal(await addressToRegister({ ...DEFAULT_REDIRECT, via: "editor" }, {}), REDIRECT);
    assert.equal(await addressToRegister(DEFAULT_REDIRECT, { editorAddress: editor() }), REDIRECT);
  });

  it("a forwarding that is no loopback address gets the default port instead of any, in the prompt and in the sign-in", async () => {
    const free = { ...DEFAULT_REDIRECT, port: 0 };
    const forwarded: Readonly<Record<string, readonly [(address: string) => string, string]>> = {
      "below a path": [(address) => address.replace("localhost:", "127.0.0.1:8719/proxy/"), "http://127.0.0.1:8719/proxy/3000/oauth"],
      "at another host": [
        (address) => address.replace(/^http:\/\/localhost:(\d+)/, "https://p$1.hub.example"),
        "https://p3000.hub.example/oauth",
      ],
      "at another port of this machine": [(address) => address.replace(/:\d+/, ":4001"), "http://localhost/oauth"],
    };
    for (const [where, [external, expected]] of Object.entries(forwarded)) {
      const host = { externalAddress: async (address: string) => external(address) };
      assert.equal(await addressToRegister(free, host), expected, where);
      assert.equal((await withForwardedPort(free, host)).port, expected.includes("3000") ? 3000 : 0, where);
      assert.equal((await withForwardedPort({ ...free, port: 4000 }, host)).port, 4000, where);
    }
  });

  it("a pasted address is read for the editor's address too", () => {
    const own = "vscode://pack-auth.pack-auth/oauth";
    const read = readPasted(`${own}?code=c&state=s`, own, "s");
    assert.ok(read instanceof URLSearchParams);
    assert.equal(typeof readPasted("vscode://other.extension/oauth?code=c&state=s", own, "s"), "string");
  });

  it("a pasted text is accepted only with this attempt's own address and state", () => {
    const own = { code: "c", state: "the-state" };
    const name = fc.constantFrom("code", "state", "error", "iss", "x");
    const query = fc.array(fc.tuple(name, fc.oneof(fc.constantFrom(...Object.values(own)), fc.string())), { maxLength: 5 });
    const base = fc.constantFrom(
      REDIRECT,
      "http://127.0.0.1:3000/oauth",
      "http://localhost:3001/oauth",
      "https://evil.example/oauth",
      "http://localhost:3000/",
      "",
    );
    const pasted = fc.oneof(
      fc.string(),
      fc.tuple(base, query).map(([address, pairs]) => `${address}?${new URLSearchParams(pairs)}`),
    );
    fc.assert(
      fc.property(pasted, (text) => {
        const read = readPasted(text, REDIRECT, own.state);
        if (typeof read === "string") return assert.ok(read.length > 10);
        assert.equal(read.get("state"), own.state);
        assert.ok(read.has("code") || read.has("error"));
        assert.match(text, /^http:\/\/(localhost|127\.0\.0\.1):3000\/oauth\?/);
      }),
      { numRuns: RUNS },
    );
  });

  it("the program that holds the port is named if the system knows it", async function () {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const { port } = holder.address() as AddressInfo;
    try {
      const owner = await portOwner(port);
      if (owner === undefined) return this.skip();
      assert.equal(owner.pid, process.pid);
      await assert.rejects(listenForRedirect({ host: "localhost", port, path: "/oauth" }), (error: PackAuthError) => {
        assert.equal(error.message, `Port ${port}, where the browser comes back to, is in use by ${owner.name} (process ${process.pid}).`);
        return error.nextStep?.do === "choosePort";
      });
    } finally {
      holder.close();
    }
    assert.equal(await portOwner(port), undefined);
  });
});

async function get(port: number, path: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers: { host } }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", reject)
      .end();
  });
}

/** Nobody listens there any more. */
async function released(address: string): Promise<void> {
  const port = Number(new URL(address).port);
  assert.ok(port > 0);
  await new Promise<void>((resolve, reject) => {
    const server = createServer()
      .once("error", reject)
      .listen(port, "127.0.0.1", () => server.close(() => resolve()));
  });
}
