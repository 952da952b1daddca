// How much chance a test tries. Each run tries other inputs, so a few hundred for each change find what thousands at once would.

/** What the parts below are parts of. */
const ALL = 2_000;

/** How often fast-check tries each property. PACK_AUTH_PROPERTY_RUNS makes a long run. */
export const RUNS = Number(process.env.PACK_AUTH_PROPERTY_RUNS ?? 300);

/** Of inputs that take longer than a property's: the same part as of a property's. */
export const partOf = (inputs: number): number => Math.ceil((inputs * Math.min(RUNS, ALL)) / ALL);

/** Of inputs that are promised for each change: all where every change is judged (.ci/run sets PACK_AUTH_ALL_INPUTS), a part on a desk. */
export const promised = (inputs: number): number => (process.env.PACK_AUTH_ALL_INPUTS ? inputs : partOf(inputs));

/** Milliseconds that a property may take for all of its runs, on a busy machine too. */
export const PROPERTY_TIME = 20_000 + RUNS * 40;
