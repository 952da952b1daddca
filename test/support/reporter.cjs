// The spec reporter, which also writes the counts to a file: scripts/test.ts adds those of several runs up.
const { writeFileSync } = require("node:fs");
const Mocha = require("mocha");

module.exports = class extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const notRun = [];
    runner.on("pending", (test) => notRun.push(test.title.startsWith("NOT RUN: ") ? test.title : `NOT RUN: ${test.fullTitle()}`));
    runner.once("end", () => {
      const { passes, failures } = this.stats;
      if (process.env.PACK_AUTH_COUNTS)
        writeFileSync(process.env.PACK_AUTH_COUNTS, JSON.stringify({ passed: passes, failed: failures, notRun }));
    });
  }
};
