// Which file of a folder builds the pack, and a pack that never finishes loading.

import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { entryAt } from "../../../operations/inside.ts";
import { storedIn } from "../../support/call-cli.ts";
import { followProcesses } from "../../support/left-processes.ts";
import { CTRL_C, hasTerminal, onTerminal } from "../../support/on-terminal.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

describe("the entry of a pack's folder", () => {
  after(removePackFiles);

  for (const name of ["pack.ts", "pack.js", "pack.mts", "pack.mjs", "pack.cts", "pack.cjs", "src/pack.mts", "manifest.ts", "index.ts"])
    it(`${name} is the entry when it is the only one`, () => {
      const folder = dirname(packFiles({ [name]: "" }));
      assert.equal(entryAt(folder, folder), join(folder, name));
    });

  it("pack.ts is the entry beside any other", () => {
    const file = packFiles({ "pack.ts": "", "pack.mjs": "", "src/pack.ts": "" });
    assert.equal(basename(entryAt(dirname(file), ".")), "pack.ts");
  });

  it("a folder without an entry is refused with the possible names", () => {
    const file = packFiles({ "other.ts": "" });
    assert.throws(() => entryAt(dirname(file), "."), /has none of pack\.ts, .*pack\.mjs, .*index\.ts\./);
  });
});

/** On a terminal the line of a step stands there until it is erased. */
const AFTER_STEP = /^\s*Building the pack…\^C\s*$/;

describe("Ctrl-C while a pack is loaded", function () {
  this.timeout(60_000);
  after(removePackFiles);

  for (const [verb, text] of [
    ["run", AFTER_STEP],
    ["connect", /^\^C\s*Cancelled\. Nothing was stored\.\s*$/],
    ["preflight", AFTER_STEP],
    ["upload", /^\^C\s*Cancelled\. No version was sent\.\s*$/],
    ["credentials", /^\^C\s*$/],
    ["sandbox", /^\^C\s*$/],
  ] as const)
    it(hasTerminal ? `${verb} ends with exit code 130 and leaves no process` : `NOT RUN: ${verb} (no terminal)`, async function () {
      if (!hasTerminal) this.skip();
      const file = packFiles({
        "pack.ts": 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\nfor (;;);\n',
        ".coda-pack.json": '{"packId":123456}',
      });
      const folder = dirname(file);
      const { PACK_AUTH_PASSPHRASE: _passphrase, ...env } = storedIn(folder);
      let processes: ReturnType<typeof followProcesses> | undefined;
      let isPressed = false;
      const result = await onTerminal([process.execPath, join(root, "dist/cli.cjs"), verb, folder], {
        env: { ...env, NO_COLOR: "1" },
        onStart(pid) {
          processes = followProcesses(pid);
        },
        async type() {
          if (isPressed) return "";
          isPressed = true;
          // The bundle is built by then, and the pack's process runs until its limit of 20 s.
          await delay(6_000);
          return CTRL_C;
        },
      });
      assert.equal(result.code, 130, result.text);
      assert.match(stripVTControlCharacters(result.text), text);
      assert.deepEqual(await processes?.left(), []);
    });
});
