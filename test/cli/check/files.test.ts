// Which files a call means.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findFiles } from "../../../cli/check/files.ts";

describe("files of a call", () => {
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
  const found = (...patterns: string[]): string[] => findFiles(patterns, folder).map((path) => path.slice(folder.length + 1));

  it("are the sources below a folder, without what is installed, hidden or declared", () => {
    const sources = ["a.ts", "b/c.tsx", "b/d.mjs", "b/e.cjs", "b/f.mts", "b/g.cts", "h.js", "i.jsx"];
    write(
      Object.fromEntries(
        [...sources, "x.d.ts", "x.d.mts", "x.json", "node_modules/x/y.ts", "b/node_modules/y.ts", ".x/y.ts", ".z.ts"].map((name) => [
          name,
          "",
        ]),
      ),
    );
    assert.deepEqual(found(), sources);
    assert.deepEqual(found("."), sources);
    assert.deepEqual(found("b", "a.ts", "b/c.tsx"), ["a.ts", ...sources.slice(1, 6)]);
  });

  it("are what a glob matches", () => {
    write({ "a.ts": "", "src/b.ts": "", "src/c/d.ts": "", "src/c/e.js": "", "x y/[id].ts": "", "node_modules/f.ts": "" });
    assert.deepEqual(found("*.ts"), ["a.ts"]);
    assert.deepEqual(found("**/*.ts"), ["a.ts", "src/b.ts", "src/c/d.ts", "x y/[id].ts"]);
    assert.deepEqual(found("./src/**/*.{ts,js}"), ["src/b.ts", "src/c/d.ts", "src/c/e.js"]);
    assert.deepEqual(found(join(folder, "src/*.ts")), ["src/b.ts"]);
    assert.deepEqual(found("src/c/../*.ts").sort(), found("src/*.ts"));
    assert.deepEqual(found("x y/[id].ts"), ["x y/[id].ts"]);
    assert.deepEqual(found("*.ts", "a.*"), ["a.ts"]);
    assert.throws(() => found("*.vue"), /No file matches \*\.vue/);
    assert.throws(() => found("nowhere/*.ts"), /No file matches/);
    assert.throws(() => found("a.ts/b.ts"), /no file or folder a\.ts\/b\.ts/);
    assert.throws(() => found("nowhere"), /no file or folder nowhere/);
  });

  it("leave out what git ignores: nested, negated, by folder, and by the repository's own list", () => {
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
    assert.deepEqual(found(), ["a.ts", "keep.gen.ts", "sub/dist/c.ts", "sub/e.gen.ts"]);
    assert.deepEqual(found("sub"), ["sub/dist/c.ts", "sub/e.gen.ts"]);
    assert.deepEqual(found("sub/**"), ["sub/dist/c.ts", "sub/e.gen.ts"]);
  });

  it("are checked where they are named, also where git ignores them", () => {
    write({ ".git/HEAD": "", ".gitignore": "dist\nx.ts\n", "dist/a.ts": "", "dist/b/c.ts": "", "dist/.gitignore": "b\n", "x.ts": "" });
    assert.deepEqual(found("dist"), ["dist/a.ts"]);
    assert.deepEqual(found("x.ts"), ["x.ts"]);
  });

  it("come through links to files, never through links to folders or to nothing", () => {
    write({ "real/a.ts": "" });
    symlinkSync(join(folder, "real/a.ts"), join(folder, "link.ts"));
    symlinkSync(join(folder, "real"), join(folder, "folder"));
    symlinkSync(folder, join(folder, "real/loop"));
    symlinkSync(join(folder, "gone.ts"), join(folder, "broken.ts"));
    assert.deepEqual(found(), ["link.ts", "real/a.ts"]);
  });
});
