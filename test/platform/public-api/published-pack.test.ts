// The ID and the platform of the published pack, from the file of the Packs SDK's commands beside the pack's entry.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { PackAuthError } from "../../../platform/errors.ts";
import { type PublishedPack, publishedPack } from "../../../platform/public-api/published-pack.ts";
import { readTable } from "../../support/json-cases.ts";

describe("the published pack", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-published-pack-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (content?: unknown): PublishedPack => {
    if (content !== undefined)
      writeFileSync(join(folder, ".coda-pack.json"), typeof content === "string" ? content : JSON.stringify(content));
    return publishedPack(join(folder, "pack.ts"));
  };
  const withEndpoint = (apiEndpoint: unknown, more: object = {}): PublishedPack => read({ packId: 1, options: { apiEndpoint }, ...more });

  it("the ID is packId at coda.io without an endpoint", () => {
    for (const options of [undefined, null, {}, { apiEndpoint: null }, { apiEndpoint: "https://coda.io" }, { apiEndpoint: "coda.io" }])
      assert.deepEqual(read({ packId: 7, environmentPackIds: { "coda.io": 9 }, options }), { packId: 7, origin: "https://coda.io" });
  });

  it("the ID is that of the endpoint's host", () => {
    const environmentPackIds = { "tenant.example.com": 42 };
    for (const endpoint of ["https://tenant.example.com", "https://Tenant.Example.com/", "tenant.example.com"])
      assert.deepEqual(withEndpoint(endpoint, { environmentPackIds }), { packId: 42, origin: "https://tenant.example.com" });
  });

  for (const [title, content] of [
    ["no file", undefined],
    ["the ID -1 of a folder that is not linked", { packId: -1 }],
    ["an ID that is a text", { packId: "7" }],
    ["an endpoint without an ID of its host", { packId: 7, options: { apiEndpoint: "https://tenant.example.com" } }],
    ["inherited names", { packId: 7, environmentPackIds: {}, options: { apiEndpoint: "https://constructor.example" } }],
  ] as const)
    it(`${title} has no ID, and the error says what to run`, () => {
      assert.throws(
        () => read(content),
        ({ code, hint = "" }: PackAuthError) => code === "pack-id-missing" && /packs create .* packs link/.test(hint),
      );
    });

  const isBroken = ({ code, message, hint = "" }: PackAuthError): boolean =>
    code === "pack-id-missing" && message === "The file .coda-pack.json is no JSON object." && /another pack/.test(hint);

  for (const [title, content] of [
    ["an empty file", ""],
    ["broken JSON", "{"],
    ["a conflict of a merge", '<<<<<<< HEAD\n{"packId": 7}\n=======\n{"packId": 8}\n>>>>>>> other\n'],
    ["an array", "[]"],
    ["null", "null"],
    ["a file of 5 MB", `{"packId": 7, "more": "${"a".repeat(5_000_000)}"}`],
  ] as const)
    it(`${title} is an error about the file, and nobody is led to create another pack`, () => {
      assert.throws(() => read(content), isBroken);
    });

  it("a folder in place of the file is an error about the file", () => {
    mkdirSync(join(folder, ".coda-pack.json"));
    assert.throws(() => read(), isBroken);
  });

  it("a file that says of itself that it is broken is read", () => {
    assert.equal(read({ packId: 7, isBroken: true }).packId, 7);
  });

  for (const endpoint of readTable("public-api/cases/refused-endpoints.json", z.array(z.unknown())))
    it(`the endpoint ${JSON.stringify(endpoint)} is refused`, () => {
      assert.throws(
        () => withEndpoint(endpoint, { environmentPackIds: { "evil.example": 1 } }),
        ({ code, message }: PackAuthError) =>
          code === "api-host-unapproved" && /^options\.apiEndpoint in \.coda-pack\.json is not/.test(message),
      );
    });
});
