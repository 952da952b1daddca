// test/spec/spec-coverage.md is made from the tests' titles: no rule of the specification without a test, and no title that names a rule
// which is not there.
import assert from "node:assert/strict";
import { testTitles, titlesWith } from "../../scripts/test-titles.ts";
import { missing, namedTests, SPEC_ROWS, specCoverage } from "../spec/spec-coverage.ts";
import { root } from "../support/packs.ts";

const read = (source: string) => namedTests(testTitles("test/a.test.ts", source));

describe("the specification's coverage", () => {
  it("every row and rule has a test, and no title names another", () => {
    assert.deepEqual(missing(namedTests(titlesWith(root, "auth-spec "))), { gaps: [], unknown: [] });
  });

  it("titles are read with several sections, their suite, and templates", () => {
    const source = `describe("outer", () => { describe("suite", () => {
  it('auth-spec 1 step 3, 5.4.1: asks', () => {});
  it(\`auth-spec 9.1: after \${change}: asks\`, () => {}); }); it('other', () => {}); });
it("auth-spec 9.1: alone", () => {});`;
    assert.deepEqual(read(source), [
      { file: "test/a.test.ts", what: "suite: asks", sections: ["1 step 3", "5.4.1"] },
      { file: "test/a.test.ts", what: "suite: after …: asks", sections: ["9.1"] },
      { file: "test/a.test.ts", what: "alone", sections: ["9.1"] },
    ]);
    for (const title of ["`auth-spec ${row}: asks`", "'auth-spec 5.1.1'", "'auth-spec: asks'"])
      assert.throws(() => read(`it(${title}, () => {});`), /must read/, title);
  });

  it("the titles of case files are read", () => {
    const titles = titlesWith(root, "=== ").filter(({ file }) => file.endsWith(".case"));
    assert.ok(titles.length > 50, `${titles.length} titles`);
  });

  it("tests that do not run, and titles of suites, do not count", () => {
    const sources = [
      'it("auth-spec 9.1: a title alone");',
      'it.skip("auth-spec 9.1: skipped", () => {});',
      'describe.skip("a", () => { it("auth-spec 9.1: inside", () => {}); });',
      'describe("auth-spec 9.1: a suite", () => {});',
      '// it("auth-spec 9.1: no code", () => {});',
    ];
    assert.deepEqual(sources.flatMap(read), []);
  });

  it("a row without a test is a gap, and an unknown section is named by file", () => {
    const tests = read('it("auth-spec 9.1, 9.9: asks | <b>", () => {});');
    const { gaps, unknown } = missing(tests);
    assert.deepEqual([gaps.length, unknown], [Object.keys(SPEC_ROWS).length - 1, ["test/a.test.ts: 9.9"]]);
    const page = specCoverage(tests);
    assert.match(page, /^\| 9\.1 \| .* \| \[a\.test\.ts\]\(\.\.\/\.\.\/test\/a\.test\.ts\): asks \\\| &lt;b> \| covered \|$/m);
    assert.match(page, /^\| 5\.1\.1 \| .* \| {2}\| gap \|$/m);
  });
});
