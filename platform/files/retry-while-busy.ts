// Windows refuses to replace, open or remove a file while a virus scanner or another window has it open, and to make a folder while one of
// that name is being removed. A file that is removed while somebody reads it is in its folder until that ends. All of it passes within
// moments, so that what was refused is tried again before anybody hears of it.

/** Elsewhere they are seldom seen, and mean what they say: a lasting refusal is told a little later. */
const CODES: ReadonlySet<unknown> = new Set(["EPERM", "EACCES", "EBUSY", "ENOTEMPTY"]);
/** Milliseconds for which it is tried. */
const PATIENCE = 2_000;

/** Does the work until it is not refused. Throws at once what is no such refusal, and the refusal where it lasts. The work may be done again. */
export async function retryWhileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 250)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
    }
    // Two that wait for each other do not come back at the same moment.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}

/** Whether the system refused because somebody else has the file open, or may be so. */
export const isBusy = (error: unknown): boolean => error instanceof Error && CODES.has((error as NodeJS.ErrnoException).code);

/** What to do where it lasts. */
export const OPEN_ELSEWHERE = "Another program has the file open, perhaps a virus scanner. Try again in a moment.";
