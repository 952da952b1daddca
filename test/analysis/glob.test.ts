// Globs of settings: in no more time than the path is long, and with what is wrong in one said. glob.deep.ts has the judges of what they match.
import assert from "node:assert/strict";
import { compileGlob, expandBraces } from "../../server/analysis/settings/glob.ts";
import { createSettingsFinder } from "../../server/analysis/settings/settings.ts";
import { readSettingsFile } from "../../server/analysis/settings/settings-file.ts";
import { processorTime } from "../support/processor-time.ts";

const matches = (glob: string, path: string): boolean => (expandBraces(glob) ?? []).some((one) => compileGlob(one)(path.split("/")));

describe("globs", () => {
  it("globs with any number of wildcards match long paths without a hang", () => {
    const startTime = processorTime();
    for (const glob of [
      `${"*a".repeat(120)}b`,
      `${"**/a/".repeat(40)}b`,
      `${"[!b]*".repeat(50)}b`,
      `${"?*".repeat(100)}c`,
      "**/*".repeat(60),
    ])
      for (const file of ["a".repeat(255), "a/".repeat(2_000), `${"a".repeat(200)}/`.repeat(20)]) matches(glob, file);
    // A hang guard, no measurement.
    assert.ok(processorTime() - startTime < 10_000);
  });

  for (const [glob, problem] of [
    ["(a+)+b", /groups in parentheses/],
    ["+(a|b)", /groups in parentheses/],
    ["!(x)", /groups in parentheses/],
    ["{a,b}".repeat(10), /more than 100/],
    ["a".repeat(300), /at most 256/],
  ] as const)
    it(`a settings glob ${glob.slice(0, 20)} is reported and leaves nothing out`, () => {
      const text = JSON.stringify({ ignore: ["plain", glob] });
      const { settings, problems } = readSettingsFile(text, []);
      assert.deepEqual(settings.ignore, ["plain"]);
      assert.match(problems.map(({ message }) => message).join(), problem);
      assert.equal(text.slice(problems[0]?.start, problems[0]?.end), JSON.stringify(glob));
    });

  it("settings globs are read up to two hundred, and the next one is reported", () => {
    const globs = Array.from({ length: 50_000 }, (_, index) => `(${index}`);
    const { problems } = readSettingsFile(JSON.stringify({ ignore: ["x", ...globs] }), []);
    assert.match(problems[0]?.message ?? "", /At most 200 globs/);
    assert.ok(problems.length <= 100, `${problems.length}`);
  });

  it("a settings glob with a backslash before a parenthesis matches the parenthesis", () => {
    const files: Record<string, string> = { "/a/.packauthrc.json": '{ "ignore": ["\\\\(group\\\\)"] }' };
    const finder = createSettingsFinder({ readFile: (file) => files[file] }, () => ({}), []);
    assert.deepEqual([finder.ignores("/a/(group)/x.ts"), finder.ignores("/a/group/x.ts")], [true, false]);
  });
});
