// The loopback listener: who may come back, how often, and what everybody else gets.
import assert from "node:assert/strict";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import type { PackAuthError } from "../../../platform/errors.ts";
import { listenForRedirect } from "../../../platform/oauth/loopback-listener.ts";

interface CallOptions {
  readonly host?: string;
  readonly method?: string;
}

interface PageResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

const call = (port: string, path: string, { host, method = "GET" }: CallOptions = {}): Promise<PageResponse> =>
  new Promise((resolve, reject) => {
    httpRequest({ host: "127.0.0.1", port, path, method, headers: host === undefined ? {} : { host } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    })
      .on("error", reject)
      .end();
  });

/** What is answered to the parts of a request; `between` is waited for before the last of them. */
const speak = (port: string, parts: readonly string[], between: () => Promise<unknown> = async () => {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", async () => {
      for (const [index, part] of parts.entries()) {
        if (index > 0) await between();
        await new Promise((callback) => socket.write(part, callback));
      }
    });
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("end", () => resolve(text)).on("error", reject);
  });

const status = async (port: string, path: string, options?: CallOptions): Promise<number> => (await call(port, path, options)).status;

const free = (): Promise<Awaited<ReturnType<typeof listenForRedirect>>> =>
  listenForRedirect({ host: "localhost", port: 0, path: "/oauth" });

async function occupy(address: string, port = 0): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, address, resolve));
  return { port: (server.address() as AddressInfo).port, server };
}

/** A port of ::1 that is free on 127.0.0.1: what other tests hold there is another one's. */
async function occupyAlone(): Promise<{ readonly port: number; readonly server: Server }> {
  for (;;) {
    const ipv6Listener = await occupy("::1");
    const other = await occupy("127.0.0.1", ipv6Listener.port).catch(() => undefined);
    other?.server.close();
    if (other !== undefined) return ipv6Listener;
    ipv6Listener.server.close();
  }
}

