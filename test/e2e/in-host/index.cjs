// The mocha entry that runs inside an extension host, whichever VS Code launched it: first the tests of a window without packs, which adds
// some in the end, then those of any window. `scripts/host-folder.ts` writes its folder.
const Mocha = require("mocha");
const { join } = require("node:path");

const FILES = ["asleep.cjs", "extension.cjs", "editing.cjs", "escapes.cjs"];

exports.run = () =>
  new Promise((resolve, reject) => {
    const mocha = new Mocha({ timeout: 60_000 });
    for (const file of FILES) mocha.addFile(join(__dirname, file));
    mocha.run((failures) => (failures > 0 ? reject(new Error(`${failures} failed`)) : resolve()));
  });
