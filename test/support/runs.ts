// The number of inputs of random tests. Each run tries others: over many runs, a sample finds as much as thousands at once. The deep tests
// try twenty times as many as the core.

/** Whether the deep tests run. */
export const isDeep = process.env.TESTS_DEEP !== undefined;

/** The number of runs of each fast-check property. TESTS_PROPERTY_RUNS sets more for a longer run of a file. */
export const RUNS = Number(process.env.TESTS_PROPERTY_RUNS ?? (isDeep ? 2_000 : 100));

/** The number of property runs from which on tests with slower inputs try all of theirs. */
const ALL_FROM = 2_000;

/** Returns how many of `inputs` slow inputs a test tries: at least one. */
export const partOf = (inputs: number): number => Math.ceil((inputs * Math.min(RUNS, ALL_FROM)) / ALL_FROM);

/** Milliseconds for all runs of a property, also on a busy machine. */
export const PROPERTY_TIME = 20_000 + RUNS * 40;

/** Returns whether the line of a long table belongs to the tier that runs: one of twelve to the core, the others to the deep tests. */
export const isInTier = (index: number): boolean => (index % 12 === 0) !== isDeep;
