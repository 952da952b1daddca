// A build ends, also where a file that it reads does not, and the next one is as ever.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createBundler } from "../../../platform/bundle/bundle.ts";
import { bundleRefusal, type Files, lay, PACK, packWith, removeFolders } from "../../support/bundle-folders.ts";
import { bundlePack } from "../../support/bundle-pack.ts";
import { root } from "../../support/packs.ts";

describe("The limits of a build", function () {
  this.timeout(60_000);
  after(removeFolders);

  for (const [name, files] of Object.entries<Files>({
    "a package.json beside a source": { "ws/lib/index.js": "export default 1;\n", "ws/lib/package.json": { link: "$ROOT/special" } },
    "what a tsconfig.json extends": {
      "ws/lib.ts": "export default 1;\n",
      "ws/tsconfig.json": '{ "extends": "./base.json" }',
      "ws/base.json": { link: "$ROOT/special" },
    },
  }))
    for (const special of ["pipe", "/dev/zero"])
      it(`a build that reads without end is stopped (${name}: ${special}), and the next one works`, async function () {
        if (process.platform === "win32") return this.skip();
        const folder = lay({ "ws/pack.ts": packWith('import x from "./lib"; console.log(x);'), "fine/pack.ts": PACK, ...files });
        symlinkSync(join(root, "node_modules"), join(folder, "fine/node_modules"));
        if (special === "pipe") assert.equal(spawnSync("mkfifo", [join(folder, "special")]).status, 0);
        else symlinkSync(special, join(folder, "special"));
        const fine = await createBundler(join(folder, "fine/pack.ts"));
        await fine.build();
        const limits = special === "pipe" ? { buildTime: 3_000 } : { buildMemory: 400 * 1024 ** 2 };
        const error = await bundleRefusal(join(folder, "ws/pack.ts"), limits);
        assert.match(error.message, special === "pipe" ? /cannot be built within 3 s/ : /takes more than 400 MB of memory/);
        assert.equal(fine.isCurrent(), false);
        await fine.dispose();
        await bundlePack(join(folder, "fine/pack.ts"));
      });

  it("a source map that never ends is not read", async function () {
    if (process.platform === "win32") return this.skip();
    const folder = lay({
      "ws/pack.ts": packWith('import x from "./lib"; console.log(x);'),
      "ws/lib.js": "export default 1;\n//# sourceMappingURL=lib.js.map\n",
      "ws/lib.js.map": { link: "/dev/zero" },
    });
    await bundlePack(join(folder, "ws/pack.ts"));
  });

  it("a package.json that is a pipe does not block the search for the SDK", async function () {
    if (process.platform === "win32") return this.skip();
    const files = { "ws/pack.ts": PACK, "ws/node_modules/browserify/x": "" };
    // In a process of its own: a look that does not end would keep this one.
    for (const place of ["ws/node_modules/browserify/package.json", "ws/node_modules/@codahq/packs-sdk/package.json"]) {
      const folder = lay({ ...files, ...(place.includes("@codahq") ? { "ws/node_modules/@codahq/packs-sdk": { link: "sdk" } } : {}) });
      if (place.includes("@codahq")) {
        mkdirSync(join(folder, "ws/node_modules/@codahq/sdk"));
        assert.equal(spawnSync("mkfifo", [join(folder, "ws/node_modules/@codahq/sdk/package.json")]).status, 0);
      } else assert.equal(spawnSync("mkfifo", [join(folder, place)]).status, 0);
      const code = `import(${JSON.stringify(join(root, "platform/bundle/toolkit.ts"))}).then(({ findToolkit }) => { try { findToolkit(${JSON.stringify(join(folder, "ws/pack.ts"))}); } catch (error) { console.log(error.code); } })`;
      const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", "-e", code], {
        cwd: root,
        encoding: "utf8",
        timeout: 20_000,
      });
      assert.equal(status, 0, `${place}: still looking`);
      if (place.includes("@codahq")) assert.match(stdout, /toolkit-missing/);
    }
  });
});
