// The mocha entry for a window without packs; `test/e2e/in-host.e2e.ts` makes its folder.
const Mocha = require("mocha");
const { join } = require("node:path");

exports.run = () =>
  new Promise((resolve, reject) => {
    const mocha = new Mocha({ timeout: 60_000 });
    mocha.addFile(join(__dirname, "asleep.cjs"));
    mocha.run((failures) => (failures > 0 ? reject(new Error(`${failures} failed`)) : resolve()));
  });
