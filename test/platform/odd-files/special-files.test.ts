// Files that are no files, under the names that are read beside a pack: whoever looks for them gets an answer.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasSignAbove } from "../../../client/packs/pack-signs.ts";
import { readRegularFile } from "../../../platform/files/regular-file.ts";
import { readStubs } from "../../../platform/sandbox/stubs.ts";
import { SPECIAL_FILES } from "../../support/special-files.ts";

describe("Special files beside a pack", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-special-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  for (const [kind, make] of Object.entries(SPECIAL_FILES)) {
    it(`${kind} as sandbox.json is reported and not read`, () => {
      const file = join(folder, "sandbox.json");
      make(file);
      assert.equal(readRegularFile(file), undefined);
      // To whoever follows links, one to itself is not there.
      if (kind === "a link to itself") assert.deepEqual(readStubs(file), { answers: [] });
      // A link to a device leads out of the folder, and is refused for that.
      else assert.throws(() => readStubs(file), { code: "sandbox-failed", message: /must be a file of at most 4 MB|is a link to \/dev\// });
    });

    it(`${kind} as package.json is no sign of a pack and does not block`, async () => {
      make(join(folder, "package.json"));
      assert.equal(await hasSignAbove(folder, ["@codahq/packs-sdk"]), false);
    });
  }
});
