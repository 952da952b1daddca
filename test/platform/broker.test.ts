// The broker on a wire that every host leads to: where credentials go and where they never do, hop by hop, and what comes back.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { Credential } from "../../platform/credential.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { FetchRequest } from "../../protocol/pack-process.ts";
import { auth, failure, INVOCATION, named, onWire, placeholder, STALE, success, TOKEN } from "../support/broker.ts";
import { openWire, type Wire } from "../support/wire.ts";

describe("broker", () => {
  let wire: Wire;
  before(async () => {
    wire = await openWire();
  });
  after(() => wire.close());
  beforeEach(() => wire.reset());

  const authorizations = () => wire.requests.map((request) => [request.host, request.headers.authorization]);
  const nothingSent = () => assert.deepEqual([wire.connections, wire.requests], [[], []]);

  describe("credentials", () => {
    it("go to the authentication's domain and below, marked in the trace, and to no other declared one", async () => {
      const { send, traces } = onWire(wire);
      for (const url of ["https://good.com/a", "https://api.good.com/b", "https://other.com/c"]) success(await send({ url }));
      assert.deepEqual(authorizations(), [
        ["good.com", `Bearer ${TOKEN}`],
        ["api.good.com", `Bearer ${TOKEN}`],
        ["other.com", undefined],
      ]);
      assert.deepEqual(
        traces.map((trace) => trace.credentials),
        [[{ carrier: "Authorization", host: "good.com" }], [{ carrier: "Authorization", host: "api.good.com" }], []],
      );
      assert.equal(traces[0]?.requestHeaders.authorization, "Bearer ••••");
    });
    it("stay away where they were switched off, where none is wanted, and from the platform's own files", async () => {
      success(await onWire(wire).send({ url: "https://good.com/", disableAuthentication: true }));
      success(await onWire(wire, { connectionRequirement: "none" }).send({ url: "https://good.com/" }));
      success(await onWire(wire).send({ url: "https://cdn.codahosted.io/x" }));
      assert.deepEqual(
        wire.requests.map((request) => request.headers.authorization),
        [undefined, undefined, undefined],
      );
    });
    it("replace what the pack set in their place; the trace and the parity notes say so", async () => {
      const { send, traces, parity } = onWire(wire);
      success(await send({ url: "https://good.com/", headers: { authorization: "mine" } }));
      assert.deepEqual(authorizations(), [["good.com", `Bearer ${TOKEN}`]]);
      assert.match(traces[0]?.warnings[0] ?? "", /set the header Authorization itself; it was replaced/);
      assert.match(parity[0] ?? "", /The platform refuses such a request/);
    });
    it("leave the pack's own header alone where none of them goes", async () => {
      const { send, traces } = onWire(wire);
      success(await send({ url: "https://other.com/", headers: { Authorization: "mine" } }));
      assert.deepEqual(authorizations(), [["other.com", "mine"]]);
      assert.deepEqual(traces[0]?.warnings, []);
    });
    it("of a type that cannot be tried here stop the request, in words", async () => {
      const { send } = onWire(wire, {
        authentication: auth("GoogleServiceAccount", { networkDomain: "good.com" }),
        credential: { kind: "aws", accessKeyId: "id", secretAccessKey: "secret-key" },
      });
      assert.match(failure(await send({ url: "https://good.com/" })), /GoogleServiceAccount cannot be tried outside the platform/);
      nothingSent();
    });
  });

  describe("Custom placeholders", () => {
    const value = 'a"b&c=d {{key-x}} $& ü';
    const custom = (values: Record<string, string>) =>
      onWire(wire, {
        authentication: auth("Custom", { params: Object.keys(values).map((name) => named(name)), networkDomain: "good.com" }),
        credential: { kind: "values", values },
      });
    it("auth-spec 5.4.2, 5.4.4: reach the server whole, wherever they stand", async () => {
      const { send, traces } = custom({ key: value, site: "acme" });
      const mark = placeholder("key");
      success(await send({ url: `https://${placeholder("site")}.good.com/${mark}?k=${mark}&l=${encodeURIComponent(mark)}` }));
      success(
        await send({
          method: "POST",
          url: "https://good.com/",
          headers: { "Content-Type": "application/json" },
          body: { text: JSON.stringify({ mark }) },
        }),
      );
      success(await send({ method: "POST", url: "https://good.com/", form: { mark } }));
      const [first, second, third] = wire.requests;
      const url = new URL(`https://${first?.host}${first?.path}`);
      assert.equal(url.host, "acme.good.com");
      assert.equal(decodeURIComponent(url.pathname), `/${value}`);
      assert.deepEqual([url.searchParams.get("k"), url.searchParams.get("l")], [value, value]);
      assert.deepEqual(JSON.parse(second?.body ?? ""), { mark: value });
      assert.equal(new URLSearchParams(third?.body).get("mark"), value);
      assert.deepEqual(
        traces.map((trace) => trace.credentials.map((one) => one.carrier)),
        [["URL {{site}}", "URL {{key}}", "URL {{key}}", "URL {{key}}"], ["body {{key}}"], ["body {{key}}"]],
      );
      assert.ok(!JSON.stringify(traces).includes("a%22b"));
    });
    const refused: readonly (readonly [what: string, Partial<FetchRequest> & { url: string }, RegExp])[] = [
      ["unknown names", { url: `https://good.com/${placeholder("kye")}` }, /Did you mean key\?/],
      ["stale tokens", { url: `https://good.com/${placeholder("key", STALE)}` }, /another execution/],
      ["hosts that would lead elsewhere", { url: `https://${placeholder("evil")}` }, /plain host label/],
      ["hosts under no declared domain", { url: `https://${placeholder("site")}.com/` }, /under none of the pack's network domains/],
      [
        "switched-off credentials",
        { url: "https://good.com/", disableAuthentication: true, headers: { x: placeholder("key") } },
        /gets no credentials/,
      ],
      [
        "a host that gets none, in a header",
        { url: "https://other.com/", headers: { x: placeholder("site") } },
        /other\.com gets no credentials/,
      ],
      ["a host that gets none, in the URL", { url: `https://other.com/${placeholder("site")}` }, /other\.com gets no credentials/],
      [
        "a body of bytes",
        { method: "POST", url: "https://good.com/", body: { base64: Buffer.from(placeholder("key")).toString("base64") } },
        /body of bytes/,
      ],
      ["a value that no header can carry", { url: "https://good.com/", headers: { x: placeholder("lines") } }, /no header can carry/],
    ];
    for (const [what, request, message] of refused) {
      it(`are refused for ${what}, and nothing is sent`, async () => {
        const { send, traces } = custom({ key: value, site: "acme", evil: "evil.com/", lines: "a\r\nX-Evil: 1" });
        assert.match(failure(await send(request)), message);
        nothingSent();
        assert.match(traces[0]?.refused ?? "", /^Not sent: /);
      });
    }
    it("never come back in an error, however short: the host is told as the pack wrote it", async () => {
      const { send } = onWire(wire, {
        authentication: auth("Custom", { params: [named("site")], networkDomain: "good.com" }),
        credential: { kind: "values", values: { site: "AcM3" } },
        lookup: async () => ["10.0.0.1"],
      });
      const site = placeholder("site");
      for (const url of [
        `https://${site}.com/`,
        `https://${site}.other.com/`,
        `https://${site}.good.com/`,
        `https://${site}.good.com:81/`,
      ]) {
        const message = failure(await send({ url }));
        assert.match(message, /^Not sent: /);
        assert.doesNotMatch(message, /acm3/i);
        assert.match(message, /site-1111|port 81/);
      }
      nothingSent();
    });
    it("are refused where the account is of another type", async () => {
      assert.match(
        failure(await onWire(wire).send({ url: "https://good.com/", headers: { x: placeholder("key") } })),
        /belong to Custom authentication/,
      );
      nothingSent();
    });
    it("are filled in again on the same origin, and never cross to another", async () => {
      wire.answer = ({ path }, response) => {
        const location = { "/same": "/end", "/other": "https://other.com/end", "/other307": "https://other.com/end" }[path];
        response
          .writeHead(path === "/other307" ? 307 : location === undefined ? 200 : 302, location === undefined ? {} : { location })
          .end();
      };
      const { send, traces } = custom({ key: "custom-value" });
      const request = { url: "https://good.com/same", headers: { "X-Mark": placeholder("key"), "X-Version": "1" } };
      success(await send(request));
      assert.deepEqual(
        wire.requests.map((one) => one.headers["x-mark"]),
        ["custom-value", "custom-value"],
      );
      assert.deepEqual(
        traces.map((trace) => trace.credentials.length),
        [1, 1],
      );
      wire.requests.length = 0;
      success(await send({ ...request, url: "https://good.com/other" }));
      assert.deepEqual(
        wire.requests.map((one) => [one.host, one.headers["x-mark"], one.headers["x-version"]]),
        [
          ["good.com", "custom-value", "1"],
          ["other.com", undefined, "1"],
        ],
      );
      wire.requests.length = 0;
      const post = { method: "POST", url: "https://good.com/other307", body: { text: `{"k":"${placeholder("key")}"}` } };
      assert.match(failure(await send(post)), /body that holds a credential/);
      assert.deepEqual(
        wire.requests.map((one) => one.host),
        ["good.com"],
      );
    });
  });

  describe("redirects", () => {
    /** Every path names where it leads: `/302/<encoded location>`. */
    const to = (location: string, status = 302): string => `https://good.com/${status}/${encodeURIComponent(location)}`;
    beforeEach(() => {
      wire.answer = ({ path }, response) => {
        const [, status, location] = /^\/(3\d\d)\/([^?]*)/.exec(path) ?? [];
        if (location === undefined) response.end("end");
        else response.writeHead(Number(status), { location: decodeURIComponent(location) }).end();
      };
    });
    it("keep the credential on the same origin", async () => {
      const { send, traces } = onWire(wire);
      assert.deepEqual(success(await send({ url: to("/end?x=1") })).body, { text: "end" });
      assert.deepEqual(authorizations(), [
        ["good.com", `Bearer ${TOKEN}`],
        ["good.com", `Bearer ${TOKEN}`],
      ]);
      assert.deepEqual(
        traces.map((trace) => [trace.id, trace.redirectedFrom, trace.status, trace.credentials.length]),
        [
          [1, undefined, 302, 1],
          [2, 1, 200, 1],
        ],
      );
    });
    it("take it to no other origin, not even a declared one that may have it, and not back again", async () => {
      const { send } = onWire(wire);
      success(await send({ url: to(`https://other.com/302/${encodeURIComponent("https://good.com/end")}`) }));
      success(await send({ url: to("https://api.good.com/end") }));
      assert.deepEqual(authorizations(), [
        ["good.com", `Bearer ${TOKEN}`],
        ["other.com", undefined],
        ["good.com", undefined],
        ["good.com", `Bearer ${TOKEN}`],
        ["api.good.com", undefined],
      ]);
    });
    it("take no header that may hold a secret to another origin", async () => {
      const { send } = onWire(wire);
      const headers = {
        "X-Api-Key": "own",
        "X-Session": "own",
        Cookie: "a=b",
        "X-Echo": `was ${TOKEN}`,
        "X-Version": "7",
        Accept: "text/plain",
      };
      success(await send({ url: to("https://other.com/end"), headers }));
      const {
        "x-api-key": key,
        "x-session": session,
        cookie,
        "x-echo": echo,
        "x-version": version,
        accept,
      } = wire.requests[1]?.headers ?? {};
      assert.deepEqual([key, session, cookie, echo, version, accept], [undefined, undefined, undefined, undefined, "7", "text/plain"]);
    });
    for (const [location, reason] of [
      ["https://evil.com/x", /evil\.com is under none/],
      ["//evil.com/x", /evil\.com is under none/],
      ["http://good.com/x", /not secure/],
      ["file:///etc/passwd", /file: URLs/],
      ["data:text/plain,x", /data: URLs/],
      ["https://good.com@evil.com/", /user name/],
      ["https://127.0.0.1/", /IP address/],
      ["https://169.254.169.254/latest", /IP address/],
      ["https://good.com:8443/", /port 8443/],
      ["\\\\evil.com", /backslash/],
      ["https://", /no URL/],
    ] as const) {
      it(`to ${location} are refused after the first hop`, async () => {
        const { send, traces } = onWire(wire);
        assert.match(failure(await send({ url: to(location) })), reason);
        assert.deepEqual(wire.connections, ["https://good.com:"]);
        assert.equal(wire.requests.length, 1);
        assert.deepEqual(
          traces.map((trace) => [trace.status, trace.redirectedFrom, trace.refused === undefined]),
          [
            [302, undefined, true],
            [undefined, 1, false],
          ],
        );
      });
    }
    it("that repeat the credential to another origin are refused; on the same origin it stays in place", async () => {
      const { send } = onWire(wire);
      assert.match(failure(await send({ url: to(`https://other.com/?t=${TOKEN}`) })), /repeats a credential/);
      assert.match(
        failure(await send({ url: to(`https://other.com/?t=${Buffer.from(`x:${TOKEN}`).toString("base64url")}`) })),
        /repeats a credential/,
      );
      assert.equal(wire.requests.length, 2);
      await wire.reset();
      wire.answer = ({ path }, response) =>
        void (path.startsWith("/end/") ? response.end() : response.writeHead(301, { location: path.replace("/end", "/end/") }).end());
      const query = onWire(wire, { authentication: auth("QueryParamToken", { paramName: "key", networkDomain: "good.com" }) });
      success(await query.send({ url: "https://good.com/end?a=1" }));
      assert.deepEqual(
        wire.requests.map((request) => request.path),
        [`/end?key=${TOKEN}&a=1`, `/end/?key=${TOKEN}&a=1`],
      );
      assert.deepEqual(
        query.traces.flatMap((trace) => trace.warnings),
        [],
      );
    });
    it("are followed five times, and no more", async () => {
      const { send } = onWire(wire);
      const chain = (length: number): string => (length === 0 ? "/end" : `/302/${encodeURIComponent(chain(length - 1))}`);
      assert.deepEqual(success(await send({ url: `https://good.com${chain(5)}` })).body, { text: "end" });
      assert.match(failure(await send({ url: `https://good.com${chain(6)}` })), /more than 5 redirects/);
      assert.equal(wire.requests.length, 6 + 6);
    });
    it("come back as they are where the pack wants that", async () => {
      const answer = success(await onWire(wire).send({ url: to("https://evil.com/"), ignoreRedirects: true }));
      assert.deepEqual([answer.status, answer.headers.location], [302, "https://evil.com/"]);
      assert.equal(wire.requests.length, 1);
    });
    for (const [status, method, after, body] of [
      [301, "POST", "GET", ""],
      [302, "POST", "GET", ""],
      [303, "PUT", "GET", ""],
      [302, "PUT", "PUT", "body"],
      [307, "POST", "POST", "body"],
      [308, "DELETE", "DELETE", "body"],
    ] as const) {
      it(`of ${status} make a ${after} of a ${method}`, async () => {
        success(
          await onWire(wire).send({ url: to("/end", status), method, headers: { "Content-Type": "text/plain" }, body: { text: "body" } }),
        );
        const last = wire.requests[1];
        assert.deepEqual([last?.method, last?.body, last?.headers["content-type"]], [after, body, body === "" ? undefined : "text/plain"]);
      });
    }
    it("are no redirects without a Location, or with another status", async () => {
      wire.answer = (_request, response) => response.writeHead(302).end("here");
      assert.equal(success(await onWire(wire).send({ url: "https://good.com/" })).status, 302);
      wire.answer = (_request, response) => response.writeHead(304, { location: "https://evil.com" }).end();
      assert.equal(success(await onWire(wire).send({ url: "https://good.com/" })).status, 304);
    });
  });

  describe("what comes back", () => {
    it("is masked in body, headers and error, and shows no cookie", async () => {
      const basic = Buffer.from(`u:${TOKEN}`).toString("base64");
      wire.answer = ({ path }, response) => {
        response.statusCode = path === "/fail" ? 418 : 200;
        response
          .setHeader("x-echo", `Bearer ${TOKEN}`)
          .setHeader("set-cookie", ["s=1", `t=${TOKEN}`])
          .setHeader("content-type", "application/json");
        response.end(JSON.stringify({ token: TOKEN, basic, [TOKEN]: encodeURIComponent(TOKEN), nested: JSON.stringify({ TOKEN }) }));
      };
      const { send, traces } = onWire(wire);
      const answer = success(await send({ url: "https://good.com/" }));
      const error = await send({ url: "https://good.com/fail" });
      assert.ok("message" in error && error.name === "StatusCodeError" && error.response?.status === 418);
      assert.deepEqual(error.options?.url, "https://good.com/fail");
      assert.equal(error.message, `418 - ${JSON.stringify((error.response.body as { json: unknown }).json)}`);
      for (const seen of [answer, error, traces]) {
        const text = JSON.stringify(seen);
        assert.ok(!text.includes(TOKEN) && !text.includes(basic.slice(4)) && !/set-cookie/i.test(text), text);
        assert.match(text, /••••/);
      }
    });
    it("is masked in bytes, which keep their length", async () => {
      const bytes = Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(TOKEN), Buffer.from([128])]);
      wire.answer = (_request, response) => response.setHeader("content-type", "image/png").end(bytes);
      const { body } = success(await onWire(wire).send({ url: "https://good.com/", isBinaryResponse: true }));
      assert.ok("base64" in body);
      const masked = Buffer.from(body.base64, "base64");
      assert.deepEqual([...masked.subarray(0, 3), masked.length, masked.at(-1)], [0, 255, 254, bytes.length, 128]);
      assert.ok(!masked.includes(TOKEN));
    });
    it("is masked whatever encoding the pack or the server gives its bytes", async () => {
      for (const shift of ["", "x"]) {
        const bytes = Buffer.from(`${shift}${TOKEN}${shift}!`);
        for (const encoding of [
          "utf-16le",
          "utf-16be",
          "gb18030",
          "shift_jis",
          "iso-2022-jp",
          "windows-1252",
          "x-user-defined",
          "latin1",
        ]) {
          wire.answer = ({ path }, response) =>
            response.setHeader("content-type", path === "/own" ? "text/plain" : `text/plain; charset=${encoding}`).end(bytes);
          const { send, traces } = onWire(wire);
          const answers = [
            success(await send({ url: "https://good.com/own", encoding })),
            success(await send({ url: "https://good.com/theirs" })),
          ];
          for (const seen of [
            ...answers.map(({ body }) => ("text" in body ? body.text : "")),
            ...traces.map((trace) => trace.responseBody ?? ""),
          ]) {
            assert.notEqual(seen, "");
            // What a pack would do to get the bytes back.
            const back = [
              Buffer.from(seen, "utf16le"),
              Buffer.from(seen, "utf16le").swap16(),
              Buffer.from(seen, "latin1"),
              Buffer.from(seen),
            ];
            for (const read of back) assert.ok(!read.includes(TOKEN.slice(1, -1)), `${encoding}: ${seen}`);
          }
        }
      }
    });
    it("is masked where the trace cuts it", async () => {
      for (const shift of [1, 7, TOKEN.length - 1]) {
        wire.answer = (_request, response) => response.end("x".repeat(64 * 1024 - shift) + TOKEN);
        const { send, traces } = onWire(wire);
        success(await send({ url: "https://good.com/" }));
        assert.equal(traces[0]?.responseBody?.replace(/^x+/, ""), "••••");
      }
    });
    it("is masked in what the network itself says", async () => {
      const { send } = onWire(wire, {
        fetch: async () => {
          throw new TypeError(`fetch failed for Bearer ${TOKEN}`);
        },
      });
      assert.doesNotMatch(failure(await send({ url: "https://good.com/" })), new RegExp(TOKEN));
    });
    it("is decompressed, and measured after that", async () => {
      wire.answer = (_request, response) => response.setHeader("content-encoding", "gzip").end(gzipSync("x".repeat(1_000)));
      const { send, traces } = onWire(wire);
      assert.deepEqual(success(await send({ url: "https://good.com/" })).body, { text: "x".repeat(1_000) });
      assert.equal(traces[0]?.size, 1_000);
    });
    it("makes a StatusCodeError from 400 on", async () => {
      for (const status of [200, 204, 299, 400, 404, 429, 500, 503]) {
        wire.answer = (_request, response) => response.writeHead(status).end();
        const answer = await onWire(wire).send({ url: "https://good.com/" });
        assert.equal("message" in answer ? answer.name : "", status < 400 ? "" : "StatusCodeError");
      }
    });
  });

  describe("a 401", () => {
    const oauth: Credential = { kind: "oauth2", accessToken: "stale-access-token" };
    const fresh: Credential = { kind: "oauth2", accessToken: "fresh-access-token", refreshToken: "fresh-refresh-token" };
    const setup = (refresh: () => Promise<Credential | undefined>) =>
      onWire(wire, { authentication: auth("OAuth2", { networkDomain: "good.com" }), credential: oauth, refresh });
    beforeEach(() => {
      wire.answer = ({ headers }, response) => {
        response.statusCode = headers.authorization === "Bearer fresh-access-token" ? 200 : 401;
        response.end(`you sent ${headers.authorization}`);
      };
    });
    it("is answered by one refresh and one more try; later requests start with the fresh token", async () => {
      let refreshed = 0;
      const { send, traces } = setup(async () => {
        refreshed++;
        return fresh;
      });
      assert.deepEqual(success(await send({ url: "https://good.com/" })).body, { text: "you sent Bearer ••••" });
      success(await send({ url: "https://good.com/" }));
      assert.equal(refreshed, 1);
      assert.deepEqual(
        traces.map((trace) => trace.status),
        [401, 200, 200],
      );
      assert.ok(!JSON.stringify(traces).includes("fresh-access"));
    });
    it("that stays is the pack's to handle, after one refresh", async () => {
      let refreshed = 0;
      const { send } = setup(async () => {
        refreshed++;
        return { ...oauth, accessToken: "other-access-token" };
      });
      const answer = await send({ url: "https://good.com/" });
      assert.ok("message" in answer && answer.name === "StatusCodeError" && answer.response?.status === 401);
      assert.deepEqual([refreshed, wire.requests.length], [1, 2]);
    });
    it("without anything to refresh is the pack's to handle", async () => {
      const answer = await setup(async () => undefined).send({ url: "https://good.com/" });
      assert.ok("message" in answer && answer.response?.status === 401);
      assert.equal(wire.requests.length, 1);
    });
    it("of a request that carried no credential is no reason to refresh", async () => {
      const { send } = setup(() => assert.fail("it refreshed"));
      for (const request of [{ url: "https://other.com/" }, { url: "https://good.com/", disableAuthentication: true }]) {
        const answer = await send(request);
        assert.ok("message" in answer && answer.response?.status === 401);
      }
    });
    it("whose refresh fails tells that failure and its remedy", async () => {
      const { send } = setup(async () => {
        throw new PackAuthError("refresh-failed", "The provider refused: invalid_grant.", { hint: "Sign in again." });
      });
      assert.equal(failure(await send({ url: "https://good.com/" })), "The provider refused: invalid_grant. Sign in again.");
    });
  });

  describe("names", () => {
    for (const address of ["10.0.0.7", "169.254.169.254", "::1", "::ffff:192.168.0.1"]) {
      it(`that lead to ${address} are refused, whatever other addresses they have`, async () => {
        const { send, traces } = onWire(wire, { lookup: async () => ["93.184.216.34", address] });
        assert.match(failure(await send({ url: "https://good.com/" })), /good\.com resolves to .*, an address of a private network/);
        nothingSent();
        assert.deepEqual([traces[0]?.credentials, traces[0]?.status], [[], undefined]);
      });
    }
    it("of a redirect are looked up too", async () => {
      wire.answer = (_request, response) => response.writeHead(302, { location: "https://api.good.com/" }).end();
      const { send } = onWire(wire, { lookup: async (host) => (host === "api.good.com" ? ["192.168.1.1"] : ["93.184.216.34"]) });
      assert.match(failure(await send({ url: "https://good.com/" })), /api\.good\.com resolves to 192\.168\.1\.1/);
      assert.deepEqual(wire.connections, ["https://good.com:"]);
    });
    it("that do not resolve say so", async () => {
      const { send } = onWire(wire, { lookup: () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })) });
      assert.match(failure(await send({ url: "https://good.com/" })), /the name good\.com does not resolve/);
      nothingSent();
    });
    it("behind a proxy are not looked up, and the trace says so", async () => {
      const { send, traces } = onWire(wire, { behindProxy: true, lookup: () => assert.fail("it was looked up") });
      success(await send({ url: "https://good.com/" }));
      assert.match(traces[0]?.warnings[0] ?? "", /through a proxy: where it leads was not checked/);
    });
  });

  it("refuses methods, headers and bodies that belong to nobody, and nothing is sent", async () => {
    for (const request of [
      { url: "https://good.com/", method: "TRACE" },
      { url: "https://good.com/", headers: { Host: "evil.com" } },
      { url: "https://good.com/", headers: { "Content-Length": "3" } },
      { url: "https://good.com/", headers: { "Transfer-Encoding": "chunked" } },
      { url: "https://good.com/", headers: { "Proxy-Authorization": "x" } },
      { url: "https://good.com/", headers: { "X\r\nY": "1" } },
      { url: "https://good.com/", headers: { X: "1\r\nAuthorization: y" } },
      { url: "https://good.com/\r\nX: y" },
      { url: "https://good.com/", body: { text: "x" } },
    ])
      assert.match(failure(await onWire(wire).send(request)), /^Not sent: /);
    nothingSent();
  });

  it("never rejects, whatever it is given", async () => {
    const { broker } = onWire(wire);
    for (const raw of [undefined, null, 5, "x", [], {}, { method: "GET" }, { method: "GET", url: {} }])
      assert.match(failure(await broker.fetch(raw as never, new AbortController().signal)), /^Not sent: /);
    nothingSent();
    for (const thrown of [undefined, null, "text", 5, {}, new Error("odd"), { cause: "text" }]) {
      const { send } = onWire(wire, { fetch: () => Promise.reject(thrown) });
      assert.match(failure(await send({ url: "https://good.com/" })), /^the request to good\.com failed/);
    }
  });

  describe("with a sandbox", () => {
    const sandboxed = (wireTo: Wire, origin: string) =>
      onWire(wireTo, {
        sandboxOrigin: origin,
        endpoint: "https://acme.good.com",
        authentication: auth("HeaderBearerToken"),
        lookup: () => assert.fail("it was looked up"),
      });
    const origin = "http://127.0.0.1:4999";
    it("nothing goes anywhere but to its origin, under the logical address", async () => {
      const { send, traces } = sandboxed(wire, origin);
      success(await send({ url: "/v1/x?y=1" }));
      success(await send({ url: "https://other.com/z" }));
      assert.deepEqual(new Set(wire.connections), new Set([origin]));
      assert.deepEqual(
        wire.requests.map((request) => [request.path, request.headers.authorization]),
        [
          ["/acme.good.com/v1/x?y=1", `Bearer ${TOKEN}`],
          ["/other.com/z", undefined],
        ],
      );
      assert.deepEqual(
        traces.map((trace) => [trace.url, trace.sandbox]),
        [
          ["https://acme.good.com/v1/x?y=1", true],
          ["https://other.com/z", true],
        ],
      );
    });
    it("the policy is that of the logical address", async () => {
      const { send } = sandboxed(wire, origin);
      for (const url of ["https://evil.com/", `${origin}/acme.good.com/x`, "//evil.com", "https://globex.good.com/"])
        assert.match(failure(await send({ url })), /^Not sent: /);
      nothingSent();
    });
    it("redirects are those of the logical address, whichever way the sandbox writes them", async () => {
      wire.answer = ({ path }, response) => {
        const location = {
          "/acme.good.com/absolute": `${origin}/acme.good.com/end`,
          "/acme.good.com/relative": "/end",
          "/acme.good.com/logical": "https://acme.good.com/end",
          "/acme.good.com/out": `${origin}/evil.com/end`,
          "/acme.good.com/away": "http://127.0.0.1:5000/x",
        }[path];
        response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location }).end();
      };
      const { send } = sandboxed(wire, origin);
      for (const url of ["/absolute", "/relative", "/logical"]) success(await send({ url }));
      assert.deepEqual(
        wire.requests.flatMap((request) => (request.path.endsWith("/end") ? [[request.path, request.headers.authorization]] : [])),
        Array(3).fill(["/acme.good.com/end", `Bearer ${TOKEN}`]),
      );
      assert.match(failure(await send({ url: "/out" })), /evil\.com is under none/);
      assert.match(failure(await send({ url: "/away" })), /^Not sent/);
      assert.deepEqual(new Set(wire.connections), new Set([`${origin}`]));
    });
  });

  it("gives each execution's requests ids in order, and says what was refused", async () => {
    const { send, traces } = onWire(wire);
    await send({ url: "https://good.com/" });
    await send({ url: "https://evil.com/" });
    await send({ url: "https://good.com/", headers: { x: placeholder("a", INVOCATION) } });
    assert.deepEqual(
      traces.map((trace) => [trace.id, trace.refused === undefined]),
      [
        [1, true],
        [2, false],
        [3, false],
      ],
    );
  });
});
