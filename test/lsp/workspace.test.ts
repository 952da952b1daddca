// The search for packs in the folders of a workspace, among all that may lie there.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFiles } from "../../cli/sources/files.ts";
import { findPackFiles, notIgnored } from "../../server/workspace.ts";

const PACK = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';

describe("the workspace's search for packs", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-workspace-"));
    writeFileSync(join(folder, "pack.ts"), PACK);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const findPaths = async (): Promise<readonly string[]> =>
    (await findPackFiles([folder])).map((path) => path.slice(folder.length + 1)).sort();

  it("packs are found in folders and by file links, not in installed or built code", async () => {
    for (const name of ["further", "node_modules", "dist", ".hidden"]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "pack.ts"), PACK);
    }
    if (process.platform !== "win32") symlinkSync("pack.ts", join(folder, "link.ts"));
    symlinkSync("nowhere.ts", join(folder, "broken.ts"));
    writeFileSync(join(folder, "other.ts"), "export {};\n");
    assert.deepEqual(await findPaths(), ["further/pack.ts", ...(process.platform === "win32" ? [] : ["link.ts"]), "pack.ts"]);
  });

  it("files that git ignores are skipped, as on the command line, also after changes", async () => {
    mkdirSync(join(folder, "inner", "bundles", "deep"), { recursive: true });
    writeFileSync(join(folder, ".gitignore"), "/inner/bundles/\n*.gen.ts\n");
    writeFileSync(join(folder, "inner", ".gitignore"), "!kept.gen.ts\n");
    const names = ["inner/bundles/deep/pack.ts", "a.gen.ts", "inner/kept.gen.ts", "inner/pack.ts"];
    for (const name of names) writeFileSync(join(folder, name), PACK);
    const left = ["inner/kept.gen.ts", "inner/pack.ts", "pack.ts"];
    assert.deepEqual(await findPaths(), left);
    const here = (name: string) => `${folder}/${name}`;
    assert.deepEqual(
      findFiles(["."], folder).map((path) => path.slice(folder.length + 1)),
      left,
    );
    assert.deepEqual(notIgnored([...names.map(here), "/elsewhere/a.gen.ts"], [folder]), [
      here("inner/kept.gen.ts"),
      here("inner/pack.ts"),
      "/elsewhere/a.gen.ts",
    ]);
  });

  it("a named pipe does not block the search", async function () {
    if (process.platform === "win32") this.skip();
    spawnSync("mkfifo", [join(folder, "queue.ts")]);
    assert.deepEqual(await findPaths(), ["pack.ts"]);
  });

  it("a file longer than any source is skipped", async () => {
    writeFileSync(join(folder, "film.ts"), PACK);
    truncateSync(join(folder, "film.ts"), 2 ** 30);
    assert.deepEqual(await findPaths(), ["pack.ts"]);
  });
});
