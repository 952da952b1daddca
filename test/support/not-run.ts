// Reports in one line a test that cannot run on this machine. It counts as NOT RUN, which is a failure only in CI.

/** Declares a test that does not run, in place of those of the suite, with the reason. */
export const notRun = (reason: string): void => void it(`NOT RUN: ${reason}`);

/** Does the same as `notRun`, but fails in CI, where .ci/run installs everything. */
export function notRunOutsideCi(reason: string): void {
  if (process.env.CI) it(reason, () => Promise.reject(new Error(reason)));
  else notRun(reason);
}
