// The number of rows of a table that one run reads, for the form, the command line and the run itself.
export const DEFAULT_ROWS = 1_000;
/** The most rows that a table on the platform can have. */
export const MOST_ROWS = 10_000;
