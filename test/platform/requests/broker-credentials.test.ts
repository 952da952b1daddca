// The broker on a wire that every host leads to: where credentials go and where they never do, in place of what, and filled into placeholders.
import assert from "node:assert/strict";
import { z } from "zod";
import type { FetchRequest } from "../../../protocol/pack-process.ts";
import { auth, failure, INVOCATION, named, onWire, placeholder, STALE, success, TOKEN } from "../../support/broker.ts";
import { eachCase, pattern } from "../../support/json-cases.ts";
import { wireOfSuite } from "../../support/wire.ts";

/** TOKEN stands for the token of this execution, and STALE for that of another one. */
const request = z
  .custom<Partial<FetchRequest> & { url: string }>()
  .transform((each): typeof each => JSON.parse(JSON.stringify(each).replaceAll("TOKEN", INVOCATION).replaceAll("STALE", STALE)));
const unsentCase = z.strictObject({ title: z.string(), request, message: pattern });

describe("The broker's credentials", () => {
  const wire = wireOfSuite();
  const authorizations = () => wire.requests.map((request) => [request.host, request.headers.authorization]);
  const nothingSent = () => assert.deepEqual([wire.connections, wire.requests], [[], []]);

  describe("The credential", () => {
    it("the credential goes to its domain and below, marked in the trace, and nowhere else", async () => {
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
    it("the credential is not sent if disabled, not required, or for the platform's files", async () => {
      success(await onWire(wire).send({ url: "https://good.com/", disableAuthentication: true }));
      success(await onWire(wire, { connectionRequirement: "none" }).send({ url: "https://good.com/" }));
      success(await onWire(wire).send({ url: "https://cdn.codahosted.io/x" }));
      assert.deepEqual(
        wire.requests.map((request) => request.headers.authorization),
        [undefined, undefined, undefined],
      );
    });
    it("the credential replaces the pack's own header, with a note in the trace and a platform difference", async () => {
      const { send, traces, platformDifferences } = onWire(wire);
      success(await send({ url: "https://good.com/", headers: { authorization: "mine" } }));
      assert.deepEqual(authorizations(), [["good.com", `Bearer ${TOKEN}`]]);
      assert.match(traces[0]?.warnings[0] ?? "", /set the header Authorization itself; it was replaced/);
      assert.match(platformDifferences[0] ?? "", /The platform refuses such a request/);
    });
    it("the pack's own header is kept on requests without the credential", async () => {
      const { send, traces } = onWire(wire);
      success(await send({ url: "https://other.com/", headers: { Authorization: "mine" } }));
      assert.deepEqual(authorizations(), [["other.com", "mine"]]);
      assert.deepEqual(traces[0]?.warnings, []);
    });
    it("a type that only the platform supports stops the request with a reason", async () => {
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
    it("auth-spec 5.4.2, 5.4.4: placeholder values reach the server whole in every place", async () => {
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

    eachCase("requests/cases/placeholders-not-sent.json", unsentCase, ({ title, request, message }) => {
      it(`placeholders in ${title} are refused before the request`, async () => {
        const { send, traces } = custom({ key: value, site: "acme", evil: "evil.com/", lines: "a\r\nX-Evil: 1" });
        assert.match(failure(await send(request)), message);
        nothingSent();
        assert.match(traces[0]?.failureReason ?? "", /^Not sent: /);
      });
    });
    it("placeholders replace values of any length in the host of an error", async () => {
      const error = new TypeError("fetch failed", { cause: new Error("Host: ab1.good.com. is not in the cert's altnames") });
      const { send } = onWire(
        { ...wire, fetch: () => Promise.reject(error) },
        {
          authentication: auth("Custom", { params: [named("site")], networkDomain: "good.com" }),
          credential: { kind: "values", values: { site: "ab1" } },
        },
      );
      const message = failure(await send({ url: `https://${placeholder("site")}.good.com/` }));
      assert.doesNotMatch(message, /ab1/);
      assert.match(message, /good\.com/);
    });
    it("a port in an error is kept", async () => {
      const { send } = onWire(wire, {
        domains: ["127.0.0.1"],
        allowLoopback: true,
        connectionRequirement: "none",
        authentication: auth("Custom", { params: [named("key")] }),
        credential: { kind: "values", values: { key: value } },
      });
      assert.match(
        failure(await send({ url: `http://127.0.0.1:81/${placeholder("key")}` })),
        /^Not sent: 127\.0\.0\.1:81 gets no credentials/,
      );
    });
    it("short values never appear in an error, which shows the placeholder", async () => {
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
    it("placeholders are refused for an account of another type", async () => {
      assert.match(
        failure(await onWire(wire).send({ url: "https://good.com/", headers: { x: placeholder("key") } })),
        /belong to Custom authentication/,
      );
      nothingSent();
    });
    it("placeholders that a server writes into its redirect are not replaced", async () => {
      wire.respond = (_request, response) => response.writeHead(302, { location: `/?k=${placeholder("key")}` }).end();
      const { send, platformDifferences } = custom({ key: "custom-value" });
      failure(await send({ url: "https://good.com/" }));
      assert.deepEqual(
        wire.requests.map(({ path }) => path),
        ["/"],
      );
      failure(await send({ url: `https://${placeholder("key")}.evil.com/` }));
      assert.match(platformDifferences.join(), /evil\.com is not in/);
      assert.doesNotMatch(platformDifferences.join(), /custom-value/);
    });
    it("placeholders are replaced again on the same origin and never on another", async () => {
      wire.respond = ({ path }, response) => {
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
      assert.match(failure(await send(post)), /body with a credential/);
      assert.deepEqual(
        wire.requests.map((one) => one.host),
        ["good.com"],
      );
    });
  });
});
