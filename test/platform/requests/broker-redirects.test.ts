// The broker on a wire that every host leads to, hop by hop: what goes along, where no hop may lead, and what of a request is left.
import assert from "node:assert/strict";
import { MASK } from "../../../platform/secrets/redact.ts";
import { auth, failure, onWire, success, TOKEN } from "../../support/broker.ts";
import { wireOfSuite } from "../../support/wire.ts";

describe("The broker's redirects", () => {
  const wire = wireOfSuite();
  const authorizations = () => wire.requests.map((request) => [request.host, request.headers.authorization]);

  describe("Redirects", () => {
    /** Every path names where it leads: `/302/<encoded location>`. */
    const to = (location: string, status = 302): string => `https://good.com/${status}/${encodeURIComponent(location)}`;
    beforeEach(() => {
      wire.respond = ({ path }, response) => {
        const [, status, location] = /^\/(3\d\d)\/([^?]*)/.exec(path) ?? [];
        if (location === undefined) response.end("end");
        else response.writeHead(Number(status), { location: decodeURIComponent(location) }).end();
      };
    });
    it("a redirect on the same origin keeps the credential", async () => {
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
    it("a redirect to another origin never carries the credential, not even a declared one", async () => {
      const { send } = onWire(wire);
      success(await send({ url: to(`https://other.com/302/${encodeURIComponent("https://good.com/end")}`) }));
      success(await send({ url: to("https://api.good.com/end") }));
      success(await send({ url: to(`https://api.good.com/302/${encodeURIComponent("/end")}`) }));
      assert.deepEqual(authorizations(), [
        ["good.com", `Bearer ${TOKEN}`],
        ["other.com", undefined],
        ["good.com", undefined],
        ["good.com", `Bearer ${TOKEN}`],
        ["api.good.com", undefined],
        ["good.com", `Bearer ${TOKEN}`],
        ["api.good.com", undefined],
        ["api.good.com", undefined],
      ]);
    });
    it("a redirect to an undeclared host is reported without its query", async () => {
      const { send, traces } = onWire(wire);
      const failureText = failure(await send({ url: to("https://files.example/a.pdf?X-Amz-Signature=0123456789abcdef#page") }));
      assert.match(failureText, /a redirect leads to https:\/\/files\.example\/a\.pdf: /);
      assert.doesNotMatch(failureText, /Signature|0123456789abcdef|#page/);
      assert.equal(traces.at(-1)?.url, "https://files.example/a.pdf");
    });
    it("a redirect to a presigned address is shown with its secrets masked", async () => {
      const address = (host: string): string =>
        `https://${host}/end?page=2&X-Amz-Signature=0123456789abcdef&sig=a%2Fb%3D&X%2DGoog-Signature=77aa`;
      for (const [host, ignoreRedirects] of [
        ["files.example", false],
        ["other.com", false],
        ["other.com", true],
      ] as const) {
        const { send, traces } = onWire(wire);
        const fetchResponse = await send({ url: to(address(host)), ignoreRedirects });
        assert.equal(
          traces[0]?.responseHeaders?.location,
          `https://${host}/end?page=2&X-Amz-Signature=${MASK}&sig=${MASK}&X%2DGoog-Signature=${MASK}`,
        );
        assert.doesNotMatch(JSON.stringify(traces.slice(1)), /0123456789abcdef|a%2Fb|77aa/);
        if (ignoreRedirects) assert.equal(success(fetchResponse).headers.location, address(host));
      }
      assert.equal(wire.requests.find(({ host }) => host === "other.com")?.path, address("").slice("https://".length));
    });
    for (const [name, location, maskedLocation] of [
      ["content-location", "/a?token=t1t1t1&v=1#x", `/a?token=${MASK}&v=1#x`],
      [
        "link",
        '<https://good.com/a?page=2&access_token=t1t1t1>; rel="next", </b?sig=t1t1t1>; rel="last"',
        `<https://good.com/a?page=2&access_token=${MASK}>; rel="next", </b?sig=${MASK}>; rel="last"`,
      ],
      ["refresh", "5; url=https://good.com/a?v=1&Signature=t1t1t1", `5; url=https://good.com/a?v=1&Signature=${MASK}`],
      ["refresh", "5; url='https://good.com/a#access_token=t1t1t1'", `5; url='https://good.com/a#access_token=${MASK}'`],
      ["etag", '"?sig=1"', '"?sig=1"'],
    ] as const)
      it(`${name}: ${location} is shown as ${maskedLocation}, and whole to the pack`, async () => {
        const { send, traces } = onWire(wire);
        wire.respond = (_request, response) => response.writeHead(200, { [name]: location }).end();
        assert.equal(success(await send({ url: "https://good.com/" })).headers[name], location);
        assert.equal(traces[0]?.responseHeaders?.[name], maskedLocation);
      });
    it("a redirect to another origin drops headers that may hold a secret", async () => {
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
      ["https://evil.com/x", /evil\.com is not in the pack's network domains/],
      ["//evil.com/x", /evil\.com is not in the pack's network domains/],
      ["http://good.com/x", /not secure/],
      ["file:///etc/passwd", /file: URLs/],
      ["data:text/plain,x", /data: URLs/],
      ["https://good.com@evil.com/", /user name/],
      ["https://127.0.0.1/", /IP address/],
      ["https://169.254.169.254/latest", /IP address/],
      ["https://good.com:8443/", /port 8443/],
      ["\\\\evil.com", /backslash/],
      ["https://", /is not a URL/],
    ] as const) {
      it(`a redirect to ${location} is refused after the first hop`, async () => {
        const { send, traces } = onWire(wire);
        assert.match(failure(await send({ url: to(location) })), reason);
        assert.deepEqual(wire.connections, ["https://good.com:"]);
        assert.equal(wire.requests.length, 1);
        assert.deepEqual(
          traces.map((trace) => [trace.status, trace.redirectedFrom, trace.failureReason === undefined]),
          [
            [302, undefined, true],
            [undefined, 1, false],
          ],
        );
      });
    }
    it("a redirect that repeats the credential to another origin is refused", async () => {
      const { send } = onWire(wire);
      assert.match(failure(await send({ url: to(`https://other.com/?t=${TOKEN}`) })), /repeats a credential/);
      assert.match(
        failure(await send({ url: to(`https://other.com/?t=${Buffer.from(`x:${TOKEN}`).toString("base64url")}`) })),
        /repeats a credential/,
      );
      assert.equal(wire.requests.length, 2);
      assert.doesNotMatch(failure(await send({ url: to(`https://evil.com/?t=${TOKEN}`) })), new RegExp(TOKEN));
      wire.requests.length = 0;
      wire.respond = ({ path }, response) =>
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
    it("a sixth redirect is refused", async () => {
      const { send } = onWire(wire);
      const chain = (length: number): string => (length === 0 ? "/end" : `/302/${encodeURIComponent(chain(length - 1))}`);
      assert.deepEqual(success(await send({ url: `https://good.com${chain(5)}` })).body, { text: "end" });
      assert.match(failure(await send({ url: `https://good.com${chain(6)}` })), /more than 5 redirects/);
      assert.equal(wire.requests.length, 6 + 6);
    });
    it("a redirect is returned as is with ignoreRedirects", async () => {
      const response = success(await onWire(wire).send({ url: to("https://evil.com/"), ignoreRedirects: true }));
      assert.deepEqual([response.status, response.headers.location], [302, "https://evil.com/"]);
      assert.equal(wire.requests.length, 1);
    });
    for (const [status, method, after, body] of [
      [301, "POST", "GET", ""],
      [302, "POST", "GET", ""],
      [303, "PUT", "GET", ""],
      [303, "HEAD", "HEAD", ""],
      [302, "PUT", "PUT", "body"],
      [307, "POST", "POST", "body"],
      [308, "DELETE", "DELETE", "body"],
    ] as const) {
      it(`a redirect with ${status} turns ${method} into ${after}`, async () => {
        success(
          await onWire(wire).send({
            url: to("/end", status),
            method,
            headers: { "Content-Type": "text/plain", "X-Version": "7" },
            ...(method === "HEAD" ? {} : { body: { text: "body" } }),
          }),
        );
        const last = wire.requests[1];
        assert.deepEqual([last?.method, last?.body, last?.headers["x-version"]], [after, body, "7"]);
        assert.equal(last?.headers["content-type"] === undefined, after === "GET");
      });
    }
    it("a 302 without Location and a 304 are no redirects", async () => {
      wire.respond = (_request, response) => response.writeHead(302).end("here");
      assert.equal(success(await onWire(wire).send({ url: "https://good.com/" })).status, 302);
      wire.respond = (_request, response) => response.writeHead(304, { location: "https://evil.com" }).end();
      assert.equal(success(await onWire(wire).send({ url: "https://good.com/" })).status, 304);
    });
  });
});
