// Loaded by scripts/test.ts: appends the processor time of each suite, with all processes that it started, to TESTS_SECONDS.
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { secondsOfProcesses } from "../../scripts/processes.ts";

let counted = 0;

export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    // A hook that is added last runs last, when the suite has ended its processes.
    for (const suite of this.test?.parent?.suites ?? [])
      suite.afterAll(() => {
        const now = secondsOfProcesses();
        const seconds = now - counted;
        counted = now;
        if (process.env.TESTS_SECONDS && suite.file)
          appendFileSync(process.env.TESTS_SECONDS, `${seconds.toFixed(2)} ${relative("test", suite.file)}\n`);
      });
  },
};
