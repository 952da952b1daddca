// Loaded by scripts/test.ts: appends the start of each suite and its processor time, with all processes that it started, to TESTS_SECONDS.
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { secondsOfProcesses } from "../../scripts/processes.ts";

let counted = 0;

function append(text: string, suite: Mocha.Suite | undefined): void {
  if (process.env.TESTS_SECONDS && suite?.file) appendFileSync(process.env.TESTS_SECONDS, `${text} ${relative("test", suite.file)}\n`);
}

export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    const suites = this.test?.parent?.suites ?? [];
    append("start", suites[0]);
    // A hook that is added last runs last, when the suite has ended its processes.
    for (const [index, suite] of suites.entries())
      suite.afterAll(() => {
        const now = secondsOfProcesses();
        append((now - counted).toFixed(2), suite);
        counted = now;
        append("start", suites[index + 1]);
      });
  },
};
