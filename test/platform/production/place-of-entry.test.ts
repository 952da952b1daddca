// Where an entry leads, and what is said where it cannot lead there exactly.
import assert from "node:assert/strict";
import { placeOfEntry, type SourceLocator } from "../../../platform/production/place-of-entry.ts";
import { logEntry } from "../../support/log-entries.ts";

const line = { path: "/pack.ts", line: 40, character: 4 };
const formula = { path: "/pack.ts", line: 30, character: 0 };
const sources = (locateStack: SourceLocator["locateStack"]): SourceLocator => ({
  locateStack,
  locateFormula: async (name) => (name === "GetTask" ? formula : undefined),
});
const thrown = logEntry({ type: "invocation", error: { message: "Boom", stack: "Error: Boom\n    at execute (bundle.js:1:2)" } });

describe("the place of a log entry", () => {
  it("a stack of the uploaded source leads to its line", async () => {
    const place = await placeOfEntry(
      thrown,
      sources(async (version, stack) => {
        assert.equal(version, "3");
        assert.match(stack, /bundle\.js/);
        return { location: line, isSameSource: true };
      }),
    );
    assert.deepEqual(place, { location: line });
  });

  it("a source that has changed since leads to the line, and says that it differs", async () => {
    const { location, remark } = await placeOfEntry(
      thrown,
      sources(async () => ({ location: line, isSameSource: false })),
    );
    assert.deepEqual(location, line);
    assert.match(remark ?? "", /source differs from version 3/);
  });

  it("a version without a stored source map leads to the formula, and says so", async () => {
    const { location, remark } = await placeOfEntry(
      thrown,
      sources(async () => "no-map"),
    );
    assert.deepEqual(location, formula);
    assert.match(remark ?? "", /not the line of the error.*version 3/);
  });

  it("a stack without a frame of the pack leads to the formula", async () => {
    assert.deepEqual(
      await placeOfEntry(
        thrown,
        sources(async () => undefined),
      ),
      { location: formula },
    );
  });

  it("an entry without a stack leads to the formula, and no map is read", async () => {
    const unread = sources(async () => assert.fail("There is no stack."));
    assert.deepEqual(await placeOfEntry(logEntry({ type: "fetcher", responseCode: 500 }), unread), { location: formula });
  });

  it("a formula that the source lacks, or no formula at all, leads nowhere and says why", async () => {
    const unread = sources(async () => undefined);
    const renamed = await placeOfEntry(logEntry({ type: "fetcher" }, { formulaName: "GetTasks" }), unread);
    assert.deepEqual(renamed, { remark: "The source has no GetTasks. Version 3 of the pack, which logged the entry, had it." });
    assert.match((await placeOfEntry(logEntry({ type: "auth", path: "/x" }, { formulaName: "" }), unread)).remark ?? "", /names neither/);
  });
});
