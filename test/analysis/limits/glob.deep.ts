// What .gitignore leaves out: judged by git.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { GIT_IGNORE_HOST } from "../../../cli/sources/files.ts";
import { createGitIgnore } from "../../../server/analysis/settings/git-ignore.ts";

const name = fc.string({ unit: fc.constantFrom("a", "b", "A", ".", "-", "1"), minLength: 1, maxLength: 5 });
const segment = fc
  .array(fc.constantFrom("a", "b", ".", "1", "-", "*", "?", "[ab]", "[!a]", "[a-b1]", "{a,b}", "{a,b1,}"), { minLength: 1, maxLength: 4 })
  .map((signs) => signs.join("").replaceAll(/\*+/g, "*"));
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

describe("what git ignores", function () {
  this.timeout(120_000);

  it("ignored files are those that git ignores, for any rules and paths", () => {
    const rule = fc
      .tuple(
        fc.constantFrom("", "", "", "!", "/", "!/"),
        fc.array(
          fc.oneof(
            segment.map((text) => text.replaceAll(/[{},]/g, "")).filter((text) => text !== ""),
            fc.constant("**"),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        fc.constantFrom("", "", "/", " ", "\\ "),
      )
      .map(([before, segments, after]) => before + segments.join("/") + after);
    const samples = fc.sample(fc.tuple(fc.array(rule, { minLength: 1, maxLength: 4 }), fc.array(path, { minLength: 5, maxLength: 8 })), 60);
    for (const [rules, paths] of samples) {
      const folder = mkdtempSync(join(tmpdir(), "pack-auth-git-"));
      try {
        const init = spawnSync("git", ["init", "-q"], { cwd: folder });
        assert.equal(init.status, 0);
        writeFileSync(join(folder, ".gitignore"), `${rules.join("\n").toLowerCase()}\n`);
        const files = [...new Set(paths.map((file) => file.toLowerCase()))].filter(
          (file) => !/(?:^|\/)\.+(?:\/|$)/.test(file) && !file.startsWith(".git"),
        );
        const there = files.filter((file) => {
          try {
            mkdirSync(dirname(join(folder, file)), { recursive: true });
            writeFileSync(join(folder, file), "", { flag: "wx" });
            return true;
          } catch {
            return false;
          }
        });
        const gitResult = spawnSync("git", ["check-ignore", "--stdin", "--no-index"], {
          cwd: folder,
          input: there.join("\n"),
          encoding: "utf8",
        });
        const byGit = new Set(gitResult.stdout.split("\n"));
        const ignored = createGitIgnore(GIT_IGNORE_HOST).below(folder);
        for (const file of there) {
          const steps = file.split("/");
          // As the search goes: into a folder, unless it is ignored.
          const isIgnored = steps.some((_, index) => {
            const part = steps.slice(0, index + 1).join("/");
            return ignored(dirname(join(folder, part)))?.(join(folder, part), index < steps.length - 1) === true;
          });
          assert.equal(isIgnored, byGit.has(file), `${JSON.stringify(rules)} on ${file}`);
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  });
});
