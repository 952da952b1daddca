// A request without an answer: whether it was blocked, never went out, or failed on its way, and that only what went out has a credential
// beside it.
import assert from "node:assert/strict";
import type { RequestTrace } from "../../../protocol/run.ts";
import { type BrokerSetup, onWire } from "../../support/broker.ts";
import { wireOfSuite } from "../../support/wire.ts";

describe("A request without an answer", () => {
  const wire = wireOfSuite();
  it("for a certificate that is not valid yet blames the clock or the certificate, and no authority", async () => {
    const { failureReason } = await traceOf(good, { fetch: fetchThat("CERT_NOT_YET_VALID") });
    assert.equal(failureReason, "the certificate of good.com is not valid yet (CERT_NOT_YET_VALID): check this machine's clock");
  });
  const coded = (code: string): Error => Object.assign(new Error(code), { code });
  /** As Node's fetch throws it. */
  const fetchThat = (code: string) => () => Promise.reject(new TypeError("fetch failed", { cause: coded(code) }));
  async function traceOf(url: string, setup: BrokerSetup = {}, signal?: AbortSignal): Promise<RequestTrace> {
    const { send, traces } = onWire(wire, setup);
    await send({ url }, signal);
    assert.equal(traces.length, 1);
    return traces[0] as RequestTrace;
  }
  const good = "https://good.com/";

  const cases: readonly (readonly [what: string, failure: RequestTrace["failure"], hasCredential: boolean, () => Promise<RequestTrace>])[] =
    [
      ["to a host that is no network domain is blocked", "blocked", false, () => traceOf("https://evil.com/")],
      ["to an address of a private network is blocked", "blocked", false, () => traceOf(good, { lookup: async () => ["10.0.0.1"] })],
      [
        "to a name that does not resolve was not sent",
        "notSent",
        false,
        () => traceOf(good, { lookup: () => Promise.reject(coded("ENOTFOUND")) }),
      ],
      ["where nobody listens was not sent", "notSent", false, () => traceOf(good, { fetch: fetchThat("ECONNREFUSED") })],
      [
        "to a server whose certificate has expired was not sent",
        "notSent",
        false,
        () => traceOf(good, { fetch: fetchThat("CERT_HAS_EXPIRED") }),
      ],
      [
        "that was cancelled while its name was looked up was not sent",
        "notSent",
        false,
        () => cancelled({ lookup: () => new Promise(() => {}) }),
      ],
      ["that was cancelled on its way failed", "failed", true, () => cancelled({ fetch: () => new Promise(() => {}) })],
      ["whose connection broke failed", "failed", true, () => traceOf(good, { fetch: fetchThat("ECONNRESET") })],
      [
        "whose answer was too large failed",
        "failed",
        true,
        () => traceOf(good, { fetch: async () => new Response("x".repeat(100)), largestResponse: 10 }),
      ],
    ];
  async function cancelled(setup: BrokerSetup): Promise<RequestTrace> {
    const abort = new AbortController();
    const trace = traceOf(good, setup, abort.signal);
    setImmediate(() => abort.abort());
    return trace;
  }
  for (const [what, failure, hasCredential, send] of cases)
    it(`${what}, and has ${hasCredential ? "its" : "no"} credential beside it`, async () => {
      const trace = await send();
      assert.equal(trace.failure, failure, trace.failureReason);
      assert.equal(trace.credentials.length, hasCredential ? 1 : 0);
      // What was stopped here says itself why.
      assert.equal(trace.hint === undefined, /blocked|cancelled|too large/.test(what), trace.hint);
    });

  it("that no proxy let through was reached through none", async () => {
    const tunnel = () =>
      Promise.reject(new TypeError("fetch failed", { cause: new Error("Proxy response (403) !== 200 when HTTP Tunneling") }));
    const trace = await traceOf(good, { fetch: tunnel, behindProxy: true });
    assert.equal(trace.failure, "notSent");
    assert.equal(trace.throughProxy, undefined);
  });

  it("is told apart from one that has an answer", async () => {
    const trace = await traceOf(good, { fetch: async () => new Response("no", { status: 404 }) });
    assert.equal(trace.failure, undefined);
    assert.equal(trace.status, 404);
  });
});
