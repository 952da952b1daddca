// A schema that is made of answers: judged by the toolkit's own upload validator and by a run, which loses nothing.
import assert from "node:assert/strict";
import fc from "fast-check";
import { readShown, SHOWN_BODY } from "../../../platform/bodies/shown-body.ts";
import { namingMembers, rowsOf, schemaSource } from "../../../platform/runs/make-schema.ts";
import { stubFromResponse } from "../../../platform/sandbox/stub-from-response.ts";
import { closePacks, pack } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";
import { uploadProblems } from "../../support/validator.ts";
import { openWire } from "../../support/wire.ts";

const TASKS = [
  {
    id: 1,
    task_name: "Milk",
    due: "2026-12-01",
    created_at: "2026-11-23T10:00:00Z",
    url: "https://a.example/1",
    mail: "a@b.example",
    done: false,
    tags: ["x"],
    owner: { name: "Ada", "avatar-url": "https://a.example/a.png" },
    note: null,
  },
  {
    id: 2,
    task_name: "Bread",
    due: "2026-12-02",
    created_at: "2026-11-23T10:00:00.5+01:00",
    url: "",
    mail: "c@d.example",
    done: true,
    tags: [],
    owner: { name: "Bob", "avatar-url": null },
    note: "n",
    late: 3,
  },
];

describe("The response body in a report", () => {
  it("a body is read whole, or up to its cut", () => {
    assert.deepEqual(readShown('{"a":[1,2]}', false), { a: [1, 2] });
    assert.equal(readShown('{"a":[1', false), undefined);
    assert.equal(readShown("<html>", true), undefined);
    const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `row ${id}`, more: { a: [1, 2, 3] } }));
    const beginning = JSON.stringify({ next: "x", items: rows }).slice(0, SHOWN_BODY);
    const { items } = readShown(beginning, true) as { items: readonly unknown[] };
    assert.ok(items.length > 1_000);
    assert.deepEqual(items, rows.slice(0, items.length));
  });

  it("a whole body becomes an answer of sandbox.json without credentials", () => {
    const request = {
      method: "GET",
      url: "https://acme.example/a b?x=1&api_key=\u2022\u2022\u2022\u2022",
      status: 200,
      responseBody: '{"a":1}',
    };
    assert.deepEqual(stubFromResponse(request), { request: "GET https://acme.example/a%20b?x=1", body: { a: 1 } });
    assert.deepEqual(stubFromResponse({ ...request, status: 404, responseBody: "gone" }), {
      request: "GET https://acme.example/a%20b?x=1",
      status: 404,
      body: "gone",
    });
    assert.throws(() => stubFromResponse({ ...request, responseBody: "x", size: SHOWN_BODY }), { code: "sandbox-failed" });
  });
});

