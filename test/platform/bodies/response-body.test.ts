// What pack code gets of a response: JSON, XML in the form of the library that the toolkit's documentation names, text and bytes.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import fc from "fast-check";
import { z } from "zod";
import { decodeText, parseBody, readBody } from "../../../platform/bodies/response-body.ts";
import { parseXml } from "../../../platform/bodies/xml-body.ts";
import { readTable } from "../../support/json-cases.ts";
import { PROPERTY_TIME, RUNS } from "../../support/runs.ts";

const toolkit = createRequire(import.meta.resolve("@codahq/packs-sdk"));
/** The toolkit's own, as its test runner calls it. */
const xml2js = toolkit("xml2js") as { parseStringPromise(text: string, options: { explicitRoot: boolean }): Promise<unknown> };

const parse = (text: string, type: string, more: { binary?: boolean; encoding?: string } = {}) =>
  parseBody(Buffer.from(text), type, { binary: false, ...more });

describe("Response bodies", () => {
  const table = readTable("bodies/cases/response-bodies.json", z.array(z.tuple([z.string(), z.string(), z.string(), z.unknown()])));
  for (const [what, text, type, body] of table)
    it(`${what} is read as the toolkit reads it`, () => assert.deepEqual(parse(text, type), body));

  it("binary responses stay bytes", () => {
    assert.deepEqual(parseBody(Buffer.from([0, 255]), "application/json", { binary: true }), { base64: "AP8=" });
    assert.deepEqual(parseBody(new Uint8Array(), "", { binary: true }), { base64: "" });
  });
  it("the requested encoding, the charset, or UTF-8 decodes the text", () => {
    const latin = Buffer.from("é", "latin1");
    assert.equal(decodeText(latin, 'text/plain; charset="ISO-8859-1"'), "é");
    assert.equal(decodeText(latin, "text/plain", "latin1"), "é");
    assert.equal(decodeText(Buffer.from("é"), "text/plain; charset=nonsense"), "é");
  });
  it("JSON that nests too deeply is refused with a reason", () => {
    assert.throws(() => parse("[".repeat(100_000) + "]".repeat(100_000), "application/json"), { code: "response-invalid" });
    assert.ok("json" in parse("[".repeat(900) + "]".repeat(900), "application/json"));
  });
  it("__proto__ stays a member and pollutes no prototype", () => {
    const body = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}', "application/json");
    assert.ok("json" in body && Object.hasOwn(body.json as object, "__proto__"));
    parse("<__proto__><polluted>1</polluted></__proto__>", "text/xml");
    parse('<r __proto__="1"><constructor><prototype>1</prototype></constructor></r>', "text/xml");
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
  it("reading stops at the size limit", async () => {
    let chunkCount = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunkCount++;
        controller.enqueue(new Uint8Array(1_000));
      },
    });
    await assert.rejects(readBody(new Response(stream), 10_000), { code: "response-too-large" });
    assert.ok(chunkCount < 20, `${chunkCount} chunks were read`);
    assert.equal((await readBody(new Response(new Uint8Array(10_000)), 10_000)).byteLength, 10_000);
    assert.equal((await readBody(new Response(null))).byteLength, 0);
  });
});

describe("XML bodies", () => {
  const documents = readTable("bodies/cases/xml-documents.json", z.array(z.string()));
  for (const document of documents) {
    it(`${JSON.stringify(document)} is read as in the toolkit`, async () => {
      const theirs = await xml2js.parseStringPromise(document, { explicitRoot: false });
      assert.deepEqual(parseXml(document)?.value, JSON.parse(JSON.stringify(theirs)));
    });
  }
  for (const document of [
    "",
    "nope",
    "lead<r/>",
    "<r>",
    "<r><a></r>",
    "<r a=1/>",
    "<r a/>",
    "<r>a & b</r>",
    '<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>',
    '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><r>&a;</r>',
    `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${`&a${i - 1 < 0 ? "" : i - 1};`.repeat(10)}">`).join("")}]><r>&a8;</r>`,
    "<a>".repeat(50_000) + "</a>".repeat(50_000),
  ]) {
    it(`${JSON.stringify(document.slice(0, 60))} stays text`, () => assert.equal(parseXml(document), undefined));
  }

  const name = fc.constantFrom("a", "b", "item", "x:y", "Title", "a-b.c", "_x");
  const text = fc.string({ maxLength: 8 }).map((value) => value.replace(/[&<>]|[^\t\n\x20-\x7e]/g, ""));
  const attributes = fc.uniqueArray(
    fc.tuple(
      fc.constantFrom("id", "n:m", "class"),
      text.map((value) => value.replace(/["\n\t]/g, "")),
    ),
    {
      maxLength: 3,
      selector: ([key]) => key,
    },
  );
  const element = fc.letrec<{ node: string; element: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      text,
      text.map((value) => `<![CDATA[${value.replaceAll("]]", "")}]]>`),
      fc.constantFrom("&amp;", "&lt;", "&#233;", "<!-- c -->", "\n  "),
      tie("element"),
    ),
    element: fc
      .tuple(name, attributes, fc.array(tie("node"), { maxLength: 4 }))
      .map(([tag, list, children]) => `<${tag}${list.map(([key, value]) => ` ${key}="${value}"`).join("")}>${children.join("")}</${tag}>`),
  })).element;
  it("any document is read as in the toolkit", async () => {
    await fc.assert(
      fc.asyncProperty(element, async (document) => {
        const theirs = await xml2js.parseStringPromise(document, { explicitRoot: false });
        assert.deepEqual(parseXml(document)?.value, JSON.parse(JSON.stringify(theirs)));
      }),
      { numRuns: RUNS },
    );
  }).timeout(PROPERTY_TIME);
});
