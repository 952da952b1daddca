// Loaded before tests that take what others leave of the processor: what is seconds for them alone is minutes there.
const SHARE = 10;

export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    const test = this.currentTest;
    test?.timeout(test.timeout() * SHARE);
  },
};
