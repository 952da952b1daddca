// sandbox.json: which request gets which answer, and what is said of a file that is wrong.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { isRecord } from "../../../base/is-record.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { findStub, parseStubs, readStubs } from "../../../platform/sandbox/stubs.ts";
import { eachCase, pattern } from "../../support/json-cases.ts";
import { root } from "../../support/packs.ts";
import { removeStubsFiles, writeStubsFile } from "../../support/sandbox.ts";
import { schemaAgrees } from "../../support/schema-agreement.ts";

interface Item {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, { pattern?: string }>>;
}

interface Schema {
  readonly properties: Readonly<Record<string, { pattern?: string }>>;
  readonly definitions: {
    readonly answer: Item;
    readonly tool: Item;
  };
}

const schema = JSON.parse(readFileSync(join(root, "schemas/sandbox.schema.json"), "utf8")) as Schema;
const problem = (content: unknown): string => {
  try {
    parseStubs(typeof content === "string" ? content : JSON.stringify(content), "sandbox.json");
  } catch (error) {
    assert.equal((error as PackAuthError).code, "sandbox-failed");
    assert.equal((error as PackAuthError).location?.path, "sandbox.json");
    // Whatever was asked for: a sign-in, a run, a drill.
    assert.equal((error as PackAuthError).hint, "Correct sandbox.json, and try again.");
    return (error as Error).message;
  }
  return "";
};