describe("A schema from responses", function () {
  this.timeout(300_000);
  afterEach(closePacks);
  after(removePackFiles);

  it("the schema has types, hints, names and required properties", () => {
    assert.equal(
      schemaSource(rowsOf([TASKS]) ?? [], { idProperty: "id", displayProperty: "task_name", toolkit: "coda" }),
      `coda.makeObjectSchema({
  properties: {
    id: { type: coda.ValueType.Number, required: true },
    taskName: { type: coda.ValueType.String, fromKey: "task_name", required: true },
    due: { type: coda.ValueType.String, codaType: coda.ValueHintType.Date, required: true },
    createdAt: { type: coda.ValueType.String, codaType: coda.ValueHintType.DateTime, fromKey: "created_at", required: true },
    url: { type: coda.ValueType.String, codaType: coda.ValueHintType.Url, required: true },
    mail: { type: coda.ValueType.String, codaType: coda.ValueHintType.Email, required: true },
    done: { type: coda.ValueType.Boolean, required: true },
    tags: { type: coda.ValueType.Array, items: { type: coda.ValueType.String }, required: true },
    owner: {
      type: coda.ValueType.Object,
      properties: {
        name: { type: coda.ValueType.String, required: true },
        avatarUrl: { type: coda.ValueType.String, codaType: coda.ValueHintType.ImageReference, fromKey: "avatar-url" },
      },
      required: true,
    },
    note: { type: coda.ValueType.String },
    late: { type: coda.ValueType.Number },
  },
  idProperty: "id",
  displayProperty: "taskName",
})`,
    );
    assert.deepEqual(namingMembers(TASKS), ["id", "task_name", "due", "created_at", "url", "mail"]);
  });

  it("the rows of a response are found", () => {
    assert.deepEqual(rowsOf([{ items: [{ a: 1 }], next: "x" }]), [{ a: 1 }]);
    assert.deepEqual(rowsOf([{ a: 1 }]), [{ a: 1 }]);
    assert.deepEqual(rowsOf([[{ a: 1 }, null, 2]]), [{ a: 1 }]);
    for (const none of [null, 1, "x", [], [1], [null]]) assert.equal(rowsOf([none]), undefined);
    const pages = [{ items: [{ a: 1 }], next: 2 }, { items: [{ b: 2 }, { a: 3 }] }, { items: [] }];
    assert.deepEqual(rowsOf(pages), [{ a: 1 }, { b: 2 }, { a: 3 }]);
    assert.deepEqual(rowsOf([[{ a: 1 }], [], [{ a: 2 }]]), [{ a: 1 }, { a: 2 }]);
    assert.deepEqual(rowsOf([{ a: 1 }, { b: 2 }]), [{ a: 1 }, { b: 2 }]);
  });

  const ODD: readonly (readonly [string, readonly Record<string, unknown>[]])[] = [
    ["tasks", TASKS],
    [
      "mixed kinds",
      [
        { a: 1, b: ["x", 2], c: null },
        { a: "one", b: [null], c: null },
      ],
    ],
    ["odd names", [{ "": 1, "1st": 2, "a b": 3, "a-b": 4, ab: 5, 日本: 6, __proto__x: 7, constructor: 8 }]],
    ["empty rows", [{}, {}]],
    ["lists of lists", [{ a: [[1], [2]] }]],
    ["many rows", Array.from({ length: 10_000 }, (_, id) => ({ id, name: `n${id}`, at: id % 3 === 0 ? null : "2026-01-01" }))],
  ];
  for (const [name, rows] of ODD)
    it(`the toolkit accepts the schema and every row survives: ${name}`, async () => {
      const wire = await openWire();
      try {
        wire.respond = (_request, response) => void response.setHeader("content-type", "application/json").end(JSON.stringify(rows));
        const schema = schemaSource(rows, { toolkit: "coda" });
        const entry = packFiles({
          "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
const Row = ${schema};
pack.addFormula({ name: "Rows", description: "Rows.", parameters: [], resultType: coda.ValueType.Array, items: Row,
  execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" })).body } as any);
`,
        });
        assert.deepEqual(await uploadProblems(entry), []);
        const { outcome, warnings } = await run(await pack(entry), { kind: "formula", name: "Rows" }, [], {
          fetch: wire.fetch,
          lookup: wire.lookup,
        });
        assert.ok(outcome.status === "succeeded", JSON.stringify(outcome).slice(0, 400));
        assert.equal((outcome.value as unknown[]).length, rows.length);
        const unexpectedWarnings = (warnings ?? []).filter(({ message }) => !/^The value must be string, as the schema says/.test(message));
        assert.deepEqual(unexpectedWarnings, []);
      } finally {
        wire.close();
      }
    });

  it("the toolkit accepts the schema of 50 random responses and every row survives", async () => {
    const key = fc.oneof(
      fc.stringMatching(/^[a-z][a-z_-]{0,8}$/),
      fc.constantFrom("id", "name", "created_at", "Created At", "a.b", "x y", "é", "2nd"),
    );
    const leaf = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constantFrom(null, "2026-11-23", "2026-11-23T10:00:00Z", "https://a.example/x.png", "a@b.example", ""),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        leaf,
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(key, tie("any"), { maxKeys: 4 }),
      ),
    })).any;
    const bodies = fc.sample(fc.array(fc.dictionary(key, value, { minKeys: 1, maxKeys: 6 }), { minLength: 1, maxLength: 6 }), {
      numRuns: 50,
      seed: 23,
    });
    const TOGETHER = 10;
    const together = (group: number): Readonly<Record<string, (typeof bodies)[number]>> =>
      Object.fromEntries(bodies.slice(group * TOGETHER, (group + 1) * TOGETHER).map((rows, index) => [`list${index}`, rows]));
    const wire = await openWire();
    try {
      wire.respond = ({ path }, response) =>
        void response.setHeader("content-type", "application/json").end(JSON.stringify(together(Number(path.slice(1)))));
      // Ten at a time: each run has a process of its own.
      const lists = bodies.map((rows) => `{ type: coda.ValueType.Array, items: ${schemaSource(rows, { toolkit: "coda" })} }`);
      const formulas = Array.from(
        { length: bodies.length / TOGETHER },
        (_, group) => `pack.addFormula({ name: "Rows${group}", description: "Rows.", parameters: [], resultType: coda.ValueType.Object,
  schema: coda.makeObjectSchema({ properties: { ${lists
    .slice(group * TOGETHER, (group + 1) * TOGETHER)
    .map((list, index) => `list${index}: ${list}`)
    .join(", ")} } as any }),
  execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/${group}" })).body } as any);`,
      );
      const entry = packFiles({
        "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
${formulas.join("\n")}
`,
      });
      assert.deepEqual(await uploadProblems(entry), []);
      const loadedPack = await pack(entry);
      for (const group of formulas.keys()) {
        const options = { fetch: wire.fetch, lookup: wire.lookup };
        const { outcome, warnings = [] } = await run(loadedPack, { kind: "formula", name: `Rows${group}` }, [], options);
        assert.ok(outcome.status === "succeeded", JSON.stringify(outcome).slice(0, 400));
        const members = (row: object): number => Object.keys(row).filter((name) => name !== "").length;
        const resultRows = Object.values(outcome.value as Readonly<Record<string, readonly object[]>>);
        const inputRows = Object.values(together(group));
        assert.equal(resultRows.length, TOGETHER);
        for (const [index, rows] of inputRows.entries())
          assert.deepEqual(resultRows[index]?.map(members), rows.map(members), JSON.stringify(rows));
        assert.deepEqual(
          warnings.filter(({ lostField }) => lostField !== undefined),
          [],
        );
      }
    } finally {
      await wire.close();
    }
  });
});
