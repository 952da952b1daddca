// The Packs SDK that a pack would import, as its package.json describes it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { findToolkit } from "../../../platform/bundle/toolkit.ts";
import { lay, removeFolders } from "../../support/bundle-folders.ts";

describe("the installed Packs SDK", () => {
  after(removeFolders);

  const versionOf = (version: unknown): string | undefined =>
    findToolkit(
      join(
        lay({
          "pack.ts": "",
          "node_modules/@codahq/packs-sdk/package.json": JSON.stringify({ version }),
          "node_modules/browserify/package.json": "{}",
          "node_modules/browserify/lib/builtins.js": "",
        }),
        "pack.ts",
      ),
    ).version;

  for (const version of ["1.0.1", "1.17.5", "1.17.2-prerelease.2", "2.0.0+build-7"])
    it(`the version ${version} is that of the SDK`, () => {
      assert.equal(versionOf(version), version);
    });

  for (const version of [
    "1.17.5\u001b[31m",
    "1.17.5\nrun me",
    "1.17.5\n",
    "1".repeat(1_000),
    "latest",
    "",
    "1.17",
    7,
    { major: 1 },
    undefined,
  ])
    it(`the version ${String(JSON.stringify(version)).slice(0, 40)} is none, so no message repeats it`, () => {
      assert.equal(versionOf(version), undefined);
    });
});
