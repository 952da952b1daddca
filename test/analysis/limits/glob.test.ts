// Globs of settings, .gitignore and workspaces: matched in little time whoever wrote them, and with what is wrong in one said.
import assert from "node:assert/strict";
import { isBoundedGlob } from "../../../base/bounded-glob.ts";
import { createGitIgnore } from "../../../server/analysis/settings/git-ignore.ts";
import { createSettingsFinder } from "../../../server/analysis/settings/settings.ts";
import { readSettingsFile } from "../../../server/analysis/settings/settings-file.ts";
import { processorTime } from "../../support/processor-time.ts";

describe("globs", () => {
  it("patterns with any wildcards match long names and paths in little time", () => {
    const globs = [
      `${"*a".repeat(120)}b`,
      `${"**/a/".repeat(40)}b`,
      `${"[!b]*".repeat(50)}b`,
      `${"?*".repeat(100)}c`,
      "**/*".repeat(60),
      `${"{a,aa}".repeat(40)}b`,
      // The worst within the bounds.
      "*a*a*a*ab",
      "**/a/**/a/**/a/**/b",
      "{a,aa}*a*a*ab",
      `${"[a]+".repeat(50)}b`,
    ];
    assert.equal(globs.filter(isBoundedGlob).length, 4);
    const files: Record<string, string> = { "/s/.packauthrc.json": JSON.stringify({ ignore: globs }), "/g/.gitignore": globs.join("\n") };
    const finder = createSettingsFinder({ readFile: (file) => files[file] }, () => ({}), []);
    const isIgnored = createGitIgnore({ readFile: (file) => files[file], exists: () => false }).below("/g")("/g");
    const startTime = processorTime();
    for (const path of [`${"a".repeat(198)}bc`, "a".repeat(255), `${"a/".repeat(99)}a`, "a/".repeat(2_000), `${"a".repeat(60)}/`.repeat(3)])
      assert.deepEqual([finder.ignores(`/s/${path}c`), isIgnored?.(`/g/${path}c`, false)], [false, false]);
    // A hang guard, no measurement.
    assert.ok(processorTime() - startTime < 10_000);
  });

  for (const [glob, problem] of [
    ["(a+)+b", /groups in parentheses/],
    ["+(a|b)", /groups in parentheses/],
    ["!(x)", /groups in parentheses/],
    ["{a,b}".repeat(10), /more than 4 wildcards and groups/],
    ["*a".repeat(10), /more than 4 wildcards and groups/],
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
