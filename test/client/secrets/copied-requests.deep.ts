// A request that is copied as a command: a real shell and a real curl send what was sent, whatever is in it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import fc from "fast-check";
import { toCurl } from "../../../client/webview/requests/curl.ts";
import { programsOnPath } from "../../../platform/files/programs.ts";
import { notRun } from "../../support/not-run.ts";

/** What shells, curl and servers may take for more than text. */
const ODD = fc.constantFrom(
  "it's",
  '"x"',
  "$HOME",
  "`id`",
  "!!",
  "\\",
  "@/etc/passwd",
  "a\nb",
  "\t",
  "é 漢 😀",
  "-x",
  "%41",
  "a&b",
  "#;*~",
  "",
);
const anyText = fc.oneof(ODD, fc.string({ maxLength: 20 }));
const inHeader = anyText.map((word) => word.replaceAll(/[^\x20-\x7e]/g, "").trim());
const requests = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"),
  query: anyText.map(encodeURIComponent),
  requestHeaders: fc.dictionary(fc.constantFrom("x-a", "content-type", "accept", "authorization"), inHeader, { maxKeys: 4 }),
  body: anyText,
});

describe("a request that is copied as a curl command", function () {
  this.timeout(60_000);
  if (programsOnPath("curl").length === 0) {
    notRun("a request that a real curl sends (curl is not on the PATH)");
    return;
  }
  const heard: { readonly request: IncomingMessage; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    heard.push({ request, body: await text(request) });
    response.end();
  });
  let origin: string;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  it("the curl command sends the request as it was sent", async () => {
    const transmission = fc.asyncProperty(requests, async ({ method, query, requestHeaders, body }) => {
      const url = `${origin}/[1-2]/{a,b}?q=${query}`;
      const requestBody = method === "GET" || method === "HEAD" ? undefined : body;
      const command = toCurl({ method, url, requestHeaders, ...(requestBody === undefined ? {} : { requestBody }) });
      await promisify(execFile)("sh", ["-c", `${command} --silent --max-time 10`]);
      const [one, ...otherRequests] = heard.splice(0);
      assert.ok(one !== undefined && otherRequests.length === 0, command);
      const { request } = one;
      assert.deepEqual([request.method, one.body], [method, requestBody ?? ""], command);
      assert.equal(new URL(request.url ?? "", origin).href, new URL(url).href, command);
      // As fetch sends a text.
      const expected = { ...(requestBody === undefined ? {} : { "content-type": "text/plain;charset=UTF-8" }), ...requestHeaders };
      const { host, "user-agent": _agent, "content-length": _length, ...headers } = request.headers;
      assert.deepEqual({ accept: "*/*", ...headers }, { accept: "*/*", ...expected }, command);
    });
    await fc.assert(transmission, { numRuns: 100 });
  });
});
