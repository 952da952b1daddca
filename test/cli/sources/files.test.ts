// Which files a call means.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findFiles } from "../../../cli/sources/files.ts";

describe("the files of a call", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-files-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (files: Record<string, string>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  const findPaths = (...patterns: string[]): string[] => findFiles(patterns, folder).map((path) => path.slice(folder.length + 1));

  it("a folder yields its sources, without installed, hidden or declaration files", () => {
    const sources = ["a.ts", "b/c.tsx", "b/d.mjs", "b/e.cjs", "b/f.mts", "b/g.cts", "h.js", "i.jsx"];
    write(
      Object.fromEntries(
        [...sources, "x.d.ts", "x.d.mts", "x.json", "node_modules/x/y.ts", "b/node_modules/y.ts", ".x/y.ts", ".z.ts"].map((name) => [
          name,
          "",
        ]),
      ),
    );
    assert.deepEqual(findPaths(), sources);
    assert.deepEqual(findPaths("."), sources);
    assert.deepEqual(findPaths("b", "a.ts", "b/c.tsx"), ["a.ts", ...sources.slice(1, 6)]);
  });

  it("a glob yields the files that it matches", () => {
    write({ "a.ts": "", "src/b.ts": "", "src/c/d.ts": "", "src/c/e.js": "", "x y/[id].ts": "", "node_modules/f.ts": "" });
    assert.deepEqual(findPaths("*.ts"), ["a.ts"]);
    assert.deepEqual(findPaths("**/*.ts"), ["a.ts", "src/b.ts", "src/c/d.ts", "x y/[id].ts"]);
    assert.deepEqual(findPaths("./src/**/*.{ts,js}"), ["src/b.ts", "src/c/d.ts", "src/c/e.js"]);
    assert.deepEqual(findPaths(join(folder, "src/*.ts")), ["src/b.ts"]);
    assert.deepEqual(findPaths("src/c/../*.ts").sort(), findPaths("src/*.ts"));
    assert.deepEqual(findPaths("x y/[id].ts"), ["x y/[id].ts"]);
    assert.deepEqual(findPaths("*.ts", "a.*"), ["a.ts"]);
    assert.throws(() => findPaths("*.vue"), /No file matches \*\.vue/);
    assert.throws(() => findPaths("nowhere/*.ts"), /No file matches/);
    assert.throws(() => findPaths("a.ts/b.ts"), /no file or folder a\.ts\/b\.ts/);
    assert.throws(() => findPaths("nowhere"), /no file or folder nowhere/);
  });

  it("files that git ignores are left out: nested, negated, by folder, and by info/exclude", () => {
    write({
      ".git/info/exclude": "excluded.ts\n",
      ".gitignore": "*.gen.ts\n/dist/\nbuild\n!keep.gen.ts\n",
      "a.ts": "",
      "a.gen.ts": "",
      "keep.gen.ts": "",
      "excluded.ts": "",
      "dist/b.ts": "",
      "sub/dist/c.ts": "",
      "sub/build/d.ts": "",
      "sub/.gitignore": "!e.gen.ts\nf.ts\n",
      "sub/e.gen.ts": "",
      "sub/f.ts": "",
      "sub/g/f.ts": "",
    });
    assert.deepEqual(findPaths(), ["a.ts", "keep.gen.ts", "sub/dist/c.ts", "sub/e.gen.ts"]);
    assert.deepEqual(findPaths("sub"), ["sub/dist/c.ts", "sub/e.gen.ts"]);
    assert.deepEqual(findPaths("sub/**"), ["sub/dist/c.ts", "sub/e.gen.ts"]);
  });

  it("a named file or folder is checked, also when git ignores it", () => {
    write({ ".git/HEAD": "", ".gitignore": "dist\nx.ts\n", "dist/a.ts": "", "dist/b/c.ts": "", "dist/.gitignore": "b\n", "x.ts": "" });
    assert.deepEqual(findPaths("dist"), ["dist/a.ts"]);
    assert.deepEqual(findPaths("x.ts"), ["x.ts"]);
  });

  it("links to files are followed, and links to folders or to nothing are not", () => {
    write({ "real/a.ts": "" });
    symlinkSync(join(folder, "real/a.ts"), join(folder, "link.ts"));
    symlinkSync(join(folder, "real"), join(folder, "folder"));
    symlinkSync(folder, join(folder, "real/loop"));
    symlinkSync(join(folder, "gone.ts"), join(folder, "broken.ts"));
    assert.deepEqual(findPaths(), ["link.ts", "real/a.ts"]);
  });
});
