// The spec reporter, which also writes its counts and failures to a file, because scripts/test.ts sums up several runs.
const { writeFileSync } = require("node:fs");
const Mocha = require("mocha");

module.exports = class extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const notRun = [];
    const failed = [];
    runner.on("pending", (test) => notRun.push(test.title.startsWith("NOT RUN: ") ? test.title : `NOT RUN: ${test.fullTitle()}`));
    runner.on("fail", (test, error) => {
      const [message = ""] = String(error?.message ?? error).split("\n");
      failed.push(`FAILED: ${test.fullTitle()}: ${message.slice(0, 300)}`);
    });
    runner.once("end", () => {
      if (process.env.TESTS_COUNTS) writeFileSync(process.env.TESTS_COUNTS, JSON.stringify({ passed: this.stats.passes, failed, notRun }));
    });
  }
};
