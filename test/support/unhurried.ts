// Loaded before tests with low priority: seconds on an idle machine may become minutes.
const SHARE = 10;

export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    const test = this.currentTest;
    test?.timeout(test.timeout() * SHARE);
  },
};
