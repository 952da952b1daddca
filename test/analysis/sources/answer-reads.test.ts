// What the pack's code reads of an answer, from the call that a request was made by: the source that a proposed answer is filled from.
import assert from "node:assert/strict";
import { z } from "zod";
import type { ResponseReads } from "../../../protocol/run.ts";
import { findResponseReads } from "../../../server/analysis/responses/response-reads.ts";
import { eachCase } from "../../support/json-cases.ts";
import { processorTime } from "../../support/processor-time.ts";

/** Milliseconds of the processor: a search without an end takes longer. */
const HANG = 8_000;

/** Of the body. `«` stands before each call, the innermost first by its number: `«1`, `«2`. */
const reads = (...files: readonly string[]): unknown => readsOf(...files)?.body;

function readsOf(...files: readonly string[]): ResponseReads | undefined {
  const calls: { path: string; line: number; character: number }[] = [];
  const texts = files.map((marked, file) => {
    let text = marked;
    for (;;) {
      const [mark, digit] = /«(\d)/.exec(text) ?? [];
      if (mark === undefined) return text;
      const at = text.indexOf(mark);
      const before = text.slice(0, at).split("\n");
      calls[Number(digit) - 1] = { path: `/${file}.ts`, line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      text = text.slice(0, at) + text.slice(at + mark.length);
    }
  });
  return findResponseReads((path) => texts[Number.parseInt(path.slice(1), 10)], calls);
}

const execute = (code: string): string => `const f = { execute: async function ([], context) {\n${code}\n} };`;
const FETCH = 'context.fetcher.«1fetch({ method: "GET", url })';

describe("the response fields that a pack reads", () => {
  const readCase = z.strictObject({ title: z.string(), code: z.string(), shape: z.unknown().optional() });
  eachCase("test/analysis/sources/cases/response-reads.json", readCase, ({ title, code, shape }) => {
    it(title, () => assert.deepEqual(reads(execute(code.replace("@fetch", FETCH))), shape));
  });

  it("reads in shared fetch functions are attributed to each caller, across files", () => {
    const helper = `export async function get(context, url) { const response = await ${FETCH}; return response.body as Answer; }`;
    const shape = { fields: { people: { items: { fields: { email: { whole: true } } } } } };
    assert.deepEqual(reads(helper, execute("const body = await helpers.«2get(context, url); return body.people[0].email;")), shape);
    assert.deepEqual(reads(helper, execute("const body = «2await helpers.get(context, url); return body.people[0].email;")), shape);
    assert.deepEqual(
      reads(
        helper,
        `const ask = (context) => helpers.«2get(context, "/all");\n${execute("return (await «3ask(context)).people[0].email;")}`,
      ),
      shape,
    );
  });

  it("reads in a helper that receives the response are found", () => {
    const source = `function parse(item) { return { ...item, repo: item.head && item.head.repo }; }
${execute(`let response = await ${FETCH}; let results = response.body?.map(parse); return { result: results };`)}`;
    assert.deepEqual(reads(source), { items: { whole: true, fields: { head: { fields: { repo: { becomes: "repo" } } } } } });
  });

  it("reads of a helper's result are found", () => {
    const source = `const dateOf = (input: string | Date) => { const when = typeof input === "string" ? new Date(input) : input; return when; };
const tidy = (value) => value.nested ?? value;
${execute(`const { body } = await ${FETCH}; const when = dateOf(body.updated); return when.toISOString() + tidy(body.name).first;`)}`;
    assert.deepEqual(reads(source), {
      fields: { updated: { type: "date" }, name: { fields: { nested: { fields: { first: {} } }, first: {} } } },
    });
  });

  for (const [what, head, call] of [
    ["imported by name", 'import { people as parse } from "./1";', "parse(body.people)"],
    ["imported as a namespace", 'import * as helpers from "./1.js";', "helpers.people(body.people)"],
    ["passed as a callback", 'import { person } from "./1";', "body.people.map(person)"],
  ] as const)
    it(`reads in a helper of another file are found: ${what}`, () => {
      const parser = `export const person = ({ name }) => ({ title: name.trim() });
export function people(list: unknown[]) { return list.map((one) => person(one)); }`;
      assert.deepEqual(reads(`${head}\n${execute(`const { body } = await ${FETCH}; return ${call};`)}`, parser), {
        fields: { people: { items: { fields: { name: { type: "string" } } } } },
      });
    });

  it("reads in a callback of a fetching helper are found", () => {
    const helper = `export async function all(context, url, parse) { const { body } = await ${FETCH}; return { result: parse(body.data) }; }`;
    const pack = `import * as helpers from "./0";\nimport { server } from "./2";\n${execute("return helpers.«2all(context, url, servers);")}
function servers(list) { return list.map(server); }`;
    assert.deepEqual(reads(helper, pack, "export const server = (one) => ({ id: one.key });"), {
      fields: { data: { items: { fields: { key: { becomes: "id" } } } } },
    });
  });

  it("the status that the pack treats as success is found", () => {
    for (const [code, status] of [
      [`const response = await ${FETCH}; if (response.status !== 204) { throw new Error("failed"); } return "ok";`, 204],
      [`const { status } = await ${FETCH}; if (201 != status) throw new Error("failed"); return "ok";`, 201],
      [`const { status } = await ${FETCH}; if (status !== 0) throw new Error("failed"); return "ok";`, undefined],
      [`return (await ${FETCH}).status === 204 ? "ok" : "failed";`, undefined],
      [`const response = await ${FETCH}; if (response.status !== 200) { log(); } return "ok";`, undefined],
    ] as const)
      assert.equal(readsOf(execute(code))?.status, status, code);
    assert.deepEqual(
      reads(execute(`const { body } = await ${FETCH}; if (body.state !== "done") throw new Error("no"); return body.name;`)),
      {
        fields: { state: { value: "done" }, name: { whole: true } },
      },
    );
  });

  it("missing, changed and cyclic sources yield no reads", () => {
    assert.equal(
      findResponseReads(() => undefined, [{ path: "/a.ts", line: 0, character: 0 }]),
      undefined,
    );
    assert.equal(
      findResponseReads(() => "const a = 1;", [{ path: "/a.ts", line: 9, character: 0 }]),
      undefined,
    );
    assert.equal(
      findResponseReads(() => "const a = 1;", []),
      undefined,
    );
    assert.equal(reads(execute(`let a = (await ${FETCH}).body, b; b = a; a = b; return a;`)), undefined);
  });

  it("many names in a large function are read without a hang", () => {
    const large = "log.level = 1;\n".repeat(20_000);
    const names = Array.from({ length: 600 }, (_, index) => `x${index}`);
    for (const code of [
      `const { body } = await ${FETCH}; if (${names.map((name) => `body.${name}`).join(" && ")}) { ${large} }`,
      `const { body: { ${names.join(", ")} } } = await ${FETCH}; ${large}`,
    ]) {
      const start = processorTime();
      const { fields } = reads(execute(code)) as { fields: object };
      assert.equal(Object.keys(fields).length, names.length);
      assert.ok(processorTime() - start < HANG);
    }
  });
});
