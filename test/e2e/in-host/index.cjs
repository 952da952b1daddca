// The mocha entry that runs inside an extension host, whichever VS Code launched it.
const Mocha = require("mocha");
const { FILES } = require("./files.cjs");

exports.run = () =>
  new Promise((resolve, reject) => {
    const mocha = new Mocha({ timeout: 60_000 });
    for (const file of FILES) mocha.addFile(file);
    mocha.run((failures) => (failures > 0 ? reject(new Error(`${failures} failed`)) : resolve()));
  });
