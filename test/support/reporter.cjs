// The spec reporter, which also writes its counts and failures to a file, because scripts/test.ts sums up several runs.
const { renameSync, writeFileSync } = require("node:fs");
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
    const file = process.env.TESTS_COUNTS;
    const write = () => {
      writeFileSync(`${file}.part`, JSON.stringify({ passed: this.stats.passes, failed, notRun }));
      renameSync(`${file}.part`, file);
    };
    // scripts/test.ts may end a run that hangs, and counts the tests before that.
    if (file) runner.on("suite end", write).once("end", write);
  }
};
