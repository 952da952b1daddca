// How many rows of a table one run reads: for the form, the command line, and the run that holds to it.
export const DEFAULT_ROWS = 1_000;
/** A table on the platform has no more. */
export const MOST_ROWS = 10_000;
