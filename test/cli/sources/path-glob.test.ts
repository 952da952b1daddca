// Globs as they are typed on Windows and elsewhere: either slash there, and folders whose own names look like globs.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, type PlatformPath, posix, win32 } from "node:path";
import fc from "fast-check";
import { findFiles } from "../../../cli/sources/files.ts";
import { readPathGlob } from "../../../cli/sources/path-glob.ts";

/** A system with these folders, and no others. */
const system = (path: PlatformPath, ...folders: readonly string[]) => ({
  path,
  isFolder: (folder: string) => folders.some((each) => each.toLowerCase() === folder.toLowerCase()),
});

describe("a glob of a call", () => {
  const cwd = "C:\\Users\\me\\packs";
  const here = system(win32, cwd, `${cwd}\\src`, `${cwd}\\a (1)`, `${cwd}\\a (1)\\[id]`, "C:\\Users\\me", "\\\\host\\share\\packs");

  for (const [typed, folder, yes, no] of [
    ["src\\*.ts", `${cwd}\\src`, "pack.ts", "deep/pack.ts"],
    ["src/*.ts", `${cwd}\\src`, "pack.ts", "pack.js"],
    ["SRC\\*.TS", `${cwd}\\SRC`, "Pack.ts", "pack.js"],
    [".\\src\\**\\*.ts", `${cwd}\\src`, "a/b/pack.ts", "a/pack.js"],
    ["..\\*\\src\\*.ts", "C:\\Users\\me", "packs/src/pack.ts", "packs/pack.ts"],
    ["a (1)\\[id]\\*.ts", `${cwd}\\a (1)\\[id]`, "pack.ts", "i/pack.ts"],
    ["C:\\Users\\me\\packs\\**\\pack.ts", cwd, "src/pack.ts", "src/x.ts"],
    ["\\\\host\\share\\packs\\*.ts", "\\\\host\\share\\packs", "pack.ts", "x/pack.ts"],
    ["{src\\one,src\\two}\\*.ts", cwd, "src/two/pack.ts", "src/pack.ts"],
  ] as const)
    it(`${typed} is a glob on Windows`, () => {
      const glob = readPathGlob(typed, cwd, here);
      assert.equal(glob?.folder, folder);
      assert.ok(glob?.matches(yes));
      assert.ok(!glob?.matches(no));
    });

  it("a path without wildcards is no glob on Windows", () => {
    assert.equal(readPathGlob("src\\nothing.ts", cwd, here), undefined);
    assert.equal(readPathGlob("C:\\nowhere", cwd, here), undefined);
  });

  it("a backslash escapes, and case counts, on other systems", () => {
    const linux = system(posix, "/packs", "/packs/src");
    assert.equal(readPathGlob("src\\*.ts", "/packs", linux), undefined);
    assert.ok(readPathGlob("src/\\[id\\]*.ts", "/packs", linux)?.matches("[id]x.ts"));
    assert.ok(!readPathGlob("src/*.TS", "/packs", linux)?.matches("x.ts"));
  });

  const name = fc.stringMatching(/^[A-Za-z0-9 #%()@&+,;=![\]{}~^'$-]{1,8}$/).filter((text) => text.trim() === text);
  it("a glob matches below an existing folder of any name, by either slash on Windows", () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.boolean(), (parts, isWindows, isBackslash) => {
        const path = isWindows ? win32 : posix;
        const root = isWindows ? cwd : "/packs";
        const folders = parts.map((_, index) => path.join(root, ...parts.slice(0, index + 1)));
        const slash = isWindows && isBackslash ? "\\" : "/";
        const glob = readPathGlob([...parts, "*.ts"].join(slash), root, system(path, root, ...folders));
        assert.equal(glob?.folder, path.join(root, ...parts));
        assert.ok(glob?.matches("pack.ts") && !glob.matches("pack.js"));
      }),
    );
  });

  it("files of folders with odd names are found", () => {
    const base = mkdtempSync(join(tmpdir(), "pack-auth-glob-"));
    try {
      for (const folder of ["sp ace#%20(@", "a (b)/[id]", "@(x)"]) {
        mkdirSync(join(base, folder), { recursive: true });
        writeFileSync(join(base, folder, "pack.ts"), "");
        assert.deepEqual(findFiles([`${folder}/*.ts`], base), [join(base, folder, "pack.ts")]);
        assert.deepEqual(findFiles([folder], base), [join(base, folder, "pack.ts")]);
      }
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });
});