describe("Loopback listener", () => {
  it("one valid callback is accepted after checks of Host, path, method and state", async () => {
    const listener = await free();
    const { port } = new URL(listener.redirectUri);
    assert.equal(await status(port, "/oauth?code=1&state=right-state"), 404, "nobody waits yet");
    const callback = listener.wait("right-state", {});
    assert.equal(await status(port, "/oauth?code=1&state=right-state", { host: "evil.example" }), 421);
    assert.equal(await status(port, "/oauth?code=1&state=right-state", { host: `evil.example:${port}` }), 421);
    assert.equal(await status(port, "/other?code=1&state=right-state"), 404);
    assert.equal(await status(port, "/oauth?code=1&state=right-state", { method: "POST" }), 405);
    assert.equal(await status(port, "/oauth?code=1&state=wrong"), 400);
    assert.equal(await status(port, "/oauth?code=1&state=wrong-state"), 400);
    assert.equal(await status(port, "/oauth?code=1"), 400);
    assert.equal(await status(port, "/oauth?state=right-state"), 400);
    const page = await call(port, "/oauth?code=1&state=right-state");
    assert.equal(page.status, 200);
    assert.match(page.text, /You are signed in/);
    assert.equal((await callback)?.get("code"), "1");
    await assert.rejects(status(port, "/oauth?code=2&state=right-state"));
  });

  it("every spelling of this machine's name and the tunnel's name reach the listener", async () => {
    for (const name of ["localhost", "127.0.0.1", "[::1]", "LOCALHOST", "t.example"]) {
      const tunnel = async (): Promise<string> => "https://t.example/oauth";
      let port = "";
      const listener = await listenForRedirect({ host: "localhost", port: 0, path: "/oauth" }, (address) => {
        ({ port } = new URL(address));
        return tunnel();
      });
      const callback = listener.wait("s", {});
      const host = name === "t.example" ? name : `${name}:${port}`;
      assert.equal(await status(port, "/oauth?code=1&state=s", { host }), 200, name);
      await callback;
    }
  });

  it("a request without a Host is answered with 421 and ignored", async () => {
    const listener = await free();
    const { port } = new URL(listener.redirectUri);
    const callback = listener.wait("s", {});
    assert.match(await speak(port, ["GET /oauth?code=1&state=s HTTP/1.0\r\n\r\n"]), /^HTTP\/1\.1 421 /);
    listener.close();
    assert.equal(await callback, undefined);
  });

  it("a request that ends after the browser's is not answered as signed in", async () => {
    const listener = await free();
    const { port, host } = new URL(listener.redirectUri);
    const callback = listener.wait("s", {});
    const late = await speak(port, ["GET /oauth?code=2&state=s HTTP/1.1\r\n", `Host: ${host}\r\n\r\n`], () =>
      call(port, "/oauth?code=1&state=s"),
    );
    assert.match(late, /^HTTP\/1\.1 404 .*Not waiting for a sign-in\./s);
    assert.equal((await callback)?.get("code"), "1");
  });

  it("pages run no script, are not cached and send no referrer", async () => {
    const listener = await free();
    const { port } = new URL(listener.redirectUri);
    const callback = listener.wait("s", {});
    for (const path of ["/oauth?code=1&state=other", "/oauth?code=1&state=s"]) {
      const { headers } = await call(port, path);
      assert.match(String(headers["content-security-policy"]), /^default-src 'none';/);
      assert.deepEqual(
        ["content-type", "cache-control", "referrer-policy", "x-content-type-options", "x-frame-options"].map((name) => headers[name]),
        ["text/html; charset=utf-8", "no-store", "no-referrer", "nosniff", "DENY"],
      );
    }
    await callback;
  });

  it("the closed listener leaves no timer", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const listener = await free();
    const before = timers();
    const callback = listener.wait("s", {});
    assert.equal(timers(), before + 1);
    listener.close();
    await callback;
    assert.equal(timers(), before);
  });

  it("an invalid address gets an answer, and the listener keeps waiting", async () => {
    const listener = await free();
    const { port } = new URL(listener.redirectUri);
    const callback = listener.wait("s", {});
    for (const path of [
      "//",
      "///oauth?code=1&state=s",
      "//x/oauth?code=1&state=s",
      "http://x/oauth?code=1&state=s",
      "/\\x/oauth?code=1&state=s",
      "//[",
      "/\\[",
      "http://[",
      "*",
    ])
      assert.equal(await status(port, path), 404, path);
    assert.equal(await status(port, "/oauth?code=1&state=s"), 200);
    assert.equal((await callback)?.get("code"), "1");
  });

  it("a denial ends the wait and is shown on the page", async () => {
    const listener = await free();
    const { port } = new URL(listener.redirectUri);
    const callback = listener.wait("s", {});
    const page = await call(port, "/oauth?error=access_denied&error_description=%3Cscript%3E%E2%80%AE&state=s");
    assert.match(
      page.text,
      /Not signed in<\/h1><p>The access was denied \(access_denied — “&lt;script&gt;\\u202e”\)\. Go back to the editor/,
    );
    assert.ok(!page.text.includes("<script>"));
    assert.equal((await callback)?.get("error"), "access_denied");
  });

  it("an answer without a state is ignored, and the page names the missing state", async () => {
    const listener = await free();
    const { port } = new URL(listener.redirectUri);
    const callback = listener.wait("s", {});
    const denied = await call(port, "/oauth?error=access_denied&error_description=%3Cscript%3ENo");
    assert.equal(denied.status, 400);
    assert.match(denied.text, /the provider did not send the state back \(RFC 6749, section 4\.1\.2\)\. Its answer: /);
    assert.match(denied.text, /The access was denied \(access_denied — “&lt;script&gt;No”\)\./);
    assert.match((await call(port, "/oauth?code=1")).text, /did not send the state back \(RFC 6749, section 4\.1\.2\)\.<\/p>/);
    assert.match((await call(port, "/oauth")).text, /neither a code nor an error/);
    assert.equal(await status(port, "/oauth?code=2&state=s"), 200);
    assert.equal((await callback)?.get("code"), "2");
  });

  it("an unusable answer is reported, a stranger's request is not", async () => {
    const listener = await free();
    const { port } = new URL(listener.redirectUri);
    const problems: string[] = [];
    const callback = listener.wait("s", { onUnusable: ({ problem }) => problems.push(problem) });
    for (const [path, options] of [
      ["/oauth", { method: "POST" }],
      ["/oauth", {}],
      ["/oauth/?code=1&state=s", {}],
      ["/oauth?code=1", {}],
      ["/oauth?error=access_denied", {}],
      ["/oauth?state=s", {}],
      ["/oauth?code=1&state=other", {}],
      ["/oauth/?code=1&state=other", {}],
      ["/favicon.ico", {}],
      ["/oauth?code=1", { host: "evil.example" }],
      ["/oauth", { method: "HEAD" }],
    ] as const)
      assert.notEqual(await status(port, path, options), 200, path);
    assert.deepEqual(problems, ["post", "fragment", "path", "no-state", "no-state", "empty"]);
    assert.equal(await status(port, "/oauth?code=2&state=s"), 200);
    assert.equal((await callback)?.get("code"), "2");
  });

  for (const [failure, pagePattern] of [
    [undefined, /You are signed in/],
    [
      new Error("login.example refused <b>the code</b>."),
      /Not signed in<\/h1><p>login\.example refused &lt;b&gt;the code&lt;\/b&gt;\. Go back to/,
    ],
  ] as const)
    it(`the page waits for the exchange of the code and shows that it ${failure === undefined ? "worked" : "failed"}`, async () => {
      const listener = await free();
      const { port } = new URL(listener.redirectUri);
      let end: (failure: Error | undefined) => void = () => {};
      const outcome = new Promise<Error | undefined>((resolve) => {
        end = resolve;
      });
      const callback = listener.wait("s", { outcome });
      let isPageLoaded = false;
      const page = call(port, "/oauth?code=1&state=s").finally(() => {
        isPageLoaded = true;
      });
      assert.equal((await callback)?.get("code"), "1");
      listener.close();
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(isPageLoaded, false);
      end(failure);
      assert.match((await page).text, pagePattern);
    });

  it("a sign-in begun in a terminal leads back to the terminal", async () => {
    for (const [parameters, text] of [
      ["code=1", /go back to the terminal\./],
      ["error=server_error", /Not signed in<\/h1><p>server_error\. Go back to the terminal/],
    ] as const) {
      const listener = await listenForRedirect({ host: "localhost", port: 0, path: "/oauth" }, undefined, "terminal");
      const callback = listener.wait("s", {});
      assert.match((await call(new URL(listener.redirectUri).port, `/oauth?${parameters}&state=s`)).text, text);
      await callback;
    }
  });

  it("the listener is reachable on 127.0.0.1 and ::1 and on no other address", async () => {
    const listener = await free();
    const port = Number(new URL(listener.redirectUri).port);
    const reach = (host: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect(port, host, () => resolve(true)).on("error", () => resolve(false));
        socket.unref();
      });
    assert.equal(await reach("127.0.0.1"), true);
    assert.equal(await reach("127.0.0.2"), false);
    const other = await occupy("::1").catch(() => undefined);
    other?.server.close();
    if (other !== undefined) assert.equal(await reach("::1"), true);
    listener.close();
  });

  it("another own sign-in on the port is reported without advice to stop the program", async () => {
    const waiting = await free();
    const port = Number(new URL(waiting.redirectUri).port);
    await assert.rejects(
      () => listenForRedirect({ host: "localhost", port, path: "/oauth" }),
      ({ code, message, nextStep }: PackAuthError) => {
        assert.deepEqual([code, message], ["redirect-port-busy", `Another sign-in of yours still waits for the browser on port ${port}.`]);
        assert.deepEqual(nextStep, { do: "finishSignIn" });
        return true;
      },
    );
    waiting.close();
    (await listenForRedirect({ host: "localhost", port, path: "/oauth" })).close();
  });

  it("a busy port is reported with its remedy on either address", async () => {
    const addresses = ["127.0.0.1"];
    const other = await occupy("::1").catch(() => undefined);
    other?.server.close();
    if (other !== undefined) addresses.push("::1");
    for (const address of addresses) {
      const { port, server } = await (address === "::1" ? occupyAlone() : occupy(address));
      await assert.rejects(
        listenForRedirect({ host: "localhost", port, path: "/oauth" }),
        (error: PackAuthError) => error.code === "redirect-port-busy" && error.nextStep?.do === "choosePort",
        address,
      );
      // What it took before it found out is given back.
      if (address === "::1") (await occupy("127.0.0.1", port)).server.close();
      server.close();
    }
  });

  it("the wait ends at the time-out, on cancel, and on close", async () => {
    await assert.rejects((await free()).wait("s", { timeout: 50 }), { code: "authorization-timed-out" });
    const abort = new AbortController();
    const cancelled = (await free()).wait("s", { signal: abort.signal });
    abort.abort();
    assert.equal(await cancelled, undefined);
    assert.equal(await (await free()).wait("s", { signal: abort.signal }), undefined);
    const listener = await free();
    const pendingCallback = listener.wait("s", {});
    listener.close();
    assert.equal(await pendingCallback, undefined);
    await assert.rejects(status(new URL(listener.redirectUri).port, "/oauth"));
  });
});
