// What only the provider's page in the browser says: asked of a real provider, told while the browser is waited for, and never more than
// words. Raw servers answer as pages of others do, and worse.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { signInWithBrowser } from "../../../platform/connect/flows/authorization-code.ts";
import { awaitBrowser } from "../../../platform/connect/flows/await-browser.ts";
import { type PackAuthError, wholeMessage } from "../../../platform/errors.ts";
import { refusalOnPage } from "../../../platform/oauth/authorization-page.ts";
import { timedOut } from "../../../platform/oauth/receiver.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { browse } from "../../support/browser.ts";
import { type FlowOptions, flowContext } from "../../support/flow-context.ts";
import { authentication, eachCase, pattern, response } from "../../support/json-cases.ts";
import { type OidcProvider, openOidcProvider } from "../../support/oidc-provider.ts";
import { makeHost, type TestHost, type TestHostOptions } from "../../support/platform-host.ts";
import { keepPort } from "../../support/reserved-port.ts";

const CLIENT = { clientId: "4dbb1c3e-6e0f-4f3b-9b53-0c1c7f2f7a55", clientSecret: "a-secret_of.the~client-1" };
const REFUSAL_TEXT = "refused the sign-in";

/** A page of a real provider, and what is said of it. */
const providerCase = z.strictObject({
  title: z.string(),
  /** The fields that are wrong; `authorizationUrl` is a path at the provider. */
  authentication: authentication.extend({ authorizationUrl: z.string().exactOptional() }).default({}),
  clientId: z.string().exactOptional(),
  port: z.int().exactOptional(),
  configPath: z.string(),
  message: pattern,
  code: z.string(),
});
/** The answer of a raw server, and the refusal that is read in it. */
const pageCase = z.strictObject({ title: z.string(), response, code: z.string().exactOptional(), text: pattern.exactOptional() });
const pastedCase = z.strictObject({ pasted: z.string(), configPath: z.string(), message: pattern });

/** A person who approves nothing: the browser shows an error and stays where it is. */
const stuck = (replies: TestHostOptions["replies"], more: TestHostOptions = {}): TestHost =>
  makeHost({
    decision: "ignore",
    replies: { "edirect address to register": "open", "registered at the provider": "open", ...replies },
    ...more,
  });

