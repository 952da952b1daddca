// What the pack's code reads of an answer, from the call that a request was made by: the source that a proposed answer is filled from.
import assert from "node:assert/strict";
import type { ResponseReads } from "../../protocol/run.ts";
import { findResponseReads } from "../../server/analysis/answers/answer-reads.ts";
import { processorTime } from "../support/processor-time.ts";

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

describe("what a pack reads of an answer", () => {
  const bodies: readonly (readonly [what: string, code: string, shape: unknown])[] = [
    [
      "a field of the item that it looks for, and what it looks for",
      `let result = await ${FETCH}; return result.body.find((each: any) => each.primary).email;`,
      { items: { fields: { primary: { value: true }, email: { whole: true } } } },
    ],
    [
      "a text that the items are compared with",
      `const { body } = await ${FETCH}; return body.filter((each) => each.type === "home" && !each.hidden);`,
      { items: { fields: { type: { value: "home" }, hidden: { value: false } } }, whole: true },
    ],
    [
      "a text where it looks into one, and not only whether it is there",
      `const { body } = await ${FETCH}; return body.find((each) => each.name && each.name.startsWith("a")).id;`,
      { items: { fields: { name: { type: "string" }, id: { whole: true } } } },
    ],
    [
      "a list where only lists have the method",
      `const { body } = await ${FETCH}; return body.names.join();`,
      { fields: { names: { items: {} } } },
    ],
    [
      "a text where every value has the method",
      `const { body } = await ${FETCH}; return body.total.toLocaleString() + body.name.toString();`,
      { fields: { total: {}, name: {} } },
    ],
    [
      "what it makes another object of",
      `const response = await ${FETCH};
       return response.body.data.items.map((item) => ({ ...item.core, name: item.title, count: item.stats.total }));`,
      {
        fields: {
          data: {
            fields: {
              items: {
                items: {
                  fields: { core: { whole: true }, title: { becomes: "name" }, stats: { fields: { total: { becomes: "count" } } } },
                },
              },
            },
          },
        },
      },
    ],
    [
      "names that it takes out of it, one of them by another name",
      `const { user: { first, last: family }, tags: [tag] } = (await ${FETCH}).body; return first + family.trim() + tag.label;`,
      { fields: { user: { fields: { first: {}, last: { type: "string" } } }, tags: { items: { fields: { label: {} } } } } },
    ],
    [
      "a table's page: its rows, and that there is no other page",
      `const { body } = await ${FETCH}; return { result: body.rows, continuation: body.next ? { next: body.next } : undefined };`,
      { fields: { rows: { whole: true }, next: { becomes: "next", value: null } } },
    ],
    [
      "no other page where the pack asks for it in an if",
      `const { body } = await ${FETCH}; let continuation; if (body.IsTruncated) { continuation = { at: body.at }; } return { result: body.rows, continuation };`,
      { fields: { IsTruncated: { value: null }, at: { becomes: "at" }, rows: { whole: true } } },
    ],
    [
      "what it takes a value for: by a method, arithmetic, a type, what JavaScript makes of it",
      `const { body } = await ${FETCH}; const label: string = body.label;
       return [body.tags[0].replace("a", "b"), body.price.toFixed(2), body.size / 1024, new Date(body.updated), Number(body.count), label].join();`,
      {
        fields: {
          label: { type: "string" },
          tags: { items: { type: "string" } },
          price: { type: "number" },
          size: { type: "number" },
          updated: { type: "date" },
          count: { type: "number" },
        },
      },
    ],
    [
      "the rows of a loop",
      `let response; response = await ${FETCH}; const rows = []; for (const row of response.body.rows) rows.push({ id: row.key }); return rows;`,
      { fields: { rows: { items: { fields: { key: { becomes: "id" } } } } } },
    ],
    [
      "no error where it throws for one, and what has to be there",
      `const { body } = await ${FETCH}; if (body.error) throw new Error(body.error.message); if (!body.ok) { throw new Error("no"); } return body.name;`,
      { fields: { error: { absent: true, fields: { message: {} } }, ok: { value: true }, name: { whole: true } } },
    ],
    [
      "nothing of another variable of the same name",
      `const { body } = await ${FETCH}; other.map((body) => body.wrong); return body.right;`,
      { fields: { right: { whole: true } } },
    ],
    ["nothing that can be told where it is given on as it is", `return (await ${FETCH}).body;`, undefined],
    ["nothing where it reads the status alone", `return (await ${FETCH}).status;`, undefined],
  ];
  for (const [what, code, shape] of bodies) it(what, () => assert.deepEqual(reads(execute(code)), shape));

  it("through functions that fetch for it, in other files too, by who called them", () => {
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

  it("in a function that it gives the answer to", () => {
    const source = `function parse(item) { return { ...item, repo: item.head && item.head.repo }; }
${execute(`let response = await ${FETCH}; let results = response.body?.map(parse); return { result: results };`)}`;
    assert.deepEqual(reads(source), { items: { whole: true, fields: { head: { fields: { repo: { becomes: "repo" } } } } } });
  });

  it("in what such a function gives back, and what that makes of it", () => {
    const source = `const dateOf = (input: string | Date) => { const when = typeof input === "string" ? new Date(input) : input; return when; };
const tidy = (value) => value.nested ?? value;
${execute(`const { body } = await ${FETCH}; const when = dateOf(body.updated); return when.toISOString() + tidy(body.name).first;`)}`;
    assert.deepEqual(reads(source), {
      fields: { updated: { type: "date" }, name: { fields: { nested: { fields: { first: {} } }, first: {} } } },
    });
  });

  for (const [what, head, call] of [
    ["by its name", 'import { people as parse } from "./1";', "parse(body.people)"],
    ["of a namespace", 'import * as helpers from "./1.js";', "helpers.people(body.people)"],
    ["as a callback", 'import { person } from "./1";', "body.people.map(person)"],
  ] as const)
    it(`in a function of another file that it gives the answer to, ${what}`, () => {
      const parser = `export const person = ({ name }) => ({ title: name.trim() });
export function people(list: unknown[]) { return list.map((one) => person(one)); }`;
      assert.deepEqual(reads(`${head}\n${execute(`const { body } = await ${FETCH}; return ${call};`)}`, parser), {
        fields: { people: { items: { fields: { name: { type: "string" } } } } },
      });
    });

  it("in a function that a function which fetches for it is given", () => {
    const helper = `export async function all(context, url, parse) { const { body } = await ${FETCH}; return { result: parse(body.data) }; }`;
    const pack = `import * as helpers from "./0";\nimport { server } from "./2";\n${execute("return helpers.«2all(context, url, servers);")}
function servers(list) { return list.map(server); }`;
    assert.deepEqual(reads(helper, pack, "export const server = (one) => ({ id: one.key });"), {
      fields: { data: { items: { fields: { key: { becomes: "id" } } } } },
    });
  });

  it("the status that it takes for success", () => {
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

  it("nothing of sources that are gone, have changed, or hand a value round", () => {
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

  it("no more than it can look at, where many names are read in a large function", () => {
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
