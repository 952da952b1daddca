// What cannot run on this machine says so in one line. It is counted as NOT RUN, which is no failure on a desk.

/** Declares a test that is not run, in place of those of the suite, and says why. */
export const notRun = (reason: string): void => void it(`NOT RUN: ${reason}`);

/** As `notRun` for what .ci/run makes sure of: there it is a failure. */
export function notRunOutsideCi(reason: string): void {
  if (process.env.CI) it(reason, () => Promise.reject(new Error(reason)));
  else notRun(reason);
}