describe("The authorization page of a real provider", function () {
  this.timeout(30_000);
  let provider: OidcProvider;
  let port: number;
  let release: () => void;
  before(async () => {
    ({ port, release } = await keepPort());
    provider = await openOidcProvider({
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [`http://localhost:${port}/oauth`],
          grant_types: ["authorization_code", "refresh_token"],
          token_endpoint_auth_method: "client_secret_post",
          scope: "openid orders:read",
        },
      ],
      pkce: { required: () => true },
    });
  });
  after(() => {
    provider.close();
    release();
  });

  const RIGHT = { scopes: ["orders:read"], useProofKeyForCodeExchange: true };
  const signIn = (more: Partial<AuthenticationDefinition>, host: TestHost, flow: FlowOptions = {}) =>
    signInWithBrowser(
      flowContext(provider, {
        auth: auth("OAuth2", { authorizationUrl: provider.authorizationUrl, tokenUrl: provider.tokenUrl, ...RIGHT, ...more }),
        host,
        redirect: { host: "localhost", port, path: "/oauth" },
        client: { credentialsFor: async () => CLIENT },
        pageDelay: 1,
        ...flow,
      }),
    );

  eachCase("oauth/cases/provider-pages.json", providerCase, ({ title, authentication, clientId, port: otherPort, ...expected }) => {
    it(`a page that shows ${title} is reported while the browser is open; the person decides`, async () => {
      const path = authentication.authorizationUrl;
      const wrong = path === undefined ? authentication : { ...authentication, authorizationUrl: `${provider.issuer}${path}` };
      const flow: FlowOptions = {
        ...(clientId === undefined ? {} : { client: { credentialsFor: async () => ({ clientId }) } }),
        ...(otherPort === undefined ? {} : { redirect: { host: "localhost", port: otherPort, path: "/oauth" } }),
      };
      const host = stuck({ [REFUSAL_TEXT]: "error" });
      await assert.rejects(signIn(wrong, host, flow), (error: PackAuthError) => {
        assert.match(error.message, expected.message);
        assert.equal(error.configPath, expected.configPath);
        assert.equal(error.code, expected.code);
        assert.ok(host.prompts.includes(error.message), "the prompt says it");
        assert.ok(host.logged.includes(wholeMessage(error, host.words)), "so does the progress, which the command line prints");
        return true;
      });
      assert.ok(host.offered.includes("Open the browser again"));
    });
  });

  it("RFC 7591: a registration that the provider has forgotten is dropped for the next sign-in", async () => {
    const forgottenClients: unknown[] = [];
    const registration = { issuer: provider.issuer, redirectUri: `http://localhost:${port}/oauth` };
    const forgotten = { clientId: "registered-once", registration };
    await assert.rejects(
      signIn({ useDynamicClientRegistration: true }, stuck({ [REFUSAL_TEXT]: "error" }), {
        client: { stored: async () => forgotten, forgetRegistration: async (client) => void forgottenClients.push(client) },
      }),
      /it no longer knows the client ID that it registered/,
    );
    assert.deepEqual(forgottenClients, [forgotten]);
  });

  it("a sign-in page raises no report, and the sign-in continues", async () => {
    provider.requests.length = 0;
    const host = stuck({}, { openBrowser: async () => true });
    const going = signIn({}, host);
    const countPageRequests = (): number => provider.requests.filter((request) => request === "GET /auth").length;
    for (let tries = 0; countPageRequests() === 0 && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(countPageRequests(), 1);
    void browse(host.openedUrls[0] ?? "", "approve");
    const signedIn = await going;
    assert.equal(signedIn?.credential.kind, "oauth2");
    assert.deepEqual(
      host.prompts.filter((text) => text.includes(REFUSAL_TEXT)),
      [],
    );
    assert.equal(countPageRequests(), 2, "once by the host, once by the person");
  });
});

