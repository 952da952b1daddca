// How many inputs a random test tries. `npm test` tries a sample, other ones each time: over many runs that finds what thousands at once
// would. `npm run test:deep` tries all.

const isDeep = process.env.PACK_AUTH_DEEP !== undefined;

/** How often fast-check tries each property. PACK_AUTH_PROPERTY_RUNS makes a longer run of a file. */
export const RUNS = Number(process.env.PACK_AUTH_PROPERTY_RUNS ?? (isDeep ? 10_000 : 100));

/** From so many runs of a property on, tests whose inputs take longer try all of theirs. */
const ALL_FROM = 2_000;

/** How many of `inputs` that take longer than those of a property are tried: at least one. */
export const partOf = (inputs: number): number => Math.ceil((inputs * Math.min(RUNS, ALL_FROM)) / ALL_FROM);

/** Milliseconds that a property may take for all of its runs, on a busy machine too. */
export const PROPERTY_TIME = 20_000 + RUNS * 40;
