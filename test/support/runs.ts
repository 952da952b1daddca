// How much chance a test tries: all of it where every change is judged (.ci/run sets PACK_AUTH_PROPERTY_RUNS), a part of it on a desk.
const ALL = 2_000;

/** How often fast-check tries each property. */
export const RUNS = Number(process.env.PACK_AUTH_PROPERTY_RUNS ?? 300);

/** Of inputs that take longer than a property's: so many where all is tried, else the same part of them. */
export const partOf = (inputs: number): number => Math.ceil((inputs * Math.min(RUNS, ALL)) / ALL);

/** Milliseconds that a property may take for all of its runs, on a busy machine too. */
export const PROPERTY_TIME = 20_000 + RUNS * 40;
