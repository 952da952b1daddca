// The files that an author does not step through, by the patterns of VS Code's JavaScript debugger: it turns backslashes into slashes, and
// compares with micromatch, whose patterns are picomatch's.
import assert from "node:assert/strict";
import fc from "fast-check";
import picomatch from "picomatch";
import { everythingIn } from "../../../client/debugging/file-patterns.ts";

const skips = (folder: string, file: string): boolean =>
  picomatch(everythingIn(folder).replaceAll("\\", "/"), { dot: true })(file.replaceAll("\\", "/"));

describe("skipped files of the debugger", () => {
  for (const folder of [
    "/opt/code/extensions/pack-auth/dist",
    "C:\\Ann Lee\\.vscode\\extensions\\pack-auth\\dist",
    "C:\\ann (work)\\dist",
    "/opt/50% @home #1 [x] {a,b} !(c) +(d)/dist",
    "\\\\server\\share\\dist",
  ])
    it(`files of ${folder} are skipped, and no others`, () => {
      const slash = folder.includes("\\") ? "\\" : "/";
      assert.equal(skips(folder, `${folder}${slash}runner.cjs`), true);
      assert.equal(skips(folder, `${folder}${slash}.a${slash}b.ts`), true);
      assert.equal(skips(folder, `${folder}2${slash}runner.cjs`), false);
      assert.equal(skips(folder, `${slash}pack.ts`), false);
    });

  it("files in folders of any name are skipped", () => {
    const name = fc.stringMatching(/^[A-Za-z0-9 ()[\]{}!+@#%&',;=~^$.-]{1,12}$/).filter((text) => !/^\.{1,2}$/.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.constantFrom("/", "\\"), (names, slash) => {
        const folder = slash === "/" ? `/${names.join("/")}` : `C:\\${names.join("\\")}`;
        assert.equal(skips(folder, `${folder}${slash}runner.cjs`), true);
      }),
    );
  });
});
