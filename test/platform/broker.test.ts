// The broker against real local servers: where credentials go, what comes back, what is refused, and that nothing was sent then.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { type Broker, type BrokerOptions, createBroker } from "../../platform/broker.ts";
import type { Credential } from "../../platform/credential.ts";
import { createRedactor } from "../../platform/redact.ts";
import { knowSecrets } from "../../platform/run.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { FetchFailure, FetchRequest, FetchResponse } from "../../protocol/pack-process.ts";
import type { RequestTrace } from "../../protocol/run.ts";

const TOKEN = "canary-token-8d1f";
const INVOCATION = "11111111-2222-4333-8444-555555555555";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

describe("broker", () => {
  let server: Server;
  let other: Server;
  let handler: Handler;
  let received: { url: string; method: string; headers: IncomingMessage["headers"]; body: string }[];
  let traces: RequestTrace[];
  let base: string;
  let otherBase: string;
  const listen = (): Promise<Server> =>
    new Promise((resolve) => {
      const created = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks).toString();
        received.push({ url: `${request.headers.host}${request.url}`, method: request.method ?? "", headers: request.headers, body });
        handler(request, response, body);
      });
      created.listen(0, "127.0.0.1", () => resolve(created));
    });
  before(async () => {
    received = [];
    server = await listen();
    other = await listen();
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    otherBase = `http://localhost:${(other.address() as AddressInfo).port}`;
  });
  after(() => {
    for (const each of [server, other]) {
      each.close();
      each.closeAllConnections();
    }
  });
  beforeEach(() => {
    received = [];
    traces = [];
    handler = (_request, response) => response.setHeader("content-type", "application/json").end('{"ok":true}');
  });

  const auth = (type: string, more: Partial<AuthenticationDefinition> = {}): AuthenticationDefinition => ({
    type,
    hasGetConnectionName: false,
    postSetup: [],
    ...more,
  });
  function broker(authentication: AuthenticationDefinition, credential: Credential, options: Partial<BrokerOptions> = {}): Broker {
    return createBroker({
      definition: { networkDomains: ["127.0.0.1", "localhost"], formulas: [], syncTables: [] },
      authentication,
      credential,
      connectionRequirement: "required",
      invocationToken: INVOCATION,
      fetch: (url, init) => fetch(url, init),
      redactor: knowSecrets(createRedactor(), credential),
      allowLoopback: true,
      onTrace: (trace) => traces.push(trace),
      ...options,
    });
  }
  const bearer = (options: Partial<BrokerOptions> = {}) =>
    broker(auth("HeaderBearerToken", { networkDomain: "127.0.0.1" }), { kind: "token", token: TOKEN }, options);
  const get = (made: Broker, request: Partial<FetchRequest> & { url: string }) =>
    made.fetch({ method: "GET", ...request }, new AbortController().signal);
  const failed = (answer: FetchResponse | FetchFailure): string => {
    assert.ok("message" in answer, `it was not refused: ${JSON.stringify(answer)}`);
    return answer.message;
  };

  const places: readonly (readonly [
    string,
    AuthenticationDefinition,
    Credential,
    (sent: (typeof received)[number]) => unknown,
    unknown,
  ])[] = [
    [
      "HeaderBearerToken",
      auth("HeaderBearerToken"),
      { kind: "token", token: TOKEN },
      (sent) => sent.headers.authorization,
      `Bearer ${TOKEN}`,
    ],
    [
      "CustomHeaderToken",
      auth("CustomHeaderToken", { headerName: "X-Key", tokenPrefix: "key" }),
      { kind: "token", token: TOKEN },
      (sent) => sent.headers["x-key"],
      `key ${TOKEN}`,
    ],
    [
      "QueryParamToken",
      auth("QueryParamToken", { paramName: "api key" }),
      { kind: "token", token: "a&b c-secret" },
      (sent) => new URL(`http://${sent.url}`).searchParams.get("api key"),
      "a&b c-secret",
    ],
    [
      "WebBasic",
      auth("WebBasic"),
      { kind: "basic", username: "ü", password: "secret" },
      (sent) => sent.headers.authorization,
      `Basic ${Buffer.from("ü:secret").toString("base64")}`,
    ],
    ["OAuth2", auth("OAuth2"), { kind: "oauth2", accessToken: TOKEN }, (sent) => sent.headers.authorization, `Bearer ${TOKEN}`],
    [
      "OAuth2 without prefix",
      auth("OAuth2", { tokenPrefix: "" }),
      { kind: "oauth2", accessToken: TOKEN },
      (sent) => sent.headers.authorization,
      TOKEN,
    ],
    [
      "OAuth2 in the query",
      auth("OAuth2", { tokenQueryParam: "t" }),
      { kind: "oauth2", accessToken: TOKEN },
      (sent) => new URL(`http://${sent.url}`).searchParams.get("t"),
      TOKEN,
    ],
    [
      "MultiHeaderToken",
      auth("MultiHeaderToken", {
        headers: [
          { name: "A", description: "" },
          { name: "B", description: "", tokenPrefix: "p" },
        ],
      }),
      { kind: "values", values: { A: "value-one", B: "value-two" } },
      (sent) => [sent.headers.a, sent.headers.b],
      ["value-one", "p value-two"],
    ],
  ];
  for (const [name, authentication, credential, read, expected] of places) {
    it(`puts the credential of ${name} where it belongs, and marks it`, async () => {
      const answer = await get(broker(authentication, credential), { url: `${base}/x?y=1` });
      assert.ok("status" in answer && answer.status === 200);
      assert.deepEqual(read(received[0] as (typeof received)[number]), expected);
      assert.ok((traces[0]?.credentials.length ?? 0) > 0);
      assert.ok(!JSON.stringify(traces).includes(TOKEN));
    });
  }

  it("fills Custom placeholders in URL, header, JSON and form, once and escaped", async () => {
    const value = 'a"b&c=d {{key-x}} $& ü';
    const made = broker(auth("Custom", { params: [{ name: "key", description: "" }] }), { kind: "values", values: { key: value } });
    const placeholder = `{{key-${INVOCATION}}}`;
    await get(made, { url: `${base}/?k=${placeholder}&l=${encodeURIComponent(placeholder)}` });
    const url = new URL(`http://${received[0]?.url}`);
    assert.equal(url.searchParams.get("k"), value);
    assert.equal(url.searchParams.get("l"), value);
    await get(made, {
      method: "POST",
      url: base,
      headers: { "Content-Type": "application/json" },
      body: { text: JSON.stringify({ key: placeholder }) },
    });
    assert.deepEqual(JSON.parse(received[1]?.body ?? ""), { key: value });
    await get(made, { method: "POST", url: base, form: { key: placeholder } });
    assert.equal(new URLSearchParams(received[2]?.body).get("key"), value);
  });

  it("refuses unknown and stale placeholders, and sends nothing", async () => {
    const made = broker(auth("Custom", { params: [{ name: "apiKey", description: "" }] }), {
      kind: "values",
      values: { apiKey: "value-1234" },
    });
    assert.match(failed(await get(made, { url: `${base}/{{apikey-${INVOCATION}}}` })), /Did you mean apiKey/);
    assert.match(failed(await get(made, { url: `${base}/{{apiKey-99999999-2222-4333-8444-555555555555}}` })), /another execution/);
    assert.match(
      failed(await get(made, { url: base, disableAuthentication: true, headers: { x: `{{apiKey-${INVOCATION}}}` } })),
      /placeholder/,
    );
    assert.equal(received.length, 0);
  });

  it("sends no credential where it was switched off, or to a domain that gets none", async () => {
    await get(bearer(), { url: `${base}/x`, disableAuthentication: true });
    await get(bearer({ connectionRequirement: "none" }), { url: `${base}/x` });
    await get(bearer(), { url: `${otherBase}/x` });
    assert.deepEqual(
      received.map((sent) => sent.headers.authorization),
      [undefined, undefined, undefined],
    );
  });

  it("replaces a header that the pack set itself, and warns", async () => {
    await get(bearer(), { url: base, headers: { Authorization: "mine" } });
    assert.equal(received[0]?.headers.authorization, `Bearer ${TOKEN}`);
    assert.match(traces[0]?.warnings[0] ?? "", /replaced/);
  });

  it("refuses before any packet: undeclared hosts, http, bad methods and headers", async () => {
    for (const request of [
      { url: "https://evil.com" },
      { url: "file:///etc/passwd" },
      { url: base, method: "TRACE" },
      { url: base, headers: { Host: "evil.com" } },
      { url: base, headers: { "Content-Length": "3" } },
      { url: base, headers: { "X\r\nY": "1" } },
      { url: base, headers: { X: "1\r\nAuthorization: y" } },
      { url: base, headers: { Cookie: "a=b" } },
      { url: base, headers: { "Proxy-Authorization": "x" } },
    ]) {
      assert.match(failed(await get(bearer(), request)), /^Not sent: /);
    }
    assert.equal(received.length, 0);
    assert.ok(traces.every((trace) => trace.refused !== undefined));
  });

  it("refuses a name that resolves to a private address", async () => {
    const made = createBroker({
      definition: { networkDomains: ["inside.example"], formulas: [], syncTables: [] },
      connectionRequirement: "none",
      invocationToken: INVOCATION,
      fetch: (url, init) => fetch(url, init),
      redactor: createRedactor(),
      lookup: async () => ["93.184.216.34", "10.0.0.7"],
      onTrace: (trace) => traces.push(trace),
    });
    assert.match(failed(await get(made, { url: "https://inside.example/x" })), /10\.0\.0\.7/);
  });

  it("follows redirects: kept on the same origin, without credentials to another, never to an undeclared one", async () => {
    handler = (request, response) => {
      if (request.url === "/same") response.writeHead(302, { location: "/end" }).end();
      else if (request.url === "/other") response.writeHead(302, { location: `${otherBase}/end` }).end();
      else if (request.url === "/evil") response.writeHead(302, { location: "https://evil.com/x" }).end();
      else if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
      else if (request.url === "/echo") response.writeHead(302, { location: `/end?token=${TOKEN}` }).end();
      else response.end("end");
    };
    await get(bearer(), { url: `${base}/same` });
    assert.deepEqual(
      received.map((sent) => sent.headers.authorization),
      [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`],
    );
    received = [];
    await get(bearer(), { url: `${base}/other`, headers: { "X-Own": "mine" } });
    assert.deepEqual(
      received.map((sent) => [sent.headers.authorization, sent.headers["x-own"]]),
      [
        [`Bearer ${TOKEN}`, "mine"],
        [undefined, undefined],
      ],
    );
    assert.match(failed(await get(bearer(), { url: `${base}/evil` })), /evil\.com/);
    assert.match(failed(await get(bearer(), { url: `${base}/echo` })), /repeats a credential/);
    received = [];
    assert.match(failed(await get(bearer(), { url: `${base}/loop` })), /redirects/);
    assert.equal(received.length, 6);
    const kept = await get(bearer(), { url: `${base}/same`, ignoreRedirects: true });
    assert.ok("status" in kept && kept.status === 302);
  });

  it("masks an echoed credential in body, header and error, and hides cookies", async () => {
    handler = (request, response) => {
      response.setHeader("x-echo", String(request.headers.authorization)).setHeader("set-cookie", `s=${TOKEN}`);
      response.statusCode = request.url === "/fail" ? 418 : 200;
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ token: TOKEN, basic: Buffer.from(`u:${TOKEN}`).toString("base64") }));
    };
    const answer = await get(bearer(), { url: base });
    const error = await get(bearer(), { url: `${base}/fail` });
    assert.ok("name" in error && error.name === "StatusCodeError" && error.response?.status === 418);
    for (const seen of [answer, error, traces]) {
      const text = JSON.stringify(seen);
      assert.ok(!text.includes(TOKEN) && !text.includes(Buffer.from(`u:${TOKEN}`).toString("base64").slice(4)), text);
      assert.ok(!text.includes("set-cookie"));
    }
  });

  it("reads JSON, XML and binary the way packs expect", async () => {
    handler = (request, response) => {
      if (request.url === "/xml") response.setHeader("content-type", "application/xml").end('<r a="1"><b>x</b><b>y</b></r>');
      else if (request.url === "/bad") response.setHeader("content-type", "application/json").end("{no");
      else response.setHeader("content-type", "application/octet-stream").end(Buffer.from([0, 255]));
    };
    const body = async (path: string, more: object = {}) => {
      const answer = await get(bearer(), { url: base + path, ...more });
      assert.ok("body" in answer);
      return answer.body;
    };
    assert.deepEqual(await body("/xml"), { json: { $: { a: "1" }, b: ["x", "y"] } });
    assert.deepEqual(await body("/bad"), { text: "{no" });
    assert.deepEqual(await body("/bin", { isBinaryResponse: true }), { base64: "AP8=" });
  });

  it("ends what is too large, stalled, cut off or refused, with a message", async () => {
    handler = (_request, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(3_000_000)));
    assert.match(failed(await get(bearer({ largestResponse: 1_000_000 }), { url: base })), /larger than/);
    handler = () => {};
    assert.match(failed(await get(bearer({ timeout: 200 }), { url: base })), /did not answer in time/);
    handler = (_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      setTimeout(() => response.destroy(), 20);
    };
    assert.match(failed(await get(bearer(), { url: base })), /broke the connection off|failed/);
    assert.match(failed(await get(bearer(), { url: "http://127.0.0.1:1/x" })), /refuses connections|failed/);
  });

  it("refreshes once on a 401, and tries again with the fresh token", async () => {
    let refreshed = 0;
    handler = (request, response) => {
      response.statusCode = request.headers.authorization === "Bearer fresh-token" ? 200 : 401;
      response.end();
    };
    const refresh = async (): Promise<Credential> => {
      refreshed++;
      return { kind: "oauth2", accessToken: "fresh-token" };
    };
    const made = broker(auth("OAuth2"), { kind: "oauth2", accessToken: TOKEN }, { refresh });
    const answer = await get(made, { url: base });
    assert.ok("status" in answer && answer.status === 200);
    await get(made, { url: base });
    assert.equal(refreshed, 1);
  });

  it("sends everything of a sandbox account to the sandbox, whatever the host", async () => {
    const made = createBroker({
      definition: { networkDomains: ["example.com"], formulas: [], syncTables: [] },
      authentication: auth("HeaderBearerToken"),
      credential: { kind: "token", token: TOKEN },
      connectionRequirement: "required",
      invocationToken: INVOCATION,
      fetch: (url, init) => fetch(url, init),
      redactor: createRedactor([TOKEN]),
      sandboxOrigin: base,
      onTrace: (trace) => traces.push(trace),
    });
    handler = (request, response) =>
      request.url === "/api.example.com/a" ? response.writeHead(302, { location: `${base}/api.example.com/b` }).end() : response.end("x");
    await get(made, { url: "https://api.example.com/a" });
    assert.deepEqual(
      received.map((sent) => sent.url),
      [`${new URL(base).host}/api.example.com/a`, `${new URL(base).host}/api.example.com/b`],
    );
    assert.deepEqual(
      traces.map((trace) => trace.url),
      ["https://api.example.com/a", "https://api.example.com/b"],
    );
    assert.match(failed(await get(made, { url: "https://evil.com" })), /^Not sent/);
  });
});
