// What a run tells of a request while it waits for the answer: that it waits, masked, and that it does no longer.
import assert from "node:assert/strict";
import type { Sending } from "../../../platform/runs/run-observer.ts";
import { createRedactor } from "../../../platform/secrets/redact.ts";
import { failure, formula, RUN_PACK, runsOfSuite, value } from "../../support/run-pack.ts";

const SOURCE = `${RUN_PACK}
formula("Two", async (_: any, context: any) => {
  await Promise.all(["/a?key=a-secret-value", "/b"].map((path) => get(context, "https://good.com" + path)));
  return "done";
});
`;

describe("Pending requests", function () {
  this.timeout(30_000);
  const suite = runsOfSuite(SOURCE);

  it("pending requests are reported at begin and end without secrets", async () => {
    const waiting = new Map<number, Sending>();
    const most: string[] = [];
    const pendingResponses: (() => void)[] = [];
    suite.wire.respond = (_request, response) => {
      pendingResponses.push(() => response.setHeader("content-type", "text/plain").end("x"));
      // Both wait by now: neither is answered before.
      if (pendingResponses.length < 2) return;
      most.push(...[...waiting.values()].map(({ method, url }) => `${method} ${url}`));
      for (const respond of pendingResponses) respond();
    };
    const redactor = createRedactor();
    redactor.addCredential({ kind: "token", token: "a-secret-value" });
    const report = await suite.go(formula("Two"), [], {
      redactor,
      onSending: (request) => waiting.set(request.id, request),
      onSent: (id) => waiting.delete(id),
    });
    assert.equal(value(report), "done");
    assert.deepEqual(most.sort(), ["GET https://good.com/a?key=••••", "GET https://good.com/b"]);
    assert.equal(waiting.size, 0);
  });

  it("a pending request at the time limit is blamed instead of a loop", async () => {
    suite.wire.respond = () => {};
    const report = await suite.go(formula("Two"), [], { timeLimit: 1_000 });
    assert.match(
      failure(report),
      /^time-limit \| .* \| GET https:\/\/good\.com\/a\?key=\S+ has no answer yet\. Check whether the API can be reached, and try again\.$/,
    );
  });
});
