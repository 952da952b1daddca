// The mocha entry that runs inside an extension host, whichever VS Code launched it.
const Mocha = require("mocha");
const { join } = require("node:path");

exports.run = () =>
  new Promise((resolve, reject) => {
    const mocha = new Mocha({ timeout: 60_000 });
    for (const file of ["pack-node.cjs", "extension.cjs", "editing.cjs", "escapes.cjs"]) mocha.addFile(join(__dirname, file));
    mocha.run((failures) => (failures > 0 ? reject(new Error(`${failures} failed`)) : resolve()));
  });
