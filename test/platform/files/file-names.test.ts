// One file, one name: by properties over the paths of Windows and of Linux, on a file system that is made up; and on this machine's own.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, win32 } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import fc from "fast-check";
import { asStored, canonical, type FileNames, oneSpelling, writtenAs } from "../../../base/canonical.ts";
import { canonicalPath, isSameFile, oneOf, spelling } from "../../../platform/files/file-names.ts";

/** Names as folders have them, with all that paths, URLs and globs take for something else. */
const name = fc.stringMatching(/^[A-Za-zäÖ0-9 #%()@&+,;=![\]{}~^'$-]{1,8}$/).filter((text) => text.trim() === text && !/^\.+$/.test(text));
const names = fc.array(name, { minLength: 1, maxLength: 4 });

/** A drive, a share of a server, or a distribution of WSL: as Windows itself says it. */
const root = fc.constantFrom("C:\\", "D:\\", "\\\\server\\share\\", "\\\\wsl.localhost\\Ubuntu\\");

/** The file system of Windows: every case of a name is the same file, and links are followed. `links` leads from a path to another. */
function windows(files: readonly string[], links: Readonly<Record<string, string>> = {}): FileNames {
  const stored = new Map<string, string>();
  for (const file of [...files, ...Object.values(links)])
    for (let at = file; ; at = win32.dirname(at)) {
      stored.set(at.toLowerCase(), at);
      if (win32.dirname(at) === at) break;
    }
  return {
    path: win32,
    realPath(path) {
      let real = path.toLowerCase();
      for (const [link, target] of Object.entries(links))
        if (`${real}\\`.startsWith(`${link.toLowerCase()}\\`)) real = target.toLowerCase() + real.slice(link.length);
      const storedPath = stored.get(real);
      if (storedPath === undefined) throw new Error(`ENOENT: ${path}`);
      return storedPath;
    },
  };
}

/** Other ways to write a path of Windows; the seed picks one. */
function otherwise(path: string, seed: number): string {
  let text = [...path].map((char, at) => ((seed >> (at % 30)) & 1 ? char.toUpperCase() : char.toLowerCase())).join("");
  if (text.toLowerCase() !== path.toLowerCase()) text = path;
  if (seed % 3 === 0) text = text.replaceAll("\\", "/");
  else if (seed % 5 === 0) text = text.startsWith("\\\\") ? `\\\\?\\UNC\\${text.slice(2)}` : `\\\\?\\${text}`;
  else if (seed % 7 === 0) text = text.replace(/^\\\\wsl\.localhost\\/i, "\\\\wsl$\\");
  return seed % 2 === 0
    ? text.replace(/[\\/]([^\\/]+)$/, (end, last: string) => `${end.slice(0, 1)}x${end.slice(0, 1)}..${end.slice(0, 1)}${last}`)
    : text;
}

describe("The canonical name of a file", () => {
  const seeds = fc.nat(2 ** 30);

  it("every Windows spelling of a file (drive, case, slashes, long path, WSL) has one name", () => {
    fc.assert(
      fc.property(root, names, seeds, (top, parts, seed) => {
        const file = win32.join(top, ...parts);
        const disk = windows([file]);
        assert.equal(canonical(otherwise(file, seed), disk), canonical(file, disk));
      }),
    );
  });

  it("a missing file has one name for every spelling of its drive or host", () => {
    fc.assert(
      fc.property(root, names, seeds, (top, parts, seed) => {
        const disk = windows([win32.join(top, "there", "file")]);
        const missingPath = (head: string): string => win32.join(head, "there", ...parts, "gone.ts");
        assert.equal(canonical(missingPath(otherwise(top, seed)), disk), canonical(missingPath(top), disk));
      }),
    );
  });

  it("two files have two names, and a canonical name is its own", () => {
    fc.assert(
      fc.property(root, names, names, (top, one, other) => {
        const [first, second] = [win32.join(top, ...one), win32.join(top, ...other)];
        fc.pre(first.toLowerCase() !== second.toLowerCase());
        const disk = windows([first, second]);
        assert.notEqual(canonical(first, disk), canonical(second, disk));
        assert.equal(canonical(canonical(first, disk), disk), canonical(first, disk));
      }),
    );
  });

  it("a path that went through an editor's URI keeps its name", () => {
    fc.assert(
      fc.property(root, names, (top, parts) => {
        const file = win32.join(top, ...parts);
        const disk = windows([file]);
        const uri = pathToFileURL(file, { windows: true }).href.replace(
          /^file:\/\/\/([A-Z]):/,
          (_, drive: string) => `file:///${drive.toLowerCase()}%3A`,
        );
        assert.equal(canonical(fileURLToPath(uri, { windows: true }), disk), canonical(file, disk));
      }),
    );
  });

  it("a file behind a link has the target's name and is shown as opened", () => {
    fc.assert(
      fc.property(root, names, names, seeds, (top, parts, rest, seed) => {
        const [link, target] = [win32.join(top, "Link", ...parts), win32.join(top, "Real", ...parts)];
        const [entry, helper] = [win32.join(target, "Pack.ts"), win32.join(target, ...rest, "helper.ts")];
        const disk = windows([entry, helper], { [link]: target });
        // An editor gives native slashes.
        const openedPath = win32.normalize(otherwise(win32.join(link, "Pack.ts"), seed));
        assert.equal(canonical(openedPath, disk), canonical(entry, disk));
        const spellPath = writtenAs(openedPath, disk);
        assert.equal(spellPath(entry), openedPath);
        assert.equal(spellPath(helper), win32.join(win32.dirname(openedPath), ...rest, "helper.ts"));
        assert.equal(canonical(spellPath(helper), disk), canonical(helper, disk));
        assert.equal(spellPath(win32.join("E:\\", "elsewhere.ts")), "E:\\elsewhere.ts");
      }),
    );
  });

  it("a file is shown in its stored case, with the links of its path", () => {
    fc.assert(
      fc.property(root, names, seeds, (top, parts, seed) => {
        const [file, link] = [win32.join(top, "Real", ...parts, "Pack.ts"), win32.join(top, "Link")];
        const disk = windows([file], { [link]: win32.join(top, "Real") });
        assert.equal(asStored(otherwise(file, seed), disk), canonical(file, disk));
        assert.equal(asStored(win32.join(link, ...parts, "Pack.ts"), disk), oneSpelling(win32.join(link, ...parts, "Pack.ts"), win32));
      }),
    );
  });

  it("a name keeps its case on a case-sensitive system", () => {
    const disk: FileNames = { path: posix, realPath: (path) => path };
    fc.assert(
      fc.property(names, (parts) => {
        const file = posix.join("/", ...parts);
        assert.equal(canonical(`${file}/`, disk), file);
        assert.equal(canonical(`/x/..${file}`, disk), file);
      }),
    );
  });

  describe("Files on this machine", () => {
    let base: string;
    let real: string;
    let link: string;
    before(() => {
      base = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-names-")));
      real = join(base, "deep", "sp ace#%20(@");
      link = join(base, "li nk#%(@");
      mkdirSync(join(real, "src"), { recursive: true });
      writeFileSync(join(real, "src", "pack.ts"), "");
      symlinkSync(real, link);
      symlinkSync(join(real, "src", "pack.ts"), join(real, "entry.ts"));
    });
    after(() => rmSync(base, { recursive: true, force: true }));

    it("two names of one file are recognized, also for missing files", () => {
      assert.ok(isSameFile(join(link, "src/pack.ts"), join(real, "src/pack.ts")));
      assert.ok(isSameFile(join(link, "entry.ts"), join(real, "src/pack.ts")));
      assert.ok(isSameFile(join(link, "src/gone/helper.ts"), join(real, "src/gone/helper.ts")));
      assert.ok(!isSameFile(join(link, "src/pack.ts"), join(link, "pack.ts")));
      assert.equal(canonicalPath(join(link, "src/pack.ts")), join(real, "src/pack.ts"));
      assert.ok(oneOf([join(real, "src/pack.ts")])(join(link, "entry.ts")));
    });

    it("files beside an opened file are spelled in its way", () => {
      const asOpened = spelling(join(link, "src/pack.ts"));
      assert.equal(asOpened(join(real, "src/pack.ts")), join(link, "src/pack.ts"));
      assert.equal(asOpened(join(real, "lib/helper.ts")), join(link, "lib/helper.ts"));
      assert.equal(asOpened(join(base, "else.ts")), join(base, "else.ts"));
      assert.equal(spelling(join(real, "entry.ts"))(join(real, "src/pack.ts")), join(real, "entry.ts"));
    });
  });
});
