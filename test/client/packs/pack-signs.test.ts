// Which workspaces wake the extension: those where a pack may stand, and no others.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hasPackSigns, hasSignAbove, isPackText } from "../../../client/packs/pack-signs.ts";

const TOOLKITS = ["@codahq/packs-sdk"];

describe("signs of a pack", () => {
  let folder = "";
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-signs-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const asks = JSON.stringify({ devDependencies: { "@codahq/packs-sdk": "^1.0.0" } });

  for (const [what, files] of Object.entries({
    "a package that depends on the toolkit": { "package.json": asks },
    "a package deep in a monorepo": { "package.json": "{}", "packages/a/src/pack.ts": "", "packages/a/package.json": asks },
    "an installed toolkit that no package depends on": { "node_modules/@codahq/packs-sdk/package.json": "{}" },
    "the id file of the toolkit's command": { "packs/one/.coda-pack.json": "{}" },
    "settings of the rules": { ".packauthrc.json": "{}" },
  }))
    it(`${what} is a sign`, async () => {
      write(files);
      assert.equal(await hasPackSigns([folder], TOOLKITS), true);
    });

  for (const [what, files] of Object.entries({
    "an unrelated workspace": {
      "package.json": JSON.stringify({ name: "site", dependencies: { react: "19" } }),
      "src/a.ts": "export {};",
      "node_modules/react/package.json": "{}",
    },
    "a toolkit inside installed, built or hidden folders": {
      "node_modules/x/package.json": asks,
      "dist/package.json": asks,
      ".cache/package.json": asks,
    },
    "a package that only mentions the toolkit": { "package.json": JSON.stringify({ description: "like @codahq/packs-sdk" }) },
    "an invalid manifest": { "package.json": "\u0000{{{" },
    "an empty folder": {},
  }))
    it(`${what} has no sign`, async () => {
      write(files);
      assert.equal(await hasPackSigns([folder], TOOLKITS), false);
    });

  it("a package above a folder or file is a sign", async () => {
    write({ "package.json": asks, "src/deep/x.ts": "" });
    assert.equal(await hasPackSigns([join(folder, "src")], TOOLKITS), true);
    assert.equal(await hasSignAbove(join(folder, "src/deep"), TOOLKITS), true);
  });

  it("another toolkit counts when the settings name it", async () => {
    write({ "package.json": JSON.stringify({ dependencies: { "@acme/toolkit": "1" } }) });
    assert.equal(await hasPackSigns([folder], TOOLKITS), false);
    assert.equal(await hasPackSigns([folder], ["@acme/toolkit"]), true);
  });

  it("missing, closed and circular folders do not break the search", async () => {
    write({ "a/closed/package.json": asks, "b/x.ts": "" });
    symlinkSync(folder, join(folder, "b/round"));
    chmodSync(join(folder, "a/closed"), 0);
    // Who may read everything reads that too.
    const mayRead = process.getuid?.() === 0;
    assert.equal(await hasPackSigns([join(folder, "gone"), folder], TOOLKITS), mayRead);
    chmodSync(join(folder, "a/closed"), 0o700);
    const stopped = new AbortController();
    stopped.abort();
    assert.equal(await hasPackSigns([join(folder, "a")], TOOLKITS, stopped.signal), false);
  });

  it("a source that names the toolkit or sets an authentication is a pack's", () => {
    for (const text of ['import * as coda from "@codahq/packs-sdk";', "const pack = newPack();", "pack.setSystemAuthentication({"])
      assert.equal(isPackText(text, TOOLKITS), true, text);
    for (const text of ["", "export const manifest = {};", "renewPack();", 'import "@codahq/other";'])
      assert.equal(isPackText(text, TOOLKITS), false, text);
  });
});
