// A request without an answer: whether it was blocked, never went out, or failed on its way, and that only what went out has a credential
// beside it.
import assert from "node:assert/strict";
import type { RequestTrace } from "../../../protocol/run.ts";
import { type BrokerSetup, onWire } from "../../support/broker.ts";
import { wireOfSuite } from "../../support/wire.ts";

describe("A request without an answer", () => {
  const wire = wireOfSuite();
  it("a certificate that is not valid yet blames this machine's clock", async () => {
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
      ["to a port without a listener was not sent", "notSent", false, () => traceOf(good, { fetch: fetchThat("ECONNREFUSED") })],
      [
        "to a server whose certificate has expired was not sent",
        "notSent",
        false,
        () => traceOf(good, { fetch: fetchThat("CERT_HAS_EXPIRED") }),
      ],
      ["cancelled during its name lookup was not sent", "notSent", false, () => cancelled({ lookup: () => new Promise(() => {}) })],
      ["cancelled on its way failed", "failed", true, () => cancelled({ fetch: () => new Promise(() => {}) })],
      ["with a broken connection failed", "failed", true, () => traceOf(good, { fetch: fetchThat("ECONNRESET") })],
      [
        "with a too large answer failed",
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
    it(`a request ${what} and has ${hasCredential ? "its" : "no"} credential in the trace`, async () => {
      const trace = await send();
      assert.equal(trace.failure, failure, trace.failureReason);
      assert.equal(trace.credentials.length, hasCredential ? 1 : 0);
      // What was stopped here says itself why.
      assert.equal(trace.hint === undefined, /blocked|cancelled|too large/.test(what), trace.hint);
    });

  it("a request refused by the proxy is not marked as sent through it", async () => {
    const tunnel = () =>
      Promise.reject(new TypeError("fetch failed", { cause: new Error("Proxy response (403) !== 200 when HTTP Tunneling") }));
    const trace = await traceOf(good, { fetch: tunnel, behindProxy: true });
    assert.equal(trace.failure, "notSent");
    assert.equal(trace.throughProxy, undefined);
  });

  it("a request with an answer has no failure", async () => {
    const trace = await traceOf(good, { fetch: async () => new Response("no", { status: 404 }) });
    assert.equal(trace.failure, undefined);
    assert.equal(trace.status, 404);
  });
});