describe("The authorization page of raw servers", function () {
  this.timeout(30_000);
  type Page = (request: IncomingMessage, response: ServerResponse) => void;
  let page: Page;
  let base: string;
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    if (!request.url?.startsWith("/authorize")) return void response.writeHead(404).end();
    received.push(request);
    page(request, response);
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(() => received.splice(0));

  const reach = { fetch: (url: string, init: RequestInit) => fetch(url, init), timeout: 2_000 };
  const readRefusal = async (respond: Page) => {
    page = respond;
    return refusalOnPage(`${base}/authorize?state=s`, reach);
  };
  const html =
    (status: number, text: string, type = "text/html"): Page =>
    (_request, response) =>
      void response.writeHead(status, { "content-type": type }).end(text);
  const redirect =
    (location: string): Page =>
    (_request, response) =>
      void response.writeHead(302, { location }).end("Redirecting to an error");

  const CALLBACK = "http://localhost:3000/oauth";
  const itReads = (what: string, respond: Page, code?: string, text?: RegExp): void => {
    it(`${what} is ${code === undefined ? "not read as a refusal" : "read as a refusal"}`, async () => {
      const refusal = await readRefusal(respond);
      assert.equal(refusal?.code, code);
      if (text !== undefined) assert.match(refusal?.providerError ?? "", text);
      assert.equal(received.length, 1, "nothing is followed, nothing asked twice");
    });
  };
  eachCase("oauth/cases/authorization-pages.json", pageCase, ({ title, response: { status, type, headers, body }, code, text }) => {
    const respond: Page = (_request, response) =>
      void response.writeHead(status ?? 200, { ...headers, ...(type === undefined ? {} : { "content-type": type }) }).end(body);
    itReads(title, respond, code, text);
  });
  itReads("a connection that ends", (request) => void request.socket.destroy());
  itReads("no answer at all", () => {});

  it("a page is read up to 64 kB and quoted to 200 characters without secrets", async () => {
    let sentBytes = 0;
    const endless = await readRefusal((request, response) => {
      response.writeHead(400, { "content-type": "text/html" });
      const more = (): void => {
        if (request.socket.destroyed) return;
        sentBytes += 16_384;
        response.write("invalid_scope ".padEnd(16_384, "x "), () => setImmediate(more));
      };
      more();
    });
    assert.equal(endless?.code, "invalid_scope");
    assert.ok((endless?.providerError?.length ?? 0) < 300);
    const after = sentBytes;
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(sentBytes <= after + 1_048_576, "the rest is not asked for");
    const hostile = await readRefusal(
      html(400, '<script>invalid_client</script><h1>invalid_scope</h1><a href="command:x">[Renew](command:y)</a> token=A1b2C3d4E5f6G7h8I9'),
    );
    assert.equal(hostile?.code, "invalid_scope");
    assert.doesNotMatch(hostile?.providerError ?? "", /<|script|A1b2C3d4/);
  });

  it("page requests go to https addresses of the internet and of this machine only", async () => {
    for (const address of ["http://login.example/authorize", "https://10.0.0.1/authorize", "https://u:p@login.example/", "no address"])
      assert.equal(await refusalOnPage(address, { fetch: () => assert.fail(`${address} was asked`) }), undefined);
    // What the sign-in asks for may be long, the address of the page may not.
    const requestedUrls: string[] = [];
    const long = `https://login.example/authorize?scope=${"s".repeat(5_000)}`;
    await refusalOnPage(long, { fetch: async (url) => new Response(null, { status: requestedUrls.push(url) === 1 ? 404 : 500 }) });
    assert.deepEqual(requestedUrls, [long]);
  });

  const flow = (host: TestHost, more: FlowOptions = {}) =>
    flowContext(
      { authorizationUrl: `${base}/authorize`, tokenUrl: `${base}/token` },
      {
        auth: auth("OAuth2", {
          authorizationUrl: `${base}/authorize`,
          tokenUrl: `${base}/token`,
          scopes: ["read"],
          useProofKeyForCodeExchange: true,
        }),
        client: { credentialsFor: async () => CLIENT },
        host,
        pageDelay: 1,
        ...more,
      },
    );

  it("the page is requested once, without cookies or secrets, with its own state and challenge", async () => {
    let callback: Response | undefined;
    page = (request, response) => {
      const query = new URL(request.url ?? "", base).searchParams;
      const back = new URL(query.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({ code: "the-code-of-the-page", state: query.get("state") ?? "" }).toString();
      response.writeHead(302, { location: back.href, "set-cookie": "session=1" }).end();
      // Somebody who takes it to the listener all the same.
      void fetch(back).then((callbackResponse) => {
        callback = callbackResponse;
        abort.abort();
      });
    };
    const abort = new AbortController();
    const host = stuck({});
    assert.equal(await signInWithBrowser(flow(host, { signal: abort.signal })), undefined);
    assert.equal(callback?.status, 400, "an unknown state");
    assert.equal(received.length, 1);
    const [request] = received;
    const [own, persons] = [new URL(request?.url ?? "", base).searchParams, new URL(host.openedUrls[0] ?? "").searchParams];
    for (const name of ["client_id", "redirect_uri", "scope", "response_type", "code_challenge_method"])
      assert.equal(own.get(name), persons.get(name), name);
    for (const name of ["state", "code_challenge"]) {
      assert.ok((own.get(name)?.length ?? 0) > 20);
      assert.notEqual(own.get(name), persons.get(name), name);
    }
    assert.deepEqual([request?.method, request?.headers.cookie, request?.headers.authorization], ["GET", undefined, undefined]);
    assert.ok(!JSON.stringify([request?.url, request?.headers]).includes(CLIENT.clientSecret));
  });

  it("the page is requested after a delay, for no sandbox, before the browser's return", async () => {
    page = redirect("/login");
    const back = stuck(
      {},
      {
        openBrowser: async (url) => {
          const { searchParams } = new URL(url);
          void fetch(`${searchParams.get("redirect_uri")}?error=access_denied&state=${searchParams.get("state")}`);
          return true;
        },
      },
    );
    await assert.rejects(signInWithBrowser(flow(back, { pageDelay: 300 })), /The access was denied/);
    const abort = new AbortController();
    const sandboxed = flow(stuck({}), {
      signal: abort.signal,
      sandbox: { origin: base, clientCredentials: CLIENT },
    });
    setTimeout(() => abort.abort(), 500);
    assert.equal(await signInWithBrowser(sandboxed), undefined);
    assert.equal(received.length, 0);
  });

  eachCase("oauth/cases/pasted-errors.json", pastedCase, ({ pasted, configPath, message }) => {
    it(`an error copied from the provider's page ends the sign-in with a fix: ${pasted}`, async () => {
      page = redirect("/login");
      const host = stuck({ "Waiting for the browser": "paste", "Paste the address": pasted });
      const definition = auth("OAuth2", { authorizationUrl: `${base}/authorize`, tokenUrl: `${base}/token`, scopes: ["read"] });
      await assert.rejects(signInWithBrowser(flow(host, { auth: definition })), (error: PackAuthError) => {
        assert.match(error.message, message);
        assert.equal(error.configPath, configPath);
        return true;
      });
    });
  });

  it("a browser that never returns is reported with the address it opened", async () => {
    await assert.rejects(
      awaitBrowser(
        flow(stuck({})),
        { redirectUri: CALLBACK, wait: () => Promise.reject(timedOut(300_000)), close: () => {} },
        {
          address: `${base}/authorize?client_id=the-client&redirect_uri=${encodeURIComponent(CALLBACK)}`,
          state: "s",
          askPage: async () => undefined,
          explain: () => Promise.reject(new Error("nobody asks")),
          explainUnusable: () => assert.fail("nothing came back"),
          outcome: new Promise(() => {}),
        },
      ),
      {
        code: "authorization-timed-out",
        configPath: "userAuthentication.authorizationUrl",
        hint: /Compare the client ID the-client and the redirect address http/,
      },
    );
  });

  it("a dismissed offer returns with the page's error, and the time-out quotes it", async () => {
    page = html(400, "error: invalid_scope");
    const host = stuck({ [REFUSAL_TEXT]: undefined });
    const refusal = (await signInWithBrowser(flow(stuck({ [REFUSAL_TEXT]: "error" }))).catch((error: unknown) => error)) as PackAuthError;
    let late: ((error: unknown) => void) | undefined;
    const waiting = awaitBrowser(
      flow(host),
      {
        redirectUri: CALLBACK,
        wait: () =>
          new Promise((_resolve, reject) => {
            late = reject;
          }),
        close: () => {},
      },
      {
        address: `${base}/authorize`,
        state: "s",
        askPage: async () => refusal,
        explain: async () => refusal,
        explainUnusable: () => assert.fail("nothing came back"),
        outcome: new Promise(() => {}),
      },
    );
    for (let tries = 0; host.prompts.length < 2 && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(host.prompts.at(-1), refusal.message);
    late?.(timedOut(300_000));
    await assert.rejects(waiting, (error: PackAuthError) => {
      assert.equal(error.code, "authorization-timed-out");
      assert.equal(error.configPath, "userAuthentication.scopes");
      return error.message.startsWith(refusal.message) && error.message.includes("did not come back within 300 s");
    });
  });
});
