// Every usual way to lay out packs and packages can be built.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleRefusal, type Files, lay, packWith, removeFolders, TOOLKIT } from "../../support/bundle-folders.ts";
import { bundlePack } from "../../support/bundle-pack.ts";

describe("The layout of a workspace", function () {
  this.timeout(60_000);
  after(removeFolders);

  const FINE = "what is the workspace's own";
  const use = (path: string): string => packWith(`import { text } from ${JSON.stringify(path)}; console.log(text);`);
  const library = `export const text: string = "${FINE}";\n`;
  const packageOf = (name: string, more: object = {}): string => JSON.stringify({ name, main: "index.js", ...more });
  const installed = `exports.text = "${FINE}";\n`;
  /** The layouts, each with its pack's path and the folder that is open in an editor, if any. */
  const LAYOUTS: Readonly<Record<string, { readonly files: Files; readonly entry?: string; readonly openFolder?: string }>> = {
    "a folder without a package.json": {
      entry: "lone/pack.ts",
      files: { "lone/pack.ts": use("./lib"), "lone/lib.ts": library, "lone/node_modules/@codahq/packs-sdk": { link: TOOLKIT } },
    },
    "folders below and above, to the package.json": {
      entry: "ws/src/deep/pack.ts",
      files: { "ws/src/deep/pack.ts": use("../../lib/x"), "ws/lib/x.ts": library },
    },
    "a folder with an asterisk in its name": {
      entry: "w*s/pack.ts",
      files: { "w*s/pack.ts": use("./lib"), "w*s/lib.ts": library, "w*s/node_modules/@codahq/packs-sdk": { link: TOOLKIT } },
    },
    "a link within the folder": { files: { "ws/pack.ts": use("./mine"), "ws/mine.ts": { link: "lib/x.ts" }, "ws/lib/x.ts": library } },
    "a folder that is reached by a link itself": {
      entry: "short/pack.ts",
      files: { short: { link: "ws" }, "ws/pack.ts": use("./lib"), "ws/lib.ts": library },
    },
    "paths of a tsconfig.json within the folder, which extends others": {
      files: {
        "ws/pack.ts": use("@lib/x"),
        "ws/lib/x.ts": library,
        "ws/package.json": JSON.stringify({ devDependencies: { byname: "1" } }),
        "ws/tsconfig.json": JSON.stringify({ extends: ["./base", "strict/tsconfig.json", "byname"] }),
        "ws/base.json": JSON.stringify({ compilerOptions: { paths: { "@lib/*": ["./lib/*"] } } }),
        "ws/node_modules/strict/package.json": packageOf("strict"),
        "ws/node_modules/strict/tsconfig.json": "{}",
        "node_modules/byname/package.json": packageOf("byname", { tsconfig: "x.json" }),
        "node_modules/byname/x.json": "{}",
      },
    },
    "a tsconfig.json of the user's, above": {
      files: { "ws/pack.ts": use("./lib"), "ws/lib.ts": library, "tsconfig.json": JSON.stringify({ extends: "./outside/factory.json" }) },
    },
    "a package": {
      files: { "ws/pack.ts": use("lib"), "ws/node_modules/lib/package.json": packageOf("lib"), "ws/node_modules/lib/index.js": installed },
    },
    "a package above, by a name of the user's own, with a package of its own": {
      files: {
        "ws/package.json": JSON.stringify({ dependencies: { alias: "npm:lib@1" } }),
        "ws/pack.ts": use("alias"),
        "node_modules/alias/package.json": packageOf("lib", { optionalDependencies: { "@some/part": "1" } }),
        "node_modules/alias/index.js": 'exports.text = require("@some/part").text;',
        "node_modules/@some/part/package.json": packageOf("@some/part"),
        "node_modules/@some/part/index.js": installed,
      },
    },
    "what a package goes without in browsers": {
      files: {
        "ws/pack.ts": use("lib"),
        "ws/node_modules/lib/package.json": packageOf("lib", { browser: { "./disk.js": false } }),
        "ws/node_modules/lib/index.js": `require("./disk.js"); ${installed}`,
        "ws/node_modules/lib/disk.js": "throw 1;",
      },
    },
    "npm workspaces: a sibling by its name and by its path": {
      entry: "mono/packs/crm/pack.ts",
      files: {
        "mono/package.json": JSON.stringify({ workspaces: ["/", "./packs/*", "shared", "!packs/old"] }),
        "mono/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "mono/node_modules/shared": { link: "../shared" },
        "mono/packs/crm/package.json": packageOf("crm"),
        "mono/packs/crm/pack.ts": `${use("shared")}export { text } from "../../shared/index";`,
        "mono/shared/package.json": packageOf("shared", { main: "index.ts" }),
        "mono/shared/index.ts": library,
      },
    },
    "npm workspaces where a part of a member is open in the editor": {
      entry: "mono/packs/crm/src/pack.ts",
      openFolder: "mono/packs/crm/src",
      files: {
        "mono/package.json": JSON.stringify({ workspaces: ["packs/c*m"] }),
        "mono/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "mono/packs/crm/package.json": packageOf("crm"),
        "mono/packs/crm/src/pack.ts": use("../../../lib"),
        "mono/lib.ts": library,
      },
    },
    "workspaces as an object, as yarn has them": {
      entry: "mono/packs/crm/src/pack.ts",
      files: {
        "mono/package.json": JSON.stringify({ workspaces: { packages: ["packs/**"] } }),
        "mono/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "mono/packs/crm/package.json": packageOf("crm"),
        "mono/packs/crm/src/pack.ts": use("../../../lib"),
        "mono/lib.ts": library,
      },
    },
    "pnpm: a store of links, a sibling, a part of a package, an alias": {
      entry: "mono/packs/crm/pack.ts",
      files: {
        "mono/package.json": "{}",
        "mono/pnpm-workspace.yaml":
          "# what there is\npackages:\n  # packs\n  - 'packs/*' # all\n  - \"shared\"\nonlyBuiltDependencies:\n  - esbuild\n",
        "mono/node_modules/.pnpm/lib@1/node_modules/lib/package.json": packageOf("lib"),
        "mono/node_modules/.pnpm/lib@1/node_modules/lib/index.js": 'exports.text = require("part").text;',
        "mono/node_modules/.pnpm/lib@1/node_modules/part": { link: "../../part@2/node_modules/part" },
        "mono/node_modules/.pnpm/part@2/node_modules/part/package.json": packageOf("part"),
        "mono/node_modules/.pnpm/part@2/node_modules/part/index.js": installed,
        "mono/packs/crm/package.json": packageOf("crm"),
        "mono/packs/crm/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "mono/packs/crm/node_modules/lib": { link: "../../../node_modules/.pnpm/lib@1/node_modules/lib" },
        "mono/packs/crm/node_modules/alias": { link: "../../../node_modules/.pnpm/part@2/node_modules/part" },
        "mono/packs/crm/node_modules/shared": { link: "../../../shared" },
        "mono/packs/crm/pack.ts": `${use("lib")}export { text as a } from "alias"; export { text as b } from "shared"; export { text as c } from "../../shared/index";`,
        "mono/shared/package.json": packageOf("shared", { main: "index.ts" }),
        "mono/shared/index.ts": library,
      },
    },
    "pnpm with its list in one line": {
      entry: "mono/packs/crm/pack.ts",
      files: {
        "mono/pnpm-workspace.yaml": 'packages: ["packs/*", shared]\r\n',
        "mono/packs/crm/package.json": packageOf("crm"),
        "mono/packs/crm/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "mono/packs/crm/pack.ts": use("../../shared/index"),
        "mono/shared/index.ts": library,
      },
    },
    "pnpm's store for all projects, elsewhere on the machine": {
      files: {
        "ws/package.json": JSON.stringify({ dependencies: { "@some/lib": "1" } }),
        "ws/pack.ts": use("@some/lib"),
        "ws/node_modules/@some/lib": { link: "$ROOT/store/links/@some/lib/1/abc/node_modules/@some/lib" },
        "store/links/@some/lib/1/abc/node_modules/@some/lib/package.json": packageOf("@some/lib", { peerDependencies: { part: "2" } }),
        "store/links/@some/lib/1/abc/node_modules/@some/lib/index.js": 'exports.text = require("part").text;',
        "store/links/@some/lib/1/abc/node_modules/part": { link: "$ROOT/store/links/part/2/def/node_modules/part" },
        "store/links/part/2/def/node_modules/part/package.json": packageOf("part"),
        "store/links/part/2/def/node_modules/part/index.js": installed,
      },
    },
    "npm link: a package elsewhere of the name that the link has": {
      files: {
        "ws/package.json": JSON.stringify({ dependencies: { private: "*" } }),
        "ws/pack.ts": use("private"),
        "ws/node_modules/private": { link: "$ROOT/global/node_modules/private" },
        "global/node_modules/private": { link: "../../mine/private" },
        "mine/private/package.json": packageOf("private"),
        "mine/private/index.js": 'exports.text = require("part").text;',
        "mine/private/node_modules/part/package.json": packageOf("part"),
        "mine/private/node_modules/part/index.js": installed,
      },
    },
    "node_modules of another place, linked as a whole": {
      entry: "other/pack.ts",
      files: {
        "other/package.json": JSON.stringify({ dependencies: { lib: "1" } }),
        "other/pack.ts": use("lib"),
        "other/node_modules": { link: "../ws/node_modules" },
        "ws/node_modules/lib/package.json": packageOf("lib"),
        "ws/node_modules/lib/index.js": installed,
      },
    },
    "the folder that is open in the editor": {
      entry: "open/packs/crm/pack.ts",
      openFolder: "open",
      files: {
        "open/packs/crm/package.json": packageOf("crm"),
        "open/packs/crm/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "open/packs/crm/pack.ts": use("../../lib/x"),
        "open/lib/x.ts": library,
      },
    },
  };

  for (const [name, { files, entry = "ws/pack.ts", openFolder }] of Object.entries(LAYOUTS))
    it(`a pack builds in this layout: ${name}`, async () => {
      const folder = lay(files);
      const { code } = await bundlePack(join(folder, entry), openFolder === undefined ? {} : { folder: join(folder, openFolder) });
      assert.ok(code.includes(FINE));
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