describe("sandbox.json", () => {
  after(removeStubsFiles);

  const matchCase = z.strictObject({ request: z.string(), method: z.string(), url: z.string(), isAnswered: z.boolean() });
  eachCase("sandbox/cases/matching-requests.json", matchCase, ({ request, method, url, isAnswered }) => {
    it(`${request} ${isAnswered ? "answers" : "does not answer"} ${method} ${url}`, () => {
      assert.equal(findStub([{ request }], method, new URL(url)) !== undefined, isAnswered);
    });
  });

  for (const [specific, general, url] of [
    ["GET https://a.example/x", "GET https://a.example/*", "https://a.example/x"],
    ["GET https://a.example/x/*", "GET https://a.example/*", "https://a.example/x/y"],
    ["GET https://a.example/x*", "* https://a.example/x*", "https://a.example/xy"],
    ["GET https://a.example/x", "GET https://*/x", "https://a.example/x"],
    ["* https://a.example/x/1", "GET https://a.example/x/*", "https://a.example/x/1"],
    ["GET https://a.example/x?page=2", "GET https://a.example/x", "https://a.example/x?page=2"],
    ["GET https://a.example/x?limit=9&page=2", "GET https://a.example/x?limit=9", "https://a.example/x?page=2&limit=9"],
    ["GET https://a.example/x?page=2", "GET https://a.example/x?page=*", "https://a.example/x?page=2"],
  ] as const)
    it(`${specific} wins over ${general}, whatever the order`, () => {
      for (const requests of [
        [specific, general],
        [general, specific],
      ])
        assert.equal(
          findStub(
            requests.map((request) => ({ request })),
            "GET",
            new URL(url),
          )?.request,
          specific,
        );
    });

  it("the first of two answers that are as specific is used", () => {
    const stubs = [
      { request: "GET https://a.example/x?a=1", status: 201 },
      { request: "GET https://a.example/x?b=2", status: 202 },
    ];
    assert.equal(findStub(stubs, "GET", new URL("https://a.example/x?a=1&b=2"))?.status, 201);
  });

  it("many wildcards are matched without exponential time", () => {
    const request = `GET https://a.example/${"*a".repeat(1_000)}*b`;
    assert.equal(findStub([{ request }], "GET", new URL(`https://a.example/${"a".repeat(20_000)}`)), undefined);
  });

  it("a pattern matches like the equivalent regular expression", () => {
    const text = fc.array(fc.constantFrom("a", "b", "*"), { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        text,
        text.map((value) => value.replaceAll("*", "a")),
        (pattern, path) => {
          const expected = new RegExp(`^/${pattern.replaceAll("*", ".*")}$`).test(`/${path}`);
          const actual =
            findStub([{ request: `GET https://x.example/${pattern}` }], "GET", new URL(`https://x.example/${path}`)) !== undefined;
          assert.equal(actual, expected);
        },
      ),
    );
  });

  const itRefuses = (content: unknown, message: RegExp): void => {
    it(`a wrong file is refused: ${JSON.stringify(content)}`, () => assert.match(problem(content), message));
  };
  const wrongCase = z.strictObject({ content: z.unknown(), message: pattern });
  eachCase("sandbox/cases/wrong-files.json", wrongCase, ({ content, message }) => itRefuses(content, message));
  itRefuses(`{ "answers": ${"[".repeat(100_000)}${"]".repeat(100_000)} }`, /line 1: the file nests more than 1100 levels deep/);
  itRefuses("[".repeat(100_000), /line 1: the file nests more than 1100 levels deep/);

  it("any text is read or refused with its place", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void problem(text)));
  });

  it("a missing file and one with a byte order mark are read", () => {
    assert.deepEqual(readStubs(join(root, "no-such-folder/sandbox.json")), { answers: [] });
    const marked = writeStubsFile('\uFEFF{ "endpoint": "https://a.example" }');
    assert.deepEqual(readStubs(marked), { answers: [], endpoint: "https://a.example" });
    assert.throws(() => readStubs(root), { code: "sandbox-failed", message: /cannot be read/ });
  });

  it("the schema accepts exactly the files that are read", () => {
    const stub = { request: "GET https://a.example/x", status: 201, headers: { a: "b" }, body: { a: 1 }, scope: "read" };
    const tool = { name: "a", inputSchema: { type: "object" }, annotations: { readOnlyHint: true }, answer: "x" };
    const whole = {
      answers: [stub, { request: "* https://*.example/*" }],
      tools: [tool],
      endpoint: "https://a.example",
      tokenLifetime: 30,
    };
    // Another program may have a file of this name.
    const isOurs = (file: unknown): boolean => isRecord(file) && (file.answers !== undefined || file.tools !== undefined);
    schemaAgrees(
      "sandbox.schema.json",
      [whole, { answers: [stub] }, { tools: [tool] }],
      (text) => parseStubs(text, "sandbox.json"),
      isOurs,
    );
  });

  it("a link out of the pack's folder is refused, one within is followed", function () {
    if (process.platform === "win32") this.skip();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-linked-")));
    try {
      for (const name of ["outside", "ws", "ws/pack"]) mkdirSync(join(folder, name));
      writeFileSync(join(folder, "ws/package.json"), JSON.stringify({ workspaces: ["pack"] }));
      writeFileSync(join(folder, "ws/pack/package.json"), "{}");
      for (const name of ["outside", "ws"])
        writeFileSync(join(folder, name, "answers.json"), JSON.stringify({ endpoint: "https://a.example" }));
      const file = join(folder, "ws/pack/sandbox.json");
      symlinkSync("../answers.json", file);
      assert.equal(readStubs(file).endpoint, "https://a.example");
      rmSync(file);
      symlinkSync("../../outside/answers.json", file);
      assert.throws(() => readStubs(file), {
        code: "sandbox-failed",
        message: `${file} is a link to ${join(folder, "outside/answers.json")}, which is outside of the folder ${join(folder, "ws")}.`,
        hint: "Put a copy of that file in the link's place.",
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("the schema has the same names and patterns as the reader", () => {
    assert.deepEqual(Object.keys(schema.properties), ["$schema", "answers", "tools", "endpoint", "tokenLifetime"]);
    const unknown = problem({ answers: [{ request: "GET https://a.example", odd: 1 }] });
    assert.ok(unknown.includes(`odd is unknown. Use ${Object.keys(schema.definitions.answer.properties).join(", ")}.`), unknown);
    assert.ok(problem({ odd: 1 }).includes("odd is unknown. Use answers, tools, endpoint, tokenLifetime."));
    const tool = problem({ tools: [{ name: "a", odd: 1 }] });
    assert.ok(tool.includes(`odd is unknown. Use ${Object.keys(schema.definitions.tool.properties).join(", ")}.`), tool);
    assert.deepEqual(schema.definitions.tool.required, ["name"]);
    assert.deepEqual(schema.definitions.answer.required, ["request"]);
    const pattern = new RegExp(schema.definitions.answer.properties.request?.pattern ?? "");
    for (const request of [
      "GET https://a.example",
      "* https://a.example/*?x=1",
      "get https://a.example",
      "GET /x",
      "GET https://",
      "GET  https://a.example",
      "GET https://a.example/ x",
    ])
      assert.equal(pattern.test(request), problem({ answers: [{ request }] }) === "", request);
  });
});
