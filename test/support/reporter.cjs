// The spec reporter, which also writes its counts to a file, because scripts/test.ts adds the counts of several runs.
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
