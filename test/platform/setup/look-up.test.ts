// The rules of look-ups: which hosts are asked, and what is never sent.
import assert from "node:assert/strict";
import { lookUpAddress } from "../../../platform/setup/look-up.ts";
import { CANARY, localHost, openSetupServer, type SetupServer, setUp } from "../../support/setup.ts";

/** Joined at run time, so that secret scanners do not report it. */
const TOKEN = ["glpat", "q7Zr2Lx9Kd4Wm8Tb3Vf6"].join("-");

describe("Look-ups during the set-up", function () {
  this.timeout(30_000);
  let server: SetupServer;
  before(async () => {
    server = await openSetupServer();
  });
  after(() => server.close());
  beforeEach(() => {
    server.requests.length = 0;
    server.respond = () => ({ status: 401, headers: { "www-authenticate": "Bearer" } });
  });

  it("nothing is sent before a yes that names the host, nor after a no", async () => {
    const evidence = { kind: "address", text: server.base } as const;
    const { questions, error } = await setUp(evidence, { [`look-up ${server.host}`]: "no" });
    assert.deepEqual(
      questions.map((question) => question.kind === "look-up" && question.host),
      [server.host],
    );
    assert.match(error?.message ?? "", /was not asked, as you chose/);
    const odd = await setUp(evidence, { [`look-up ${server.host}`]: "maybe" });
    assert.equal(odd.outcome?.kind, "question");
    assert.deepEqual(server.requests, []);
  });

  it("a server of this machine is asked only if that is allowed", async () => {
    const { questions, error } = await setUp({ kind: "address", text: server.base }, {}, localHost({ allowLoopback: false }));
    assert.deepEqual(error?.nextStep, { do: "allowLoopback" });
    assert.deepEqual([questions, server.requests], [[], []]);
  });

  for (const [address, what] of Object.entries({
    "http://api.acme.example/": "an address without TLS",
    "https://10.0.0.7/": "a private address",
    "https://169.254.169.254/latest/": "the address of a cloud's metadata",
    "https://93.184.216.34/": "an IP address",
    "https://api.acme.example:8443/": "a port other than that of https",
    "https://api.acme.example./": "a host with a dot at its end",
    "ftp://api.acme.example/": "another scheme",
    "api.acme.example": "a host without a scheme",
  }))
    it(`${what} is refused without a question`, async () => {
      const fetches: string[] = [];
      const host = localHost({ fetch: async (url) => Promise.reject(new Error(`sent to ${url}: ${fetches.push(url)}`)) });
      for (const kind of ["address", "mcp", "issuer"] as const) {
        const { questions, error } = await setUp({ kind, text: address }, {}, host);
        assert.equal(error?.code, "evidence-unreadable", kind);
        assert.deepEqual([questions, fetches], [[], []], kind);
      }
    });

  it("a name that resolves to a private address is refused before anything is sent", async () => {
    const fetches: string[] = [];
    const host = localHost({
      lookUp: async () => ["93.184.216.34", "10.0.0.7"],
      fetch: async (url) => Promise.reject(new Error(String(fetches.push(url)))),
    });
    const { error } = await setUp({ kind: "address", text: "https://api.acme.example/" }, {}, host);
    assert.match(error?.message ?? "", /private network/);
    assert.deepEqual(fetches, []);
  });

  it("a public host cannot redirect to this machine, to http, or to a private address", async () => {
    for (const location of [server.base, "http://api.acme.example/x", "https://192.168.0.1/", "https://user:pw@api.acme.example/"]) {
      const host = localHost({
        fetch: async (url, init) =>
          url.startsWith("https://api.acme.example") ? new Response(null, { status: 302, headers: { location } }) : fetch(url, init),
      });
      const { error } = await setUp({ kind: "address", text: "https://api.acme.example/" }, {}, host);
      assert.equal(error?.code, "evidence-unreadable", location);
    }
    assert.deepEqual(server.requests, []);
  });

  it("a redirect loop ends", async () => {
    server.respond = (_, path) => ({ status: 302, headers: { location: `${path}x` } });
    const { error } = await setUp({ kind: "address", text: server.base });
    assert.match(error?.message ?? "", /redirects more than 5 times/);
  });

  it("requests have no header that could be a credential", async () => {
    for (const kind of ["address", "mcp", "issuer"] as const) await setUp({ kind, text: `http://u:${CANARY}@${server.host}/` });
    assert.ok(server.requests.length >= 4);
    assert.ok(!/authorization|cookie/i.test(server.requests.map((request) => request.replace(/\/\.well-known\S*/, "")).join()));
    assert.ok(!server.requests.join().includes(CANARY));
  });

  it("a token of a published form in the path is refused, in any spelling", () => {
    for (const path of [
      TOKEN,
      `bot${TOKEN}`.replace("bot", "x/"),
      [...TOKEN].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(""),
    ])
      assert.throws(
        () => lookUpAddress(`https://api.acme.example/${path}/me`),
        (error: Error) => /contains a credential/.test(error.message) && !error.message.includes(TOKEN),
      );
    assert.equal(lookUpAddress("https://api.acme.example/v1/issues").url.href, "https://api.acme.example/v1/issues");
  });
});
