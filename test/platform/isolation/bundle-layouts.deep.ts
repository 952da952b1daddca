// Every usual way to lay out packs and packages can be built.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { bundleRefusal, type Files, filesOfCase, lay, packWith, removeFolders, TOOLKIT } from "../../support/bundle-folders.ts";
import { bundlePack } from "../../support/bundle-pack.ts";
import { eachCase } from "../../support/json-cases.ts";

describe("The layout of a workspace", function () {
  this.timeout(60_000);
  after(removeFolders);

  const FINE = "what is the workspace's own";
  const use = (path: string): string => packWith(`import { text } from ${JSON.stringify(path)}; console.log(text);`);
  const library = `export const text: string = "${FINE}";\n`;
  const packageOf = (name: string, more: object = {}): string => JSON.stringify({ name, main: "index.js", ...more });
  const layoutCase = z.strictObject({
    title: z.string(),
    /** The pack's path. */
    entry: z.string().default("ws/pack.ts"),
    /** The folder that is open in an editor, if any. */
    openFolder: z.string().exactOptional(),
    files: filesOfCase,
  });
  eachCase("isolation/cases/layouts.json", layoutCase, ({ title, files, entry, openFolder }) => {
    it(`a pack builds in this layout: ${title}`, async () => {
      const folder = lay(files);
      const { code } = await bundlePack(join(folder, entry), openFolder === undefined ? {} : { folder: join(folder, openFolder) });
      assert.ok(code.includes(FINE));
    });
  });

  it("a source in UTF-16 is refused with a hint to save it as UTF-8", async () => {
    const entry = join(lay({ "ws/pack.ts": use("./lib"), "ws/lib.ts": library }), "ws/pack.ts");
    writeFileSync(entry, Buffer.from(`\ufeff${use("./lib")}`, "utf16le"));
    const { message, hint } = await bundleRefusal(entry);
    assert.equal(message, 'The pack cannot be built: Unexpected "\\xff"');
    assert.equal(hint, "Save the file as UTF-8.");
  });

  it("a workspace or an open folder that does not contain the pack adds no files", async () => {
    const files: Files = {
      "mono/package.json": JSON.stringify({ workspaces: ["apps/*", "*", "packs/c*rmx", "packs/**/deeper", "**/crm", "!packs/*"] }),
      "mono/pnpm-workspace.yaml": "packages:\n  - apps/*\nother:\n  - packs/*\n",
      "mono/packs/crm/package.json": packageOf("crm"),
      "mono/packs/crm/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
      "mono/packs/crm/pack.ts": use("../../lib/x"),
      "mono/lib/x.ts": library,
    };
    const folder = lay(files);
    const entry = join(folder, "mono/packs/crm/pack.ts");
    assert.match((await bundleRefusal(entry)).message, /^pack\.ts:3 imports .*x\.ts, which is outside of the folder .*crm\.$/);
    assert.match((await bundleRefusal(entry, { folder: join(folder, "mono/lib") })).message, /outside of the folder .*crm\.$/);
    // A pattern with more wildcards than are matched leaves it open who is a member.
    writeFileSync(join(folder, "mono/package.json"), JSON.stringify({ workspaces: ["packs/*", "!*/*c*r*m*"] }));
    assert.match((await bundleRefusal(entry)).message, /outside of the folder .*crm\.$/);
  });
});
