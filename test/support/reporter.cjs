// The spec reporter, plus the counts in a file: several runs are added up by scripts/test.ts.
const { writeFileSync } = require("node:fs");
const Mocha = require("mocha");

module.exports = class extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once("end", () => {
      const { passes, failures, pending } = this.stats;
      if (process.env.PACK_AUTH_COUNTS)
        writeFileSync(process.env.PACK_AUTH_COUNTS, JSON.stringify({ passed: passes, failed: failures, notRun: pending }));
    });
  }
};
