// The broker on a wire that every host leads to: what comes back is masked, decompressed and measured.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { failure, onWire, success, TOKEN } from "../../support/broker.ts";
import { wireOfSuite } from "../../support/wire.ts";

describe("The broker's responses", () => {
  const wire = wireOfSuite();

  describe("The response", () => {
    it("secrets are masked in body, headers and error, and cookies are hidden", async () => {
      const basic = Buffer.from(`u:${TOKEN}`).toString("base64");
      wire.respond = ({ path }, response) => {
        response.statusCode = path === "/fail" ? 418 : 200;
        response
          .setHeader("x-echo", `Bearer ${TOKEN}`)
          .setHeader("set-cookie", ["s=1", `t=${TOKEN}`])
          .setHeader("content-type", "application/json");
        response.end(JSON.stringify({ token: TOKEN, basic, [TOKEN]: encodeURIComponent(TOKEN), nested: JSON.stringify({ TOKEN }) }));
      };
      const { send, traces } = onWire(wire);
      const fetchResponse = success(await send({ url: "https://good.com/" }));
      const error = await send({ url: "https://good.com/fail" });
      assert.ok("message" in error && error.name === "StatusCodeError" && error.response?.status === 418);
      assert.deepEqual(error.options?.url, "https://good.com/fail");
      assert.equal(error.message, `418 - ${JSON.stringify((error.response.body as { json: unknown }).json)}`);
      for (const output of [fetchResponse, error, traces]) {
        const text = JSON.stringify(output);
        assert.ok(!text.includes(TOKEN) && !text.includes(basic.slice(4)) && !/set-cookie/i.test(text), text);
        assert.match(text, /••••/);
      }
    });
    it("secrets are masked in bytes, which keep their length", async () => {
      const bytes = Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(TOKEN), Buffer.from([128])]);
      wire.respond = (_request, response) => response.setHeader("content-type", "image/png").end(bytes);
      const { body } = success(await onWire(wire).send({ url: "https://good.com/", isBinaryResponse: true }));
      assert.ok("base64" in body);
      const masked = Buffer.from(body.base64, "base64");
      assert.deepEqual([...masked.subarray(0, 3), masked.length, masked.at(-1)], [0, 255, 254, bytes.length, 128]);
      assert.ok(!masked.includes(TOKEN));
    });
    it("secrets are masked in any encoding of the bytes", async () => {
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
          wire.respond = ({ path }, response) =>
            response.setHeader("content-type", path === "/own" ? "text/plain" : `text/plain; charset=${encoding}`).end(bytes);
          const { send, traces } = onWire(wire);
          const responses = [
            success(await send({ url: "https://good.com/own", encoding })),
            success(await send({ url: "https://good.com/theirs" })),
          ];
          for (const bodyText of [
            ...responses.map(({ body }) => ("text" in body ? body.text : "")),
            ...traces.map((trace) => trace.responseBody ?? ""),
          ]) {
            assert.notEqual(bodyText, "");
            // What a pack would do to get the bytes back.
            const back = [
              Buffer.from(bodyText, "utf16le"),
              Buffer.from(bodyText, "utf16le").swap16(),
              Buffer.from(bodyText, "latin1"),
              Buffer.from(bodyText),
            ];
            for (const read of back) assert.ok(!read.includes(TOKEN.slice(1, -1)), `${encoding}: ${bodyText}`);
          }
        }
      }
    });
    it("secrets are masked at the cut of the trace", async () => {
      for (const shift of [1, 7, TOKEN.length - 1]) {
        wire.respond = (_request, response) => response.end("x".repeat(64 * 1024 - shift) + TOKEN);
        const { send, traces } = onWire(wire);
        success(await send({ url: "https://good.com/" }));
        assert.equal(traces[0]?.responseBody?.replace(/^x+/, ""), "••••");
      }
    });
    it("secrets are masked in a network error", async () => {
      const { send } = onWire(wire, {
        fetch: async () => {
          throw new TypeError(`fetch failed for Bearer ${TOKEN}`);
        },
      });
      assert.doesNotMatch(failure(await send({ url: "https://good.com/" })), new RegExp(TOKEN));
    });
    it("a body is decompressed before it is measured", async () => {
      wire.respond = (_request, response) => response.setHeader("content-encoding", "gzip").end(gzipSync("x".repeat(1_000)));
      const { send, traces } = onWire(wire);
      assert.deepEqual(success(await send({ url: "https://good.com/" })).body, { text: "x".repeat(1_000) });
      assert.equal(traces[0]?.size, 1_000);
    });
    it("a status from 400 on is a StatusCodeError", async () => {
      for (const status of [200, 204, 299, 400, 404, 429, 500, 503]) {
        wire.respond = (_request, response) => response.writeHead(status).end();
        const result = await onWire(wire).send({ url: "https://good.com/" });
        assert.equal("message" in result ? result.name : "", status < 400 ? "" : "StatusCodeError");
      }
    });
  });
});
