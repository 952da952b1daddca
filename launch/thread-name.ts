/** What a thread of a long check is called with, in the place of a verb. */
export const THREAD = "--thread-of-check";
