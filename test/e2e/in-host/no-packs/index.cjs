// The mocha entry for a window without packs, which has some in the end: then come the tests of any window. `test/e2e/in-host.e2e.ts` makes
// its folder.
const Mocha = require("mocha");
const { join } = require("node:path");
const { FILES } = require("../files.cjs");

exports.run = () =>
  new Promise((resolve, reject) => {
    const mocha = new Mocha({ timeout: 60_000 });
    for (const file of [join(__dirname, "asleep.cjs"), ...FILES]) mocha.addFile(file);
    mocha.run((failures) => (failures > 0 ? reject(new Error(`${failures} failed`)) : resolve()));
  });
